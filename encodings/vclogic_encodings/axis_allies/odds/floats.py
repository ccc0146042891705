"""Battles in floats: chains of losses where no submarine is about, else all states of both sides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from vclogic_encodings.axis_allies.odds.chains import SPECK, Chains
from vclogic_encodings.axis_allies.odds.counting import Battles, Counting, State
from vclogic_encodings.axis_allies.odds.errors import relative
from vclogic_encodings.axis_allies.odds.forces import Left, Side, harmless
from vclogic_encodings.axis_allies.odds.ranks import Array, Ranks, hits, times

from vclogic.clock import look
from vclogic.model.memoized import memoized

ROOM = 10_000_000
"""The most numbers in one array."""


class Floats(Counting[float]):
    """Chances in floats; whole battles are counted with arrays."""

    def __init__(self) -> None:
        super().__init__(lambda a, b: a / b)
        self._ranks: Ranks | None = None
        self._rounds, self._limits = 0, [(1, 1, 1)]
        self.swept = False
        """Whether chances that are next to nothing were left out, so that endings may be missing."""

    @property
    def error(self) -> float:
        """How far the chances so far can be from the exact ones, as a share of them."""
        limits = ((changes + self._rounds, dice, terms) for changes, dice, terms in self._limits)
        return max(relative(changes=changes, dice=dice, terms=terms) for changes, dice, terms in limits)

    def fought(self, a: Side, d: Side, start: Mapping[State, float], few: int | None = None) -> dict[State, float]:
        """The states in which a battle ends; see `Counting.fought`."""
        return self.all_fought([(a, d, start)], few)[0]

    def one_round(self, a: Side, d: Side, start: Mapping[State, float], few: int | None = None) -> dict[State, float]:
        """What one round makes of states; see `Counting.one_round`."""
        return self.all_one_round([(a, d, start)], few)[0]

    def all_fought(self, battles: Battles[float], few: int | None = None) -> list[dict[State, float]]:
        """The states in which battles end, against the same defender."""
        return self._counted(battles, lambda field, start: field.fought(start, few))

    def all_one_round(self, battles: Battles[float], few: int | None = None) -> list[dict[State, float]]:
        """What one round makes of battles against the same defender."""
        self._rounds += 1
        return self._counted(battles, lambda field, start: field.one_round(start, few))

    def _counted(
        self, battles: Battles[float], count: Callable[[Field | Chains, Array], Array]
    ) -> list[dict[State, float]]:
        if any(a.apart or d.apart for a, d, _ in battles):
            return [self._on_field(a, d, start, count) for a, d, start in battles]
        slots = max(a.most[0] for a, _, _ in battles) + 1, battles[0][1].most[0] + 1
        each = max(1, ROOM // (slots[0] * slots[1]))
        parts = (battles[i : i + each] for i in range(0, len(battles), each))
        return [ends for part in parts for ends in self._on_chains(part, count)]

    def _on_field(
        self, a: Side, d: Side, start: Mapping[State, float], count: Callable[[Field | Chains, Array], Array]
    ) -> dict[State, float]:
        field = Field(a, d)
        self._limits.append(field.limits)
        found = field.states(count(field, field.array(start)))
        self.swept |= field.swept
        return found

    def _on_chains(
        self, battles: Battles[float], count: Callable[[Field | Chains, Array], Array]
    ) -> list[dict[State, float]]:
        import numpy as np

        first, d, _ = battles[0]
        self._ranks = self._ranks or Ranks(first.manner, first.at_sea)
        chains = Chains([a for a, _, _ in battles], d, self._ranks)
        begin: Array = np.zeros(chains.shape)
        for which, (_, _, start) in enumerate(battles):
            for state, p in start.items():
                begin[chains.place(which, *state)] = p
        after = count(chains, begin)
        found: list[dict[State, float]] = [{} for _ in battles]
        for which, i, j in np.argwhere(after).tolist():
            found[which][chains.state(which, i, j)] = float(after[which, i, j])
        slots = chains.shape[1] + chains.shape[2] - 2
        self._limits.append((slots, max(chains.shape[1:]) - 1, 2 * slots + chains.shape[1] + 2 * chains.shape[2]))
        self.swept |= chains.swept
        return found


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
        dice = [side.dice(s) for s in self.states]
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
        self._fires: dict[tuple[int, bool], Array] = {}

    @cached_property
    def _over(self) -> Array:
        """Whether the battle is over in each state."""
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
            look()
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
            look()
            here = np.where(over[row], 0.0, start[row])
            if here.any():
                self._spread(row, here, found)
        return found

    def _visits(self, row: int, here: Array, over: Array) -> Array:
        """How often each state of a row is met, given how often it is come to from other rows."""
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
        for to, share, ours, theirs in self._opening(row, np.eye(size)):
            if to == row:
                answer, reached = self._answer(to, theirs)
                found += times(share * (answer @ (reached == row)), self._fire(to, ours))
        return found

    def _spread(self, row: int, here: Array, found: Array) -> None:
        """Add what a round makes of a row's states."""
        import numpy as np

        for to, share, ours, theirs in self._opening(row, here[None]):
            answer, reached = self._answer(to, theirs)
            some = share[0].nonzero()[0]
            leaving = self._without_specks(share[0][some, None] * answer[some])
            np.add.at(found, reached, times(leaving.T, self._without_specks(self._fire(to, ours)[some])))

    def _without_specks(self, chances: Array) -> Array:
        """Chances without those that make arithmetic slow, as their products are below the least float."""
        import numpy as np

        specks = (chances > 0) & (chances < SPECK)
        if specks.any():
            self.swept = True
            return np.where(specks, 0.0, chances)
        return chances

    def _opening(self, row: int, here: Array) -> Iterator[tuple[int, Array, bool, bool]]:
        """What submarines that fire first make of states: the new row, its states, and whose submarines still fire.

        Args:
            row: The attacker's state.
            here: Lines of chances of the defender's states.
        """
        import numpy as np

        a, d = self.a, self.d
        theirs = not a.surprised[row]
        answers = d.by_subs[:, :1] * 0 + 1 if theirs else d.by_subs
        for taken in range(answers.shape[1]):
            to = int(a.target(taken, 0)[row])
            for ours in (False, True):
                share = here * (answers[:, taken] * (d.surprised != ours))
                if not share.any():
                    continue
                if not ours:
                    after = np.zeros_like(share)
                    for hit, p in enumerate(a.by_subs[row].tolist()):
                        np.add.at(after.T, d.target(hit, 0), p * share.T)
                    share = after
                yield to, share, ours, theirs

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
            self._fires[key] = self._fired(row, submarines)
        return self._fires[key]

    def _fired(self, row: int, submarines: bool) -> Array:
        import numpy as np

        a, d = self.a, self.d
        every = np.arange(len(d.states))
        found = np.zeros((len(every), len(every)))
        by_subs = a.by_subs[row].tolist() if submarines else [1.0]
        for x, p in enumerate(by_subs):
            for y, q in enumerate(a.by_others[row].tolist()):
                if p * q:
                    found[every, d.target(x, y)] += p * q
        return found

    @property
    def limits(self) -> tuple[int, int, int]:
        """The most hits that change anything, dice of a side, and summands in a round, for `relative`."""
        a, d = self.a, self.d
        ways = a.by_subs.shape[1] * a.by_others.shape[1], d.by_subs.shape[1] * d.by_others.shape[1]
        terms = sum(ways) + len(a.states) * d.by_subs.shape[1] * ways[1] + 2 * len(d.states)
        slots = sum(a.side.most), sum(d.side.most)
        return sum(slots), max(slots), terms
