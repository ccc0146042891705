"""The least cost of an answer, by questions to a session of a solver that bring its bounds together."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

from vclogic.clock import TIME_UP, TimeUp
from vclogic.model.fluents import numbered
from vclogic.progress import Tell
from vclogic.solve import budgets
from vclogic.solve.backends.session import GIVEN_UP, Answer
from vclogic.terms.build import le
from vclogic.terms.rewrite import substitute
from vclogic.terms.term import Term, variables


class Checks(Protocol):
    """Says whether something more can hold; such as a session."""

    def check(self, *assumptions: Term, seconds: float = math.inf) -> Answer:
        """Check some terms together with all that is asserted.

        Args:
            assumptions: Bool terms for this call only.
            seconds: Time limit of this query.
        """


def narrow(
    cost: Term, best: Answer, paid: int, low: int, session: Checks, progress: Tell, patience: float = budgets.ONE_COST
) -> tuple[Answer, int, str]:
    """Close the gap between the bounds of a cost.

    The lower bound is raised in growing strides, since small costs are refuted fast and most optima are small; each
    solution found lowers the upper bound.

    Args:
        cost: The term to minimize.
        best: A solution.
        paid: Its cost.
        low: A lower bound of the cost.
        session: Where the constraints are.
        progress: Called with the bounds.
        patience: Seconds for one question at first.

    Returns:
        The best solution, the lower bound (equal to its cost if proved optimal), and why it ended early, if it did.
    """
    stride = 1
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


def least(
    check: Callable[[Term], Answer], cost: Term, best: Answer, *, downwards: int | None = None
) -> tuple[Answer, int, bool]:
    """The answer with the least cost.

    Args:
        check: Asks for an answer that satisfies one term more.
        cost: What is to be least.
        downwards: What is known to be the least that it can be, to ask for one less each time, where the answer is
            likely to be the best one already.

    Returns:
        The best answer found, its cost, and whether it is proved that none costs less.
    """
    low, high = max(cost.lo, downwards or 0), number(cost, best)
    while low < high:
        middle = (low + high) // 2 if downwards is None else high - 1
        answer = check(le(cost, middle))
        if answer.verdict == "unknown":
            return best, high, False
        if answer.verdict == "sat":
            best, high = answer, number(cost, answer)
        else:
            low = middle + 1
    return best, high, True


def number(term: Term, answer: Answer) -> int:
    """An Int term's value in a solution; variables that the solution leaves open have their least value."""
    known = {v: numbered(v, answer.values.get(v, v.lo)) for v in variables(term)}
    return substitute(term, known).lo
