"""Battles with submarines in floats: all states of both sides, which differ by what submarines can hit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from vclogic_encodings.axis_allies.odds.chains import FEW, SPECK
from vclogic_encodings.axis_allies.odds.counting import State
from vclogic_encodings.axis_allies.odds.forces import Left, Side, harmless
from vclogic_encodings.axis_allies.odds.ranks import Array, hits, times

from vclogic.clock import check_deadline
from vclogic.model.memoized import memoized


@dataclass(frozen=True)
class Opening:
    """The effect of submarines that fire first on a state of the attacker.

    Attributes:
        to: The state that he is in then.
        chances: The chance of it, by the defender's state, where the attacker's submarines fire when `ours` says.
        fire: The chances that the attacker's submarines lead from one state of the defender to another; None: they
            fire with the others.
        ours: Whether they fire with the others.
        theirs: Whether the defender's do.
    """

    to: int
    chances: Array
    fire: Array | None
    ours: bool
    theirs: bool


class Line:
    """The states of a side by number, and what each rolls; no state comes before one that it can come from.

    Args:
        side: The side.
        enemy: The other.
    """

    def __init__(self, side: Side, enemy: Side):
        import numpy as np

        self.side = side
        low, high = side.most
        every = ((i, j) for i in range(low + 1) for j in range(high + 1))
        self.states: list[Left] = sorted(every, key=lambda s: (sum(s), s))
        self.number = {state: n for n, state in enumerate(self.states)}
        dice = []
        for state in self.states:
            check_deadline()
            dice.append(side.dice(state))
        narrow, wide = (np.array([d[i] for d in dice], dtype=np.int64) for i in (0, 1))
        self.by_subs = hits(narrow, enemy.most[0] if narrow[:, 1:].any() else 0)
        self.by_others = hits(wide, sum(enemy.most))
        self.subs = np.array([not harmless(d[0]) for d in dice])
        self.others = np.array([not harmless(d[1]) for d in dice])
        self.afloat = np.array([side.targets(s) for s in self.states])
        self.surprised = np.array([side.surprised(s) for s in self.states])
        self.left = np.array([side.number(s) for s in self.states])

    @memoized
    def target(self, narrow: int, wide: int) -> Array:
        """The state that each becomes by hits of submarines and of others."""
        import numpy as np

        if not self.side.most[1]:
            return np.minimum(np.arange(len(self.states)) + narrow + wide, len(self.states) - 1)
        if not narrow and not wide:
            return np.arange(len(self.states))
        after_one = self._after(0, 1) if wide else self._after(1, 0)
        return after_one[self.target(narrow, wide - 1) if wide else self.target(narrow - 1, 0)]

    @memoized
    def _after(self, narrow: int, wide: int) -> Array:
        import numpy as np

        return np.array([self.number[self.side.after(s, narrow, wide)] for s in self.states])

    @memoized
    def targets(self, narrow: int, wide: int) -> Array:
        """The states that each becomes by fewer than some hits of submarines and of others: a line for each way."""
        import numpy as np

        return np.stack([self.target(x, y) for x in range(narrow) for y in range(wide)])


class Field:
    """Two sides of which one has submarines, and what becomes of chances over their states.

    Arrays have a row for each state of the attacker.

    Attributes:
        a: The states of the attacker.
        d: Those of the defender.
        swept: Whether chances that are next to nothing were left out.
    """

    def __init__(self, a: Side, d: Side):
        self.a, self.d, self.swept = Line(a, d), Line(d, a), False
        self._opened: tuple[int, list[Opening]] | None = None
        self._fires: dict[tuple[int, bool], Array] = {}

    @cached_property
    def _over(self) -> Array:
        """For each state, true if the battle is over."""
        a, d = self.a, self.d
        ours = a.others[:, None] | (a.subs[:, None] & d.afloat[None])
        theirs = d.others[None] | (d.subs[None] & a.afloat[:, None])
        over = ~(ours | theirs)
        over[-1], over[:, -1] = True, True
        return over

    def over(self, few: int | None) -> Array:
        """The same; the attacker retreats from states with so few units."""
        return self._over if few is None else self._over | (self.a.left <= few)[:, None]

    def array(self, states: Mapping[State, float]) -> Array:
        """Chances as an array."""
        import numpy as np

        found: Array = np.zeros((len(self.a.states), len(self.d.states)))
        for (left, there), p in states.items():
            found[self.a.number[left], self.d.number[there]] = p
        return found

    def states(self, chances: Array) -> dict[State, float]:
        """An array as chances of states."""
        rows, columns = chances.nonzero()
        a, d = self.a.states, self.d.states
        return {(a[i], d[j]): float(chances[i, j]) for i, j in zip(rows.tolist(), columns.tolist(), strict=True)}

    # ---- rounds

    def fought(self, start: Array, few: int | None) -> Array:
        """The chances of the states in which the battle ends."""
        import numpy as np

        reached, over = start.copy(), self.over(few)
        ends = np.zeros_like(start)
        for row in range(len(start)):
            check_deadline()
            if reached[row].any():
                here = self._visits(row, reached[row], over[row])
                ends[row] = np.where(over[row], here, 0.0)
                here[over[row]] = 0.0
                self._spread(row, here, reached)
        return ends

    def one_round(self, start: Array, few: int | None) -> Array:
        """The chances after one round; where the battle is over they stay."""
        import numpy as np

        over = self.over(few)
        found = np.where(over, start, 0.0)
        for row in range(len(start)):
            check_deadline()
            here = np.where(over[row], 0.0, start[row])
            if here.any():
                self._spread(row, here, found)
        return found

    def _visits(self, row: int, here: Array, over: Array) -> Array:
        """The number of visits to each state of a row, given the number of arrivals from other rows."""
        here = here.copy()
        if over.all():
            return here
        staying = self._staying(row)
        rest = 1.0 - staying.diagonal()
        for j in range(len(here)):
            if here[j] and not over[j]:
                here[j] /= rest[j]
                here[j + 1 :] += here[j] * staying[j, j + 1 :]
        return here

    def _staying(self, row: int) -> Array:
        """The chances that a round leaves the attacker as he is, by the defender's states before and after it."""
        import numpy as np

        size = len(self.d.states)
        found = np.zeros((size, size))
        for opening in self._openings(row):
            if opening.to == row:
                answer, reached = self._answer(row, opening.theirs)
                spared, fire = answer @ (reached == row), self._fire(row, opening.ours)
                if opening.fire is None:
                    found += (opening.chances * spared)[:, None] * fire
                else:
                    found += times(opening.chances[:, None] * opening.fire * spared, fire)
        return found

    def _spread(self, row: int, here: Array, found: Array) -> None:
        """Add what a round makes of a row's states: summed up by themselves first, so that fewer roundings add up."""
        import numpy as np

        after = np.zeros_like(found)
        for opening in self._openings(row):
            answer, reached = self._answer(opening.to, opening.theirs)
            share = here * opening.chances
            if opening.fire is not None:
                share = share @ opening.fire
            some = share.nonzero()[0]
            leaving = self._without_specks(share[some, None] * answer[some])
            fire = self._without_specks(self._fire(opening.to, opening.ours)[some])
            np.add.at(after, reached, times(leaving.T, fire))
        found += after

    def _without_specks(self, chances: Array) -> Array:
        """Chances without those that make arithmetic slow, as their products are below the least float."""
        import numpy as np

        if len(self.a.states) + len(self.d.states) < FEW:
            return chances
        specks = (chances > 0) & (chances < SPECK)
        if specks.any():
            self.swept = True
            return np.where(specks, 0.0, chances)
        return chances

    def _openings(self, row: int) -> list[Opening]:
        """The effects of submarines that fire first in a row; those of the latest row are kept."""
        import numpy as np

        if self._opened is None or self._opened[0] != row:
            a, d, found = self.a, self.d, []
            theirs = not a.surprised[row]
            answers = np.ones((len(d.states), 1)) if theirs else d.by_subs
            fire = self._fired(a.by_subs[row].tolist(), [1.0])
            for taken, ours in product(range(answers.shape[1]), (False, True)):
                chances = answers[:, taken] * (d.surprised != ours)
                if chances.any():
                    to = int(a.target(taken, 0)[row])
                    found.append(Opening(to, chances, None if ours else fire, ours, theirs))
            self._opened = row, found
        return self._opened[1]

    def _answer(self, row: int, submarines: bool) -> tuple[Array, Array]:
        """The chances of the defender's hits by state, and the rows that they lead to."""
        d = self.d
        if not submarines or d.by_subs.shape[1] == 1:
            return d.by_others, self.a.targets(1, d.by_others.shape[1])[:, row]
        both = (d.by_subs[:, :, None] * d.by_others[:, None]).reshape(len(d.states), -1)
        return both, self.a.targets(d.by_subs.shape[1], d.by_others.shape[1])[:, row]

    def _fire(self, row: int, submarines: bool) -> Array:
        """The chances that the attacker's fire leads from one state of the defender to another."""
        key = row, submarines
        if key not in self._fires:
            if len(self._fires) >= 8:
                self._fires.clear()
            if submarines and self.a.by_subs[row, 1:].any():
                others = self._fire(row, False)
                self._fires[key] = times(self._fired(self.a.by_subs[row].tolist(), [1.0]), others)
            else:
                self._fires[key] = self._fired([1.0], self.a.by_others[row].tolist())
        return self._fires[key]

    def _fired(self, by_subs: Sequence[float], by_others: Sequence[float]) -> Array:
        """The same for chances of numbers of hits by submarines and by others."""
        import numpy as np

        every = np.arange(len(self.d.states))
        found = np.zeros((len(every), len(every)))
        for x, p in enumerate(by_subs):
            for y, q in enumerate(by_others):
                if p * q:
                    found[every, self.d.target(x, y)] += p * q
        return found

    @property
    def limits(self) -> tuple[int, int, int]:
        """The most hits that change anything, dice of a side, and summands in a round, for `relative`."""
        a, d = self.a, self.d
        ways = a.by_subs.shape[1] * a.by_others.shape[1], d.by_subs.shape[1] * d.by_others.shape[1]
        openings = 2 * d.by_subs.shape[1]
        terms = ways[0] + openings * ways[1] + len(a.states) + 4 * len(d.states)
        slots = sum(a.side.most), sum(d.side.most)
        return sum(slots), max(slots), terms
