"""The winner within some turns, shown as lines of play: case by case, in words, and checked."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vclogic.clock import ANSWERING, Deadline, TimeUp, grace_period, until
from vclogic.encode.python.evaluator import compile_term, interpret
from vclogic.model.fluents import State, value
from vclogic.model.system import Metric, System
from vclogic.model.transition import Transition
from vclogic.query.answers import Recorded
from vclogic.query.force.answer import LinesChecked, TurnTaken, Variation
from vclogic.query.force.turns import Duel, PlayedTurn, Turns
from vclogic.query.plan_record import recorded_until
from vclogic.query.replay import ReplayError, state_after
from vclogic.shortage import WITHOUT, libraries_missing
from vclogic.solve.forcing.ahead import Ahead, Turn
from vclogic.solve.forcing.classes import Answered, Cases
from vclogic.solve.forcing.search import Found, SolverUndecided, TurnsAhead
from vclogic.terms.term import Term

if TYPE_CHECKING:
    from vclogic.query.force.line_check import LineCheck

UNCHECKED = f"the lines of play were not checked once more: {WITHOUT}"
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
    deadline, state = question.resolved.effort.deadline, question.resolved.state
    known, cases = Cases(search, wins=found.wins), list[Answered]()
    try:
        with until(deadline.part(_CASES)):
            cases = known.of(found, search.start)
    except (TimeUp, SolverUndecided):
        pass
    if not cases:
        return WinningLine(reason=UNFINISHED)
    with grace_period(2 * ANSWERING):
        teller = _LineTeller(question, search.game)
        variations = tuple(teller.variations(cases))
    unfinished = UNFINISHED if known.partial else ""
    if libraries_missing():
        return WinningLine(variations, reason=unfinished or UNCHECKED)
    # The check takes a share of the time of the search: it never dominates a quick answer.
    spent = max(_LEAST_CHECK, time.monotonic() - began)
    seconds = max(min(spent, deadline.left) * _CHECK, _LEAST_CHECK)
    checked = None
    try:
        with grace_period(seconds):
            check = _line_check(question, turns, search.game.depth, wins=found.wins, partial=known.partial)
            checked = check.check(state, variations, most, seconds)
            records = LineRecords(
                question.resolved.system, question.resolved.metric, question.step, question.asked, question.goal
            )
            checked = records.check(checked, state, (*teller.lines, *check.lines), seconds * _RECORDS)
    except TimeUp:
        pass
    return WinningLine(variations, checked, unfinished)


def _line_check(question: Duel, turns: int, depth: int, *, wins: bool, partial: bool) -> LineCheck:
    """The check of lines."""
    from vclogic.query.force.line_check import LineCheck  # which needs NumPy

    return LineCheck(
        question.resolved.system,
        question.step,
        question.goal,
        question.wants,
        wins=wins,
        turns=turns,
        depth=depth,
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
        self._turns = Turns(question.resolved.system, question.step)
        self.lines: list[Sequence[Turn]] = []

    def variations(self, cases: Sequence[Answered], known: Sequence[Turn] = ()) -> list[Variation]:
        """The cases for a reader.

        Args:
            known: The turns before them.
        """
        return [self._case(case, len(known)) for case in cases]

    def _case(self, case: Answered, before: int) -> Variation:
        state, slot = self._question.resolved.state, self._question.resolved.system.layout.slot
        taken: list[TurnTaken | None] = []  # None: nothing was to be chosen there
        for turn, ply in zip((*case.example, *case.turns), self._game.plies, strict=False):
            if ply.due is not None and not interpret(ply.due, slot, state):
                taken.append(None)
                continue
            made = self._turns.play(state, turn)
            taken.append(replace(self._turns.turn_taken(state, made), due=ply.due is not None))
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


# ---- lines as records
#
# The turns of a planning model say what is chosen; the record evaluator knows nothing of choices. Both must come to
# the same.

_FIRST = 2 * ANSWERING  # seconds of work for the first line, even if the time is up: events are compiled for it
Line = Sequence[Turn]
"""The turns of both sides, one after the other, from the start."""


class _TurnRefused(Exception):
    """The rules refuse the events of a turn; the message says which."""


class LineRecords:
    """Plays lines as records.

    Args:
        system: The rule set.
        metric: The planning model.
        step: Its step, with all that every side may choose.
        goal: Bool, over fluents: the goal as asked.
        reached: Bool, over fluents: it, or what it is before actions without a choice at the end.
    """

    def __init__(self, system: System, metric: Metric, step: Transition, goal: Term, reached: Term):
        self._system, self._exact, self._goal = system, metric.recorded, goal
        self._mover, self._slot = step.mover, system.layout.slot
        self._turns = Turns(system, step)
        self._reached = compile_term(reached, self._slot)

    def check(self, found: LinesChecked, state: State, lines: Iterable[Line], seconds: float) -> LinesChecked:
        """Play lines as records; at least the first one, further ones while there is time.

        Args:
            found: How the lines were checked so far.
            state: The start.
            seconds: The time.

        Returns:
            The same, with how many lines the rules accept and refuse.

        Raises:
            ReplayError: The rules refuse a line, though the planning model leaves out nothing that they ask for.
        """
        deadline = Deadline(seconds)
        different = {tuple(tuple(sorted(turn.items())) for turn in line): line for line in lines}
        for n, line in enumerate(different.values()):
            if n and deadline.left <= 0:
                break
            try:
                with until(deadline), grace_period(_FIRST if n == 0 else ANSWERING):
                    self.play(state, line)
            except TimeUp:
                break
            except _TurnRefused as error:
                # Only an exact planning model promises that each line is a record.
                if self._exact:
                    raise ReplayError(f"a line of play is no record: {error}") from error
                found = replace(found, refused=found.refused + 1, refusal=found.refusal or str(error))
            else:
                found = replace(found, recorded=found.recorded + 1)
        return found

    def play(self, state: State, line: Line) -> State:
        """The state after the record of a line.

        Raises:
            TimeUp: The time was up before that was known.
            _TurnRefused: The rules refuse an event of it, or it leads to other turns, or not to the goal as it
                should.
        """
        planned = state
        for turn in line:
            made = self._turns.play(planned, turn)
            state = self._turn(state, made)
            planned = made.state
        if self._reached(planned):
            otherwise = "the goal does not hold after the turns"
            state = self._after(state, recorded_until(self._system, state, (), self._won, otherwise))
            if not self._won(state):
                raise _TurnRefused("the goal does not hold at the end")
        return state

    def _won(self, state: State) -> bool:
        return bool(interpret(self._goal, self._slot, state))

    def _turn(self, state: State, made: PlayedTurn) -> State:
        """The state of a record after a turn: the planned one, or at least one in which the same side is on turn."""
        due = made.state if self._exact else self._whose(made.state)

        def over(after: State) -> bool:
            return (after if self._exact else self._whose(after)) == due

        otherwise = "the turn does not end as planned"
        return self._after(state, recorded_until(self._system, state, made.events, over, otherwise))

    def _whose(self, state: State) -> tuple[int, ...]:
        """The values that tell whose turn it is."""
        mover = () if self._mover is None else (interpret(self._mover, self._slot, state),)
        return (*(state[self._slot[f]] for f in self._system.schedule), *mover)

    def _after(self, state: State, record: Recorded) -> State:
        """The state after a record."""
        if not record.decided:
            raise TimeUp
        if record.events is None:
            raise _TurnRefused(record.reason)
        for event in record.events:
            after = state_after(self._system, state, event)
            if after is None:
                raise _TurnRefused(f"the rules refuse {event}")
            state = after
        return state
