"""Chooses who answers whether there are ways to a goal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from vclogic.clock import ANSWERING, Deadline, TimeUp, granted, until
from vclogic.encode.conditions import Conditions
from vclogic.encode.evaluator import interpret
from vclogic.model.transition import Transition
from vclogic.progress import silent
from vclogic.query.built import Built
from vclogic.query.objectives.kept_ways import kept_ways
from vclogic.query.objectives.question import ObjectivesQuestion
from vclogic.query.objectives.session_ways import SessionWays, for_programs, session_ways
from vclogic.query.objectives.ways import Remembering, Sought, Way, Ways
from vclogic.query.plan_request import INEXACT, PlanningProblem
from vclogic.query.planning import HELD as NO_STEPS
from vclogic.query.planning import parties
from vclogic.query.replay import played
from vclogic.solve.backends.session import Effort
from vclogic.solve.problem import NOTHING, Search
from vclogic.solve.strategy import BUILDING, Question, solve
from vclogic.terms.build import all_of, any_of, not_


class FreshWays(Remembering):
    """Answers, each from a search of its own.

    Args:
        built: What was built.
        asked: The question.
    """

    def __init__(self, built: Built, asked: ObjectivesQuestion):
        super().__init__()
        self._built, self._asked = built, asked
        self._held = {o.name: o.held[asked.side] for o in asked.new}

    def _ask(
        self, closed: frozenset[str], deadline: Deadline, most: int | None, *, cheapest: bool, first: str | None
    ) -> Way:
        any_plan = not cheapest and most is None
        listener = self._asked.ask.effort.listener if cheapest and not closed and first is None else silent
        effort = Effort(deadline, listener)
        return self._built.by_steps(
            self._asked.ask, lambda step: self._searched(step, closed, effort, most, first, any_plan=any_plan)
        )

    def _searched(
        self,
        step: Transition,
        closed: frozenset[str],
        effort: Effort,
        most: int | None,
        first: str | None,
        *,
        any_plan: bool,
    ) -> Way:
        ask = replace(self._asked.ask, effort=effort)
        question = ask.task(self._asked.goal, self._conditions(closed, first), step=step)
        problem = question.problem
        any_plan = any_plan and not problem.transition.hints.lemmas and not for_programs(problem)
        found = question.shown(solve(Question(problem, effort, parties(ask, problem), any_plan)))
        if found.exhausted:
            return Way("none", found)
        if most is not None and found.lower_bound is not None and found.lower_bound > most:
            return Way("none", replace(found, steps=None, cost=None))
        if found.cost is None or (most is not None and found.cost > most):
            return Way("unknown", found)
        return self._played(question, found)

    def _conditions(self, closed: frozenset[str], first: str | None) -> Conditions:
        """The conditions on plans that leave some objectives alone, and take one before all others."""
        asked = self._asked
        kept = all_of((asked.conditions.keep, *(not_(self._held[name]) for name in sorted(closed))))
        if first is None:
            return replace(asked.conditions, keep=kept)
        others = any_of(self._held[name] for name in sorted(asked.main - {first}))
        return replace(asked.conditions, keep=kept, order=(self._held[first], others))

    def _played(self, question: PlanningProblem, found: Search) -> Way:
        """The way of a plan, with what it takes."""
        asked = self._asked
        with granted(ANSWERING):
            made = played(asked.ask.system, asked.ask.state, question.plain, found)
            if not asked.conditions.met(made.events):
                return Way("unknown", replace(NOTHING, reason=INEXACT))
            takes = frozenset(asked.taken(made.states))
        return Way("found", found, question.plain, takes)


HELD = Way("found", NO_STEPS)
"""The way to a goal that holds already."""


class UndecidedWays(Ways):
    """Ways of which nothing is known, as the time was up before they could be asked for."""

    def answer(self, sought: Sought, deadline: Deadline) -> Way:
        """See `ways.Ways`."""
        return Way("unknown", replace(NOTHING, reason=BUILDING))


UNDECIDED = UndecidedWays()


def ways_of(built: Built, asked: ObjectivesQuestion) -> Ways:
    """Choose the ways for a question: a kept program where gains are never lost, else sessions, else fresh searches.

    Args:
        asked: The question, with its horizon.

    Raises:
        TimeUp: The time was up before it was built.
    """
    kept = kept_ways(built, asked)
    found = _without_program(built, asked) if kept is None else kept
    if kept is not None and not kept.ordered:
        found = Disordered(kept, lambda: _without_program(built, asked))
    return Already(found) if already(asked) else found


def ways_in_time(built: Built, asked: ObjectivesQuestion, deadline: Deadline) -> Ways:
    """The same; undecided ways where the time was up before they were built."""
    try:
        with until(deadline):
            return ways_of(built, asked)
    except TimeUp:
        return UNDECIDED


def _without_program(built: Built, asked: ObjectivesQuestion) -> Ways:
    """Choose the ways where there is no kept program."""
    fresh, session = FreshWays(built, asked), session_ways(built, asked)
    return fresh if session is None else Divided(session, fresh)


def boundless(built: Built, asked: ObjectivesQuestion, *, ordered: bool = False) -> ObjectivesQuestion | None:
    """The question without a horizon, where the method that answers it needs none; else None.

    Args:
        ordered: Whether it is asked as well what comes first.

    Raises:
        TimeUp: The time was up before it was built.
    """
    free = replace(asked, ask=replace(asked.ask, within=None))
    found = kept_ways(built, free)
    return None if found is None or (ordered and not found.ordered) else free


def already(asked: ObjectivesQuestion) -> bool:
    """True if the goal holds already, and no event is required."""
    return not asked.conditions.require and bool(interpret(asked.goal, asked.ask.system.layout.slot, asked.ask.state))


class Divided(Ways):
    """Ways of a session, and for the cheapest plan of all a search in which no objective bears; see `ways.Ways`.

    Args:
        session: Answers all else.
        fresh: Finds the cheapest plan where nothing is closed.
    """

    def __init__(self, session: SessionWays, fresh: FreshWays):
        self._session, self._fresh = session, fresh

    def tidied(self, way: Way, deadline: Deadline) -> Way:
        """See `SessionWays.tidied`."""
        return self._session.tidied(way, deadline)

    def answer(self, sought: Sought, deadline: Deadline) -> Way:
        """See `ways.Ways`."""
        best = sought.cheapest and not sought.closed and sought.first is None
        return (self._fresh if best else self._session).answer(sought, deadline)


class Disordered(Ways):
    """Ways of which it cannot be asked what comes first, so that others answer that; see `ways.Ways`.

    Args:
        ways: The ways.
        others: Makes those that can be asked.
    """

    def __init__(self, ways: Ways, others: Callable[[], Ways]):
        self._ways = ways
        self._make = others

    @cached_property
    def _others(self) -> Ways:
        return self._make()

    def answer(self, sought: Sought, deadline: Deadline) -> Way:
        """See `ways.Ways`."""
        if sought.first is None:
            return self._ways.answer(sought, deadline)
        try:
            with until(deadline):
                others = self._others
        except TimeUp:
            return UNDECIDED.answer(sought, deadline)
        return others.answer(sought, deadline)


class Already(Ways):
    """Ways to a goal that holds already; see `ways.Ways`.

    Args:
        ways: Ways that answer what must come first.
    """

    def __init__(self, ways: Ways):
        self._ways = ways

    def answer(self, sought: Sought, deadline: Deadline) -> Way:
        """The way without steps, unless something must come first; see `ways.Ways`."""
        return HELD if sought.first is None else self._ways.answer(sought, deadline)
