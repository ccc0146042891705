"""The largest value that an expression can be brought to."""

from __future__ import annotations

import math
from dataclasses import dataclass

from vclogic.clock import TIME_UP, TimeUp
from vclogic.encode.deletefree import DeleteFree
from vclogic.encode.unroll import Unrolling
from vclogic.progress import Tell
from vclogic.solve import budgets
from vclogic.solve.bounded import depths
from vclogic.solve.fewest import length_limit, narrow, number
from vclogic.solve.problem import Problem
from vclogic.solve.session import GIVEN_UP, Session
from vclogic.terms.build import ge, scale
from vclogic.terms.rewrite import substitute
from vclogic.terms.term import Term


@dataclass(frozen=True)
class Highest:
    """How large an expression can become.

    Attributes:
        value: The largest value found; None if the problem's goal was not reached at all.
        upper_bound: It cannot become larger.
        reason: Why the search stopped early, if it did.
    """

    value: int | None
    upper_bound: int
    reason: str = ""


def highest_free(problem: Problem, free: DeleteFree, objective: Term, session: Session, progress: Tell) -> Highest:
    """The largest value at the end of a plan of a delete-free problem.

    Args:
        problem: Its goal must hold at the end.
        free: Its encoding.
        objective: Int, over the fluents after the plan.
        session: A fresh session.
        progress: Told about bounds.
    """
    goal, objective = (substitute(t, free.final) for t in (problem.goal, objective))
    session.add(*free.constraints, goal, length_limit(problem, free))
    first = session.check()
    if first.verdict != "sat":
        return Highest(None, objective.hi, first.reason)
    loss = scale(objective, -1)

    def tell(phase: str, cost: int | None = None, bound: int | None = None) -> None:
        if cost is not None and bound is not None:
            progress(f"looking for a higher value: {-cost} found, at most {-bound}")

    best, low, reason = narrow(loss, first, number(loss, first), loss.lo, session, tell)
    return Highest(number(objective, best), -low, reason)


def highest_bounded(problem: Problem, objective: Term, most: int, session: Session, progress: Tell) -> Highest:
    """The largest value within the problem's limit of steps, one step more at a time.

    Args:
        problem: Its goal must hold where the value is taken.
        objective: Int, over fluents.
        most: A bound that the value cannot pass, however many steps are made.
        session: A fresh session.
        progress: Told about depth and value.
    """
    unrolled = Unrolling(problem.transition, problem.start)
    best: int | None = None
    looked: list[_Look] = []
    try:
        for depth in depths(problem, unrolled, session):
            progress(f"looking at {depth} steps" + (f", best value so far {best}" if best is not None else ""))
            goal, value = unrolled.holds(problem.goal, depth), unrolled.holds(objective, depth)
            looked.append(_Look(goal, value, min(most, value.hi)))
            best, reason = looked[-1].higher(best, session, budgets.ONE_VALUE)
            if reason:
                return Highest(best, most, reason)
            if best is not None and best >= most:
                return Highest(best, best)
        for look in looked:  # what was too hard at first gets all the time that is left
            best, reason = look.higher(best, session, math.inf)
            if reason:
                return Highest(best, max(x.high for x in looked), reason)
    except TimeUp:
        return Highest(best, most, TIME_UP)
    return Highest(best, most if best is None else best)


@dataclass
class _Look:
    """A look at the values after some number of steps.

    Attributes:
        goal: What must hold then.
        value: The value then.
        high: It is not larger.
    """

    goal: Term
    value: Term
    high: int

    def higher(self, low: int | None, session: Session, patience: float) -> tuple[int | None, str]:
        """The largest value, or the largest found, and why the session has ended if it has.

        From the best known value up in growing strides, as plans are found fast and most refutations too. Where a
        value is too hard to decide, smaller ones are looked for, and larger ones refuted, as far as that is fast.

        Args:
            low: The largest value found so far.
            session: Where the steps are asserted.
            patience: Seconds for each question.
        """
        stride, hard, top = 1, self.high + 1, self.high + 1  # from `hard` up to below `top` nothing is decided
        while low is None or low + 1 < hard or top <= self.high:
            if low is None:
                asked, seconds = self.value.lo, math.inf
            else:
                below = low + 1 < hard
                asked = min(low + stride, hard - 1) if below else (top + self.high + 1) // 2
                seconds = patience
            answer = session.check(self.goal, ge(self.value, asked), seconds=seconds)
            if answer.verdict == "sat":
                low, stride = number(self.value, answer), stride * 2
                if low >= hard:
                    hard = top = self.high + 1
            elif answer.verdict == "unsat":
                self.high, stride = asked - 1, 1
                hard, top = min(hard, asked), min(top, asked)
                if low is None:
                    return None, ""
            elif low is None or answer.reason != GIVEN_UP:
                return low, answer.reason
            elif asked < hard:
                top = asked + 1 if hard > self.high else top
                hard, stride = asked, 1
            else:
                top = asked + 1
        return low, ""
