"""Check the lines of an answer by playing them against all legal turns of the other side, without a solver.

It knows nothing of how the lines were found: only the step of the planning model, the goal, and the lines.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence

from vclogic.clock import ANSWERING, Deadline, grace_period
from vclogic.encode.python.evaluator import compile_term
from vclogic.explore.legal_turns import LegalTurns, Successor
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.model.transition import Transition
from vclogic.query.force.answer import LinesChecked, TurnTaken, Variation, case_at
from vclogic.query.force.turns import Turns
from vclogic.solve.forcing.ahead import Turn
from vclogic.terms.term import Term

_ALL = 100_000  # turns that are tried, legal or not, up to which all are played
_FEW = 5_000  # the same where that takes long
_SAMPLE = 1_000  # replies that are played otherwise
_EACH = 8  # random turns in a position, after the first one
_KEPT = 200  # lines that are kept, to be played as records
_SEED = 1


class WrongLine(AssertionError):
    """A line does not do what the answer says: a bug in vclogic, never shown as an answer."""


class TooManyTurns(Exception):
    """There are too many turns to play all."""


class LineCheck:
    """Plays the lines of an answer.

    Args:
        system: The rule set.
        step: The step of the planning model, with all that every side may choose.
        goal: Bool, over fluents.
        wants: Whether a side or power wants the goal.
        wins: Whether those who want it win.
        turns: The most turns of those who want it.
        depth: How many turns of both sides were looked at: where one side has all turns, that has to end somewhere.
        idle: Whether the others do nothing after the very first turn.
        later: Whether the goal only counts once a turn has been played.
        partial: Whether cases are missing, so that play may end where none says what to do.

    Attributes:
        lines: Some of the lines that were played, from the start to the end, each as likely to be among them.
    """

    def __init__(
        self,
        system: System,
        step: Transition,
        goal: Term,
        wants: Callable[[str], bool],
        *,
        wins: bool,
        turns: int,
        depth: int,
        idle: bool = False,
        later: bool = False,
        partial: bool = False,
    ):
        self._layout, self._wants, self._wins, self._most_turns, self._idle = system.layout, wants, wins, turns, idle
        self._partial, self._later, self._depth = partial, later, depth
        self._goal = compile_term(goal, system.layout.slot)
        self._due = compile_term(step.due, system.layout.slot)
        self._turns, self._legal = Turns(system, step), LegalTurns(system, step)
        self._first_at_most: int | None = None
        self._start: State = ()
        self._first: Sequence[Successor] | None = None
        self._deadline = Deadline(0)
        self.positions = self.replies = 0
        self._line: list[Turn] = []
        self._chance = random.Random(_SEED)
        self._seen = 0
        self.lines: list[tuple[Turn, ...]] = []

    def check(
        self, state: State, cases: Sequence[Variation], first_at_most: int | None, seconds: float
    ) -> LinesChecked:
        """Play the lines against every legal turn, or against a sample where these are too many.

        Args:
            state: The start.
            cases: The lines.
            first_at_most: The most choices of the very first turn, where the lines are about such turns.
            seconds: How long to go on with a sample. It begins where playing all turns takes as long.

        Raises:
            WrongLine: A line does not do what it should.
        """
        self._first_at_most, self._start = first_at_most, state
        # A sample replaces all turns where these are too many.
        for every in (True, False):
            deadline = Deadline(seconds)
            self._deadline = deadline
            self.positions = self.replies = self._seen = 0
            self._line, self.lines, self._chance = [], [], random.Random(_SEED)
            turns = self._every if every else self._some(random.Random(_SEED))
            try:
                with grace_period(seconds + ANSWERING):
                    for _ in self._play(state, self._most_turns, cases, turns):
                        enough = self.replies >= _SAMPLE or deadline.left <= 0
                        if not every and enough and (self.replies or self._partial):
                            break
                return LinesChecked(self.positions, self.replies, every)
            except TooManyTurns:
                continue
        raise AssertionError("a sample is never too many")

    # ---- which turns of the loser are played

    def _every(self, state: State) -> Iterable[Successor]:
        found = self._legal.all(state, _ALL)
        if state == self._start:
            self._first = found
        if found is None or self._legal.tried > (_ALL if self._deadline.left > 0 else _FEW):
            raise TooManyTurns
        return found

    def _some(self, dice: random.Random) -> Callable[[State], Iterable[Successor]]:
        def some(state: State) -> Iterable[Successor]:
            found = self._first if state == self._start else None
            number = _EACH if self.replies else _SAMPLE
            found = list(self._legal.some(state, dice, number) if found is None else found)
            dice.shuffle(found)
            return found

        return some

    # ---- play

    def _play(
        self, state: State, left: int, cases: Sequence[Variation], turns: Callable[[State], Iterable[Successor]]
    ) -> Iterator[None]:
        """All plays from a state in which the cases say what the winner does."""
        # The caller may stop after any position: there may be too many to play all.
        yield
        if self._goal(state) and (self._line or not self._later):
            if not self._wins:
                raise WrongLine("the goal is reached, and the lines should prevent it")
            self._ended()
            return
        mover = self._turns.mover(state)
        wanting = self._wants(mover)
        counts = wanting and not self._due(state)
        if (counts and left == 0) or len(self._line) >= self._depth:
            if self._wins:
                raise WrongLine("the turns are over without the goal")
            self._ended()
            return
        # The side of the lines plays as they say; the other side tries all its turns.
        if wanting is self._wins:
            yield from self._answer(state, left, cases, turns)
            return
        self.positions += 1
        found = list(self._passes(state) if self._must_pass(state, wanting, left) else turns(state))
        if not found and self._wins:
            raise WrongLine("nobody can move, and the goal is not reached")
        if not found:
            self._ended()
        for successor in found:
            if state == self._start and self._first_at_most is not None and len(successor.turn) > self._first_at_most:
                continue
            self.replies += 1
            self._line.append(successor.turn)
            yield from self._play(successor.state, left - counts, cases, turns)
            self._line.pop()

    def _ended(self) -> None:
        """Keep a line that is at its end, or not, so that in the end each is kept with the same chance."""
        self._seen += 1
        if len(self.lines) < _KEPT:
            self.lines.append(tuple(self._line))
        elif (place := self._chance.randrange(self._seen)) < _KEPT:
            self.lines[place] = tuple(self._line)

    def _must_pass(self, state: State, wanting: bool, left: int) -> bool:
        return self._idle and not wanting and (left < self._most_turns or state != self._start)

    def _passes(self, state: State) -> Iterable[Successor]:
        after = self._turns.after(state, {})
        return [] if after is None else [Successor({}, after)]

    def _answer(
        self, state: State, left: int, cases: Sequence[Variation], turns: Callable[[State], Iterable[Successor]]
    ) -> Iterator[None]:
        case = case_at(cases, self._layout, state)
        if case is None:
            if not self._wins and not self._legal.some(state, random.Random(_SEED), 1):
                self._ended()  # nobody can move
                return
            if self._partial:
                self.replies -= bool(self.replies)
                return
            raise WrongLine("no case says what to do")
        if not case.turns and self._legal.some(state, random.Random(_SEED), 1):
            raise WrongLine("a case says nothing, and something can be done")
        before = len(self._line)
        for turn in self._as_due(state, case.turns):
            mover = self._turns.mover(state)
            after = self._turns.after(state, dict(turn.chosen)) if self._wants(mover) is self._wins else None
            if after is None and not self._wins and not self._legal.some(state, random.Random(_SEED), 1):
                break  # nobody can move, as where the game is over: the goal comes no more
            if after is None:
                raise WrongLine(f"the answer of the {turn.actor} is not legal")
            left -= self._wants(mover) and not self._due(state)
            state = after
            self._line.append(turn.chosen)
            if self._goal(state):
                break
        if case.turns:
            yield from self._play(state, left, case.then, turns)
        else:
            self._ended()
        del self._line[before:]

    def _as_due(self, state: State, turns: Sequence[TurnTaken]) -> Sequence[TurnTaken]:
        """The turns of an answer in a position: its first one may be a choice that is due there or not."""
        due, said = bool(self._due(state)), bool(turns) and turns[0].due
        if due and turns and not said:
            return (TurnTaken({}, self._turns.mover(state), (), due=True), *turns)
        return turns[1:] if said and not due else turns
