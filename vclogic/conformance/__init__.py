"""Demands on every game, your own included: for `vclogic test --all`, and as tests for pytest.

A test module imports them all and names its games:

    from vclogic.conformance import *

    GAMES = ("my_game",)

As tests they need the extra `vclogic[test]`.
"""

from typing import Any

_FOR_PYTEST = ("__all__", "play", "rng", "never", "pytest_generate_tests")


def __getattr__(name: str) -> Any:
    """The names that a test module imports; without pytest none of them is there."""
    if name in _FOR_PYTEST or name.startswith("test_"):
        from vclogic.conformance import with_pytest

        return getattr(with_pytest, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
