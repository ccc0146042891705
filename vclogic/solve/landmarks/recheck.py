"""Recheck the result of landmark cuts by a solver, which also records it as SMT-LIB for others to check."""

from __future__ import annotations

from vclogic.solve.backends.session import Session
from vclogic.solve.landmarks.search import Cheapest
from vclogic.solve.landmarks.task import Task
from vclogic.terms.build import le, not_


def confirmed(task: Task, found: Cheapest, session: Session) -> bool:
    """Confirm by a solver that the plan satisfies the laws, and that nothing cheaper satisfies the laws and the cuts.

    That the cuts hold in all plans is not rechecked here; closures prove it.

    Args:
        found: The finished result of the search.
        session: A fresh session.
    """
    session.add(*task.laws)
    if found.plan is not None and found.cost is not None:
        made = set(found.plan)
        if session.check(*(v if v in made else not_(v) for v in task.choices)).verdict != "sat":
            return False
    if found.cuts:
        session.add(*found.cuts)
    cheaper = () if found.cost is None else (le(task.cost, found.cost - 1),)
    return session.check(*cheaper).verdict == "unsat"
