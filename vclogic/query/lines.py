"""The winner within some turns, shown as lines of play: case by case, in words, and checked."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vclogic.clock import ANSWERING, TimeUp, granted, until
from vclogic.encode.evaluator import interpret
from vclogic.model.fluents import value
from vclogic.query.duel import LinesChecked, TurnTaken, Variation
from vclogic.query.line_check import LineCheck
from vclogic.query.line_records import LineRecords
from vclogic.query.turns import Turns
from vclogic.query.two_parties import Duel
from vclogic.solve.forcing.ahead import Ahead, Turn
from vclogic.solve.forcing.classes import Answered, Cases
from vclogic.solve.forcing.search import Found, SolverUndecided, TurnsAhead

UNFINISHED = "the time was up before all lines of play were put into words"
_CASES = 0.7  # of the time left once it is decided who wins, how much for putting lines into words
_CHECK = 0.5  # of the seconds that finding lines took, how many for checking them
_RECORDS = 0.5  # of these, how many more for playing lines as records
_LEAST_CHECK = 0.5  # seconds for checking lines, however fast they were found


@dataclass(frozen=True)
class WinningLine:
    """A side's way to win, for a reader.

    Attributes:
        cases: How, case by case.
        checked: How the cases were checked once more.
        reason: Why the cases are missing, if they are.
    """

    cases: tuple[Variation, ...] = ()
    checked: LinesChecked | None = None
    reason: str = ""


def in_words(
    question: Duel, search: TurnsAhead, found: Found, turns: int, most: int | None, began: float
) -> WinningLine:
    """Put a side's way to win into words, case by case, and check it.

    Args:
        search: The search that found who wins.
        found: Who wins.
        turns: The most turns of those who want the goal.
        most: The most choices of the very first turn; None: any number.
        began: When the search began, as of `time.monotonic`.
    """
    deadline, state = question.ask.effort.deadline, question.ask.state
    known, cases = Cases(search, wins=found.wins), list[Answered]()
    try:
        with until(deadline.part(_CASES)):
            cases = known.of(found, search.start)
    except (TimeUp, SolverUndecided):
        pass
    if not cases:
        return WinningLine(reason=UNFINISHED)
    with granted(2 * ANSWERING):
        teller = _LineTeller(question, search.game)
        variations = tuple(teller.told(cases))
    # The check takes a share of the time of the search: it never dominates a quick answer.
    spent = max(_LEAST_CHECK, time.monotonic() - began)
    seconds = max(min(spent, deadline.left) * _CHECK, _LEAST_CHECK)
    checked = None
    try:
        with granted(seconds):
            check = _line_check(question, turns, wins=found.wins, partial=known.partial)
            checked = check.check(state, variations, most, seconds)
            records = LineRecords(
                question.ask.system, question.ask.metric, question.step, question.asked, question.goal
            )
            checked = records.check(checked, state, (*teller.lines, *check.lines), seconds * _RECORDS)
    except TimeUp:
        pass
    return WinningLine(variations, checked, UNFINISHED if known.partial else "")


def _line_check(question: Duel, turns: int, *, wins: bool, partial: bool) -> LineCheck:
    """The check of lines."""
    return LineCheck(
        question.ask.system,
        question.step,
        question.goal,
        question.wants,
        wins=wins,
        turns=turns,
        idle=question.idle,
        later=question.later,
        partial=partial,
    )


# ---- in words


class _LineTeller:
    """Puts cases into turns with sentences: plays one example of each.

    Attributes:
        lines: The turns of each example, with the answer to it.
    """

    def __init__(self, question: Duel, game: Ahead):
        self._question, self._game = question, game
        self._turns = Turns(question.ask.system, question.step)
        self.lines: list[Sequence[Turn]] = []

    def told(self, cases: Sequence[Answered], known: Sequence[Turn] = ()) -> list[Variation]:
        """The cases for a reader.

        Args:
            known: The turns before them.
        """
        return [self._case(case, len(known)) for case in cases]

    def _case(self, case: Answered, before: int) -> Variation:
        state, slot = self._question.ask.state, self._question.ask.system.layout.slot
        taken: list[TurnTaken | None] = []  # None: nothing was to be chosen there
        for turn, ply in zip((*case.example, *case.turns), self._game.plies, strict=False):
            if ply.due is not None and not interpret(ply.due, slot, state):
                taken.append(None)
                continue
            made = self._turns.play(state, turn)
            taken.append(replace(self._turns.taken(state, made), due=ply.due is not None))
            state = made.state
        self.lines.append([turn.chosen for turn in taken if turn])
        first = len(case.example)
        depth = first + len(case.turns)
        names = {v: f for f, v in self._game.fluents[first].items()}
        when = {names[v].name: value(v.sort, n) for v, n in case.when.items()}
        reached = bool(interpret(self._question.goal, slot, state))
        return Variation(
            when=dict(sorted(when.items())),
            such_as=tuple(filter(None, taken[before:first])),
            turns=tuple(filter(None, taken[first:])),
            reached=reached,
            then=tuple(self._case(c, depth) for c in case.then),
            partial=case.partial,
        )
