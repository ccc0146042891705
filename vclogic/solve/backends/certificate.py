"""Check in whole numbers the result of a branch and bound in floating point: that no solution is cheaper.

A node of the tree is the program with tighter bounds of some columns. Any multipliers of its rows give a lower bound
on the cost of its solutions: the sum of the multiplied rows at their least, plus the remaining cost of each column at
its least (weak duality). So the check does not depend on how the multipliers were found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vclogic.clock import check_deadline
from vclogic.encode.linear.affine import Program
from vclogic.encode.python.codegen import interpret
from vclogic.solve.backends.messages import SCALE
from vclogic.terms.term import Term

# ---- models of solvers are checked without one


def is_model(values: Mapping[Term, int], claimed: Sequence[Term]) -> bool:
    """Check without a solver that values are within their variables' bounds and make Bool terms true."""
    if not all(v.lo <= n <= v.hi for v, n in values.items()):
        return False
    return all(interpret(claimed, {v: i for i, v in enumerate(values)}, list(values.values())))


Parts = Sequence[tuple[int, int]]
"""Rows with their multipliers."""
Bounds = Mapping[int, tuple[int, int]]
"""Bounds of some columns, instead of those that they have."""


@dataclass(frozen=True)
class Closed:
    """A closed node.

    Attributes:
        parts: The multipliers that close it.
        ray: Whether they prove that it has no solution; otherwise they prove that none is cheap enough.
    """

    parts: Parts
    ray: bool


@dataclass
class Certificate:
    """A branch-and-bound tree, as it is reported.

    Attributes:
        splits: For each branched node: the column, a value, and the child nodes at most and above that value.
        closed: The closed nodes.
        dropped: The columns that are fixed to 0 from then on, with the multipliers of the root that justify it.
    """

    splits: dict[int, tuple[int, int, int, int]] = field(default_factory=dict)
    closed: dict[int, Closed] = field(default_factory=dict)
    dropped: list[tuple[Sequence[int], Parts]] = field(default_factory=list)

    def take(self, line: Mapping[str, Any]) -> None:
        """Add a reported node, or reported columns."""
        if "split" in line:
            self.splits[line["split"]] = line["column"], line["value"], line["below"], line["above"]
        elif "closed" in line:
            self.closed[line["closed"]] = Closed(line["parts"], line.get("ray", False))
        elif "dropped" in line:
            self.dropped.append((line["dropped"], line["parts"]))

    @property
    def rows(self) -> set[int]:
        """The rows that the proof uses."""
        used = {r for node in self.closed.values() for r, _ in node.parts}
        return used | {r for _, parts in self.dropped for r, _ in parts}

    def families(self, program: Program) -> tuple[str, ...]:
        """The families of argued cuts that the proof uses."""
        found = {*program.argued, *(f for r in self.rows for f in program.rows[r].argued)}
        return tuple(sorted(found))

    def proves(self, program: Program, least: float) -> bool:
        """Check in exact arithmetic that no solution costs less than some amount.

        Args:
            least: The amount, without the constant of the objective; infinite: that there is no solution.

        Raises:
            TimeUp: The deadline passed during the check.
        """
        zero: dict[int, tuple[int, int]] = {}
        # Columns too dear for any cheaper solution were left out of the tree: their reduced costs prove that.
        for columns, parts in self.dropped:
            bound, left = _bound(program, parts, {}, program.objective.weights)
            for c in columns:
                if program.columns[c][0] != 0 or bound + left.get(c, 0) <= (least - 1) * SCALE:
                    return False
            zero |= dict.fromkeys(columns, (0, 0))
        stack: list[tuple[int, Bounds]] = [(0, {})]
        while stack:
            check_deadline()
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
    """The bounds of a node, with some columns fixed to 0."""
    return {c: (max(0, bounds[c][0]), min(0, bounds[c][1])) if c in bounds else (0, 0) for c in zero}


def _bound(program: Program, parts: Parts, bounds: Bounds, cost: Mapping[int, int]) -> tuple[int, dict[int, int]]:
    """The lower bound that multipliers prove, in units of 1 / `SCALE`, and the remaining cost of each column."""
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
