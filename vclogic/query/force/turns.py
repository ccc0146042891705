"""Turns of a planning model, played in Python: what a turn comes to, in words and as a state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from vclogic.clock import TIME_UP, TimeUp
from vclogic.collector_paused import collector_paused
from vclogic.encode.goal_regression import regressions
from vclogic.encode.python.evaluator import IllegalStep, Stepper
from vclogic.encode.unroll import cone
from vclogic.model.actions import Event
from vclogic.model.fluents import State, numbered
from vclogic.model.step_text import StepText
from vclogic.model.system import BEST, System
from vclogic.model.transition import Scoped, Transition
from vclogic.query.force.answer import Defence, Force, Survival, TurnTaken
from vclogic.query.replay import as_events, as_steps, turn_of
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve.forcing.ahead import Ahead, Turn, UnknownMover, ahead, mover
from vclogic.solve.forcing.search import SolverUndecided
from vclogic.terms.build import and_, any_of, not_
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

    def state_after_pass(self, state: State) -> State:
        """The state after a turn in which nothing is chosen, whether or not that is legal."""
        start = self.system.layout.constants(state)
        here = self._step.at(start)
        nothing = {c: numbered(c, max(c.lo, 0)) for c in here.choices}
        after = Substitution({**start, **nothing})
        changed = {self.system.layout.slot[f]: after(t) for f, t in here.next.items() if f in start}
        return tuple(int(changed[i].payload) if i in changed else n for i, n in enumerate(state))

    def mover(self, state: State) -> str:
        """The side on turn, or one of its powers."""
        constants = self.system.layout.constants(state)
        return mover(self._step.at(constants), constants)

    def turn_taken(self, state: State, made: PlayedTurn) -> TurnTaken:
        """A turn that was played, for a reader."""
        values = self.system.layout.values(state)
        turn = turn_of(self.system, values)
        return TurnTaken(turn, self.mover(state), tuple(as_steps(made.texts, 0, turn)), made.turn)


Answer = TypeVar("Answer", Force, Defence, Survival)


@dataclass(frozen=True)
class Duel:
    """A question about turns of two parties.

    Attributes:
        resolved: The question: the rule set, the state, the planning model, the resources.
        forcing: The sides that want the goal.
        asked: Bool, over fluents: the goal.
        goal: The same, or what it is before actions without a choice at the end.
        step: The step, with all that every side may choose.
        small: The step without what cannot bear on the goal.
        start: The value of each fluent that bears on it.
        idle: Whether the others do nothing after the very first turn.
        later: Whether the goal only counts once a turn has been played.
    """

    resolved: ResolvedQuestion
    forcing: frozenset[str]
    asked: Term
    goal: Term
    step: Transition
    small: Transition
    start: Mapping[Term, Term]
    idle: bool = False
    later: bool = False

    def ahead(self, turns: int) -> Ahead:
        """The turns ahead, up to so many of those who want the goal."""
        return ahead(self.small, self.start, self.goal, self.wants, turns, idle=self.idle, later=self.later)

    def wants(self, name: str) -> bool:
        """True if a side or power wants the goal."""
        return self.resolved.system.side_of(name) in self.forcing


def two_sided_step(resolved: ResolvedQuestion) -> Transition:
    """The step, with all that every side may choose, each what is its to choose."""
    return resolved.system.steps(resolved.metric, resolved.side, BEST, resolved.state)


@collector_paused()
def duel(resolved: ResolvedQuestion, forcing: Iterable[str], goal: Term) -> Duel:
    """Build the question.

    Args:
        resolved: The question; its side is the one that asks.
        forcing: The sides that want the goal.
        goal: Bool, over fluents.

    Raises:
        Undecided: The steps settle what is not for them to settle.
    """
    start = resolved.start
    left_open = resolved.metric.open_choices(goal, start)
    if left_open:
        raise SolverUndecided(left_open)
    step = two_sided_step(resolved)
    later = and_(any_of(regressions(goal, resolved.metric.tail, start, step.touched).goals), not_(step.due))
    read = step.reads(None) if isinstance(step, Scoped) else ()
    whose = () if step.mover is None else (step.mover,)
    needed, small = cone(step, [later, *read, *whose])
    return Duel(resolved, frozenset(forcing), goal, later, step, small, {f: start[f] for f in needed})


def latest(resolved: ResolvedQuestion, answer: Answer, better: Iterator[Answer]) -> Answer:
    """The last of ever better answers; with the reason, if they end early.

    Args:
        answer: What is answered if nothing is found out.
        better: Looks for the answers.
    """
    try:
        for found in better:
            answer = found
    except TimeUp:
        answer = replace(answer, reason=TIME_UP)
    except (SolverUndecided, UnknownMover) as error:
        answer = replace(answer, reason=str(error))
    return replace(answer, elapsed_s=resolved.effort.elapsed_s)
