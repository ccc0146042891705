"""What every encoding has to do, whatever its game is: tests for pytest, for games of one's own too.

A test module takes them all over and says which games it is about:

    from vclogic.conformance import *

    GAMES = ("my_game",)

They need the extra `vclogic[test]`.
"""

import pytest

pytest.register_assert_rewrite(
    *(
        f"{__name__}.{m}"
        for m in ("playing", "meaning", "deciding", "legality", "claims", "clauses", "planning", "play", "happening")
    )
)

from vclogic.conformance.claims import *  # noqa: E402, F403
from vclogic.conformance.clauses import *  # noqa: E402, F403
from vclogic.conformance.deciding import *  # noqa: E402, F403
from vclogic.conformance.games import play, pytest_generate_tests, rng  # noqa: E402
from vclogic.conformance.happening import *  # noqa: E402, F403
from vclogic.conformance.legality import *  # noqa: E402, F403
from vclogic.conformance.meaning import *  # noqa: E402, F403
from vclogic.conformance.planning import *  # noqa: E402, F403
from vclogic.conformance.playing import *  # noqa: E402, F403

__all__ = ["play", "pytest_generate_tests", "rng", *(name for name in dir() if name.startswith("test_"))]
