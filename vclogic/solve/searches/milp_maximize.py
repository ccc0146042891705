"""Maximize an expression over plans with numeric choices, by one mixed-integer program of all steps."""

from __future__ import annotations

from dataclasses import replace

from vclogic.encode.affine import Unsupported
from vclogic.encode.goal_regression import Regressions
from vclogic.progress import untold
from vclogic.solve.backends.session import Answer, Effort
from vclogic.solve.problem import Problem
from vclogic.solve.searches.lemmas import settle
from vclogic.solve.searches.maximize import Maximization
from vclogic.solve.searches.plan_groups import Group, groups, plan_of
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import and_, ge, scale
from vclogic.terms.rewrite import substitute
from vclogic.terms.term import Term


def maximize_milp(problem: Problem, value: Term, effort: Effort) -> Maximization:
    """The largest value within the problem's horizon.

    Args:
        problem: Its goal must hold where the value is taken.
        value: Int, over fluents.

    Raises:
        Unsupported: This method does not apply to the problem.
    """
    begin = substitute(value, problem.start)
    if not begin.is_const or problem.within is None:
        raise Unsupported("a value that is open at the start")
    best = Maximization(begin.lo, begin.lo)
    more = and_(problem.goal, ge(value, begin.lo + 1))
    if more is FALSE:
        return best
    found = [
        g for g in groups(replace(problem, regressions=Regressions({more: 0}))) if g.goals
    ]  # else none is higher
    if any(len(group.goals) > 1 for group in found):
        raise Unsupported("a value that is lost where nothing is done")
    for group in reversed(found):
        best = _higher(group, problem, value, best, effort)
    return best


def _higher(group: Group, problem: Problem, value: Term, best: Maximization, effort: Effort) -> Maximization:
    """The larger of the best value so far and the best of some plan lengths."""
    effort.progress(f"looking for the largest value after {group.depth} steps")
    (depth,) = group.goals
    then = group.unrolled.holds(value, depth)
    goal = group.unrolled.holds(problem.goal, depth)
    assert best.value is not None
    highest = replace(group, goals={depth: goal}, cost=scale(then, -1))
    outcome = settle(highest, -best.value - 1, effort.deadline, untold, None).outcome
    value_now, plan, bound = best.value, best.plan, best.value
    if outcome.cost is not None:
        value_now, plan = -outcome.cost, plan_of(group, Answer("sat", outcome.values))
        bound = value_now
    if outcome.status == "unknown":
        bound = then.hi if outcome.lower_bound is None else min(then.hi, -outcome.lower_bound)
    return Maximization(value_now, max(best.upper_bound, bound), outcome.reason or best.reason, plan)
