"""The chances of the states in which battles end, from those in which they begin: a Markov chain in floats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vclogic_encodings.axis_allies.odds.rounds import AttackerLayer, RoundMatrices, products
from vclogic_encodings.axis_allies.odds.sides import NO_DICE, Dice, Side, State
from vclogic_encodings.axis_allies.odds.states import Array, hits

from vclogic.clock import check_deadline

SPECK = 1e-150
"""Chances below this may be left out: with all that follows from them they are far below the error."""
FEW = 60
"""With fewer states nothing is left out."""


class Forward:
    """The chances of battles between two sides, in floats; methods as of `Exact`.

    Args:
        a: The attacker.
        d: The defender.

    Attributes:
        error: The largest distance of the chances so far from the exact ones, as a share of them.
        swept: Whether chances that are next to nothing were left out, so that endings may be missing.
    """

    one = 1.0

    def __init__(self, a: Side, d: Side):
        self.a, self.d = a, d
        self.error, self.swept = 0.0, False

    def hits(self, thrown: Dice) -> Sequence[float]:
        """The chance of 0, 1, 2 ... hits with some dice."""
        import numpy as np

        found: list[float] = hits(np.array([thrown]), sum(thrown))[0].tolist()
        return found

    def fought(self, start: Mapping[State, float], few: int | None = None) -> dict[State, float]:
        """The states in which a battle ends, with their chances."""
        return self._counted(_Sweep(self.a, self.d, start, few=few)) if start else {}

    def one_round(self, start: Mapping[State, float], few: int | None = None) -> dict[State, float]:
        """The states after one round from several; those in which the battle is over stay."""
        return self._counted(_Sweep(self.a, self.d, start, few=few, once=True)) if start else {}

    def fired(self, start: Mapping[State, float], shells: Dice) -> dict[State, float]:
        """The states after a round from each state, with the shells of ships that bombard as it is fought."""
        return self._counted(_Sweep(self.a, self.d, start, shells=shells, once=True)) if start else {}

    def _counted(self, sweep: _Sweep) -> dict[State, float]:
        found = sweep.found()
        self.error += sweep.error
        self.swept |= sweep.swept
        return found


class _Sweep:
    """Chances over the states of both sides, as an array with a line for each state of the attacker.

    States of the attacker are left in the order of how many hits they take, those that take equally many together.
    Each is visited some number of times in the mean, by rounds that do not hit the attacker; then so many rounds are
    spread over what comes of it.
    """

    def __init__(
        self,
        a: Side,
        d: Side,
        start: Mapping[State, float],
        *,
        few: int | None = None,
        shells: Dice = NO_DICE,
        once: bool = False,
    ):
        import numpy as np

        self._rounds = rounds = RoundMatrices(a, d, dict.fromkeys(there for _, there in start))
        self._a = rounds.add(dict.fromkeys(ours for ours, _ in start), shells)
        self._once, self.swept = once, False
        ours, theirs = rounds.attackers.number, rounds.defenders.number
        self._reached: Array = np.zeros((len(ours), len(theirs)))
        for (row, there), p in start.items():
            self._reached[ours[row], theirs[there]] = p
        self._sources: Array = np.zeros(len(ours), dtype=np.int64)
        """From how many rows each was added to."""
        self._over = rounds.over(self._a)
        if few is not None:
            self._over |= (self._a.left <= few)[:, None]
        if shells != NO_DICE:
            self._over[:] = False

    @property
    def error(self) -> float:
        """The most that chances are farther from the exact ones than they were, as a share of them."""
        return self._rounds.error(1 if self._once else None, int(self._sources.max()))

    def found(self) -> dict[State, float]:
        """The states in which battles end, or after a round."""
        import numpy as np

        reached, after = self._reached, np.zeros_like(self._reached)
        hunted = self._rounds.attackers.hunted
        between = np.zeros_like(reached) if hunted else None  # the halves of a round
        for rows in reversed(list(self._rounds.layers(self._a))):
            some = reached[rows].any(axis=1)
            rows = rows[some if between is None else some | between[rows].any(axis=1)]
            here, over = reached[rows], self._over[rows]
            if over.all() and (between is None or not between[rows].any()):
                after[rows] += here
                continue
            layer = AttackerLayer(self._rounds, self._a, rows, rows)
            if between is not None and not self._once:
                # RoundMatrices whose first half led here may leave the attackers as they are.
                here = here + products((between[rows] * layer.spared)[:, None], layer.fire)[:, 0]
            if not self._once:
                here = self._visits(layer.same, here, over)
            after[rows] += np.where(over, here, 0.0)
            visits = np.where(over, 0.0, here)
            self._second_half(layer, self._first_half(layer, visits, between), after if self._once else reached)
        return self._told(after)

    def _visits(self, same: Array, here: Array, over: Array) -> Array:
        """The number of visits to each state of some rows, given how often they are come to from other rows."""
        import numpy as np

        # A state is come to again from itself, and from stronger states of the defender: the first in the order.
        rest = np.where(over, np.inf, 1.0 - same.diagonal(axis1=1, axis2=2))
        visits, here = np.zeros_like(here), here.copy()
        for j in range(int(here.any(axis=0).argmax()), here.shape[1]):
            check_deadline()
            visits[:, j] = share = here[:, j] / rest[:, j]
            here[:, j + 1 :] += share[:, None] * same[:, j, j + 1 :]
        return np.where(over, here, visits)

    def _first_half(self, layer: AttackerLayer, here: Array, between: Array | None) -> Array:
        """The chances of some rows as the second half begins; hits of the first are added to those of other rows."""
        import numpy as np

        for chance, to in layer.first_hits():
            share = here * chance
            if layer.first is not None:
                share = products(share[:, None], layer.first)[:, 0]
            if between is None:
                break
            np.add.at(between, to, share)
            self._sources += np.bincount(to, minlength=len(between))
        return share if between is None else between[layer.numbers]

    def _second_half(self, layer: AttackerLayer, here: Array, found: Array) -> None:
        """Add what the second half makes of some rows: row by row first, so that fewer roundings add up."""
        import numpy as np

        some = here.any(axis=0).nonzero()[0]
        leaving = self._without_specks(here[:, None, some] * layer.answer.T[:, some])
        after = products(leaving, self._without_specks(layer.fire[:, some]))
        keys: Array = np.arange(len(here))[:, None] * len(found) + layer.reached.T
        places, by_row = _summed(keys.ravel(), after.reshape(-1, here.shape[1]))
        self._sources += np.bincount(places % len(found), minlength=len(found))
        reached, summed = _summed(places % len(found), by_row)
        found[reached] += summed

    def _without_specks(self, chances: Array) -> Array:
        """Chances without those that make arithmetic slow, as their products are below the least float."""
        import numpy as np

        if sum(self._reached.shape) < FEW:
            return chances
        specks = (chances > 0) & (chances < SPECK)
        if not specks.any():
            return chances
        self.swept = True
        return np.where(specks, 0.0, chances)

    def _told(self, chances: Array) -> dict[State, float]:
        """The chances by the rows of both sides."""
        ours, theirs = list(self._rounds.attackers.number), list(self._rounds.defenders.number)
        rows, columns = chances.nonzero()
        every = zip(rows.tolist(), columns.tolist(), chances[rows, columns].tolist(), strict=True)
        return {(ours[row], theirs[column]): p for row, column, p in every}


def _summed(keys: Array, values: Array) -> tuple[Array, Array]:
    """The different keys, and the sum of the lines of each."""
    import numpy as np

    order = np.argsort(keys, kind="stable")
    new = np.concatenate([[True], np.diff(keys[order]) > 0])
    if new.all():
        return keys, values
    begins = np.flatnonzero(new)
    return keys[order[begins]], np.add.reduceat(values[order], begins, axis=0)
