"""Play lines of play as records: the events of their turns, one after the other, as the rules judge them.

The turns of a planning model say what is chosen; the record evaluator knows nothing of choices. Both must come to the
same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from vclogic.clock import ANSWERING, Deadline, TimeUp, granted, until
from vclogic.encode.evaluator import compile_term, interpret
from vclogic.model.fluents import State
from vclogic.model.system import Metric, System
from vclogic.model.transition import Transition
from vclogic.query.answers import Recorded
from vclogic.query.duel import LinesChecked
from vclogic.query.plan_record import recorded_until
from vclogic.query.replay import ReplayError, state_after
from vclogic.query.turns import PlayedTurn, Turns
from vclogic.solve.forcing.ahead import Turn
from vclogic.terms.term import Term

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
                with until(deadline), granted(_FIRST if n == 0 else ANSWERING):
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
            _Refused: The rules refuse an event of it, or it leads to other turns, or not to the goal as it should.
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
