"""Every installed encoding does what all of them have to do."""

from __future__ import annotations

from vclogic.conformance import *  # noqa: F403
from vclogic.files.registry import encoding_names

GAMES = encoding_names()


def test_there_is_a_game() -> None:
    assert GAMES
