"""The cheapest plan without a horizon, if longer plans must cost more: by increasing horizons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from vclogic.encode.affine import Unsupported
from vclogic.solve.backends.session import Effort
from vclogic.solve.problem import Problem, Search
from vclogic.solve.searches import milp_search
from vclogic.terms.term import variables


def search(
    problem: Problem, effort: Effort, *, certify: bool = False, better: Callable[[Search], None] = lambda found: None
) -> Search:
    """The cheapest plan of any length.

    Idle counted steps can be left out of a plan, except the last. So a plan that needs a horizon greater than N costs
    at least N, and the cheapest plan within N is optimal once it costs at most N.

    Args:
        problem: The problem; it has no horizon.
        certify: Whether z3 must confirm the absence of cheaper plans.
        better: Called with better plans while the search goes on.

    Raises:
        Unsupported: Nothing shows that longer plans cost more.
    """
    idle = problem.transition.hints.idle
    if idle is None or not idle.isdisjoint(variables(problem.goal)):
        raise Unsupported("plans without end can cost as little as short ones")
    best, within, proved = Search(), 1, 0
    while True:
        effort.progress(f"looking for plans within {within}", best.cost, proved)
        found = milp_search.search(replace(problem, within=within), effort, certify=certify, better=better)
        if found.cost is not None and (best.cost is None or found.cost < best.cost):
            best = found
        if found.reason:
            proved = max(proved, min(found.lower_bound or 0, within))
            bound = proved if best.cost is None else min(proved, best.cost)
            return replace(
                best, lower_bound=bound, bound_by=found.bound_by, reason=found.reason, depth=None, exact=False
            )
        # Each step costs at least one: a longer plan is no cheaper than this one.
        if best.cost is not None and best.cost <= within:
            return replace(found, steps=best.steps, cost=best.cost, lower_bound=best.cost, depth=None)
        proved = within
        within = within * 2 if best.cost is None else min(within * 2, best.cost)
