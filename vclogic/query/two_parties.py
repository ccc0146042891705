"""A question about turns of two parties: who wants the goal, and the steps that bear on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from vclogic.clock import TimeUp
from vclogic.collector_paused import collector_paused
from vclogic.encode.goal_regression import regressions
from vclogic.encode.unroll import cone
from vclogic.model.system import BEST
from vclogic.model.transition import Scoped, Transition
from vclogic.query.duel import Defence, Force, Survival
from vclogic.query.plan_request import Ask
from vclogic.solve.forcing.ahead import Ahead, UnknownMover, ahead
from vclogic.solve.forcing.search import SolverUndecided
from vclogic.terms.build import and_, any_of, not_
from vclogic.terms.term import Term

Answer = TypeVar("Answer", Force, Defence, Survival)


@dataclass(frozen=True)
class Duel:
    """A question about turns of two parties.

    Attributes:
        ask: The question: the rule set, the state, the planning model, the resources.
        forcing: The sides that want the goal.
        asked: Bool, over fluents: the goal.
        goal: The same, or what it is before actions without a choice at the end.
        step: The step, with all that every side may choose.
        small: The step without what cannot bear on the goal.
        start: The value of each fluent that bears on it.
        idle: Whether the others do nothing after the very first turn.
        later: Whether the goal only counts once a turn has been played.
    """

    ask: Ask
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
        return self.ask.system.side_of(name) in self.forcing


def answered(ask: Ask) -> Transition:
    """The step, with all that every side may choose, each what is its to choose."""
    return ask.system.steps(ask.metric, ask.side, BEST, ask.state)


@collector_paused()
def duel(ask: Ask, forcing: Iterable[str], goal: Term) -> Duel:
    """Build the question.

    Args:
        ask: The question; its side is the one that asks.
        forcing: The sides that want the goal.
        goal: Bool, over fluents.

    Raises:
        Undecided: The steps settle what is not for them to settle.
    """
    start = ask.start
    left_open = ask.metric.open_choices(goal, start)
    if left_open:
        raise SolverUndecided(left_open)
    step = answered(ask)
    later = and_(any_of(regressions(goal, ask.metric.tail, start, step.touched).goals), not_(step.due))
    read = step.reads(None) if isinstance(step, Scoped) else ()
    whose = () if step.mover is None else (step.mover,)
    needed, small = cone(step, [later, *read, *whose])
    return Duel(ask, frozenset(forcing), goal, later, step, small, {f: start[f] for f in needed})


def latest(ask: Ask, answer: Answer, better: Iterator[Answer]) -> Answer:
    """The last of ever better answers; with the reason, if they end early.

    Args:
        answer: What is answered if nothing is found out.
        better: Looks for the answers.
    """
    try:
        for found in better:
            answer = found
    except TimeUp:
        answer = replace(answer, reason="the time is up")
    except (SolverUndecided, UnknownMover) as error:
        answer = replace(answer, reason=str(error))
    return replace(answer, elapsed_s=ask.effort.elapsed_s)
