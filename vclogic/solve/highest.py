"""The largest value that an expression can be brought to."""

from __future__ import annotations

from dataclasses import dataclass

from vclogic.encode.deletefree import DeleteFree
from vclogic.encode.unroll import Unrolling
from vclogic.solve.bounded import depths
from vclogic.solve.fewest import length_limit, narrow, number
from vclogic.solve.problem import Problem
from vclogic.solve.session import Progress, Session
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


def highest_free(
    problem: Problem, free: DeleteFree, objective: Term, session: Session, progress: Progress
) -> Highest:
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
    best, low, reason = narrow(loss, first, number(loss, first), loss.lo, session, progress)
    return Highest(number(objective, best), -low, reason)


def highest_bounded(problem: Problem, objective: Term, most: int, session: Session, progress: Progress) -> Highest:
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
    for depth in depths(problem, unrolled, session):
        progress(f"looking at {depth} steps" + (f", best value so far {best}" if best is not None else ""))
        goal, value = unrolled.holds(problem.goal, depth), unrolled.holds(objective, depth)
        while best is None or best < most:
            answer = session.check(goal, *([] if best is None else [ge(value, best + 1)]))
            if answer.verdict == "unknown":
                return Highest(best, most, answer.reason)
            if answer.verdict == "unsat":
                break
            best = number(value, answer)
        if best is not None and best >= most:
            return Highest(best, best)
    return Highest(best, most if best is None else best)
