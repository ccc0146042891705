"""A game ends where its text says so: for records, for best play, and as plans say it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import vclogic
from vclogic.encode.python.evaluator import interpret
from vclogic.explore.endings import endings

ISLANDS = "examples/two_islands.yaml"
GAMES: dict[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {
    "napoleonics": ("napoleonics", {}, ("eliminate", "start_turn")),
    "okinawa": ("okinawa/small", {}, ("end_game",)),
    "moscow": ("moscow/small", {}, ("end_game",)),
    "asl": ("examples/asl_22u3.yaml", {}, ("end_game",)),
    "axis_allies": (ISLANDS, {"victory": "major"}, ("capture", "end_turn")),
}


@pytest.mark.parametrize("name", GAMES)
def test_records_end_where_best_play_does(name: str) -> None:
    start, settings, often = GAMES[name]
    game, dice = vclogic.load(start).with_options(**settings), Random(1)
    system = game.setup.system
    final = endings(system).final
    for _ in range(200):
        events = list(game.legal().events())
        assert bool(interpret(final, system.layout.slot, game.state)) is not bool(events), game.history
        if not events:
            return
        some = [e for e in events if e[0] in often]
        event, args = dice.choice(some if some and dice.random() < 0.5 else events)
        game = game.apply(event, **args)
    raise AssertionError("the game did not end")


def test_holding_moscow_at_a_moment_ends_nothing() -> None:
    game = vclogic.load("moscow/small")
    system = game.setup.system
    assert interpret(system.holds("moscow", "Soviet"), system.layout.slot, game.state)
    assert not any(interpret(t, system.layout.slot, game.state) for t in endings(system).won)
