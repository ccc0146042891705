"""Many compositions of attackers side by side, as rows of numbers: what they roll, and who of them falls next."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb
from typing import Any

from vclogic_encodings.axis_allies.odds.sides import SIDES, CombatRules, Composition

from vclogic.clock import check_deadline

Array = Any  # of numpy
Row = tuple[int, ...]
"""Hits that cost nothing, by kinds that take more than one; then units by kind, the first to fall first."""


class Ranks:
    """The columns of rows, and what follows from a row.

    Args:
        rules: How battles are fought.
        at_sea: Whether the battle is for a sea zone.
    """

    def __init__(self, rules: CombatRules, at_sea: bool):
        kinds, ranks = rules.kinds, rules.ranks(True)
        there = [u for u, _ in rules.fighting(dict.fromkeys(kinds, 1), at_sea)]
        self.dents = [u for u in there if kinds[u].hits > 1]
        self.units = sorted(there, key=ranks.__getitem__)
        self._at, self._rules, self._at_sea = {u: n for n, u in enumerate(self.units)}, rules, at_sea
        first = len(self.dents)
        self.low = [n for n, u in enumerate((*self.dents, *self.units)) if kinds[u].kind != "air"]
        land = [u for u in self.units if kinds[u].kind == "land"]
        self._kept = [first + self._at[u] for u in sorted(land, key=lambda u: (kinds[u].cost, ranks[u]))]
        if at_sea:
            self._kept = []
        self.holding = [first + self._at[u] for u in self.units if at_sea or kinds[u].kind == "land"]
        self.hunting = [first + self._at[u] for u in self.units if kinds[u].destroyer]
        self.costs = [kinds[u].cost for u in self.units]

    def row(self, units: Composition) -> Row:
        """The row of a composition."""
        there, kinds = dict(units), self._rules.kinds
        dents = [there.get(u, 0) * (kinds[u].hits - 1) for u in self.dents]
        return (*dents, *[there.get(u, 0) for u in self.units])

    def next(self, rows: Array) -> tuple[Array, Array]:
        """The rows after one hit: by a submarine, which hits no aircraft, and by any other unit."""
        import numpy as np

        spared = rows.copy()
        if self._kept:
            kept = np.full(len(rows), -1)
            for column in self._kept:
                kept[rows[:, column] > 0] = column
            some = np.flatnonzero((kept >= 0) & (rows.sum(axis=1) > 1))
            spared[some, kept[some]] -= 1
        return self._without(rows, rows, self.low), self._without(rows, spared, range(rows.shape[1]))

    @staticmethod
    def _without(rows: Array, falling: Array, columns: Iterable[int]) -> Array:
        """The rows without one from the first of some columns that has any."""
        left, found = rows.copy(), falling[:, 0] < 0
        for column in columns:
            hit = ~found & (falling[:, column] > 0)
            left[hit, column] -= 1
            found |= hit
        return left

    def dice(self, rows: Array) -> tuple[Array, Array]:
        """The dice of each row, by strength: those of its submarines, and all others."""
        import numpy as np

        kinds, roles, first = self._rules.kinds, self._rules.roles, len(self.dents)
        narrow: Array = np.zeros((len(rows), SIDES + 1), dtype=np.int64)
        wide: Array = np.zeros_like(narrow)
        guns: Array = np.zeros(len(rows), dtype=np.int64)
        for u in self.units:
            if u in roles.supporting:
                guns = guns + rows[:, first + self._at[u]]
        for u in reversed(self.units):
            strength, n = kinds[u].attack, rows[:, first + self._at[u]]
            if kinds[u].submarine:
                narrow[:, _side(strength)] += n
                continue
            helped = np.minimum(guns, n) if u in roles.supported else np.zeros_like(n)
            guns = guns - helped
            wide[:, _side(strength + 1)] += helped
            wide[:, _side(strength)] += n - helped
        return narrow, wide


def hits(thrown: Array, most: int) -> Array:
    """The chance of 0, 1, 2 ... hits for each row of dice; those of `most` and more together."""
    import numpy as np

    found = np.ones((len(thrown), 1))
    for strength in range(1, SIDES + 1):
        numbers = thrown[:, strength]
        greatest = int(numbers.max(initial=0))
        if greatest:
            chances = binomials(numbers, strength)
            wider = np.zeros((len(thrown), found.shape[1] + greatest))
            for k in range(greatest + 1):
                check_deadline()
                wider[:, k : k + found.shape[1]] += chances[:, k : k + 1] * found
            found = wider
    capped = np.zeros((len(thrown), most + 1))
    capped[:, : found.shape[1]] = found[:, : most + 1]
    capped[:, most] += found[:, most + 1 :].sum(axis=1)
    return capped


_ALONE = 200_000  # multiplications that are left to one thread
_TABLES: dict[int, dict[int, Array]] = {}


def binomial(number: int, strength: int) -> Array:
    """The chance of 0, 1, 2 ... hits with dice of one strength, each correctly rounded."""
    import numpy as np

    table = _TABLES.setdefault(strength, {})
    if number not in table:
        check_deadline()
        whole = SIDES**number
        weights = (comb(number, k) * strength**k * (SIDES - strength) ** (number - k) for k in range(number + 1))
        table[number] = np.array([weight / whole for weight in weights])
    return table[number]


def binomials(numbers: Array, strength: int) -> Array:
    """The same for many numbers of dice, a row for each."""
    import numpy as np

    if len(numbers) == 1:
        return binomial(int(numbers[0]), strength)[None]
    different, which = np.unique(numbers, return_inverse=True)
    found = np.zeros((len(different), int(different[-1]) + 1))
    for row, number in zip(found, different.tolist(), strict=True):
        row[: number + 1] = binomial(number, strength)
    return found[which]


def times(one: Array, other: Array) -> Array:
    """The product of two matrices, in parts too small for a second thread, which would only be waited for."""
    import numpy as np

    each = max(1, _ALONE // max(1, other.size))
    if len(one) <= each:
        return one @ other
    return np.concatenate([one[i : i + each] @ other for i in range(0, len(one), each)])


def _side(strength: int) -> int:
    return max(0, min(strength, SIDES))
