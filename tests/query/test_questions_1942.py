"""Questions of players about the 1942 board: what is forced, refuted and defended there."""

from __future__ import annotations

import pytest

from tests.toys.questions_1942 import QUESTIONS, Question, board

QUICK = [q for q in QUESTIONS if q.within == 1 or q.points == 50]
"""Those for which the brute force takes less than a second."""


@pytest.mark.parametrize(
    "question", [pytest.param(q, marks=[] if q in QUICK else [pytest.mark.slow]) for q in QUESTIONS], ids=str
)
def test_the_answers_are_those_of_brute_force(question: Question) -> None:
    wide = board()
    want, at = question.want(wide), question.start(wide)
    found = want.forced(at, question.within)
    good = [set(turn) for turn in want.good(at, question.within)]
    if question.threat:
        assert min(map(len, good), default=None) == question.answer
    else:
        assert found == (question.answer == "forced")
    if question.all_of:
        assert good
        assert set.intersection(*good) == set(question.all_of)
