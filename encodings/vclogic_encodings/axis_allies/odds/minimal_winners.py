"""Attackers that take a place with at least some chance: all of them, by the least that do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from vclogic_encodings.axis_allies.armies.opposed import force_of
from vclogic_encodings.axis_allies.odds.chances import Chances

from vclogic.model.battles import Units

Numbers = tuple[int, ...]
"""The number of each kind."""
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


@dataclass(frozen=True)
class KindLine:
    """Compositions that differ in one kind alone.

    Attributes:
        start: The others, with none of that kind.
        axis: Which kind.
        most: The most units of it.
    """

    start: Numbers
    axis: int
    most: int

    def at(self, n: int) -> Numbers:
        """The composition with so many units of the kind."""
        return (*self.start[: self.axis], n, *self.start[self.axis + 1 :])


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
        return self._by_lines() if self._chances.monotone else self._one_by_one()

    def _by_lines(self) -> MinimalWinners:
        """Find the least winners where no unit makes the chance worse: the first on each line, by halving.

        The lines are taken by how many other units there are. Where such a line begins with a composition that wins,
        those with more other units hold nothing new.
        """
        caps = self._caps()
        axis = max(range(len(caps)), key=caps.__getitem__)
        first: dict[Numbers, int] = {}
        least: list[Numbers] = []
        level = {tuple(0 for _ in caps): caps[axis] + 1}
        while level:
            found = self._first([KindLine(start, axis, most - 1) for start, most in level.items()])
            for (start, most), n in zip(level.items(), found, strict=True):
                first[start] = n
                if n < most:
                    least.append(KindLine(start, axis, most).at(n))
            level = self._next(level, first, caps, axis)
        return self._told(least, ())

    @staticmethod
    def _next(
        level: Iterable[Numbers], first: Mapping[Numbers, int], caps: Sequence[int], axis: int
    ) -> dict[Numbers, int]:
        """The lines with one unit more, each with the fewest that win on a line with one unit less."""
        others = [i for i in range(len(caps)) if i != axis]
        new = {KindLine(s, i, 0).at(s[i] + 1) for s in level if first[s] for i in others if s[i] < caps[i]}
        below = {s: [first.get(KindLine(s, i, 0).at(s[i] - 1), 0) for i in others if s[i]] for s in new}
        return {s: min(some) for s, some in below.items() if all(some)}

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

    def _first(self, lines: Sequence[KindLine]) -> list[int]:
        """The number of units that win on each line; one more than there are where none do."""
        low, high = [0] * len(lines), [line.most + 1 for line in lines]
        while unknown := [i for i in range(len(lines)) if low[i] < high[i]]:
            middle = {i: (low[i] + high[i]) // 2 for i in unknown}
            wins = self._wins([lines[i].at(k) for i, k in middle.items()])
            for (i, k), won in zip(middle.items(), wins, strict=True):
                low[i], high[i] = (low[i], k) if won else (k + 1, high[i])
        return low

    def _wins(self, some: Sequence[Numbers]) -> list[bool]:
        """For each, true if its chance is high enough, exactly; fractions settle the rest."""
        forces = [force_of(self._kinds, n) for n in some]
        threshold = float(self._threshold)
        results = self._chances.results(forces)
        close = 2 * self._chances.error
        return [
            take > threshold if abs(take - threshold) > close else self._chances.reaches(*force, self._threshold)
            for force, (take, _, _) in zip(forces, results, strict=True)
        ]

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
        for line, n in zip(lines, self._first(lines), strict=True):
            first[line.axis] = max(n, first.get(line.axis, 0))
        return [min(cap, first.get(axis, cap)) for axis, cap in enumerate(caps)]


def _part(axes: int, axis: int, some: slice) -> tuple[slice, ...]:
    """An index of an array that takes a part along one axis."""
    return tuple(some if i == axis else slice(None) for i in range(axes))
