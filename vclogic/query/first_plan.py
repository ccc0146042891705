"""A first plan in steps of many choices, before a solver has one: a plan of single events, put into such steps.

Where another planning model of the game has single events as steps, its cheapest plan is found in a moment. As many
of its events as the steps allow, in the order of that plan, are chosen in each. What comes of it is a plan if the
goal holds; nothing is claimed of its cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from vclogic.clock import Deadline, look
from vclogic.encode.conditions import Conditions
from vclogic.encode.evaluator import IllegalStep, OutOfBounds, interpret, stepper_of
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.model.transition import Transition, actions_of
from vclogic.query.built import Built, Open
from vclogic.query.plan_request import Ask
from vclogic.query.replay import played
from vclogic.solve.problem import NOTHING, Problem, Search
from vclogic.terms.term import Term, variables

_NOTHING_DONE = 20  # steps in a row without an event of the plan, after which it is given up


class FirstPlans:
    """Finds first plans, for questions about one game.

    Args:
        system: The rule set.
        metric: Name of the metric whose plans are wanted.
        opponent: `idle` or `any`.
    """

    def __init__(self, system: System, metric: str, opponent: str):
        self._system = system
        self._none = Conditions()
        self._others = [Built(system, m, opponent) for m in system.metrics if m.name != metric and not m.refused]

    def find(self, ask: Ask, goal: Term, problem: Problem, deadline: Deadline) -> Search:
        """A plan without a bound; nothing where none is found.

        Args:
            ask: The question; its conditions, if it has any, are not looked at.
            goal: Bool, over fluents.
            problem: The problem of the plan.

        Raises:
            TimeUp: The time was up.
        """
        opened = self.open(ask, goal, problem.full)
        search, single = (None, None) if opened is None else (opened[0].search, opened[0].problem)
        if opened is None or search is None or single is None:
            return NOTHING
        found = search.find(ask.state, opened[1], deadline, lambda found: None)
        if found.steps is None:
            return NOTHING
        events = played(self._system, ask.state, single, found).events
        return in_steps(self._system, ask.state, problem, events)

    def open(self, ask: Ask, goal: Term, step: Transition) -> tuple[Open, tuple[int, ...]] | None:
        """The goal in a planning model of single events, as `Built.open` gives it; None where there is none of use.

        Args:
            ask: The question, whose limit is on other steps than these.
            goal: Bool, over fluents.
            step: The steps of the plan; of use where they say which events their choices come to.
        """
        for other in self._others if step.taken is not None else ():
            if actions_of(other.steps(ask.side, ask.state).step):
                return other.open(replace(ask, within=None), goal, self._none)
        return None


def in_steps(system: System, state: State, problem: Problem, events: Sequence[Event]) -> Search:
    """A plan in which the events of another come as early as the steps allow; nothing where that does not do.

    Args:
        state: The start.
        problem: The problem of the plan, whose steps say which events their choices come to.
        events: The events, in the order in which they are to be tried.
    """
    step, slot = problem.full, system.layout.slot
    play, idle = stepper_of(system.layout, step), dict.fromkeys(step.choices, 0)
    choices, left = _choices(step), list(events)
    steps: list[Mapping[Term, int]] = []
    cost = counted = waited = 0
    with suppress(IllegalStep, OutOfBounds):
        while not interpret(problem.goal, slot, state):
            counted += interpret(step.counts, slot, state)
            if waited > _NOTHING_DONE or (problem.within is not None and counted > problem.within):
                return NOTHING
            chosen: dict[Term, int] = {}
            # Each event joins those of the step so far, and the step is tried: choices may exclude each other.
            after = play.step(state, idle)
            for event in tuple(left):
                for choice in choices.get(event, ()):
                    look()
                    with suppress(IllegalStep, OutOfBounds):
                        after = play.step(state, idle | chosen | {choice: 1})
                        chosen[choice] = 1
                        left.remove(event)
                        break
            waited = 0 if chosen else waited + 1
            cost += play.cost(state, idle | chosen)
            steps.append(chosen)
            state = after
        return Search(steps, cost)
    return NOTHING


def _choices(step: Transition) -> dict[Event, list[Term]]:
    """The choices that come to each event alone."""

    def pairs() -> Iterator[tuple[Event, list[Term]]]:
        for condition, action in (step.taken or {}).items():
            yield Event(action.name, action.args), [v for v in variables(condition) if v.is_bool]

    return dict(pairs())
