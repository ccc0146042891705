"""Conformance tests for pytest, which every encoding must pass, including your own.

A test module imports them all and names its games:

    from vclogic.conformance import *

    GAMES = ("my_game",)

They need the extra `vclogic[test]`.
"""

import pytest

pytest.register_assert_rewrite(
    *(f"{__name__}.{m}" for m in ("playing", "meaning", "events", "claims", "planning", "games"))
)

from vclogic.conformance.claims import *  # noqa: E402, F403
from vclogic.conformance.events import *  # noqa: E402, F403
from vclogic.conformance.games import play, pytest_generate_tests, rng  # noqa: E402
from vclogic.conformance.meaning import *  # noqa: E402, F403
from vclogic.conformance.planning import *  # noqa: E402, F403
from vclogic.conformance.playing import *  # noqa: E402, F403

__all__ = ["play", "pytest_generate_tests", "rng", *(name for name in dir() if name.startswith("test_"))]
