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
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vclogic.clock import ANSWERING, TIME_UP, Deadline, TimeUp, granted, until
from vclogic.encode.affine import Unsupported
from vclogic.encode.network_closure import Flags, flags, founded, ways
from vclogic.missing_libraries import WITHOUT, libraries_missing
from vclogic.progress import Tell
from vclogic.solve.backends.messages import SLACK
from vclogic.solve.landmarks.rounding import Rounding
from vclogic.solve.landmarks.task import Order, Task, never, relevant
from vclogic.terms.term import Term

if TYPE_CHECKING:
    from vclogic.solve.landmarks.program import Cuts

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
    """

    plan: Sequence[Term] | None = None
    cost: int | None = None
    lower_bound: int | None = None
    exhausted: bool = False
    bound_by: str | None = None
    exact: bool = True
    reason: str = ""
    cuts: Sequence[Term] = ()


def cheapest(task: Task, deadline: Deadline, progress: Tell) -> Cheapest:
    """Search for the cheapest plan of a task, and prove that none is cheaper.

    Args:
        progress: Called with plans and bounds.

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
        return _TaskSearch(task, [c for c in on if c in task.network.choices], progress).run(deadline)


class _TaskSearch:
    """The search for the cheapest plan of a task; `everything` is its reachable choices, in a possible order."""

    def __init__(self, task: Task, everything: Order, progress: Tell):
        self._task = task
        self._everything = everything
        self._possible = flags(task.network, everything)
        self._progress = progress
        self._plan: Order | None = None
        self._bound: int | None = None
        self._cost = math.inf

    def run(self, deadline: Deadline) -> Cheapest:
        """Improve the plan and the bound until they meet."""
        from vclogic.solve.backends.branch_and_bound import BranchTree  # needs NumPy and HiGHS
        from vclogic.solve.landmarks.program import Cuts

        try:
            self._first_plan()
            cuts = Cuts(self._task, self._worthwhile(), self._took, self._at_least)
            if cuts.impossible:
                return self._closed(cuts, exact=True)
            cuts.best.cost = self._cost - cuts.constant
            end = BranchTree(cuts, cuts.best, [cuts.scores], deadline.end, self._teller(cuts)).search()
        except TimeUp:
            end = {"status": "unknown", "reason": TIME_UP}
        if end["status"] != "closed":
            return self._open(end["reason"])
        exact = False
        with suppress(TimeUp), granted(ANSWERING):
            exact = cuts.proved()
        with granted():
            return self._closed(cuts, exact=exact)

    def _first_plan(self) -> None:
        prices = self._task.prices
        if prices is not None:
            plan = Rounding(self._task, self._possible).plan(prices)
            if plan is not None:
                self._took(plan)
        if self._task.satisfied(self._everything):
            self._took(self._everything)

    def _took(self, plan: Order) -> int:
        """Keep a plan if it is the cheapest so far; returns the least cost known."""
        cost = self._task.paid(plan)
        if cost < self._cost:
            self._plan, self._cost = plan, cost
            self._tell_progress()
        return int(self._cost)

    def _worthwhile(self) -> Flags:
        """The choices that a cheaper plan may make: their h-max cost is less than that of the known plan."""
        allowed = self._possible
        prices = self._task.prices
        if prices is not None and math.isfinite(self._cost):
            least = ways(self._task.network, prices, allowed, add_up=False).cost
            allowed = flags(self._task.network, (c for c in self._task.network.choices if least[c] < self._cost))
        return relevant(self._task, allowed)

    def _teller(self, cuts: Cuts) -> Callable[..., None]:
        def tell(**line: Any) -> None:
            if "bound" in line:
                self._at_least(line["bound"] + cuts.constant)
            elif "solution" in line:
                self._took(cuts.plan(line["solution"]))
            else:
                cuts.certificate.take(line)

        return tell

    def _at_least(self, bound: float) -> None:
        """Keep a lower bound if it is the best so far."""
        whole = math.ceil(bound - SLACK) if math.isfinite(bound) else self._bound
        if whole is not None and (self._bound is None or whole > self._bound):
            self._bound = whole
            self._tell_progress()

    def _tell_progress(self) -> None:
        cost = int(self._cost) if math.isfinite(self._cost) else None
        bound = self._bound if cost is None or self._bound is None else min(cost, self._bound)
        self._progress("looking for a cheaper plan", cost, bound)

    def _closed(self, cuts: Cuts, *, exact: bool) -> Cheapest:
        """The result once nothing is cheaper than the known plan."""
        by = VERIFIED if exact else LANDMARKS
        if self._plan is None:
            return Cheapest(exhausted=True, bound_by=by, exact=exact, cuts=cuts.terms)
        cost = int(self._cost)
        return Cheapest(self._chosen, cost, cost, bound_by=by, exact=exact, cuts=cuts.terms)

    def _open(self, reason: str) -> Cheapest:
        cost = None if self._plan is None else int(self._cost)
        bound = self._bound if cost is None or self._bound is None else min(cost, self._bound)
        return Cheapest(self._chosen, cost, bound, bound_by=LANDMARKS, exact=False, reason=reason)

    @property
    def _chosen(self) -> list[Term] | None:
        first = self._task.network.choices.start
        return None if self._plan is None else [self._task.choices[c - first] for c in self._plan]
