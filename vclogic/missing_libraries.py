"""Libraries that are missing where vclogic runs in a browser: NumPy and HiGHS, of which there are none for it."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

LIBRARIES = frozenset({"numpy", "highspy"})
WITHOUT = "NumPy and HiGHS are missing here"


@cache
def libraries_missing() -> bool:
    """True if one of the libraries is missing."""
    return any(find_spec(name) is None for name in LIBRARIES)
