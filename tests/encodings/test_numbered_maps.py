"""A map whose hexes are numbered from 1 is the same map: its boards, plays and answers are renamed, nothing more."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from vclogic.conformance.games import legal_play
from vclogic.game import Game

GAMES = Path(__file__).parents[2] / "encodings" / "vclogic_encodings"
BOARDS = {
    "napoleonics": ("erlenbach.yaml", "odd-row"),
    "moscow": ("small.yaml", "odd-row"),
    "okinawa": ("small.yaml", "odd-column"),
}
_HEX = re.compile(r"\b([0-9]+),([0-9]+)\b")
_LABEL = re.compile(r">([0-9]+,[0-9]+)[ ,<]")
_TWICE = 2


def renamed(x: Any) -> Any:
    """A part of a file, or a value, with each hex one column and one row further."""
    if isinstance(x, str):
        return _HEX.sub(lambda m: f"{int(m[1]) + 1},{int(m[2]) + 1}", x)
    if isinstance(x, dict):
        return {renamed(k): renamed(v) for k, v in x.items()}
    return [renamed(v) for v in x] if isinstance(x, list | tuple) else x


def pair(name: str) -> tuple[Game, Game]:
    file, stagger = BOARDS[name]
    board = yaml.safe_load((GAMES / name / file).read_text())
    more = {"numbered_from": 1, "stagger": stagger.replace("odd", "even")}
    kept = {} if "map" not in board else {"map": board["map"]}
    moved = {**renamed(board), **kept, **more}
    return Game.load({"game": name, "board": board}), Game.load({"game": name, "board": moved})


def shown(game: Game) -> dict[str, Any]:
    status = game.status()
    return {"observables": dict(status.observables), "winner": status.winner, "outcomes": status.outcomes}


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("seed", range(_TWICE))
def test_what_is_played_on_it_comes_to_the_same(name: str, seed: int) -> None:
    plain, moved = pair(name)
    steps = list(legal_play(plain.setup.system, plain.setup.initial, Random(seed), 25))
    assert len(steps) > 1
    for event, _ in steps:
        given = dict(event.args)
        plain, moved = plain.apply(event.name, **given), moved.apply(event.name, **renamed(given))
        assert renamed(plain.state_dict()) == moved.state_dict()
    assert renamed(repr(shown(plain))) == repr(shown(moved))


@pytest.mark.parametrize("name", BOARDS)
def test_its_picture_shows_the_numbers_of_the_map(name: str) -> None:
    plain, moved = pair(name)
    before, after = (set(_LABEL.findall(str(game.svg()))) for game in (plain, moved))
    assert "0,0" in before
    assert {renamed(h) for h in before} == after
