"""Playtests beside a loop written by hand, and many games at once beside the same one by one."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

import vclogic
from benchmarks.runner import Comparison, side_by_side
from vclogic.explore.many_games import ManyGames
from vclogic.game import Game
from vclogic.studies.answer import study

AIM = "1,000 games in at most 1.15 times a loop by hand; many games at once ten times as fast as one by one"
_BOOKS = Path(__file__).parents[1] / "examples" / "rulebooks"
_STEPPED = 200
_PLAYED = 1_000


def run() -> Iterator[Comparison]:
    """Skirmish with random players; steps of skirmish, Bridgehead and captures of Axis & Allies."""
    skirmish = vclogic.load(str(_BOOKS / "skirmish.md"))
    calls: dict[str, Callable[[], object]] = {
        "by hand, one core": lambda: _by_hand(skirmish),
        "study, two processes": _studied,
    }
    yield Comparison(f"{_PLAYED:,} games of skirmish", side_by_side(calls, rounds=3))
    for name, game, kinds in (
        ("skirmish", skirmish, ()),
        ("Bridgehead", vclogic.load(str(_BOOKS / "bridgehead.md")), ()),
        ("captures", vclogic.load("axis_allies"), ("capture", "end_turn")),
    ):
        many = game.many(_STEPPED, kinds=kinds)  # made once, as the game is loaded once for the others
        calls = {"one by one": partial(_one_by_one, game, kinds), "at once": partial(_at_once, many)}
        yield Comparison(f"{_STEPPED} games of {name}, five events each", side_by_side(calls, rounds=3))


def _by_hand(game: Game) -> int:
    chance, won = random.Random(1), 0
    for _ in range(_PLAYED):
        at = game
        while at.winner is None and (events := list(at.legal().events())):
            name, arguments = chance.choice(events)
            at = at.apply(name, **arguments)
        won += at.winner == "Red"
    return won


def _studied() -> int:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "study.yaml"
        file.write_text(f"game: {_BOOKS / 'skirmish.md'}\ngames: {_PLAYED}\n")
        return study(str(file), str(Path(folder) / "rows"), workers=2).rows


def _one_by_one(game: Game, kinds: tuple[str, ...]) -> None:
    chance = random.Random(1)
    for _ in range(_STEPPED):
        at = game
        for _ in range(5):
            events = [e for kind in kinds or (None,) for e in at.legal(event=kind).events()]
            if at.winner is None and events:
                name, arguments = chance.choice(events)
                at = at.apply(name, **arguments)


def _at_once(many: ManyGames) -> None:
    games, chance = many.take(np.arange(_STEPPED)), np.random.default_rng(1)
    for _ in range(5):
        games.apply(games.draw(chance.random(_STEPPED)))
