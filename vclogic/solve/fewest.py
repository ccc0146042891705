"""The cheapest plan of a delete-free problem: no steps, no horizon."""

from __future__ import annotations

from contextlib import suppress

from vclogic.clock import ANSWERING, TIME_UP, TimeUp, granted
from vclogic.encode.deletefree import DeleteFree
from vclogic.model.fluents import value
from vclogic.progress import Tell, untold
from vclogic.solve import budgets
from vclogic.solve.foremost import foremost
from vclogic.solve.problem import Problem, Search
from vclogic.solve.session import GIVEN_UP, Answer, Session
from vclogic.terms.atoms import constant
from vclogic.terms.build import le
from vclogic.terms.rewrite import substitute
from vclogic.terms.term import Term, variables

ENGINE = "z3, each action at most once"


def fewest(problem: Problem, free: DeleteFree, session: Session, progress: Tell) -> Search:
    """The cheapest set of actions, with the proof that a cheaper one does not exist.

    Args:
        problem: The problem.
        free: Its encoding.
        session: A fresh session.
        progress: Told about bounds.
    """
    session.add(*free.constraints, substitute(problem.goal, free.final), length_limit(problem, free))
    first = session.check()
    if first.verdict != "sat":
        proved = first.verdict == "unsat"
        depth = free.most if problem.within is None else min(problem.within, free.most)
        return Search(exhausted=proved, bound_by=ENGINE if proved else None, reason=first.reason, depth=depth)
    best, low, reason = narrow(free.cost, first, free.paid(first.values), free.cost.lo, session, progress)
    paid = free.paid(best.values)
    if low == paid:
        with suppress(TimeUp):
            best = _foremost(free, best, paid, session)
    with granted(ANSWERING):
        steps = [{taken: 1} for taken in free.order(best.values)]
    return Search(steps, paid, low, bound_by=ENGINE, reason=reason)


def _foremost(free: DeleteFree, best: Answer, paid: int, session: Session) -> Answer:
    """Of the cheapest plans one with the fewest actions, and of those the one whose actions come first."""
    session.add(le(free.cost, paid))
    if len(set(free.prices.values())) > 1 or not paid:
        length = number(free.length, best)
        best, least, _ = narrow(free.length, best, length, free.length.lo, session, untold)
        session.add(le(free.length, max(least, number(free.length, best))))
    choices = tuple(free.actions)
    return foremost(choices, best, lambda t, s: session.check(t, seconds=s), budgets.CHOOSING)


def length_limit(problem: Problem, free: DeleteFree) -> Term:
    """That no more actions are taken than the problem's limit allows."""
    limit = free.most if problem.within is None else problem.within
    return le(free.length, limit)


def narrow(
    cost: Term, best: Answer, paid: int, low: int, session: Session, progress: Tell
) -> tuple[Answer, int, str]:
    """Bring the bounds of a cost together.

    The lower bound is raised in growing strides, since small costs are refuted fast and most optima are small; each
    solution found lowers the upper bound.

    Args:
        cost: What is to be least.
        best: A solution.
        paid: Its cost.
        low: No solution costs less.
        session: Holds the constraints.
        progress: Told about the bounds.

    Returns:
        The best solution, the lower bound (its cost, if all went well), and why it ended early, if it did.
    """
    stride, patience = 1, budgets.ONE_COST
    try:
        while low < paid:
            progress("looking for a cheaper plan", paid, low)
            # A question can be hard where its neighbours are easy: after a while the next one is tried.
            for limit in dict.fromkeys((min(low + stride - 1, paid - 1), low, paid - 1)):
                answer = session.check(le(cost, limit), seconds=patience)
                if answer.verdict == "sat":
                    best, paid, stride = answer, number(cost, answer), 1
                elif answer.verdict == "unsat":
                    low, stride = limit + 1, stride * 2
                elif answer.reason != GIVEN_UP:
                    return best, low, answer.reason
                if answer.verdict != "unknown":
                    break
            else:
                stride, patience = 1, patience * 2
    except TimeUp:
        return best, low, TIME_UP
    return best, low, ""


def number(term: Term, answer: Answer) -> int:
    """An Int term's value in a solution; what the solution leaves open is at its least value."""
    known = {v: _constant(v, answer.values.get(v, v.lo)) for v in variables(term)}
    return substitute(term, known).lo


def _constant(v: Term, n: int) -> Term:
    return constant(v.sort, value(v.sort, n))
