"""Every question looks at the clock often, and ends soon after its time; `benchmarks/deadlines.py` measures it."""

from __future__ import annotations

import importlib
import tempfile
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import vclogic
from benchmarks.heavy_questions import QUESTIONS, Question, arguments_of, file_of
from tests.fixtures.clocks import stretches
from tests.fixtures.pace import examples
from vclogic.clock import TimeUp
from vclogic.game import Game
from vclogic.query.plan import cheapest
from vclogic.query.plan.luck import NOT_COUNTED
from vclogic.report import json

MOST = 10_000_000
"""Steps of work (`tests/fixtures/work.py`), about half a second, without a look at the clock or after the time."""
LIMIT = 3.0
ENGINES = ("questions", "planner", "questions.odds", "solve", "ruling.ask", "force")
_GAMES: dict[tuple[object, ...], Game] = {}


def game_of(question: Question) -> Game:
    """The game of a question, loaded once."""
    key = (question.game, *question.settings.items())
    if key not in _GAMES:
        with tempfile.TemporaryDirectory() as folder:
            _GAMES[key] = vclogic.load(file_of(question.game, folder), settings=question.settings)
    return _GAMES[key]


def ask(question: Question, game: Game, asked: dict[str, Any], limit: float) -> None:
    """Asks; the answer has to be one that a program can read."""
    answer = getattr(game, question.command)(timeout=limit, **asked)
    assert json.document(question.command, answer)


def the(game: str, command: str) -> Question:
    """The first question of a command about a game."""
    return next(q for q in QUESTIONS if (q.game, q.command) == (game, command))


OF_GAMES = [q for q in QUESTIONS if "areas" not in q.game]


@given(st.sampled_from(OF_GAMES), st.floats(0, 1).map(lambda x: int(10 ** (5 * x))))
@example(the("okinawa/island", "ask"), 1_000)
@example(the("asl", "solve"), 100_000)
@examples(20)
def test_nobody_works_long_without_a_look_at_the_clock_nor_after_the_time(question: Question, looks: int) -> None:
    for name in ENGINES:  # what is imported is not what is asked about
        importlib.import_module(f"vclogic.query.{name}")
    game = game_of(question)
    asked = arguments_of(game, question)
    with stretches(looks, LIMIT) as clock:
        ask(question, game, asked, LIMIT)
    assert clock.longest < MOST, clock.where
    assert clock.late < MOST, clock.where


def test_a_plan_is_told_where_the_time_is_up_before_its_chances_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was thrown away, as nothing is granted for that after the end of the time."""

    def late(*_: object) -> str:
        raise TimeUp

    monkeypatch.setattr(cheapest, "said_of_chance", late)
    plan = vclogic.load("axis_allies").plan("vcp(Axis) >= 30", side="Axis")
    assert plan.status == "optimal"
    assert NOT_COUNTED in plan.assumptions
