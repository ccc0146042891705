"""Rulings: a question asked again in a warm process, its parts alone, and the first time that a game is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import vclogic
from benchmarks.runner import Comparison, side_by_side
from vclogic.game import Game
from vclogic.query.ask.readings import other_readings
from vclogic.query.ask.subject import PositionQuestion, read_question

AIM = "a ruling with reasons, clauses and Readings in 0.1 s in a warm process"
QUESTIONS = {
    "asl": "controls_building(German, 22U3)",
    "axis_allies": "vcp(Axis) >= 40",
    "moscow": "vp(German) >= vp(Soviet)",
    "napoleonics": "banners(French) >= 1",
    "okinawa": "vp_at_end(US) >= 1",
}


def run() -> Iterator[Comparison]:
    """One question of each game."""
    for name, question in QUESTIONS.items():
        game = vclogic.load(name)
        warm: dict[str, Callable[[], object]] = {
            "explain alone": partial(game.explain, question),
            "the whole ruling": partial(game.ask, question),
            "of it what other Readings make of it": partial(other_readings, _asked(game, question)),
        }
        yield Comparison(f"{name}: {question}, asked again", side_by_side(warm))
        first: dict[str, Callable[[], object]] = {
            "the game is loaded": partial(vclogic.load, name),
            "and asked for the first time": partial(_first, name, question),
        }
        yield Comparison(f"{name}: {question}, for the first time", side_by_side(first, rounds=3, share=0))


def _asked(game: Game, question: str) -> PositionQuestion:
    return PositionQuestion(game.setup, (), (game.state,), read_question(game.setup.system, question))


def _first(name: str, question: str) -> object:
    return vclogic.load(name).ask(question)
