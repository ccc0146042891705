"""Solvers killed at random moments: no wrong answer, no traceback, nothing left behind."""

from __future__ import annotations

from random import Random

import pytest

from tests.fixtures.killed_solvers import QUESTIONS, hunt

MANY = 200


USUAL = ("HiGHS", "Spacer", "missing", "differ")
"""Each engine once; `make slow` kills the solvers of every question, two hundred times."""


@pytest.mark.parametrize("name", USUAL)
def test_a_killed_solver_makes_no_wrong_answer(name: str) -> None:
    assert hunt(QUESTIONS[name], Random(name)).faults == []


@pytest.mark.slow
def test_two_hundred_killed_solvers() -> None:
    rng = Random()
    hunted = [hunt(rng.choice([*QUESTIONS.values()]), rng) for _ in range(MANY)]
    assert [fault for one in hunted for fault in one.faults] == []
    assert sum(bool(one.killed) for one in hunted) > MANY / 2
