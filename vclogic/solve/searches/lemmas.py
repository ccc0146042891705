"""Lemmas on demand: minimize, have the solution judged, add what it breaks, and minimize again.

This is the loop of SMT and of logic-based Benders decomposition. The program leaves out a part of what plans must
satisfy (`Lemmas`), so its least cost is a lower bound at any time. A solution whose prices are too low is a plan all
the same, which costs more: an upper bound. The loop ends when both meet, or no solution is left. It comes to an end:
each lemma excludes a solution that was found, whatever is added later, and a program of bounded whole numbers has
finitely many. How soon depends on how much a lemma says of other solutions.

What is proved, is proved of the last program, whose rows the lemmas are; so certificates in whole numbers hold as
always, and take nothing for granted but the lemmas.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from vclogic.clock import ANSWERING, TIME_UP, Deadline, TimeUp, grace_period
from vclogic.encode.python.codegen import interpret
from vclogic.model.transition import Judged
from vclogic.progress import Tell
from vclogic.solve.backends.certificate import is_model
from vclogic.solve.backends.highs import ENOUGH, Engines, Minimization, Minimum, ignored, minimize
from vclogic.solve.searches.plan_groups import Group
from vclogic.terms.term import Term

Values = Mapping[Term, int]
NOT_EXCLUDED = "a lemma does not exclude the solution that it was made for"


@dataclass(frozen=True)
class Settled:
    """The result of the loop.

    Attributes:
        group: The plans, with all lemmas.
        outcome: The result; its solution is a plan, at its true cost.
    """

    group: Group
    outcome: Minimum


def initial_group(group: Group) -> Group:
    """The plans with the lemmas that are told from the start."""
    if not group.judges or group.lemmas:
        return group
    return replace(group, lemmas=tuple(t for judge in group.judges for t in judge.first(group.taken)))


def join_verdicts(group: Group, values: Values) -> Judged:
    """Join the verdicts of all judges on a solution; no lemmas, if it breaks none of them."""
    lemmas: list[Term] = []
    instead: Mapping[Term, int] | None = {}
    for judge in group.judges:
        found = judge.judge(group.taken, values)
        lemmas += found.lemmas
        instead = None if instead is None or found.instead is None else {**instead, **found.instead}
    return Judged(() if all(_true(t, values) for t in lemmas) else tuple(dict.fromkeys(lemmas)), instead)


def settle(
    group: Group,
    most: int | None,
    deadline: Deadline,
    progress: Tell,
    engines: Engines | None,
    *,
    checked: bool = True,
    any_: bool = False,
    better: Callable[[Values], None] = ignored,
) -> Settled:
    """Minimize the cost of some plans.

    Args:
        group: The plans.
        most: The greatest cost; None: any.
        progress: Told about bounds, and costs of plans.
        engines: The processes to use.
        checked: Whether a proof in whole numbers is waited for.
        any_: Whether a plan that cannot soon be improved is enough.
        better: Called with each better plan.
    """
    if not group.judges:
        asked = Minimization(group.program, group.claimed, group.first, most, not checked, any_, better)
        return Settled(group, minimize(asked, deadline, progress, engines))
    loop = _Loop(initial_group(group), most, deadline, progress, engines, checked)
    loop.any, loop.better = any_, better
    return loop.run()


def _true(t: Term, values: Values) -> bool:
    return bool(interpret([t], {v: i for i, v in enumerate(values)}, list(values.values()))[0])


class _Loop:
    """The loop; see the module."""

    def __init__(
        self,
        group: Group,
        most: int | None,
        deadline: Deadline,
        progress: Tell,
        engines: Engines | None,
        checked: bool,
    ):
        self._group, self._most = group, most
        self._deadline, self._progress, self._engines = deadline, progress, engines
        self._values: Values = {}
        self._cost: int | None = None
        self._bound: int | None = None
        self._rounds = 0
        self._checked = checked
        self._least: Minimum | None = None
        self.any = False
        self.better: Callable[[Values], None] = ignored

    def run(self) -> Settled:
        """Minimize until the bound is met or the time is up."""
        while True:
            try:
                found = self._minimized()
                with grace_period(ANSWERING):
                    reason = self._take(found)
            except TimeUp:
                return self._settled(self._least or Minimum("unknown", reason=TIME_UP))
            if found.reason == ENOUGH and not reason and not (self.any and self._cost is not None):
                continue
            if reason or (found.status == "unknown" and self._least is None):
                return self._settled(replace(found, status="unknown", reason=found.reason or reason))
            if found.status == "unknown" and self._least is not None:
                return self._settled(self._least)
            if found.cost is None:  # nothing cheaper is left
                return self._settled(found)
            if self._cost is not None and self._cost <= found.cost:
                if not self._checked:
                    return self._settled(found)
                self._least = found  # now for a proof that is checked: that nothing is cheaper

    def _minimized(self) -> Minimum:
        """The least cost by what is known, below that of the best plan."""
        self._rounds += 1
        most = self._most if self._cost is None else self._cost - 1

        def tell(phase: str, cost: int | None = None, bound: int | None = None) -> None:
            known = [b for b in (bound, self._bound) if b is not None]  # the cost may be too low: no plan's
            self._progress(f"{phase} (round {self._rounds})", self._cost, max(known, default=None))

        program, claimed, first = self._group.program, self._group.claimed, self._group.first
        asked = Minimization(program, claimed, first, most, soon=True, any=self.any or self._rounds > 1)
        return minimize(asked, self._deadline, tell, self._engines)

    def _take(self, found: Minimum) -> str:
        """Have a solution judged; returns what is wrong with the judge, if anything is."""
        if found.lower_bound is not None:
            self._bound = found.lower_bound if self._bound is None else max(self._bound, found.lower_bound)
        if found.cost is None:
            return ""
        told = join_verdicts(self._group, found.values)
        self._group = replace(self._group, lemmas=tuple(dict.fromkeys((*self._group.lemmas, *told.lemmas))))
        if told.instead is not None:
            values = {**found.values, **told.instead}
            cost = cost_of(self._group, values)
            dear = self._most is not None and cost > self._most
            if is_model(values, self._group.claimed) and not dear and (self._cost is None or cost < self._cost):
                self._values, self._cost = values, cost
                self.better(values)
                self._progress(f"a plan is found (round {self._rounds})", cost, self._bound)
        paid = self._cost is not None and self._cost <= found.cost
        return "" if told.lemmas or paid else NOT_EXCLUDED

    def _settled(self, last: Minimum) -> Settled:
        """The result, given that of the last round."""
        bound, cost = self._bound, self._cost
        if last.status != "unknown":
            status: Literal["infeasible", "optimal"] = "infeasible" if cost is None else "optimal"
            return Settled(
                self._group, replace(last, status=status, values=self._values, cost=cost, lower_bound=cost)
            )
        if bound is not None and cost is not None:
            bound = min(bound, cost)
        return Settled(self._group, replace(last, values=self._values, cost=cost, lower_bound=bound))


def cost_of(group: Group, values: Values) -> int:
    """The cost that some plans have under some values."""
    return int(interpret([group.cost], {v: i for i, v in enumerate(values)}, list(values.values()))[0])
