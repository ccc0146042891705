"""Rules whose terms nest deeper than Python may recurse: every question has its answer, in time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.fixtures.in_memory import game_of
from tests.toys.deep_rules import NESTED, deep_system, nested
from vclogic.game import Game

DEPTH = sys.getrecursionlimit() + 50
LIMIT = 2.0  # seconds of one question; an answer may be that it was not enough
GOAL = "worth(Blue) >= 3 and not deep"
QUESTIONS: dict[str, Callable[[Game], Any]] = {
    "status": lambda game: game.status(),
    "explain": lambda game: game.explain(GOAL),
    "ask": lambda game: game.ask(GOAL, timeout=LIMIT, explain=True),
    "legal": lambda game: game.legal(),
    "plan": lambda game: game.plan(GOAL, side="Blue", timeout=LIMIT),
    "turns": lambda game: game.plan(GOAL, side="Blue", opponent="helps", minimize="turns", timeout=LIMIT),
    "reach": lambda game: game.reach("worth(Blue) >= 5", timeout=LIMIT),
    "missing": lambda game: game.missing(GOAL, timeout=LIMIT),
    "solve": lambda game: game.solve(timeout=LIMIT),
    "force": lambda game: game.force(GOAL, side="Blue", within=1, timeout=LIMIT),
    "defend": lambda game: game.defend("worth(Red) >= 4", side="Blue", within=1, timeout=LIMIT),
    "objectives": lambda game: game.objectives(GOAL, side="Blue", timeout=LIMIT),
    "planner": lambda game: game.planner("Blue").plan(GOAL, budget_s=LIMIT),
    "compare": lambda game: game.compare(deep(tuple(NESTED), DEPTH + 1), timeout=LIMIT),
}


def deep(kinds: Sequence[str], depth: int) -> Game:
    """The game with such terms in its rules."""
    return game_of(deep_system(nested(kinds, depth)))


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_term_is_too_deep_for_a_question(question: str) -> None:
    assert QUESTIONS[question](deep(tuple(NESTED), DEPTH)) is not None


@pytest.mark.slow
@pytest.mark.parametrize("kind", NESTED)
@pytest.mark.parametrize("question", QUESTIONS)
def test_nor_is_one_of_a_single_kind_that_is_ten_times_as_deep(question: str, kind: str) -> None:
    assert QUESTIONS[question](deep((kind,), 10 * DEPTH)) is not None
