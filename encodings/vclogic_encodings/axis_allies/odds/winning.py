"""Which attackers take a place with at least some chance: all of them, by the least that do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from vclogic_encodings.axis_allies.armies.opposed import GUNS
from vclogic_encodings.axis_allies.odds.chances import Chances, Force

from vclogic.model.battles import Units

Numbers = tuple[int, ...]
"""How many of each kind."""
Array = Any  # of numpy


@dataclass(frozen=True)
class Winning:
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
        most: The most units of each kind, as in `Winning.kinds`.
        threshold: What a chance must be at least.
        holders: The kinds of which one must be there.
    """

    def __init__(self, chances: Chances, most: Units, threshold: Fraction, holders: Sequence[str]):
        self._chances, self._threshold = chances, threshold
        self._kinds = tuple(u for u, n in most.items() if n > 0)
        self._most, self._holders = most, [u for u in holders if most.get(u, 0) > 0]

    def winning(self) -> Winning:
        """The compositions whose chance is high enough."""
        if not self._kinds:
            return Winning((), frozenset(), frozenset())
        return self._by_lines() if self._chances.monotone else self._one_by_one()

    def _by_lines(self) -> Winning:
        """Where no unit ever makes the chance worse: along the longest axis the first that wins, by halving."""
        import numpy as np

        caps = [self._enough(u) for u in self._kinds]
        longest = max(range(len(caps)), key=caps.__getitem__)
        others = [*caps[:longest], *caps[longest + 1 :]]
        rest = list(product(*(range(n + 1) for n in others)))
        first = np.array(self._first(rest, longest, caps[longest])).reshape([n + 1 for n in others])
        found = first <= caps[longest]
        for axis in range(first.ndim):
            below = np.full_like(first, caps[longest] + 1)
            below[_part(first.ndim, axis, slice(1, None))] = first[_part(first.ndim, axis, slice(0, -1))]
            found &= below > first
        return self._told((_with(map(int, n), longest, int(first[tuple(n)])) for n in np.argwhere(found)), ())

    def _one_by_one(self) -> Winning:
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

    def _told(self, least: Iterable[Numbers], holes: Iterable[Numbers]) -> Winning:
        return Winning(self._kinds, frozenset(least), frozenset(holes))

    def _first(self, rest: Sequence[Numbers], axis: int, most: int) -> list[int]:
        """For each number of the other kinds how many of one kind win; one more than there are where none do."""
        low, high = [0] * len(rest), [most + 1] * len(rest)
        while open_ := [i for i in range(len(rest)) if low[i] < high[i]]:
            asked = [(i, (low[i] + high[i]) // 2) for i in open_]
            wins = self._wins([_with(rest[i], axis, middle) for i, middle in asked])
            for (i, middle), won in zip(asked, wins, strict=True):
                low[i], high[i] = (low[i], middle) if won else (middle + 1, high[i])
        return low

    def _wins(self, some: Sequence[Numbers]) -> list[bool]:
        """Whether the chance of each is high enough, exactly: what floats leave open, fractions settle."""
        forces = [self._force(n) for n in some]
        threshold = float(self._threshold)
        results = self._chances.results(forces)
        close = 2 * self._chances.error
        return [
            take > threshold if abs(take - threshold) > close else self._chances.reaches(*force, self._threshold)
            for force, (take, _, _) in zip(forces, results, strict=True)
        ]

    def _force(self, numbers: Numbers) -> Force:
        there = {u: n for u, n in zip(self._kinds, numbers, strict=True) if n}
        guns = {u.removeprefix(GUNS): n for u, n in there.items() if u.startswith(GUNS)}
        return {u: n for u, n in there.items() if not u.startswith(GUNS)}, guns

    def _enough(self, unit: str) -> int:
        """How many of a kind win by themselves, with one unit that can hold the place; more are never needed."""
        most = self._most[unit]
        if unit.startswith(GUNS):
            return most
        with_one = [None] if unit in self._holders or not self._holders else self._holders
        index = self._kinds.index(unit)
        found = 0
        for holder in with_one:
            line = [0] * len(self._kinds)
            if holder is not None:
                line[self._kinds.index(holder)] = 1
            line.pop(index)
            found = max(found, min(self._first([tuple(line)], index, most)[0], most))
        return found


def _with(numbers: Iterable[int], axis: int, k: int) -> Numbers:
    """Numbers with one more in between."""
    some = tuple(numbers)
    return (*some[:axis], k, *some[axis:])


def _part(axes: int, axis: int, some: slice) -> tuple[slice, ...]:
    """An index of an array that takes a part along one axis."""
    return tuple(some if i == axis else slice(None) for i in range(axes))
