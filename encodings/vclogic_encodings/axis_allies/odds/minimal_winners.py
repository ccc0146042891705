"""Attackers that take a place with at least some chance: all of them, by the least that do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from vclogic_encodings.axis_allies.armies.opposed import force_of
from vclogic_encodings.axis_allies.odds.chances import Chances
from vclogic_encodings.axis_allies.odds.minimal_points import KindLine, Numbers, first_on, minimal_points

from vclogic.model.battles import Units

Array = Any  # of numpy
_FEW = 2  # units of a kind: it is not worth asking whether fewer are enough


@dataclass(frozen=True)
class MinimalWinners:
    """The compositions of attackers whose chance is high enough.

    Attributes:
        kinds: The kinds of attackers; those of ships that bombard with `GUNS` before them.
        least: The compositions with such a chance from which no unit can be taken away.
        holes: Compositions that contain one of these and have no such chance all the same.
    """

    kinds: tuple[str, ...]
    least: frozenset[Numbers]
    holes: frozenset[Numbers]


class Finder:
    """Finds the compositions whose chance is high enough against the same defenders.

    Args:
        chances: The chances against these defenders.
        most: The most units of each kind, as in `MinimalWinners.kinds`.
        threshold: What a chance must be at least.
        holders: The kinds of which one must be there.
    """

    def __init__(self, chances: Chances, most: Units, threshold: Fraction, holders: Sequence[str]):
        self._chances, self._threshold = chances, threshold
        self._kinds = tuple(u for u, n in most.items() if n > 0)
        self._most, self._holders = most, [u for u in holders if most.get(u, 0) > 0]

    def winning(self) -> MinimalWinners:
        """The compositions whose chance is high enough."""
        if not self._kinds:
            return MinimalWinners((), frozenset(), frozenset())
        if not self._chances.monotone:
            return self._one_by_one()
        return self._told(minimal_points(self._caps(), self._wins), ())

    def _one_by_one(self) -> MinimalWinners:
        """On boards where a unit more can make the chance worse."""
        import numpy as np

        some = list(product(*(range(self._most[u] + 1) for u in self._kinds)))
        wins = np.array(self._wins(some)).reshape([self._most[u] + 1 for u in self._kinds])
        above = wins.copy()
        for axis in range(wins.ndim):
            above = np.maximum.accumulate(above, axis)
        least = above.copy()
        for axis in range(wins.ndim):
            least[_part(wins.ndim, axis, slice(1, None))] &= ~above[_part(wins.ndim, axis, slice(0, -1))]
        return self._told(*([tuple(map(int, n)) for n in np.argwhere(x)] for x in (least, above & ~wins)))

    def _told(self, least: Iterable[Numbers], holes: Iterable[Numbers]) -> MinimalWinners:
        return MinimalWinners(self._kinds, frozenset(least), frozenset(holes))

    def _wins(self, some: Sequence[Numbers]) -> list[bool]:
        """For each, true if its chance is high enough, exactly."""
        signs = self._chances.compared([force_of(self._kinds, n) for n in some], self._threshold)
        return [sign >= 0 for sign in signs]

    def _caps(self) -> list[int]:
        """The number of each kind that wins alone, with one unit that can hold the place; more are never needed."""
        caps = [self._most[u] for u in self._kinds]
        lines = []
        for axis, u in enumerate(self._kinds):
            alone = u in self._holders or not self._holders
            for holder in [None] if alone else self._holders:
                if caps[axis] > _FEW:
                    start = tuple(int(kind == holder) for kind in self._kinds)
                    lines.append(KindLine(start, axis, caps[axis]))
        first: dict[int, int] = {}
        for line, n in zip(lines, first_on(lines, self._wins), strict=True):
            first[line.axis] = max(n, first.get(line.axis, 0))
        return [min(cap, first.get(axis, cap)) for axis, cap in enumerate(caps)]


def _part(axes: int, axis: int, some: slice) -> tuple[slice, ...]:
    """An index of an array that takes a part along one axis."""
    return tuple(some if i == axis else slice(None) for i in range(axes))
