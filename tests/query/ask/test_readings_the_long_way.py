"""The Readings that `ask` names are those that change the answer when the game is loaded anew under them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.fixtures.games import loaded
from tests.fixtures.pace import MORE, cases
from tests.oracles.rulings import REFUSED, Asked, Choice, boards_of, of_play, of_rulings, smallest
from vclogic.conformance.games import legal_play
from vclogic.game import Game

GAMES = ("asl", "axis_allies", "moscow", "napoleonics", "okinawa")
SMALL = ("asl", "axis_allies", "moscow/small", "napoleonics", "okinawa")
RULINGS, PLAYS = int(2 * (MORE or 1)), int(MORE or 1)


def compared(asked: Asked, names: list[str]) -> Mapping[Choice, Any]:
    """Compares what `ask` says of some Readings with the long way; returns what was found.

    Args:
        asked: The question.
        names: The Readings that are tried; `ask` tries all, and may name others besides.
    """
    game = asked.game({})
    settings = game.setup.encoding.readings
    tried = {r.name: list(r.values) for r in settings if r.name in names}
    expected = smallest(asked, tried, game.setup.settings.readings)
    ruled = game.ask(asked.words, timeout=500)
    told = {frozenset(o.readings.items()): REFUSED if o.refused else o.value for o in ruled.readings.changing}
    sizes = len(tried) if ruled.readings.complete else ruled.readings.up_to or 0
    among = {c: v for c, v in told.items() if {r for r, _ in c} <= set(names)}
    said = f"{asked.name}\n{asked.file.read_text()}\n{asked.words}\n{names}"
    assert among == {c: v for c, v in expected.items() if len(c) <= sizes}, said
    assert ruled.value == asked.answer({}), said
    return expected


@pytest.mark.parametrize("name", cases(GAMES, "moscow"))
def test_rulings_that_name_a_reading(name: str, tmp_path: Path) -> None:
    rng = Random(f"rulings of {name}" if not MORE else None)
    boards_of(name, tmp_path)
    readings = [r.name for r in loaded(name).setup.encoding.readings]
    changing = 0
    allowed = ((q, named) for q, named in of_rulings(name, tmp_path, rng) if q.answer({}) != REFUSED)
    for (question, named), _ in zip(allowed, range(RULINGS), strict=False):
        others = [r for r in readings if r not in named]
        changing += bool(compared(question, [*named, *rng.choice(others)]))
    assert changing, "a Reading changes something in some of them"


@pytest.mark.parametrize("name", cases(SMALL, "moscow/small"))
def test_random_plays(name: str, tmp_path: Path) -> None:
    rng = Random(f"plays of {name}" if not MORE else None)
    boards_of(name.partition("/")[0], tmp_path)
    readings = [r.name for r in loaded(name).setup.encoding.readings]
    for _ in range(PLAYS):
        compared(of_play(played(loaded(name), rng), tmp_path, rng), rng.sample(readings, 2))


def played(game: Game, rng: Random) -> Game:
    """The game after some random events."""
    for event, _ in legal_play(game.setup.system, game.state, rng, 8, set()):
        game = game.apply(event.name, **dict(event.args))
    return game
