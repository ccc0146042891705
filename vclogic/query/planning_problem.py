"""A question for plans under conditions as a planning problem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vclogic.encode.conditions import Conditions, action_under, conditioned
from vclogic.encode.unroll import Unrolling
from vclogic.model.transition import Transition
from vclogic.query.built import without_memory
from vclogic.query.plan import about_all
from vclogic.query.plan_request import Ask
from vclogic.solve.problem import Problem, Search, prepare
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.term import Term


@dataclass(frozen=True)
class PlanningProblem:
    """A problem whose plans meet conditions.

    Attributes:
        problem: The problem.
        plain: The problem in which its plans are replayed.
        exact: Whether it has all plans that meet the conditions. Otherwise some may be missing, and some of its plans
            may not meet them.
    """

    problem: Problem
    plain: Problem
    exact: bool

    def shown(self, found: Search) -> Search:
        """The result of a search among its plans, as a statement on all that meet the conditions."""
        return about_all(found, exact=self.exact)


def planning_problem(
    ask: Ask, step: Transition, goal: Term, conditions: Conditions, *, watched: Sequence[Term] = ()
) -> PlanningProblem:
    """The problem of a goal under conditions.

    Args:
        step: The steps from its start.
        goal: Bool, over fluents.
        watched: See `prepare`.
    """
    under = conditioned(step, conditions, ask.system.layout.values(ask.state))
    problem = prepare(
        under.step,
        {**ask.start, **conditions.start},
        conditions.goal(goal),
        tail=None if ask.metric.tail is None else action_under(ask.metric.tail, conditions),
        metric=ask.metric.name,
        within=ask.within,
        laws=ask.invariants,
        watched=watched,
    )
    problem = ask.held(problem)
    return PlanningProblem(problem, without_memory(problem, step, goal, conditions), under.exact)


def for_programs(problem: Problem) -> bool:
    """True if a step is a choice among numbers alone, which programs of whole numbers decide sooner."""
    unrolled = Unrolling(problem.transition, problem.start)
    while unrolled.depth <= (problem.within or 0):
        sorts = {type(c.sort) for c in unrolled.next_step().choices}
        if sorts:
            return IntSort in sorts and EnumSort not in sorts
        unrolled.extend()
    return False
