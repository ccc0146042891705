"""States of one side of battles, by number: what a hit makes of each, and the chances of the hits that it scores."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb
from typing import Any

from vclogic_encodings.axis_allies.odds.sides import NO_DICE, SIDES, Dice, Row, Side

from vclogic.clock import check_deadline

Array = Any  # of numpy


class States:
    """Rows of a side with all that hits can leave of them, by number.

    Args:
        side: The side.
        hunted: Whether the enemy has submarines, whose hits pass by aircraft.
    """

    def __init__(self, side: Side, hunted: bool):
        import numpy as np

        self.side, self.hunted = side, hunted
        self.number: dict[Row, int] = {}
        self._next: Array = np.zeros((16, 2), dtype=np.int64)

    def add(self, rows: Iterable[Row]) -> Array:
        """Add rows with all that hits can leave of them; those that were not there as an array.

        They are numbered in its order: no row comes before one that it can come from.
        """
        import numpy as np

        side, number, first = self.side, self.number, len(self.number)
        after: dict[Row, tuple[Row, Row]] = {}
        pending = [row for row in dict.fromkeys(rows) if row not in number]
        while pending:
            row = pending.pop()
            if row in after:
                continue
            check_deadline()
            by_other = side.after(row, False)
            by_submarine = side.after(row, True) if self.hunted else by_other
            after[row] = by_submarine, by_other
            pending += [new for new in after[row] if new not in after and new not in number]
        new = sorted(after, key=sum, reverse=True)
        number |= {row: n for n, row in enumerate(new, first)}
        self._next = longer(self._next, len(number))
        if new:
            self._next[first : len(number)] = [[number[x] for x in after[row]] for row in new]
        return np.array(new, dtype=np.int64).reshape(len(new), len(side.row(())))

    def after(self, numbers: Array, by_submarines: int, by_others: int) -> Array:
        """The numbers of what so many hits leave of states."""
        for way, taken in ((0, by_submarines), (1, by_others)):
            for _ in range(taken):
                numbers = self._next[numbers, way]
        return numbers

    def reached(self, numbers: Array, by_submarines: int, by_others: int) -> Array:
        """The same for all numbers of hits up to these: a line for each pair, those by submarines first."""
        import numpy as np

        found: Array = np.empty((by_submarines + 1, by_others + 1, len(numbers)), dtype=np.int64)
        for x in range(by_submarines + 1):
            found[x, 0] = self._next[found[x - 1, 0], 0] if x else numbers
        for y in range(1, by_others + 1):
            found[:, y] = self._next[found[:, y - 1], 1]
        return found.reshape(-1, len(numbers))


class Fighters:
    """Some rows of a side, and what they can do: arrays with a line for each.

    Args:
        side: The side.
        table: The rows.
        most: The most hits that submarines, and that all others can score; None: as many as there are dice.
        shells: The dice of ships that bombard, thrown with those of each row.

    Attributes:
        sizes: The hits that each can take.
        left: The number of units.
        by_subs: The chance of 0, 1, 2 ... hits by submarines.
        by_others: The same for all others.
        subs: True where submarines can hit.
        others: The same for all others.
        afloat: True where submarines have something to hit.
        destroyers: True where there is a destroyer, so that the enemy's submarines do not fire first.
    """

    def __init__(self, side: Side, table: Array, most: tuple[int, int] | None = None, shells: Dice = NO_DICE):
        import numpy as np

        self.side, self.table = side, table
        self.sizes, self.left = table.sum(axis=1), table[:, len(side.tough) :].sum(axis=1)
        numbers = {u: table[:, column] for u, column in side.columns.items()}
        every: Array = np.zeros((2, SIDES + 1, len(table)), dtype=np.int64)
        for way, thrown in enumerate(side.rules.dice(numbers, side.attacking, np.minimum)):
            for strength, n in enumerate(thrown):
                every[way, strength] = n
        narrow, wide = every[0].T, every[1].T + np.array(shells)
        self.subs, self.others = narrow[:, 1:].any(axis=1), wide[:, 1:].any(axis=1)
        low, high = most or (int(dice.sum(axis=1).max(initial=0)) for dice in (narrow, wide))
        self.by_subs, self.by_others = hits(narrow, low if self.subs.any() else 0), hits(wide, high)
        self.afloat = table[:, side.ships].any(axis=1)
        self.destroyers = table[:, side.destroyers].any(axis=1)


def longer(array: Array, size: int) -> Array:
    """The array with room for so many lines, and more if it had to grow."""
    import numpy as np

    have = len(array)
    if size <= have:
        return array
    return np.concatenate([array, np.zeros((max(size, 2 * have) - have, *array.shape[1:]), array.dtype)])


# ---- chances of hits


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
