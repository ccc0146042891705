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

    def within(self, most: Units) -> Winning:
        """The same where there are at most so many of each kind; kinds that are left out are not there."""
        kinds = tuple(u for u in self.kinds if most.get(u, 0) > 0)
        places = [self.kinds.index(u) for u in kinds]

        def kept(some: Iterable[Numbers]) -> frozenset[Numbers]:
            fit = (n for n in some if all(k <= most.get(u, 0) for u, k in zip(self.kinds, n, strict=True)))
            return frozenset(tuple(n[i] for i in places) for n in fit)

        return Winning(kinds, kept(self.least), kept(self.holes))


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
        """The compositions whose chance is high enough.

        Along the longest axis the first one is looked for by halving: with more units of that kind the chance is no
        worse. Along the others nothing is taken for granted.
        """
        import numpy as np

        caps = [self._enough(u) for u in self._kinds]
        longest = max(range(len(caps)), key=caps.__getitem__, default=0)
        if not caps:
            return Winning((), frozenset(), frozenset())
        others = [*caps[:longest], *caps[longest + 1 :]]
        rest = list(product(*(range(n + 1) for n in others)))
        first = self._first(rest, longest, caps[longest])
        lines = np.array(first).reshape([n + 1 for n in others])
        after = lines.copy()
        for axis in range(lines.ndim):
            after = np.minimum.accumulate(after, axis)
        holes = [(n, k) for n in map(tuple, np.argwhere(after < lines)) for k in range(after[n], lines[n])]
        least = [(n, int(after[n])) for n in rest if self._is_least(after, n, caps[longest])]
        return Winning(
            self._kinds, *(frozenset(_with(map(int, n), longest, k) for n, k in some) for some in (least, holes))
        )

    @staticmethod
    def _is_least(first: Array, n: Numbers, most: int) -> bool:
        """Whether the first composition of a line that wins contains no other one that does."""
        below = ((*n[:i], k - 1, *n[i + 1 :]) for i, k in enumerate(n) if k)
        return first[n] <= most and all(first[b] > first[n] for b in below)

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
