"""Shortages: errors for lack of memory, disk or processes, which are neither bugs nor answers; missing libraries."""

from __future__ import annotations

import errno
from functools import cache

MEMORY = "not enough memory"
FILES = "not enough file descriptors"
_BY_NUMBER = {
    errno.ENOMEM: MEMORY,
    errno.EMFILE: FILES,
    errno.ENFILE: FILES,
    errno.EAGAIN: "not enough memory, or too many processes",  # what starting a process or thread fails with
}
# What else errors say then: those of imports, of threads, of the parser, and of Python where it cannot even say that.
_KINDS = (ImportError, OSError, RuntimeError, SyntaxError, SystemError)
_SAID = (
    *("failed to map segment", "cannot allocate memory", "can't start new thread", "can't load unicodedata"),
    *("without setting an exception", "without exception set"),
)


def shortage(error: BaseException | None) -> str | None:
    """The shortage behind an error, in a few words; None if the error has another cause.

    Args:
        error: The error; what it was raised from counts too.
    """
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, MemoryError):
            return MEMORY
        if isinstance(error, OSError) and error.errno in _BY_NUMBER:
            return _BY_NUMBER[error.errno]
        if isinstance(error, _KINDS):
            said = str(error).lower()
            if any(words in said for words in _SAID):
                return MEMORY
        error = error.__cause__ or error.__context__
    return None


# ---- libraries that are missing where vclogic runs in a browser: there are no wheels of NumPy and HiGHS for it


LIBRARIES = frozenset({"numpy", "highspy"})
WITHOUT = "NumPy and HiGHS are missing here"


@cache
def libraries_missing() -> bool:
    """True if one of the libraries is missing."""
    from importlib.util import find_spec  # not while memory is short

    return any(find_spec(name) is None for name in LIBRARIES)
