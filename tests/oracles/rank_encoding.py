"""Another way to the cheapest plan where nothing is lost: a rank for each action shows an order, z3 finds the rest.

Up to 300 areas this was vclogic's own way; now it is what landmark cuts are compared with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from vclogic.encode.delete_free import Raises, delete_free, once_raised
from vclogic.model.actions import Action
from vclogic.solve.backends.session import Session
from vclogic.solve.problem import Problem
from vclogic.solve.searches.cost_bounds import narrow, number
from vclogic.terms.atoms import var
from vclogic.terms.build import and_, any_of, count, gt, implies, ite, le, linear
from vclogic.terms.rewrite import substitute
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term, variables


def cheapest_by_ranks(problem: Problem, actions: Mapping[Term, Action], session: Session) -> int | None:
    """What the cheapest plan of a delete-free problem costs; None if there is none.

    Args:
        problem: The problem.
        actions: The choice and action.
        session: A fresh session.
    """
    free = delete_free(actions, problem.start, problem.metric)
    assert free is not None
    raised, start = free.raised, problem.start
    once = once_raised(free.actions, raised)
    rank = _ranks(free.actions, raised, once)
    for taken, action in free.actions.items():
        session.add(implies(taken, _guard_in_order(taken, action, start, raised, once, rank)))
    session.add(*(le(count(by), 1) for f, by in raised.items() if f in once and len(by) > 1))
    final = {f: _value(start[f], raised[f], any_of) if f in raised else start[f] for f in start}
    most = len(raised) if problem.within is None else problem.within
    session.add(substitute(problem.goal, final), le(count(free.actions), most))
    cost = linear((price, taken) for taken, price in free.prices.items())
    answer = session.check()
    if answer.verdict == "unsat":
        return None
    assert answer.verdict == "sat", answer.reason
    found = narrow(lambda t, seconds: session.check(t, seconds=seconds), cost, answer, number(cost, answer), cost.lo)
    assert found.proved, found.reason
    return found.low


def _ranks(actions: Mapping[Term, Action], raised: Raises, once: set[Term]) -> dict[Term, Term]:
    """The variable for the rank of each action; those of which only one is taken share one."""
    sort = IntSort(0, max(len(raised) - 1, 1))
    alone = {t: fluent for fluent, by in raised.items() if fluent in once for t in by}
    return {t: var(f"rank({alone[t].name if t in alone else a.key})", sort) for t, a in actions.items()}


def _guard_in_order(
    taken: Term,
    action: Action,
    start: Mapping[Term, Term],
    raised: Raises,
    once: set[Term],
    rank: Mapping[Term, Term],
) -> Term:
    """The guard with every fluent at its value before the action's place in the plan."""
    own = [f for f, _ in action.effects if f in once]

    def earlier(others: Iterable[Term]) -> Term:
        by_rank: dict[Term, list[Term]] = {}
        for other in others:
            by_rank.setdefault(rank[other], []).append(other)
        return any_of(and_(any_of(some), gt(rank[taken], r)) for r, some in by_rank.items())

    before = {f: start[f] for f in variables(action.guard)}
    before |= {f: _value(start[f], raised[f], earlier) for f in before if f in raised and f not in own}
    return substitute(action.guard, before)


def _value(unraised: Term, by: Mapping[Term, Term], made: Callable[[Iterable[Term]], Term]) -> Term:
    """A fluent's value: that of the raise that was made, if any."""
    by_value: dict[Term, list[Term]] = {}
    for taken, value in by.items():
        by_value.setdefault(value, []).append(taken)
    result = unraised
    for value, takens in by_value.items():
        result = ite(made(takens), value, result)
    return result
