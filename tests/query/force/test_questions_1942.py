"""Questions of players about the 1942 board: what is forced, refuted and defended there."""

from __future__ import annotations

from random import Random

import pytest

from tests.fixtures.games import loaded
from tests.fixtures.pace import cases
from tests.oracles.strategies import Player
from tests.toys.questions_1942 import GAME, QUESTIONS, SETTINGS, Question, board, read_board, start_of, want_of
from tests.toys.small_maps import SmallMap
from vclogic.query.force.answer import Defence, Force

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


# ---- the answers of vclogic

SECONDS = 300
"""On two idle cores 30 are enough."""
SIDES = ("Axis", "Allies")
FAST = [q for q in QUESTIONS if q.name in ("London falls", "Berlin falls")]
"""Those that vclogic answers in a second or two."""


def answered(question: Question) -> Force | Defence:
    """What vclogic answers."""
    game = loaded(GAME, **SETTINGS)
    for _ in range(question.passed):
        game = game.apply("end_turn")
    if question.threat:
        side = SIDES[1 - SIDES.index(question.side)]
        return game.defend(question.goal, side, within=question.within, minimize="turns", timeout=SECONDS)
    return game.force(question.goal, question.side, within=question.within, minimize="turns", timeout=SECONDS)


def check(question: Question, plays: int) -> None:
    """The answer is right, and its lines hold against random turns of the other side."""
    answer = answered(question)
    if isinstance(answer, Force):
        assert answer.status == question.answer
        cases, wins = answer.strategy or answer.refutation, answer.status == "forced"
    else:
        assert (answer.status, answer.moves) == (
            ("lost", None) if question.answer is None else ("defended", question.answer)
        )
        cases, wins = answer.defence or answer.attack, answer.status == "lost"
    if answer.reason and not cases:
        return  # decided, but the time was up before the lines were put into words
    assert answer.checked is not None
    assert answer.checked.recorded >= 1
    assert answer.checked.refused == 0
    game, world, start, rng = loaded(GAME, **SETTINGS), board().world, start_of(question), Random(1)
    m = SmallMap(read_board(), SETTINGS, world, start, game.setup.system)
    side = question.side if wins else SIDES[1 - SIDES.index(question.side)]
    player = Player(m, want_of(question), side, sample=rng)
    for _ in range(plays):
        player.play(start, question.within, cases)
    assert player.plays == plays


@pytest.mark.parametrize("question", cases(FAST, FAST[0]), ids=str)
def test_vclogic_answers_the_fast_ones_and_keeps_its_word(question: Question) -> None:
    check(question, plays=25)


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_vclogic_answers_all_and_keeps_its_word_against_a_thousand_random_replies(question: Question) -> None:
    check(question, plays=1_000)
