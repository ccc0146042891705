"""The cheapest plan without a limit, where a longer plan must cost more: one limit after the other."""

from __future__ import annotations

from dataclasses import replace

from vclogic.encode.affine import Unsupported
from vclogic.solve.backends.session import Effort
from vclogic.solve.problem import Problem, Search
from vclogic.solve.searches import milp_search
from vclogic.terms.term import variables


def search(problem: Problem, effort: Effort, *, certify: bool = False) -> Search:
    """The cheapest plan of any length.

    A stretch of counted steps in which nothing is done can be left out of a plan, but for the last one. So a plan
    that needs more than N costs at least N, and the cheapest within N is the cheapest of all once it costs no more.

    Args:
        problem: The problem; it has no limit.
        effort: What may be spent.
        certify: Whether z3 is to confirm what HiGHS says about cheaper plans.

    Raises:
        Unsupported: Nothing shows that longer plans cost more.
    """
    idle = problem.transition.hints.idle
    if idle is None or not idle.isdisjoint(variables(problem.goal)):
        raise Unsupported("plans without end can cost as little as short ones")
    best, within, proved = Search(), 1, 0
    while True:
        effort.progress(f"looking for plans within {within}", best.cost, proved)
        found = milp_search.search(replace(problem, within=within), effort, certify=certify)
        if found.cost is not None and (best.cost is None or found.cost < best.cost):
            best = found
        if found.reason:
            proved = max(proved, min(found.lower_bound or 0, within))
            bound = proved if best.cost is None else min(proved, best.cost)
            return replace(
                best, lower_bound=bound, bound_by=found.bound_by, reason=found.reason, depth=None, exact=False
            )
        if best.cost is not None and best.cost <= within:
            return replace(found, steps=best.steps, cost=best.cost, lower_bound=best.cost, depth=None)
        proved = within
        within = within * 2 if best.cost is None else min(within * 2, best.cost)
