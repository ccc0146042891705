"""Branch and bound over LP relaxations, in the process that runs HiGHS, with a certificate in whole numbers.

Each closed node is reported with the dual multipliers that close it; `certificate.py` checks what they prove.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from vclogic.clock import TIME_UP
from vclogic.solve.backends.highs_program import Array, Fixed, HighsProgram, LpRelaxation, Relaxed, in_parts
from vclogic.solve.backends.libraries import np
from vclogic.solve.backends.messages import SLACK
from vclogic.solve.backends.pricing import SharedBound

Json = dict[str, Any]
Parts = list[tuple[int, int]]
Group = tuple[Array, Array]
"""Columns in which to branch, and how much each weighs."""
_WHOLE = 1e-6  # so near to a whole number a value is one


class NodeStuck(Exception):
    """A node can be neither closed nor branched on; the text says why."""


@dataclass(order=True)
class BranchNode:
    """An open node.

    Attributes:
        bound: A lower bound on the cost of its solutions.
        order: Of equal bounds the newest node comes first.
        name: Its number.
        fixed: The bounds of the columns on which its ancestors branched.
        parts: The multipliers that prove the bound.
    """

    bound: float
    order: int
    name: int = field(compare=False)
    fixed: Fixed = field(compare=False)
    parts: Parts = field(compare=False)


@dataclass
class BranchTree:
    """The branch-and-bound tree of one program.

    Attributes:
        program: The program.
        best: The least cost known; other processes may lower it.
        groups: Groups of columns; the first group with a fractional column is branched on.
        deadline: When to stop, on the clock of `time.monotonic`.
        tell: Called with each result.
    """

    program: HighsProgram
    best: SharedBound
    groups: Sequence[Group]
    deadline: float
    tell: Callable[..., None]
    _open: list[BranchNode] = field(default_factory=list)
    _price: float = math.inf
    _told: int | None = None

    def __post_init__(self) -> None:
        self._names = count(1)

    def search(self) -> Json:
        """Process nodes until all are closed.

        Returns:
            The status: `closed` if nothing is cheaper than the best known solution, else `unknown`.
        """
        try:
            relaxation = self.program.relaxed
            root = self._relaxed(relaxation, {})
            self._visit(BranchNode(-math.inf, 0, 0, {}, []), root)
            while self._open:
                if self.best.cost < self._price and math.isfinite(root.value):
                    relaxation = self._dearer_left_out(relaxation, root)
                node = heapq.heappop(self._open)
                if self._too_dear(node.bound):
                    self.tell(closed=node.name, parts=node.parts)
                elif any(lo > 0 and not relaxation.held[c] for c, (lo, _) in node.fixed.items()):
                    self.tell(closed=node.name, parts=[])  # it takes a column that costs too much
                else:
                    self._visit(node, self._relaxed(relaxation, node.fixed))
                self._tell_bound()
        except NodeStuck as reason:
            return {"status": "unknown", "reason": str(reason)}
        return {"status": "closed"}

    def _relaxed(self, relaxation: LpRelaxation, fixed: Fixed) -> Relaxed:
        left = self.deadline - time.monotonic()
        found = relaxation.solve(fixed, left) if left > 0 else None
        if found is None:
            raise NodeStuck(TIME_UP)
        return found

    def _too_dear(self, bound: float) -> bool:
        return bound > self.best.cost - 1 + SLACK

    def _visit(self, node: BranchNode, found: Relaxed) -> None:
        """Close a node whose relaxation is solved, or branch on it."""
        if math.isinf(found.value) and found.multipliers is None:
            raise NodeStuck("HiGHS does not say why a relaxation has no solution")
        parts = in_parts(found.multipliers)
        if math.isinf(found.value):
            self.tell(closed=node.name, parts=parts, ray=True)
            return
        if not self._too_dear(found.value):
            branch = self._branch(found.solution)
            if branch is not None:
                self._split(node, found, parts, *branch)
                return
            solution: Array = np.round(found.solution)
            if not self.program.satisfied(solution):
                raise NodeStuck("HiGHS gave a solution that is none")
            self.best.cost = min(self.best.cost, float(self.program.cost @ solution))
            self.tell(solution=[int(x) for x in solution])
        self.tell(closed=node.name, parts=parts)

    def _branch(self, solution: Array) -> tuple[int, int] | None:
        """A fractional column, and its value rounded down; None if the solution is integral."""
        rest: Array = np.arange(len(solution))
        every: Group = rest, np.ones(len(rest))
        for columns, weights in (*self.groups, every):
            values: Array = solution[columns]
            fractions = np.abs(values - np.round(values))
            if len(columns) and fractions.max() > _WHOLE:
                chosen = int(np.argmax(fractions * (weights + 0.5)))
                return int(columns[chosen]), math.floor(float(values[chosen]))
        return None

    def _split(self, node: BranchNode, found: Relaxed, parts: Parts, column: int, value: int) -> None:
        lo, hi = node.fixed.get(column, (int(self.program.lo[column]), int(self.program.hi[column])))
        below, above = next(self._names), next(self._names)
        self.tell(split=node.name, column=column, value=value, below=below, above=above)
        for name, bounds in ((below, (lo, value)), (above, (value + 1, hi))):
            fixed = {**node.fixed, column: bounds}
            heapq.heappush(self._open, BranchNode(round(found.value, 6), -name, name, fixed, parts))

    def _dearer_left_out(self, relaxation: LpRelaxation, root: Relaxed) -> LpRelaxation:
        """Fix the columns that no cheaper solution can use to 0, by their reduced costs at the root."""
        self._price = self.best.cost
        dear = root.reduced > self._price - 1 - root.value + SLACK
        dear &= (self.program.lo == 0) & (self.program.hi > 0) & relaxation.held
        self.tell(dropped=[int(c) for c in np.flatnonzero(dear)], parts=in_parts(root.multipliers))
        return relaxation.without(dear)

    def _tell_bound(self) -> None:
        bound = min([self.best.cost, *(node.bound for node in self._open[:1])])
        whole = math.ceil(bound - SLACK) if math.isfinite(bound) else None
        if whole is not None and (self._told is None or whole > self._told):
            self._told = whole
            self.tell(bound=bound)
