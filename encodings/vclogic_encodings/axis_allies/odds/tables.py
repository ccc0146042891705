"""The chances of many attackers at once: a table over all their numbers by kind, for battles on land.

The rules of a battle are those of `forces.py`; here they are counted for whole arrays. What is left of attackers after
some losses is again an entry of the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from vclogic_encodings.axis_allies.odds.counting import Counting
from vclogic_encodings.axis_allies.odds.forces import SIDES, Composition, Dice, Manner, Side, together

from vclogic.clock import look
from vclogic.model.battles import Units

Array = Any  # of numpy
ERROR = 1e-9
"""How far an entry can be from the exact chance at the most."""
_FLOATS = Counting[float](lambda a, b: a / b)


def fits(manner: Manner, kinds: Sequence[str]) -> bool:
    """Whether battles on land between these kinds can be tabulated: each falls by one hit, and none is a submarine."""
    return all(manner.kinds[u].hits == 1 and not manner.kinds[u].submarine for u in kinds)


class Table:
    """The chances to take a place on land, for all numbers of attackers up to some.

    Args:
        manner: How battles are fought.
        defenders: Who defends, antiaircraft guns included.
        most: Per kind of attacker, the most of them.
        guns: Per kind of ship that bombards, the most of them.
    """

    def __init__(self, manner: Manner, defenders: Units, most: Units, guns: Units):
        self._manner, self._guarded = manner, manner.guarded(defenders, False)
        self._defenders: Composition = manner.fighting(defenders, False)
        self._fall = sorted(most, key=manner.ranks(True).__getitem__)
        self._most = {u: most[u] for u in most}
        self._guns = dict(guns)
        self._hits = sum(n for _, n in self._defenders)

    def chances(self) -> Array:
        """An array with an axis for each kind of attacker, then one for each kind of ship, in the given order."""
        won = self._battle()
        shape = tuple(n + 1 for n in self._most.values())
        found = np.empty((*shape, *(n + 1 for n in self._guns.values())))
        for fired in product(*(range(n + 1) for n in self._guns.values())):
            shells = self._manner.shells(dict(zip(self._guns, fired, strict=True)))
            found[(..., *fired)] = self._shot_at(self._opened(won, shells).reshape(shape))
        return found

    # ---- compositions

    @cached_property
    def _compositions(self) -> Array:
        """The number of each kind, a row for each composition."""
        shape = [n + 1 for n in self._most.values()]
        return np.indices(shape).reshape(len(shape), -1).T

    @cached_property
    def _steps(self) -> Mapping[str, int]:
        """By how much the row changes with one unit of a kind."""
        found, step = {}, 1
        for u, n in reversed(self._most.items()):
            found[u], step = step, step * (n + 1)
        return found

    @cached_property
    def _after_a_hit(self) -> Array:
        """The row of what one hit leaves of a composition; the empty one stays."""
        numbers = dict(zip(self._most, self._compositions.T, strict=True))
        spare = {u: n.copy() for u, n in numbers.items()}
        left = [u for u in self._most if self._manner.kinds[u].kind == "land"]
        anybody: Array = np.zeros(len(self._compositions), bool)
        while kept := self._manner.kept(left):
            spare[kept] -= (numbers[kept] > 0) & ~anybody
            anybody |= numbers[kept] > 0
            left.remove(kept)
        found = np.arange(len(self._compositions))
        undecided = found > 0
        for u in self._fall:
            falls = undecided & (spare[u] > 0)
            found[falls] -= self._steps[u]
            undecided &= ~falls
        for u in self._fall:  # the one that was kept to the last
            falls = undecided & (numbers[u] > 0)
            found[falls] -= self._steps[u]
            undecided &= ~falls
        return found

    @cached_property
    def _holds(self) -> Array:
        """1 where somebody can hold the place, else 0."""
        land = [self._manner.can_hold([u], False) for u in self._most]
        return (self._compositions[:, np.array(land, bool)].sum(1) > 0).astype(float)

    # ---- dice

    @cached_property
    def _dice(self) -> Array:
        """How many dice of each strength a composition throws."""
        manner, roles = self._manner, self._manner.roles
        together_ = [u for u in self._most if u in roles.supporting or u in roles.supported]
        found: Array = np.zeros((len(self._compositions), SIDES + 1), np.intp)
        for i, u in enumerate(self._most):
            if u not in together_:
                found += np.outer(self._compositions[:, i], manner.dice(((u, 1),), True)[1])
        rows: Array = np.zeros(len(self._compositions), np.intp)
        thrown: list[Dice] = [(0,) * (SIDES + 1)]
        if together_:
            thrown = []
            for n in product(*(range(self._most[u] + 1) for u in together_)):
                force = tuple((u, k) for u, k in zip(together_, n, strict=True) if k)
                thrown.append(manner.dice(force, True)[1])
            columns = [list(self._most).index(u) for u in together_]
            sizes = [self._most[u] + 1 for u in together_]
            rows = np.ravel_multi_index(tuple(self._compositions[:, columns].T), sizes)
        return found + np.array(thrown)[rows]

    @cached_property
    def _shots(self) -> Array:
        """The chance of 0, 1, 2 ... hits of a composition; the last entry is that of as many as there are defenders."""
        most = self._hits
        found = np.zeros((len(self._compositions), most + 1))
        found[:, 0] = 1.0
        for strength in range(1, SIDES + 1):
            numbers = self._dice[:, strength]
            if numbers.any():
                each = np.array([_cut(_FLOATS.binomial(n, strength), most) for n in range(numbers.max() + 1)])
                found = _together(found, each[numbers])
        return found

    # ---- the battle

    def _battle(self) -> Array:
        """The chance of each composition after so many hits on the defenders, before a round."""
        side = Side(self._manner, self._defenders, attacking=False, at_sea=False)
        found = np.zeros((len(self._compositions), self._hits + 1))
        found[:, -1] = self._holds
        sizes = self._compositions.sum(1)
        layers = [np.flatnonzero(sizes == n) for n in range(1, int(sizes.max(initial=0)) + 1)]
        for taken in reversed(range(self._hits)):
            look()
            theirs = _FLOATS.hits(side.dice((taken, 0))[1])
            rows = self._rows(len(theirs))
            ours = _lumped(self._shots, self._hits - taken)
            later = sum(q * found[r, taken + 1 :] for q, r in zip(theirs, rows, strict=True))
            gain = (ours[:, 1:] * later).sum(1)
            missed, again = ours[:, 0], 1.0 - ours[:, 0] * theirs[0]
            for layer in layers:
                same = sum((q * found[r[layer], taken] for q, r in zip(theirs[1:], rows[1:], strict=True)), 0.0)
                won = gain[layer] + missed[layer] * same
                found[layer, taken] = np.divide(won, again[layer], out=np.zeros(len(layer)), where=again[layer] > 0)
        return found

    def _rows(self, number: int) -> list[Array]:
        """The rows after 0, 1, 2 ... hits."""
        found = [np.arange(len(self._compositions))]
        while len(found) < number:
            found.append(self._after_a_hit[found[-1]])
        return found

    # ---- before the first round

    def _opened(self, won: Array, shells: Dice) -> Array:
        """The chances before bombardment, given those after it."""
        hits = _FLOATS.hits(shells)
        if self._manner.bombarded == "removed" or not any(shells) or not self._hits:
            ends = np.minimum(np.arange(len(hits)), self._hits)
            return won[:, ends] @ np.array(hits)
        side = Side(self._manner, self._defenders, attacking=False, at_sea=False)
        theirs = _FLOATS.hits(side.dice((0, 0))[1])
        ours = _together(self._shots, np.array([_cut(hits, self._hits)]))
        after = sum(q * won[r] for q, r in zip(theirs, self._rows(len(theirs)), strict=True))
        return (ours * after).sum(1)

    def _shot_at(self, won: Array) -> Array:
        """The chances before antiaircraft fire, given those after it."""
        for axis, (u, most) in enumerate(self._most.items()):
            if self._guarded and self._manner.kinds[u].kind == "air" and most:
                left = np.zeros((most + 1, most + 1))
                for n in range(most + 1):
                    left[n, : n + 1] = _FLOATS.binomial(n, 1)[::-1]
                won = np.moveaxis(np.tensordot(left, won, (1, axis)), 0, axis)
        return won


def _cut(chances: Sequence[float], most: int) -> list[float]:
    """The chances of 0, 1, 2 ... hits, where more than so many count as so many."""
    found = [*chances[: most + 1], *([0.0] * (most + 1 - len(chances)))]
    found[-1] += sum(chances[most + 1 :])
    return found


def _lumped(chances: Array, most: int) -> Array:
    """The same for rows of chances."""
    found = chances[:, : most + 1].copy()
    found[:, -1] += chances[:, most + 1 :].sum(1)
    return found


def _together(one: Array, other: Array) -> Array:
    """The chances of hits of two throws together, each row by itself; the last entry is that of so many or more."""
    most = one.shape[1] - 1
    found = np.zeros(np.broadcast_shapes(one.shape, other.shape))
    for i in range(most + 1):
        for j in range(most + 1):
            found[:, min(i + j, most)] += one[:, i] * other[:, j]
    return found
