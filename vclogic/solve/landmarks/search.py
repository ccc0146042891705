"""Optimal plans of delete-free problems by landmark cuts: an integer program over the choices, with lazy cuts.

The program encodes the goal and the cost of a set of choices, and at first no order between them. HiGHS solves its
relaxation; where the solution makes a choice without what must come before it, a landmark that all plans satisfy is
violated and added as a cut (`separation.py`). Plans are found by rounding (`rounding.py`), bounds are proved by
branch and bound. There are no steps and no ranks (optimal delete relaxation by landmarks: Haslum, Slaney and Thiébaux
2012; by an integer program over choices: Imai and Fukunaga 2015; nested cuts: Koch and Martin 1998 for Steiner
trees).

The proof is checked independently: each cut by a closure, and the whole tree in whole numbers (`certificate.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from vclogic.clock import ANSWERING, TIME_UP, Deadline, TimeUp, grace_period, until
from vclogic.encode.linear.affine import Unsupported
from vclogic.encode.linear.network import flags, founded, ways
from vclogic.progress import Tell
from vclogic.shortage import WITHOUT, libraries_missing
from vclogic.solve.backends.claims import ProgramBound
from vclogic.solve.backends.messages import SLACK
from vclogic.solve.landmarks.rounding import Rounding
from vclogic.solve.landmarks.task import Order, Task, never, relevant
from vclogic.terms.term import Term

if TYPE_CHECKING:
    from vclogic.solve.landmarks.program import Lazy

CLOSURE = "all that can ever be gained"
LANDMARKS = "landmark cuts"
VERIFIED = "landmark cuts, checked in whole numbers"


@dataclass(frozen=True)
class Cheapest:
    """The result of a search.

    Attributes:
        plan: The cheapest plan found; None without one.
        cost: Its cost.
        lower_bound: No plan costs less; None: nothing is known, or there is no plan.
        exhausted: Whether it is proved that there is no plan.
        bound_by: The method that proves the bound, or that there is no plan.
        exact: Whether that proof is checked in exact arithmetic.
        reason: Why the search ended early, if it did.
        cuts: Terms over the choices that hold in every cheaper plan; with the laws they imply that there is none.
        bound: The proof of the bound by multipliers, where it was checked in whole numbers.
    """

    plan: Sequence[Term] | None = None
    cost: int | None = None
    lower_bound: int | None = None
    exhausted: bool = False
    bound_by: str | None = None
    exact: bool = True
    reason: str = ""
    cuts: Sequence[Term] = ()
    bound: ProgramBound | None = None


def cheapest(
    task: Task, deadline: Deadline, progress: Tell, better: Callable[[Cheapest], object] = lambda found: None
) -> Cheapest:
    """Search for the cheapest plan of a task, and prove that none is cheaper.

    Args:
        progress: Called with costs and bounds.
        better: Called with each better plan.

    Raises:
        Unsupported: The laws cannot be encoded as a program, or nothing is here that solves programs.
        TimeUp: The deadline passed before anything was known.
    """
    with until(deadline):
        on = founded(task.network, flags(task.network, task.network.choices))
        if task.goal not in on:
            return Cheapest(exhausted=True, bound_by=CLOSURE, cuts=never(task, flags(task.network, on)))
        if libraries_missing():
            raise Unsupported(WITHOUT)
        everything = [c for c in on if c in task.network.choices]
        paid = math.inf

        def told() -> None:
            nonlocal paid
            if search.paid < paid:
                paid = search.paid
                better(search.so_far())
            progress("looking for a cheaper plan", search.cost, search.bound)

        search = CutSearch(task, everything, told)
        return search.run(lambda: _program(search), deadline)


def _first_plan(search: CutSearch) -> None:
    """Take a plan that is rounded, and that of all choices."""
    search.round()
    if search.task.satisfied(search.everything):
        search.took(search.everything)


def _program(search: CutSearch) -> Lazy:
    """The program of a task, of the choices that a plan cheaper than a first one may make."""
    from vclogic.solve.landmarks.program import Cuts  # needs NumPy and HiGHS

    task, allowed = search.task, search.possible
    _first_plan(search)
    if task.prices is not None and search.cost is not None:
        # The h-max cost of a choice is less than that of the known plan, if a cheaper plan makes it.
        least = ways(task.network, task.prices, allowed, add_up=False).cost
        allowed = flags(task.network, (c for c in task.network.choices if least[c] < search.paid))
    return Cuts(task, relevant(task, allowed), search.took, search.at_least)


class CutSearch:
    """The search for the cheapest plan of a task, by a program to which cuts are added.

    Args:
        task: The task.
        everything: The choices that can be made, in a possible order.
        told: Called with each better plan and each better bound.

    Attributes:
        task: The same.
        everything: The same,
        possible: and for each node of the network whether it is one of them.
        paid: The cost of the cheapest plan found; infinite without one.
    """

    def __init__(self, task: Task, everything: Order, told: Callable[[], object]):
        self.task = task
        self.everything = everything
        self.possible = flags(task.network, everything)
        self.paid = math.inf
        self._told = told
        self._plan: Order | None = None
        self._bound: int | None = None

    def run(self, begin: Callable[[], Lazy], deadline: Deadline) -> Cheapest:
        """Improve the plan and the bound until they meet.

        Args:
            begin: Makes the program ready, and may find first plans.
        """
        from vclogic.solve.backends.branch_and_bound import BranchTree  # needs NumPy and HiGHS

        try:
            program = begin()
            if program.impossible:
                return self._closed(program, exact=True)
            program.best.cost = self.paid - program.constant
            tell = partial(self._tell, program)
            end = BranchTree(program, program.best, [program.scores], deadline.end, tell).search()
        except TimeUp:
            end = {"status": "unknown", "reason": TIME_UP}
        if end["status"] != "closed":
            return self.so_far(end["reason"])
        exact = False
        with suppress(TimeUp), grace_period(ANSWERING):
            exact = program.proved()
        with grace_period():
            return self._closed(program, exact=exact)

    def round(self) -> None:
        """Look for a first plan by rounding, where the cost is a sum of prices."""
        prices = self.task.prices
        plan = None if prices is None else Rounding(self.task, self.possible).plan(prices)
        if plan is not None:
            self.took(plan)

    def took(self, plan: Order) -> int:
        """Keep a plan if it is the cheapest so far; returns the least cost known."""
        cost = self.task.paid(plan)
        if cost < self.paid:
            self._plan, self.paid = plan, cost
            self._told()
        return int(self.paid)

    def at_least(self, bound: float) -> None:
        """Keep a lower bound if it is the best so far."""
        whole = math.ceil(bound - SLACK) if math.isfinite(bound) else self._bound
        if whole is not None and (self._bound is None or whole > self._bound):
            self._bound = whole
            self._told()

    def _tell(self, program: Lazy, **line: Any) -> None:
        if "bound" in line:
            self.at_least(line["bound"] + program.constant)
        elif "solution" in line:
            self.took(program.plan(line["solution"]))
        else:
            program.certificate.take(line)

    # ---- results

    @property
    def cost(self) -> int | None:
        """The cost of the cheapest plan found."""
        return None if self._plan is None else int(self.paid)

    @property
    def bound(self) -> int | None:
        """The best lower bound."""
        return self._bound if self.cost is None or self._bound is None else min(self.cost, self._bound)

    def so_far(self, reason: str = "") -> Cheapest:
        """The bounds known by now."""
        return Cheapest(self._chosen, self.cost, self.bound, bound_by=LANDMARKS, exact=False, reason=reason)

    def _closed(self, program: Lazy, *, exact: bool) -> Cheapest:
        """The result once nothing is cheaper than the known plan."""
        by, cost = VERIFIED if exact else LANDMARKS, self.cost
        found = Cheapest(self._chosen, cost, cost, cost is None, bound_by=by, exact=exact, cuts=program.terms)
        return replace(found, bound=program.bound if exact and not program.impossible else None)

    @property
    def _chosen(self) -> list[Term] | None:
        first = self.task.network.choices.start
        return None if self._plan is None else [self.task.choices[c - first] for c in self._plan]
