"""Lower bounds of a function of a few small numbers that no formula says: sums of functions of one number each.

The function is known as a table. A bound is exact at one point and nowhere above the table. As a sum over `number is
at least k` it is linear for a program of whole numbers, so a bound that is exact where a plan is leaves that plan no
lower price.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

Array = Any  # of numpy, which has no useful types for what is done here
Point = tuple[int, ...]
NEVER = 1_000_000_000
"""The entry of points that cannot be: no bound need stay below it."""


@dataclass(frozen=True)
class Bound:
    """A bound: a sum of steps.

    Attributes:
        least: What it is where all numbers are 0.
        steps: Per number what 1, 2, 3 ... add to the sum, as against one less.
    """

    least: int
    steps: tuple[tuple[int, ...], ...]

    def at(self, point: Point) -> int:
        """The value at a point."""
        return self.least + sum(sum(steps[:n]) for steps, n in zip(self.steps, point, strict=True))

    def table(self, shape: Point) -> Array:
        """The value at every point."""
        import numpy as np

        found: Array = np.full(shape, self.least, dtype=np.int64)
        for axis, steps in enumerate(self.steps):
            found += np.cumsum((0, *steps)).reshape([-1 if i == axis else 1 for i in range(len(shape))])
        return found


def bound(table: Array, point: Point, *, up_first: bool, most: int) -> Bound:
    """A bound that is exact at a point.

    It begins far too low beside the point, and is raised number by number as far as the table allows, the nearest
    first. Then each part is made to fall all the way, but for one step up to the point: what rises is of little use
    to a program, in which it would be a condition that must be false.

    Args:
        table: The function: an entry for each point, from 0 on; `NEVER` where that cannot be.
        up_first: Whether greater numbers are raised first, or smaller ones.
        most: How far each part may be above that at the point.
    """
    import numpy as np

    above = np.where(table >= NEVER, 4 * NEVER, table - int(table[point]))
    lowest = min(0, int(above.min()))
    parts = [[0 if k == n else lowest for k in range(size)] for size, n in zip(table.shape, point, strict=True)]
    left = above.astype(np.int64)
    for axis, part in enumerate(parts):
        shape = [1] * table.ndim
        shape[axis] = len(part)
        left = left - np.array(part, dtype=np.int64).reshape(shape)
    # Raise one part at a time as far as the table allows: the order decides which of the tightest bounds it becomes.
    for axis, k in _order(table.shape, point, up_first):
        side = left[(slice(None),) * axis + (k,)]
        more = min(int(side.min()), most - parts[axis][k])
        parts[axis][k] += more
        side -= more
    for part, n in zip(parts, point, strict=True):
        part[:n], part[n:] = accumulate(part[:n], min), accumulate(part[n:], min)
    least = int(table[point]) + sum(part[0] for part in parts)
    return Bound(least, tuple(tuple(b - a for a, b in pairwise(part)) for part in parts))


def _order(sizes: Point, point: Point, up_first: bool) -> Iterator[tuple[int, int]]:
    """The parts that can be raised, with the number: the nearest first."""
    away = [(abs(k - n), (k > n) != up_first, axis, k) for axis, n in enumerate(point) for k in range(sizes[axis])]
    yield from ((axis, k) for distance, _, axis, k in sorted(away) if distance)
