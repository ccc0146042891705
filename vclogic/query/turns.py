"""Turns of a planning model, played in Python: what a turn comes to, in words and as a state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vclogic.encode.evaluator import IllegalStep, Stepper
from vclogic.model.actions import Event
from vclogic.model.fluents import State, numbered
from vclogic.model.step_text import StepText
from vclogic.model.system import System
from vclogic.model.transition import Transition
from vclogic.query.duel import TurnTaken
from vclogic.query.replay import as_events, as_steps, turn_of
from vclogic.solve.forcing.ahead import Turn, mover
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term


@dataclass(frozen=True)
class PlayedTurn:
    """A turn that was played.

    Attributes:
        turn: What was chosen.
        texts: What was done.
        events: The same as events of a record, in an order, without routine events that the rules may ask for.
        state: The state after it.
    """

    turn: Turn
    texts: Sequence[StepText]
    events: Sequence[Event]
    state: State


class Turns:
    """The turns of a planning model.

    Args:
        system: The rule set.
        step: The step, with all that both sides may choose.
    """

    def __init__(self, system: System, step: Transition):
        self.system, self._step = system, step
        self._stepper = None if step.scoped else Stepper(system.layout, step)

    def play(self, state: State, turn: Turn) -> PlayedTurn:
        """Play a turn.

        Raises:
            IllegalStep: It is not legal. OutOfBounds: a fluent would leave its sort.
        """
        here, stepper = self._step, self._stepper
        if stepper is None:
            here = here.at(self.system.layout.constants(state))
            stepper = Stepper(self.system.layout, here)
        chosen: dict[Term, int] = {c: turn.get(c.name, 0) for c in here.choices}
        texts = here.describe(chosen, self.system.layout.values(state))
        events = here.events(chosen) if here.events else as_events(texts)
        return PlayedTurn(turn, texts, events, stepper.step(state, chosen))

    def after(self, state: State, turn: Turn) -> State | None:
        """The state after a turn; None if it is not legal."""
        try:
            return self.play(state, turn).state
        except IllegalStep:
            return None

    def passed(self, state: State) -> State:
        """The state after a turn in which nothing is chosen, whether or not that is legal."""
        start = self.system.layout.constants(state)
        here = self._step.at(start)
        nothing = {c: numbered(c, max(c.lo, 0)) for c in here.choices}
        after = Substitution({**start, **nothing})
        changed = {self.system.layout.slot[f]: after(t) for f, t in here.next.items() if f in start}
        return tuple(int(changed[i].payload) if i in changed else n for i, n in enumerate(state))

    def mover(self, state: State) -> str:
        """Whose turn it is: a side or one of its powers."""
        constants = self.system.layout.constants(state)
        return mover(self._step.at(constants), constants)

    def taken(self, state: State, made: PlayedTurn) -> TurnTaken:
        """A turn that was played, for a reader."""
        values = self.system.layout.values(state)
        turn = turn_of(self.system, values)
        return TurnTaken(turn, self.mover(state), tuple(as_steps(made.texts, 0, turn)), made.turn)
