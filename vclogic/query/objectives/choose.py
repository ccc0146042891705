"""Chooses the searches for ways to a goal."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cached_property

from vclogic.clock import ANSWERING, Deadline, TimeUp, granted, until
from vclogic.encode.conditions import Conditions
from vclogic.encode.evaluator import interpret
from vclogic.model.transition import Transition
from vclogic.progress import silent
from vclogic.query.built import Built
from vclogic.query.objectives.kept_ways import program_search
from vclogic.query.objectives.question import ObjectivesQuestion
from vclogic.query.objectives.session_ways import SessionSearch, for_programs, session_search
from vclogic.query.objectives.ways import Sought, Way, Ways, WaySearch
from vclogic.query.plan_request import INEXACT, PlanningProblem
from vclogic.query.planning import HELD as NO_STEPS
from vclogic.query.planning import parties
from vclogic.query.replay import played
from vclogic.solve.backends.session import Effort
from vclogic.solve.problem import NOTHING, Search
from vclogic.solve.strategy import Question, solve
from vclogic.terms.build import all_of, any_of, not_


class FreshSearch(WaySearch):
    """Ways by the methods of the planner, each from a search of its own.

    Args:
        built: What was built.
        asked: The question.
    """

    def __init__(self, built: Built, asked: ObjectivesQuestion):
        self._built, self._asked = built, asked
        self._held = {o.name: o.held[asked.side] for o in asked.new}

    def answer(self, sought: Sought, deadline: Deadline) -> Way:
        """See `ways.WaySearch`."""
        ask = self._asked.ask
        with until(deadline):
            return self._built.asked(
                ask.side, ask.state, deadline, lambda steps: self._answered(steps.step, sought, deadline)
            )

    def _answered(self, step: Transition, sought: Sought, deadline: Deadline) -> Way:
        listener = self._asked.ask.effort.listener if is_best(sought) else silent
        most, effort = sought.most, Effort(deadline, listener)
        ask = replace(self._asked.ask, effort=effort)
        question = ask.task(self._asked.goal, self._conditions(sought), step=step)
        problem = question.problem
        any_plan = not sought.cheapest and most is None
        any_plan = any_plan and not problem.transition.hints.lemmas and not for_programs(problem)
        found = question.shown(solve(Question(problem, effort, parties(ask, problem), any_plan)))
        if found.exhausted:
            return Way("none", found)
        if most is not None and found.lower_bound is not None and found.lower_bound > most:
            return Way("none", replace(found, steps=None, cost=None))
        if found.cost is None or (most is not None and found.cost > most):
            return Way("unknown", found)
        return self._played(question, found)

    def _conditions(self, sought: Sought) -> Conditions:
        """The conditions on plans that leave some objectives alone, and take one before all others."""
        asked, first = self._asked, sought.first
        kept = all_of((asked.conditions.keep, *(not_(self._held[name]) for name in sorted(sought.closed))))
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


class CheapestSearch(WaySearch):
    """The cheapest search that can answer: a kept program where gains are never lost, else a session, else afresh.

    Args:
        built: What was built.
        asked: The question, with its horizon.

    Raises:
        TimeUp: The time was up before it was built.
    """

    def __init__(self, built: Built, asked: ObjectivesQuestion):
        self._built, self._asked = built, asked
        self._program = program_search(built, asked)
        self.of(Sought(frozenset()))  # the search of most questions is built now

    @cached_property
    def _others(self) -> tuple[FreshSearch, SessionSearch | None]:
        return FreshSearch(self._built, self._asked), session_search(self._built, self._asked)

    def of(self, sought: Sought) -> WaySearch:
        """The search that answers a question.

        Raises:
            TimeUp: The time was up before it was built.
        """
        if self._program is not None and (sought.first is None or self._program.ordered):
            return self._program
        fresh, session = self._others
        return fresh if session is None or is_best(sought) else session

    def answer(self, sought: Sought, deadline: Deadline) -> Way:
        """See `ways.WaySearch`."""
        with until(deadline):
            search = self.of(sought)
        return search.answer(sought, deadline)

    def tidied(self, way: Way, deadline: Deadline) -> Way:
        """See `SessionSearch.tidied`."""
        session = None if self._program is not None else self._others[1]
        return way if session is None else session.tidied(way, deadline)


def is_best(sought: Sought) -> bool:
    """True if the cheapest way of all is asked for: no objective bears on it."""
    return sought.cheapest and not sought.closed and sought.first is None


HELD = Way("found", NO_STEPS)
"""The way to a goal that holds already."""


def ways_of(built: Built, asked: ObjectivesQuestion, deadline: Deadline) -> Ways:
    """The ways that answer a question; where the time is up before their search is built, nothing is known of them.

    Args:
        asked: The question, with its horizon.
    """
    search = None
    with suppress(TimeUp), until(deadline):
        search = CheapestSearch(built, asked)
    ways = Ways(search)
    if already(asked):
        ways.learn(HELD)
    return ways


def boundless(built: Built, asked: ObjectivesQuestion, *, ordered: bool = False) -> ObjectivesQuestion | None:
    """The question without a horizon, where the method that answers it needs none; else None.

    Args:
        ordered: Whether it is asked as well what comes first.

    Raises:
        TimeUp: The time was up before it was built.
    """
    free = replace(asked, ask=replace(asked.ask, within=None))
    found = program_search(built, free)
    return None if found is None or (ordered and not found.ordered) else free


def already(asked: ObjectivesQuestion) -> bool:
    """True if the goal holds already, and no event is required."""
    return not asked.conditions.require and bool(interpret(asked.goal, asked.ask.system.layout.slot, asked.ask.state))
