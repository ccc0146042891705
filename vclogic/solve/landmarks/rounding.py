"""A greedy heuristic for plans: fulfil the goal by one cheap way after the other, then drop what is not needed."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from vclogic.clock import check_deadline
from vclogic.encode.linear.network import CheapestWays, Flags, Network, flags, founded, ways
from vclogic.solve.landmarks.task import Order, Task
from vclogic.terms.term import Walk, run_walk

_MANY = 64  # things asked for at once, for which a way is not looked for one by one
_LEAST = 1e-4  # what a choice costs at the least until it is made
_TOO_MANY = 200  # choices, of which none is left out again


class Rounding:
    """Builds plans greedily.

    Args:
        task: The task.
        allowed: The choices that may be made.
    """

    def __init__(self, task: Task, allowed: Flags):
        self._task = task
        self._allowed = allowed
        self._others: dict[int, list[int]] = {}
        for group in task.alone:
            for c in group:
                self._others.setdefault(c, []).extend(other for other in group if other != c)

    def plan(self, prices: Sequence[float]) -> Order | None:
        """A plan that is cheap by some prices; None if none is found.

        Args:
            prices: The price of each choice, by node, 0 or more.
        """
        check_deadline()
        made = _PartialPlan(self._task.network, self._allowed, prices, self._others)
        if not run_walk(made.meet(self._task.goal)):
            return None
        plan = self._in_order(made.choices)
        return self._without_idle(plan, prices) if self._task.satisfied(plan) else None

    def _without_idle(self, plan: Order, prices: Sequence[float]) -> Order:
        """Drop choices that are not needed, the dearest first."""
        if len(plan) <= _TOO_MANY:
            for c in sorted(plan, key=lambda c: (-prices[c], -c)):
                if c in plan:
                    fewer = self._in_order([other for other in plan if other != c])
                    if self._task.satisfied(fewer):
                        plan = fewer
        return plan

    def _in_order(self, choices: Collection[int]) -> Order:
        network = self._task.network
        return [c for c in founded(network, flags(network, choices)) if c in network.choices]


class _PartialPlan:
    """The choices made so far, each for a part of the goal."""

    def __init__(
        self, network: Network, allowed: Flags, prices: Sequence[float], others: Mapping[int, Sequence[int]]
    ):
        self._network = network
        self._allowed = allowed[:]
        self._prices = [max(price, _LEAST) for price in prices]
        self._others = others
        self.choices: set[int] = set()
        self._ways: CheapestWays | None = None

    @property
    def _now(self) -> CheapestWays:
        """The cheapest way to each node, given the choices made."""
        if self._ways is None:
            check_deadline()
            self._ways = ways(self._network, self._prices, self._allowed, add_up=True)
        return self._ways

    def meet(self, node: int) -> Walk[bool]:
        """Make choices until a node is on; False if that is impossible."""
        now = self._now
        if math.isinf(now.cost[node]):
            return False
        needed = self._network.need[node]
        inputs = self._network.inputs[node] if node >= self._network.choices.stop else ()
        total = sum(weight for _, weight in inputs)
        if not inputs or (len(inputs) > _MANY and needed == total):
            self._take(now.to(node))
            return True
        if any(weight < needed for _, weight in inputs) and needed < total:
            return bool((yield self._gather(node, needed)))
        wanted = [before for before, _ in inputs]
        if needed < total or len(wanted) == 1:  # one will do, and never one that comes on later, as those of a cycle
            wanted = list(now.used[node])
        for before in sorted(wanted, key=now.cost.__getitem__):
            if not (yield self.meet(before)):
                return False
        return True

    def _gather(self, gate: int, needed: int) -> Walk[bool]:
        """Turn on inputs until a threshold is reached, those with the most weight per cost first."""
        inputs = self._network.inputs[gate]
        while True:
            cost = self._now.cost
            missing = needed - sum(weight for node, weight in inputs if cost[node] <= 0)
            if missing <= 0:
                return True
            weights = {node: weight for node, weight in inputs if 0 < cost[node] < math.inf}
            ways = {node: self._now.to(node) for node in weights}
            rated = [
                (cost[node] / min(sum(w for other, w in weights.items() if other in way), missing), cost[node], node)
                for node, way in ways.items()
                if gate not in way
            ]
            if not rated or not (yield self.meet(min(rated)[-1])):
                return False

    def _take(self, nodes: Collection[int]) -> None:
        for c in nodes:
            if c in self._network.choices and c not in self.choices:
                self.choices.add(c)
                self._prices[c] = 0.0
                self._ways = None
                for other in self._others.get(c, ()):
                    self._allowed[other] = 0
