"""Every question ends half a second after its time at the latest: by processor time in a usual run, by the clock in a
long hunt on an idle machine.
"""

from __future__ import annotations

import importlib
import tempfile
import time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import vclogic
from benchmarks.heavy_questions import QUESTIONS, Question, arguments_of, file_of
from tests.fixtures.clocks import stretches
from tests.fixtures.pace import examples
from vclogic.game import Game
from vclogic.report import json

PROMISED = 0.5
"""Seconds after its limit by which a question is answered on an idle machine."""
SLACK = 2.0
"""So many times as much processor time the same work may take beside other programs."""
LIMIT = 3.0
ENGINES = ("questions", "planner", "odds", "solve", "ruling.ask", "force")
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
    assert clock.longest < PROMISED * SLACK, clock.where
    assert clock.late < PROMISED * SLACK, clock.where


@pytest.mark.slow
@given(st.sampled_from(QUESTIONS), st.sampled_from((0.1, 0.5, 1, 2, 5, 10)))
@examples(8)
def test_on_an_idle_machine_every_question_keeps_its_time(question: Question, limit: float) -> None:
    game = game_of(question)
    asked = arguments_of(game, question)
    began = time.monotonic()
    ask(question, game, asked, limit)
    assert time.monotonic() - began < limit + PROMISED
