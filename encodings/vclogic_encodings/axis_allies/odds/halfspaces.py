"""Sums that tell apart what contains one of some compositions and what contains none.

The compositions that win lie in the convex hull of the least ones and all above them. Each composition that loses
is cut off by a sum with weights: a facet of that hull, found by a small linear program and then checked in whole
numbers. One that lies in the hull is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from vclogic.clock import check_deadline

Array = Any  # of numpy
Numbers = tuple[int, ...]
LARGEST = 2_000
"""The largest weight that is used: a solver's tolerance times it is still small."""
_CLOSE = 1e-9
_PIVOTS = 500


@dataclass(frozen=True)
class Halfspaces:
    """The set of points at least as large in each kind as one of some compositions, described by sums.

    Attributes:
        sums: Weights for each kind, none negative, with what the weighted sum is at least.
        others: Greatest compositions that satisfy all sums and contain none of the compositions.
    """

    sums: tuple[tuple[Numbers, int], ...]
    others: tuple[Numbers, ...]


def halfspaces(least: Iterable[Numbers], most: Sequence[int]) -> Halfspaces:
    """The sums for compositions of at most so many of each kind.

    Args:
        least: The least compositions; there is at least one.
        most: How many there can be of each kind.
    """
    import numpy as np

    points = np.array(sorted(least), dtype=np.int64)
    sums: dict[tuple[Numbers, int], None] = {}
    others: list[Numbers] = []
    lacking = _greatest_without(points, most)
    while len(lacking):
        check_deadline()
        found = _sum(points, lacking[0])
        if found is not None:
            sums[found] = None
        if found is None or lacking[0] @ np.array(found[0]) >= found[1]:
            others.append(tuple(map(int, lacking[0])))
            lacking = lacking[1:]
        else:
            lacking = lacking[lacking @ np.array(found[0]) >= found[1]]
    return Halfspaces(tuple(sums), tuple(others))


def _greatest_without(points: Array, most: Sequence[int]) -> Array:
    """The greatest compositions that contain none of the points, those with the fewest units first."""
    import numpy as np

    needed = points.max(axis=0)
    lacking: Array = np.ones([n + 1 for n in needed], dtype=bool)
    for point in points:
        lacking[tuple(slice(int(n), None) for n in point)] = False
    greatest = lacking.copy()
    for axis in range(lacking.ndim):
        here, above = [slice(None)] * lacking.ndim, [slice(None)] * lacking.ndim
        here[axis], above[axis] = slice(0, -1), slice(1, None)
        greatest[tuple(here)] &= ~lacking[tuple(above)]
    found = np.argwhere(greatest)
    found = np.where(found == needed, np.array(most), found)  # more than is ever needed changes nothing
    return found[np.lexsort((*found.T, np.minimum(found, needed).sum(axis=1)))]


def _sum(points: Array, lacking: Array) -> tuple[Numbers, int] | None:
    """A sum that all points satisfy, and what is lacking as little as can be; None if none was found."""
    import numpy as np

    basis = _basis(points, lacking)
    solved = None if basis is None else _solved(points, basis)
    if solved is None:
        return None
    weights, least = solved
    if min(weights) < 0 or max(*weights, least) > LARGEST:
        return None
    return solved if (points @ np.array(weights, dtype=np.int64)).min() >= least else None


def _basis(points: Array, lacking: Array) -> list[int] | None:
    """The points that the best sum meets with equality, and (as -1 - kind) the kinds of weight 0.

    By the simplex method: the most points, in parts, that together are no more than what is lacking. With a whole one
    or more it is in the hull. Else the weights of the optimum cut it off.
    """
    import numpy as np

    kinds = points.shape[1]
    basis, inverse, gains = [-1 - i for i in range(kinds)], np.eye(kinds), np.zeros(kinds)
    room = lacking + 1e-7 * np.arange(1, kinds + 1)  # so that no step is one of length 0
    for _ in range(_PIVOTS):
        weights = gains @ inverse
        lack = 1.0 - points @ weights
        point, kind = int(lack.argmax()), int(weights.argmin())
        if lack[point] <= _CLOSE and weights[kind] >= -_CLOSE:
            return basis
        by_point = lack[point] >= -weights[kind]
        column = points[point] if by_point else np.eye(kinds)[kind]
        step, value = inverse @ column, inverse @ room
        ratio = np.where(step > _CLOSE, value / np.where(step > _CLOSE, step, 1.0), np.inf)
        row = int(ratio.argmin())
        if not np.isfinite(ratio[row]):
            return None
        basis[row], gains[row] = (point, 1.0) if by_point else (-1 - kind, 0.0)
        pivot = inverse[row] / step[row]
        inverse = inverse - np.outer(step, pivot)
        inverse[row] = pivot
    return None


def _solved(points: Array, basis: Sequence[int]) -> tuple[Numbers, int] | None:
    """The weights with which the points of a basis all give the same sum, in whole numbers, and that sum."""
    kinds = points.shape[1]
    rows = [
        [Fraction(int(k)) for k in points[b]] + [Fraction(1)]
        if b >= 0
        else [Fraction(int(i == -1 - b)) for i in range(kinds)] + [Fraction(0)]
        for b in basis
    ]
    for c in range(kinds):
        pivot = next((r for r in range(c, kinds) if rows[r][c]), None)
        if pivot is None:
            return None
        rows[c], rows[pivot] = rows[pivot], rows[c]
        rows[c] = [x / rows[c][c] for x in rows[c]]
        for r in range(kinds):
            if r != c and rows[r][c]:
                rows[r] = [x - rows[r][c] * y for x, y in zip(rows[r], rows[c], strict=True)]
    weights = [row[-1] for row in rows]
    whole = lcm(*(w.denominator for w in weights))
    divisor = gcd(whole, *(int(w * whole) for w in weights))
    return tuple(int(w * whole) // divisor for w in weights), whole // divisor
