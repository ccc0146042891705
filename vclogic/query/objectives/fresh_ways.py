"""Ways where no answer makes the next one quicker: each is asked for anew, by all methods of the planner."""

from __future__ import annotations

from dataclasses import replace

from vclogic.clock import ANSWERING, Deadline, granted
from vclogic.encode.conditions import Conditions
from vclogic.model.transition import Transition
from vclogic.progress import silent
from vclogic.query.built import Built
from vclogic.query.objectives.question import ObjectivesQuestion
from vclogic.query.objectives.remembered import Remembering
from vclogic.query.objectives.ways import Way
from vclogic.query.plan import INEXACT
from vclogic.query.planning_problem import PlanningProblem, for_programs, planning_problem
from vclogic.query.replay import played
from vclogic.query.several import parties
from vclogic.solve.backends.session import Effort
from vclogic.solve.problem import NOTHING, Search
from vclogic.solve.strategy import Question, solve
from vclogic.terms.build import all_of, any_of, not_


def fresh_ways(built: Built, asked: ObjectivesQuestion) -> FreshWays:
    """Ways by the methods of the planner."""
    return FreshWays(built, asked)


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
        while True:
            steps = self._built.steps(self._asked.side, self._asked.ask.state)
            any_plan = not cheapest and most is None
            listener = self._asked.ask.effort.listener if cheapest and not closed and first is None else silent
            way = self._searched(steps.step, closed, Effort(deadline, listener), most, first, any_plan=any_plan)
            if steps.watched.fits(self._asked.ask.state):
                return way
            self._built.forget(steps)  # they read more of the start than when they were built

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
        question = planning_problem(ask, step, self._asked.goal, self._conditions(closed, first))
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
