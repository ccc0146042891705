"""Which method answers which planning problem, decided by its structure alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from vclogic.encode.affine import Unsupported
from vclogic.encode.deletefree import delete_free
from vclogic.encode.relaxation import relaxation
from vclogic.encode.relaxed import closure
from vclogic.encode.unroll import without
from vclogic.model.actions import Action
from vclogic.solve import bounded, flows, horizons
from vclogic.solve.fewest import fewest, narrow, number
from vclogic.solve.problem import Problem, Search
from vclogic.solve.session import Effort
from vclogic.terms.rewrite import substitute
from vclogic.terms.term import Term

RELAXED = "z3, with no gain ever lost"


def cheapest(
    problem: Problem,
    parties: Sequence[Mapping[Term, Action]],
    effort: Effort,
    *,
    first: bool,
    certify: bool = False,
    interlude: bounded.Interlude | None = None,
) -> Search:
    """A cheapest plan.

    A delete-free problem is decided without steps. One that is not, but whose steps are single actions, is bounded
    from both sides first: by what one party alone can do, and by a relaxation in which nothing is ever lost. Steps
    that move numbers of things, within a limit, make one mixed-integer program. What is left open, and every other
    problem, is looked at one step more at a time.

    Args:
        problem: The problem.
        parties: Sets of actions, such as those of one side, that may make a simpler problem on their own.
        effort: What may be spent.
        first: Any plan will do.
        certify: Whether z3 is to confirm what was proved in floating point.
        interlude: What to try when no plan is found for some time.
    """
    transition = problem.transition
    low, best = 0, Search()
    if transition.actions:
        free = delete_free(transition.actions, problem.start, problem.metric)
        if free is not None:
            with effort.session() as session:
                return fewest(problem, free, session, effort.progress)
        effort.progress("looking at what is possible if no gain is ever lost")
        bound = _relaxed(problem, effort)
        if bound.exhausted:
            return bound
        low = bound.lower_bound or 0
        best = _by_one_party(problem, parties, effort)
        if best.cost is not None and (first or best.cost <= low):
            return replace(best, lower_bound=low, bound_by=RELAXED)
    elif not first:
        found = _by_flows(problem, effort, certify)
        if found is not None:
            return found
    with effort.session() as session:
        return bounded.search(
            problem, session, effort.progress, low=low, known=best, first=first, interlude=interlude
        )


def _by_flows(problem: Problem, effort: Effort, certify: bool) -> Search | None:
    """The cheapest plan by HiGHS; None where z3 is to be asked instead."""
    try:
        method = flows if problem.within is not None else horizons
        found = method.search(problem, effort, certify=certify)
    except Unsupported as reason:
        effort.progress(f"HiGHS is not asked: {reason}")
        return None
    settled = found.steps is not None or found.exhausted
    return found if settled or effort.deadline.left <= _RESERVE else None


def _relaxed(problem: Problem, effort: Effort) -> Search:
    """A lower bound of the cost, or that there is no plan at all."""
    transition, start = problem.transition, problem.start
    relaxed = relaxation(transition.actions, start, problem.metric, lambda: closure(transition, start))
    with effort.session(most=_PATIENCE) as session:
        session.add(*relaxed.constraints, substitute(problem.goal, relaxed.final))
        answer = session.check()
        if answer.verdict == "unsat":
            return Search(exhausted=True, bound_by=RELAXED)
        if answer.verdict == "unknown":
            return Search()
        cost = relaxed.cost
        _, low, _ = narrow(cost, answer, number(cost, answer), cost.lo, session, effort.progress)
        return Search(lower_bound=low, bound_by=RELAXED)


def _by_one_party(problem: Problem, parties: Sequence[Mapping[Term, Action]], effort: Effort) -> Search:
    """The cheapest plan in which one party acts alone, where that is delete-free."""
    best = Search()
    for party in parties:
        others = [t for t in problem.transition.choices if t not in party]
        alone = replace(problem, transition=without(problem.transition, others))
        free = delete_free(alone.transition.actions, problem.start, problem.metric)
        if free is not None and others:
            with effort.session(most=_PATIENCE) as session:
                found = fewest(alone, free, session, effort.progress)
            if found.cost is not None and (best.cost is None or found.cost < best.cost):
                best = found
    return best


_RESERVE = 1.0  # seconds with which another method is not worth beginning
_PATIENCE = 15.0  # seconds for each bound at the most, so that time is left for the search itself
