"""Check the bounds of integer programs in a certificate of vclogic, in whole numbers: python check_bound.py FILE.

`vclogic plan GAME --goal GOAL --dump-smt2 FILE` writes them, one in each line that begins with `;bound`. Nothing of
vclogic is needed here. A line holds an integer program and a tree with multipliers of the program's rows:

- `columns`: the least and the greatest value of each column, all of them whole numbers;
- `rows`: pairs of column and coefficient, and what they add up to at least and at most (null: no bound);
- `objective`, `constant`: the cost of a solution, pairs of column and coefficient, and what is added;
- `least`: the claim that no solution costs less; null: that there is no solution;
- `scale`: multipliers are in parts of one: so many make 1;
- `splits`: for each node that branches its column, a value, and two nodes: it is at most that value, or above it;
- `closed`: for each other node the multipliers that close it, and whether they show that it has no solution at all;
- `dropped`: columns that are 0 in every solution that costs less, with the multipliers of the root that show it.

Multiply each row by its multiplier (a row with a lower bound by one above 0, one with an upper bound by one below)
and add them up: every solution costs at least that sum, plus for each column what is left of its cost times its least
value (its greatest, if what is left is below 0). So it does not matter how the multipliers were found.
"""

from __future__ import annotations

import json
import sys
from typing import Any

Bounds = dict[int, tuple[int, int]]
"""Bounds of some columns, instead of those that they have."""


def weighed(
    problem: dict[str, Any], parts: list[list[int]], bounds: Bounds, cost: dict[int, int]
) -> tuple[int, dict[int, int]]:
    """The least cost of solutions within some bounds, in parts of one, and what is left of each column's cost."""
    left = {column: k * problem["scale"] for column, k in cost.items()}
    total = 0
    for number, multiplier in parts:
        weights, least, most = problem["rows"][number]
        end = least if multiplier > 0 else most
        if end is None:
            raise ValueError(f"row {number} has no bound on the side of its multiplier")
        total += multiplier * end
        for column, k in weights:
            left[column] = left.get(column, 0) - multiplier * k
    for column, k in left.items():
        lo, hi = bounds.get(column, problem["columns"][column])
        total += k * (lo if k > 0 else hi)
    return total, left


def dear(problem: dict[str, Any], total: int) -> bool:
    """True if what costs at least so much, in parts of one, costs at least `least`: costs are whole numbers."""
    if problem["least"] is None:
        return False
    return total > (problem["least"] - problem["constant"] - 1) * problem["scale"]


def dropped(problem: dict[str, Any]) -> Bounds:
    """The columns that are 0 in every cheaper solution.

    Raises:
        ValueError: The multipliers do not show it.
    """
    found: Bounds = {}
    cost = dict(problem["objective"])
    for columns, parts in problem["dropped"]:
        total, left = weighed(problem, parts, {}, cost)
        for column in columns:
            if problem["columns"][column][0] != 0 or not dear(problem, total + left.get(column, 0)):
                raise ValueError(f"column {column} may be more than 0 in a cheaper solution")
            found[column] = (0, 0)
    return found


def closes(problem: dict[str, Any], node: dict[str, Any], bounds: Bounds) -> bool:
    """True if the multipliers of a node show that it has no solution, or none that costs less."""
    if any(lo > hi for lo, hi in bounds.values()):
        return True
    cost = {} if node["ray"] else dict(problem["objective"])
    total, _ = weighed(problem, node["parts"], bounds, cost)
    return total > 0 if node["ray"] else dear(problem, total)


def check(problem: dict[str, Any]) -> int:
    """The number of nodes that were closed.

    Raises:
        ValueError: Something is not shown.
    """
    zero, closed = dropped(problem), 0
    waiting: list[tuple[str, Bounds]] = [("0", {})]
    while waiting:
        name, bounds = waiting.pop()
        if name in problem["splits"]:
            column, value, below, above = problem["splits"][name]
            lo, hi = bounds.get(column, tuple(problem["columns"][column]))
            waiting.append((str(below), {**bounds, column: (lo, min(hi, value))}))
            waiting.append((str(above), {**bounds, column: (max(lo, value + 1), hi)}))
        elif name in problem["closed"]:
            for column in zero:
                lo, hi = bounds.get(column, (0, 0))
                bounds = {**bounds, column: (max(lo, 0), min(hi, 0))}
            if not closes(problem, problem["closed"][name], bounds):
                raise ValueError(f"the multipliers of node {name} do not close it")
            closed += 1
        else:
            raise ValueError(f"node {name} is open")
    return closed


def main(file: str) -> int:
    """Check all bounds of a file; the exit code is 0 where all are right, 1 where one is not or there is none."""
    with open(file, encoding="utf-8") as text:
        problems = [json.loads(line.removeprefix(";bound ")) for line in text if line.startswith(";bound ")]
    if not problems:
        print(f"{file}: no bound of a program")
        return 1
    for problem in problems:
        size = f"{len(problem['columns']):,} columns, {len(problem['rows']):,} rows"
        claim = "no solution" if problem["least"] is None else f"no solution costs less than {problem['least']}"
        try:
            print(f"{claim}: right ({size}, {check(problem):,} nodes)")
        except ValueError as error:
            print(f"{claim}: NOT SHOWN: {error} ({size})")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
