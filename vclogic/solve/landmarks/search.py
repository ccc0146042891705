"""The cheapest plan where nothing is lost: a program of what to choose, and a cut for each order that it cannot have.

The program says what a plan comes to and costs, and at first nothing of what is needed before what. HiGHS solves its
relaxation; what the solution makes without what leads there is a cut (`separation.py`) that all plans satisfy, and
the next solution has to. Plans are made by rounding (`rounding.py`), bounds are proved by branch and bound. There
are no steps and no ranks (optimal delete relaxation by landmarks: Haslum, Slaney and Thiébaux 2012; by a program of
choices alone: Imai and Fukunaga 2015; cuts that are nested: Koch and Martin 1998 for Steiner trees).

What it says of all plans is checked by something else: each cut by a closure, and what all of them come to, over
the whole tree, in whole numbers (`certificate.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from vclogic.clock import ANSWERING, TIME_UP, Deadline, TimeUp, granted, until
from vclogic.encode.network_closure import Flags, flags, founded, ways
from vclogic.progress import Tell
from vclogic.solve.backends.branch_and_bound import Tree
from vclogic.solve.backends.messages import SLACK
from vclogic.solve.landmarks.program import Cuts, never, relevant
from vclogic.solve.landmarks.rounding import Rounding
from vclogic.solve.landmarks.task import Order, Task
from vclogic.terms.term import Term

CLOSURE = "all that can ever be gained"
LANDMARKS = "landmark cuts"
VERIFIED = "landmark cuts, checked in whole numbers"


@dataclass(frozen=True)
class Cheapest:
    """What was found out about a task.

    Attributes:
        plan: The cheapest plan found; None without one.
        cost: What it costs.
        lower_bound: No plan costs less; None: nothing is known, or there is no plan.
        exhausted: Whether there is no plan.
        bound_by: What shows the bound, or that there is no plan.
        exact: Whether that is checked in exact arithmetic.
        reason: Why it ended early, if it did.
        cuts: Over the choices, what holds in every plan that is cheaper; that there is none follows from these and
            the laws.
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
    """The cheapest plan of a task, with the proof that none is cheaper.

    Args:
        task: The task.
        deadline: When to stop.
        progress: Told about the plans and bounds found.

    Raises:
        Unsupported: The laws cannot be said as a program.
        TimeUp: The time is up before anything is known.
    """
    with until(deadline):
        on = founded(task.network, flags(task.network, task.network.choices))
        if task.goal not in on:
            return Cheapest(exhausted=True, bound_by=CLOSURE, cuts=never(task, flags(task.network, on)))
        return _Search(task, [c for c in on if c in task.network.choices], progress).run(deadline)


class _Search:
    """The search for the cheapest plan of a task.

    Args:
        task: The task.
        everything: The choices that can be made at all, in an order in which they can.
        progress: Told about plans and bounds.
    """

    def __init__(self, task: Task, everything: Order, progress: Tell):
        self._task = task
        self._everything = everything
        self._possible = flags(task.network, everything)
        self._progress = progress
        self._plan: Order | None = None
        self._bound: int | None = None
        self._cost = math.inf

    def run(self, deadline: Deadline) -> Cheapest:
        """Looks for plans and bounds until they meet."""
        try:
            self._first_plan()
            cuts = Cuts(self._task, self._worthwhile(), self._took, self._at_least)
            if cuts.impossible:
                return self._closed(cuts, exact=True)
            cuts.best.cost = self._cost - cuts.constant
            end = Tree(cuts, cuts.best, [cuts.scores], deadline.end, self._teller(cuts)).search()
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
        """Keeps a plan if it is the cheapest so far; gives the least cost known."""
        cost = self._task.paid(plan)
        if cost < self._cost:
            self._plan, self._cost = plan, cost
            self._tell_progress()
        return int(self._cost)

    def _worthwhile(self) -> Flags:
        """The choices that a cheaper plan may make: what leads to each costs less than the plan that is known."""
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
        """Keeps a bound of the cost if it is the best so far."""
        whole = math.ceil(bound - SLACK) if math.isfinite(bound) else self._bound
        if whole is not None and (self._bound is None or whole > self._bound):
            self._bound = whole
            self._tell_progress()

    def _tell_progress(self) -> None:
        cost = int(self._cost) if math.isfinite(self._cost) else None
        bound = self._bound if cost is None or self._bound is None else min(cost, self._bound)
        self._progress("looking for a cheaper plan", cost, bound)

    def _closed(self, cuts: Cuts, *, exact: bool) -> Cheapest:
        """The answer where nothing is cheaper than what is known."""
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
