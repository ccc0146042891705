"""Battles in floats: arrays over the states of both sides, of all attackers of the same defender together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from vclogic_encodings.axis_allies.odds.exact import State
from vclogic_encodings.axis_allies.odds.ranks import Array, hits, times
from vclogic_encodings.axis_allies.odds.sides import Left, Side, harmless

from vclogic.clock import check_deadline
from vclogic.model.memoized import memoized

SPECK = 1e-150
"""Chances below this may be left out: with all that follows from them they are far below the error."""
FEW = 60
"""With fewer states nothing is left out."""
ROOM = 2_000_000
"""The most numbers in one array of a layer."""


class Line:
    """The states of some sides by number, and what each rolls; no state comes before one that it can come from.

    Args:
        sides: The sides: the attackers, or the defender alone.
        enemies: The most hits that submarines, and that others can score on an enemy.

    Attributes:
        states: The number of the side, and what is left of it.
        sizes: For each state the hits that it can still take. They never rise from a state to the next.
    """

    def __init__(self, sides: Sequence[Side], enemies: tuple[int, int]):
        import numpy as np

        each = [(which, range(low + 1), range(high + 1)) for which, (low, high) in enumerate(s.most for s in sides)]
        every = ((which, (i, j)) for which, lows, highs in each for i in lows for j in highs)
        most = [sum(s.most) for s in sides]
        self.sides = sides
        self.states: list[tuple[int, Left]] = sorted(every, key=lambda s: (sum(s[1]) - most[s[0]], s))
        self.number = {state: n for n, state in enumerate(self.states)}
        self.sizes = np.array([most[which] - sum(left) for which, left in self.states])
        dice = []
        for which, left in self.states:
            check_deadline()
            dice.append(sides[which].dice(left))
        narrow, wide = (np.array([d[i] for d in dice], dtype=np.int64) for i in (0, 1))
        self.by_subs = hits(narrow, enemies[0] if narrow[:, 1:].any() else 0)
        self.by_others = hits(wide, enemies[1])
        self.subs = np.array([not harmless(d[0]) for d in dice])
        self.others = np.array([not harmless(d[1]) for d in dice])
        self.afloat = np.array([sides[which].targets(left) for which, left in self.states])
        self.surprised = np.array([sides[which].surprised(left) for which, left in self.states])
        self.left = np.array([sides[which].number(left) for which, left in self.states])

    @memoized
    def targets(self, narrow: int, wide: int) -> Array:
        """The states that each becomes by fewer than some hits of submarines and of others, by these two numbers."""
        import numpy as np

        by_sub, by_other = (
            np.array([self.number[which, self.sides[which].after(left, *hit)] for which, left in self.states])
            for hit in ((1, 0), (0, 1))
        )
        found: Array = np.empty((narrow, wide, len(self.states)), dtype=np.int64)
        found[0, 0] = np.arange(len(self.states))
        for x in range(1, narrow):
            found[x, 0] = by_sub[found[x - 1, 0]]
        for y in range(1, wide):
            found[:, y] = by_other[found[:, y - 1]]
        return found

    @memoized
    def cells(self, narrow: int, wide: int) -> Array:
        """The same as places in a square that has a row for each state before and a column for each after."""
        import numpy as np

        size = len(self.states)
        return np.arange(size) * size + self.targets(narrow, wide).reshape(-1, size)


@dataclass(frozen=True)
class Opening:
    """A round of some states of the attackers, once submarines that fire first have hit.

    Attributes:
        chances: The chance of it, by the defender's state.
        first: For each state, the chances that the attacker's submarines, which fired first, lead from one state of
            the defender to another; None: they fire with the others.
        answer: The chances of the defender's hits, by his state.
        reached: The states that these hits lead to: a line for each number of hits.
        fire: For each state, the chances that the attacker's fire leads from one state of the defender to another.
    """

    chances: Array
    first: Array | None
    answer: Array
    reached: Array
    fire: Array


class Field:
    """Attackers against the same defender, and what becomes of chances over their states.

    Arrays have a row for each state of the attackers. Rows that can take equally many hits are counted together: what
    is left of one of them after a hit comes later.

    Args:
        attackers: The attackers.
        d: The defender.

    Attributes:
        swept: Whether chances that are next to nothing were left out.
    """

    def __init__(self, attackers: Sequence[Side], d: Side):
        enemies = max(a.most[0] for a in attackers), max(sum(a.most) for a in attackers)
        self._a, self._d = Line(attackers, (d.most[0], sum(d.most))), Line([d], enemies)
        self._states = max((s.most[0] + 1) * (s.most[1] + 1) for s in attackers)
        self.swept = False

    @cached_property
    def _over(self) -> Array:
        """For each state, true if the battle is over."""
        a, d = self._a, self._d
        ours = a.others[:, None] | (a.subs[:, None] & d.afloat[None])
        theirs = d.others[None] | (d.subs[None] & a.afloat[:, None])
        over: Array = ~(ours | theirs)
        over[a.sizes == 0], over[:, d.sizes == 0] = True, True
        return over

    def over(self, few: int | None) -> Array:
        """The same; the attacker retreats from states with so few units."""
        return self._over if few is None else self._over | (self._a.left <= few)[:, None]

    def array(self, states: Sequence[Mapping[State, float]]) -> Array:
        """The chances of each attacker's states as an array."""
        import numpy as np

        found: Array = np.zeros((len(self._a.states), len(self._d.states)))
        for which, chances in enumerate(states):
            for (left, there), p in chances.items():
                found[self._a.number[which, left], self._d.number[0, there]] = p
        return found

    def states(self, chances: Array) -> list[dict[State, float]]:
        """An array as chances of each attacker's states."""
        found: list[dict[State, float]] = [{} for _ in self._a.sides]
        rows, columns = chances.nonzero()
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            which, left = self._a.states[row]
            found[which][left, self._d.states[column][1]] = float(chances[row, column])
        return found

    # ---- rounds

    def fought(self, start: Array, few: int | None) -> Array:
        """The chances of the states in which the battles end."""
        import numpy as np

        reached, over = start.copy(), self.over(few)
        ends = np.zeros_like(start)
        for rows in self._layers(reached):
            openings = [] if over[rows].all() else list(self._openings(rows))
            here = self._visits(rows, openings, reached[rows], over[rows])
            ends[rows] = np.where(over[rows], here, 0.0)
            self._spread(rows, openings, np.where(over[rows], 0.0, here), reached)
        return ends

    def one_round(self, start: Array, few: int | None) -> Array:
        """The chances after one round; where the battle is over they stay."""
        import numpy as np

        over = self.over(few)
        found = np.where(over, start, 0.0)
        going = np.where(over, 0.0, start)
        for rows in self._layers(going):
            self._spread(rows, list(self._openings(rows)), going[rows], found)
        return found

    def _layers(self, chances: Array) -> Iterator[Array]:
        """Rows with any chances by then that take equally many hits and are surprised alike, in parts with room."""
        import numpy as np

        a, d = self._a, self._d
        kinds = a.sizes * 2 + a.surprised
        for kind in np.unique(kinds)[::-1].tolist():
            layer = np.flatnonzero(kinds == kind)
            layer = layer[chances[layer].any(axis=1)]
            ways = (min(kind // 2, d.by_subs.shape[1]) + 1) * (min(kind // 2, d.by_others.shape[1]) + 1)
            each = max(1, ROOM // (len(d.states) * max(len(d.states), ways) * d.by_subs.shape[1]))
            for start in range(0, len(layer), each):
                check_deadline()
                yield layer[start : start + each]

    def _visits(self, rows: Array, openings: Sequence[Opening], here: Array, over: Array) -> Array:
        """The number of visits to each state of some rows, given the number of arrivals from other rows."""
        import numpy as np

        if not openings:
            return here
        size = len(self._d.states)
        staying, *more = (self._staying(rows, o) for o in openings)
        for other in more:
            staying += other
        rest = np.where(over, np.inf, 1.0 - staying.diagonal(axis1=1, axis2=2))
        visits = np.zeros_like(here)
        for j in range(int(here.any(axis=0).argmax()), size):
            check_deadline()
            visits[:, j] = share = here[:, j] / rest[:, j]
            here[:, j + 1 :] += share[:, None] * staying[:, j, j + 1 :]
        return np.where(over, here, visits)

    def _staying(self, rows: Array, o: Opening) -> Array:
        """The chances that a round leaves each attacker as he is, by the defender's states before and after it."""
        check_deadline()
        spared = (o.answer @ (o.reached == rows)).T
        if o.first is None:
            return (o.chances * spared)[:, :, None] * o.fire
        return _times(o.chances[:, None] * o.first * spared[:, None], o.fire)

    def _spread(self, rows: Array, openings: Sequence[Opening], here: Array, found: Array) -> None:
        """Add what a round makes of some rows: summed up row by row first, so that fewer roundings add up."""
        import numpy as np

        if not openings:
            return
        keys, after, size = [], [], len(self._d.states)
        number: Array = np.arange(len(rows)) * len(found)
        for o in openings:
            check_deadline()
            share = here * o.chances
            if o.first is not None:
                share = (share[:, None] @ o.first)[:, 0]
            some = share.any(axis=0).nonzero()[0]
            leaving = self._without_specks(share[:, None, some] * o.answer.T[:, some])
            after.append(_times(leaving, self._without_specks(o.fire[:, some])).reshape(-1, size))
            keys.append((number[:, None] + o.reached.T).ravel())
        places, by_row = _summed(np.concatenate(keys), np.concatenate(after) if len(after) > 1 else after[0])
        reached, summed = _summed(places % len(found), by_row)
        found[reached] += summed

    def _without_specks(self, chances: Array) -> Array:
        """Chances without those that make arithmetic slow, as their products are below the least float."""
        import numpy as np

        if self._states + len(self._d.states) < FEW:
            return chances
        specks = (chances > 0) & (chances < SPECK)
        if not specks.any():
            return chances
        self.swept = True
        return np.where(specks, 0.0, chances)

    # ---- a round

    def _openings(self, rows: Array) -> Iterator[Opening]:
        """The effects of submarines that fire first, for rows that are surprised alike."""
        import numpy as np

        a, d = self._a, self._d
        theirs = not a.surprised[rows[0]]
        taken = np.ones((len(d.states), 1)) if theirs else _capped(d.by_subs, int(a.sizes[rows].max()))
        for number, hit in enumerate(taken.T):
            to = a.targets(d.by_subs.shape[1], d.by_others.shape[1])[number, 0, rows]
            for ours in (True, False):
                chances = hit * (d.surprised != ours)
                if chances.any():
                    check_deadline()
                    first = None if ours else self._fired(a.by_subs[rows], np.ones((len(rows), 1)))
                    yield Opening(chances, first, *self._answer(to, theirs), self._fire(to, ours))

    def _answer(self, rows: Array, submarines: bool) -> tuple[Array, Array]:
        """The chances of the defender's hits by state, and the rows that they lead to."""
        import numpy as np

        d, most = self._d, int(self._a.sizes[rows].max())
        narrow = _capped(d.by_subs if submarines else np.ones((len(d.states), 1)), most)
        wide = _capped(d.by_others, most)
        both = (narrow[:, :, None] * wide[:, None]).reshape(len(d.states), -1)
        targets = self._a.targets(d.by_subs.shape[1], d.by_others.shape[1])
        return both, targets[: narrow.shape[1], : wide.shape[1], rows].reshape(-1, len(rows))

    def _fire(self, rows: Array, submarines: bool) -> Array:
        """The chances that the fire of each row leads from one state of the defender to another."""
        import numpy as np

        others = self._fired(np.ones((len(rows), 1)), self._a.by_others[rows])
        subs = self._a.by_subs[rows]
        if not submarines or not subs[:, 1:].any():
            return others
        return _times(self._fired(subs, np.ones((len(rows), 1))), others)

    def _fired(self, by_subs: Array, by_others: Array) -> Array:
        """The same for chances of numbers of hits by submarines and by others."""
        import numpy as np

        number, size = len(by_subs), len(self._d.states)
        chances = (by_subs[:, :, None] * by_others[:, None]).reshape(number, -1)
        some = chances.any(axis=0).nonzero()[0]
        cells = self._d.cells(by_subs.shape[1], by_others.shape[1])[some].ravel()
        places = (np.arange(number)[:, None] * size**2 + cells).ravel()
        weights = chances[:, some].repeat(size, axis=1).ravel()
        return np.bincount(places, weights, number * size**2).reshape(number, size, size)

    @property
    def limits(self) -> tuple[int, int, int]:
        """The most hits that change anything, dice of a side, and summands in a round, for `relative`."""
        a, d = self._a, self._d
        ways = a.by_subs.shape[1] * a.by_others.shape[1], d.by_subs.shape[1] * d.by_others.shape[1]
        openings = 2 * d.by_subs.shape[1]
        terms = ways[0] + openings * ways[1] + self._states + 4 * len(d.states)
        slots = max(sum(s.most) for s in a.sides), sum(d.sides[0].most)
        return sum(slots), max(slots), terms


def _capped(chances: Array, most: int) -> Array:
    """The chances of numbers of hits, by line, those of `most` and more together."""
    if chances.shape[1] <= most + 1:
        return chances
    found: Array = chances[:, : most + 1].copy()
    found[:, most] += chances[:, most + 1 :].sum(axis=1)
    return found


def _times(one: Array, other: Array) -> Array:
    """The product of each of some matrices with one of others."""
    import numpy as np

    check_deadline()
    if len(one) == 1:
        return times(one[0], other[0])[None]
    found = np.empty((*one.shape[:2], other.shape[2]))
    for product, x, y in zip(found, one, other, strict=True):
        check_deadline()
        product[:] = times(x, y)
    return found


def _summed(keys: Array, values: Array) -> tuple[Array, Array]:
    """The different keys, and the sum of the lines of each."""
    import numpy as np

    order = np.argsort(keys, kind="stable")
    new = np.concatenate([[True], np.diff(keys[order]) > 0])
    if new.all():
        return keys, values
    begins = np.flatnonzero(new)
    return keys[order[begins]], np.add.reduceat(values[order], begins, axis=0)
