"""Checks in whole numbers what a branch and bound in floating point has told: that no solution is cheaper.

A node of the tree is a program with closer bounds of some columns. Multipliers of its rows, whatever they are, give a
bound: in every solution the cost is at least the sum of the rows so multiplied, at their least, and of what is left
of the cost in each column, at its least. So a checker need not know how they were found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vclogic.clock import look
from vclogic.encode.affine import Program
from vclogic.solve.backends.messages import SCALE

Parts = Sequence[tuple[int, int]]
"""Rows with their multipliers."""
Bounds = Mapping[int, tuple[int, int]]
"""Bounds of some columns, instead of those that they have."""


@dataclass(frozen=True)
class Closed:
    """A node that nothing is looked for in any more.

    Attributes:
        parts: The multipliers that close it.
        ray: Whether they show that it has no solution at all; else that none is cheap enough.
    """

    parts: Parts
    ray: bool


@dataclass
class Certificate:
    """A tree of nodes as it is told.

    Attributes:
        splits: For each node that is split: the column, a value, and the nodes of less and of more than it.
        closed: The nodes that are closed.
        dropped: Columns that are taken to be 0 from then on, with the multipliers of the root that say why.
    """

    splits: dict[int, tuple[int, int, int, int]] = field(default_factory=dict)
    closed: dict[int, Closed] = field(default_factory=dict)
    dropped: list[tuple[Sequence[int], Parts]] = field(default_factory=list)

    def take(self, line: Mapping[str, Any]) -> None:
        """Takes down a line that tells of a node, or of columns."""
        if "split" in line:
            self.splits[line["split"]] = line["column"], line["value"], line["below"], line["above"]
        elif "closed" in line:
            self.closed[line["closed"]] = Closed(line["parts"], line.get("ray", False))
        elif "dropped" in line:
            self.dropped.append((line["dropped"], line["parts"]))

    @property
    def rows(self) -> set[int]:
        """The rows that the proof makes use of."""
        used = {r for node in self.closed.values() for r, _ in node.parts}
        return used | {r for _, parts in self.dropped for r, _ in parts}

    def families(self, program: Program) -> tuple[str, ...]:
        """The families of argued cuts that the proof makes use of."""
        found = {*program.argued, *(f for r in self.rows for f in program.rows[r].argued)}
        return tuple(sorted(found))

    def proves(self, program: Program, least: float) -> bool:
        """Whether no solution costs less than some amount, in exact arithmetic.

        Args:
            program: The program.
            least: The amount, without the constant of the objective; infinite: whether there is no solution.

        Raises:
            TimeUp: There is no time left to work it out.
        """
        zero: dict[int, tuple[int, int]] = {}
        for columns, parts in self.dropped:
            bound, left = _bound(program, parts, {}, program.objective.weights)
            for c in columns:
                if program.columns[c][0] != 0 or bound + left.get(c, 0) <= (least - 1) * SCALE:
                    return False
            zero |= dict.fromkeys(columns, (0, 0))
        stack: list[tuple[int, Bounds]] = [(0, {})]
        while stack:
            look()
            node, bounds = stack.pop()
            if node in self.closed:
                if not self._closes(program, self.closed[node], {**bounds, **_joined(zero, bounds)}, least):
                    return False
            elif node in self.splits:
                column, value, below, above = self.splits[node]
                lo, hi = bounds.get(column, program.columns[column])
                stack += [
                    (below, {**bounds, column: (lo, min(hi, value))}),
                    (above, {**bounds, column: (max(lo, value + 1), hi)}),
                ]
            else:
                return False
        return True

    def _closes(self, program: Program, node: Closed, bounds: Bounds, least: float) -> bool:
        if any(lo > hi for lo, hi in bounds.values()):
            return True
        bound, _ = _bound(program, node.parts, bounds, {} if node.ray else program.objective.weights)
        return bound > 0 if node.ray else bound > (least - 1) * SCALE


def _joined(zero: Bounds, bounds: Bounds) -> dict[int, tuple[int, int]]:
    """Columns that are 0, within bounds that they may have besides."""
    return {c: (max(0, bounds[c][0]), min(0, bounds[c][1])) if c in bounds else (0, 0) for c in zero}


def _bound(program: Program, parts: Parts, bounds: Bounds, cost: Mapping[int, int]) -> tuple[int, dict[int, int]]:
    """What a cost is at least, by multipliers of the rows, in parts of `SCALE`; and what is left of it per column."""
    left = {c: k * SCALE for c, k in cost.items()}
    total = 0
    for r, multiplier in parts:
        row = program.rows[r]
        end = row.lo if multiplier > 0 else row.hi
        if end is None:  # such a row says nothing in this direction
            continue
        total += multiplier * end
        for c, k in row.weights:
            left[c] = left.get(c, 0) - multiplier * k
    for c, k in left.items():
        lo, hi = bounds.get(c, program.columns[c])
        total += k * (lo if k > 0 else hi)
    return total, left
