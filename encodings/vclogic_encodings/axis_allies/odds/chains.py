"""Battles without submarines in floats: each side is a chain of losses, and several attackers are counted together.

They differ by what antiaircraft fire has left of them. Arrays have an axis for these, one for the hits that the
attacker can still take, and one for the hits that the defender has taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from vclogic_encodings.axis_allies.odds.forces import Left, Side, harmless
from vclogic_encodings.axis_allies.odds.ranks import Array, Ranks, hits, times

from vclogic.clock import check_deadline

SPECK = 1e-150
"""Chances below this may be left out: with all that follows from them they are far below the error."""
FEW = 60
"""With fewer states nothing is left out."""


class Chains:
    """Attackers against the same defender.

    Args:
        attackers: The attackers.
        d: The defender.
        ranks: The columns of rows of attackers.

    Attributes:
        swept: Whether chances that are next to nothing were left out.
        shape: How many attackers, and states of the two sides, there are.
    """

    def __init__(self, attackers: Sequence[Side], d: Side, ranks: Ranks):
        import numpy as np

        self.attackers, self.d, self.swept = attackers, d, False
        self._slots = [a.most[0] for a in attackers]
        longest, last = max(self._slots), d.most[0]
        self.shape = len(attackers), longest + 1, last + 1
        rows = np.stack([_rows(a, ranks, longest) for a in attackers])
        dice = ranks.dice(rows.reshape(-1, rows.shape[2]))[1]
        self.left = rows[:, :, len(ranks.dents) :].sum(axis=2)
        self._ours = hits(dice, last).reshape(*self.shape[:2], last + 1)
        theirs = [d.dice((j, 0))[1] for j in range(last + 1)]
        self._theirs = hits(np.array(theirs), longest)
        armed = dice[:, 1:].any(axis=1).reshape(self.shape[:2])
        answering = np.array([not harmless(thrown) for thrown in theirs])
        self._over = ~(armed[:, :, None] | answering)
        self._over[:, 0], self._over[:, :, -1] = True, True

    def over(self, few: int | None) -> Array:
        """For each state, true if the battle is over; the attacker retreats from states with so few units."""
        return self._over if few is None else self._over | (self.left <= few)[:, :, None]

    def place(self, which: int, left: Left, there: Left) -> tuple[int, int, int]:
        """The place of a state in the arrays."""
        return which, self._slots[which] - left[0], there[0]

    def state(self, which: int, i: int, j: int) -> tuple[Left, Left]:
        """The state of a place."""
        return (self._slots[which] - i, 0), (j, 0)

    # ---- rounds

    def fought(self, start: Array, few: int | None) -> Array:
        """The chances of the states in which the battles end."""
        import numpy as np

        over = self.over(few)
        ends = np.zeros(self.shape)
        for i in range(self.shape[1] - 1, -1, -1):
            check_deadline()
            if start[:, i].any():
                here = self._visits(i, self._sweep(start[:, i]), over[:, i])
                ends[:, i] = np.where(over[:, i], here, 0.0)
                here[over[:, i]] = 0.0
                self._spread(i, here, start)
        return ends

    def one_round(self, start: Array, few: int | None) -> Array:
        """The chances after one round; where the battle is over they stay."""
        import numpy as np

        over = self.over(few)
        found = np.where(over, start, 0.0)
        for i in range(self.shape[1]):
            check_deadline()
            here = np.where(over[:, i], 0.0, start[:, i])
            if here.any():
                self._spread(i, here, found)
        return found

    def _visits(self, i: int, here: Array, over: Array) -> Array:
        """The number of visits to states in which the attacker can take i hits, given the number of arrivals."""
        import numpy as np

        here = here.copy()
        last, spared = self.shape[2] - 1, self._theirs[:, 0]
        ours = self._ours[:, i]
        ends = ours[:, ::-1].cumsum(axis=1)[:, ::-1]
        for j in range(last):
            share = np.where(over[:, j], 0.0, here[:, j])
            if share.any():
                share = share / (1.0 - ours[:, 0] * spared[j])
                here[:, j] = np.where(over[:, j], here[:, j], share)
                share = (share * spared[j])[:, None]
                here[:, j + 1 : last] += share * ours[:, 1 : last - j]
                here[:, last] += share[:, 0] * ends[:, last - j]
        return here

    def _spread(self, i: int, here: Array, found: Array) -> None:
        """Add what a round makes of states in which the attacker can take i hits, by attacker and by defender."""
        here = self._sweep(here)
        first, end = _span(here.any(axis=0))
        taken = self._theirs[first:end, : i + 1].copy()
        taken[:, i] += self._theirs[first:end, i + 1 :].sum(axis=1)
        taken = self._sweep(taken)
        low, high = _span(taken.any(axis=0))
        leaving = self._sweep(here[:, None, first:end] * taken.T[low:high])
        fire = self._sweep(self._fire(i, first, end))
        left, right = _span(fire.any(axis=(0, 1)))
        for which, (one, other) in enumerate(zip(leaving, fire[:, :, left:right], strict=True)):
            found[which, i - high + 1 : i - low + 1, left:right] += times(one, other)[::-1]

    def _fire(self, i: int, first: int, end: int) -> Array:
        """The chances that the attackers' fire leads from some states of the defender to others."""
        import numpy as np

        last = self.shape[2] - 1
        ours = self._ours[:, i]
        found = np.zeros((len(ours), end - first, last + 1))
        ends = ours[:, ::-1].cumsum(axis=1)[:, ::-1]
        for j in range(first, end):
            found[:, j - first, j:last] = ours[:, : last - j]
            found[:, j - first, last] = ends[:, last - j]
        return found

    def _sweep(self, chances: Array) -> Array:
        """Chances without those that are next to nothing, where there are so many states that it saves work."""
        import numpy as np

        if self.shape[1] + self.shape[2] < FEW:
            return chances
        swept = np.where(chances < SPECK, 0.0, chances)
        self.swept |= bool((swept != chances).any())
        return swept


def _span(some: Array) -> tuple[int, int]:
    """The first entry that is there, and the one after the last; nothing: (0, 0)."""
    there = some.nonzero()[0]
    return (int(there[0]), int(there[-1]) + 1) if len(there) else (0, 0)


def _rows(a: Side, ranks: Ranks, longest: int) -> Array:
    """The units left of an attacker who can take 0, 1, 2 ... hits."""
    import numpy as np

    found: Array = np.zeros((longest + 1, len(ranks.dents) + len(ranks.units)), dtype=np.int64)
    for i, (unit, falls) in enumerate(reversed(a.slots), 1):
        if falls:
            found[i, ranks.column(unit)] = 1
    return found.cumsum(axis=0)
