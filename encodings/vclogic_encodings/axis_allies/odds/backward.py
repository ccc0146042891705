"""Chances of many compositions of attackers against the same defenders, in floats.

A battle is a chain of losses: what is left of a composition after a hit is a smaller one, which others share. So
compositions are solved together, by how many hits they can take, for all that may be left of the defenders at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vclogic_encodings.axis_allies.odds.exact import Counting
from vclogic_encodings.axis_allies.odds.ranks import Array, Ranks, Row, hits
from vclogic_encodings.axis_allies.odds.rounding import relative
from vclogic_encodings.axis_allies.odds.sides import NO_DICE, CombatRules, Composition, Dice, Left, Side, harmless

from vclogic.clock import check_deadline

ROOM = 2_000_000
"""The most numbers in one array of a layer."""
VALUES = 3
"""Of a state: the chance to take the place, the attackers that are left, and what they cost."""


class Tails:
    """The chances of compositions; computed ones are kept.

    Args:
        rules: How battles are fought.
        defenders: Who fights for the place.
        at_sea: Whether the battle is for a sea zone.
    """

    def __init__(self, rules: CombatRules, defenders: Composition, at_sea: bool):
        import numpy as np

        self.ranks, self._rules, self._at_sea = Ranks(rules, at_sea), rules, at_sea
        kinds = rules.kinds
        self._hunters = at_sea and any(kinds[u].submarine for u in self.ranks.units)
        self._hunted = at_sea and any(kinds[u].submarine for u, _ in defenders)
        self.side = Side(rules, defenders, attacking=False, at_sea=at_sea, apart=self._hunters)
        low, high = self.side.most
        self.states: list[Left] = sorted(
            ((i, j) for i in range(low + 1) for j in range(high + 1)), key=lambda s: (sum(s), s)
        )
        self._number = {state: n for n, state in enumerate(self.states)}
        self.size, self._most = len(self.states), sum(self.side.most)
        self._targets: dict[tuple[int, int], Array] = {}
        self._destroyers = np.array([not self.side.surprised(s) for s in self.states])
        self._answers()
        self._row: dict[Row, int] = {}
        self._succ: Array = np.zeros((2, 16), dtype=np.int64)
        self._value: Array = np.zeros((16, self.size, VALUES))
        self._between = np.zeros((16, 4, self.size, VALUES)) if self._hunted else None
        self._row[self.ranks.row(())] = 0
        self.longest = 0

    def _answers(self) -> None:
        """The dice of each state of the defenders: in an opening, and in a round whose submarines fire or not."""
        import numpy as np

        counting = Counting[float](lambda a, b: a / b)
        dice = [self.side.dice(s) for s in self.states]
        subs = max(sum(n) for n, _ in dice)
        most = max(sum(w) for _, w in dice)
        self._combos = [(x, y) for x in range(subs + 1) for y in range(most + 1)]
        self._opening = np.zeros((self.size, subs + 1))
        self._round = np.zeros((2, self.size, len(self._combos)))
        for at, (narrow, wide) in enumerate(dice):
            by_subs, by_others = counting.hits(narrow), counting.hits(wide)
            self._opening[at, : len(by_subs)] = by_subs
            for n, (x, y) in enumerate(self._combos):
                p = by_others[y] if y < len(by_others) else 0.0
                self._round[0, at, n] = p if x == 0 else 0.0
                self._round[1, at, n] = p * by_subs[x] if x < len(by_subs) else 0.0
        self._harmless = np.array([[harmless(d[0]) for d in dice], [harmless(d[1]) for d in dice]])
        self._afloat = np.array([self.side.targets(s) for s in self.states])

    @property
    def error(self) -> float:
        """The largest distance of the rows' values so far from the exact ones, as a share of them."""
        fire = (self.side.most[0] + 1) * (self._most + 1) if self._hunters else self._most + 1
        terms = 2 * (len(self._combos) + fire + self.size)
        return relative(changes=self.longest + self._most, dice=max(self.longest, self._most), terms=terms)

    # ---- rows

    def rows(self, forces: Iterable[Row]) -> list[int]:
        """The numbers of rows, which are solved if they were not."""
        forces = list(forces)
        new = [f for f in dict.fromkeys(forces) if f not in self._row]
        if new:
            self._solve(self._closed(new))
        return [self._row[f] for f in forces]

    def _closed(self, new: Sequence[Row]) -> list[Row]:
        """The rows with all that can be left of them, without what is known."""
        import numpy as np

        found = dict.fromkeys(new)
        pending = list(found)
        while pending:
            after = self.ranks.next(np.array(pending, dtype=np.int64))
            every = dict.fromkeys(map(tuple, np.concatenate(after if self._hunted else after[1:]).tolist()))
            pending = [f for f in every if f not in found and f not in self._row]
            found |= dict.fromkeys(pending)
        return sorted(found, key=sum)

    def _solve(self, forces: list[Row]) -> None:
        """Solve rows, those that take the fewest hits first."""
        import numpy as np

        first = len(self._row)
        self._grow(first + len(forces))
        self._row |= {f: n for n, f in enumerate(forces, first)}
        table = np.array(forces, dtype=np.int64)
        by_sub, by_any = self.ranks.next(table)
        for way, after in enumerate((by_sub, by_any) if self._hunted else (by_any, by_any)):
            self._succ[way, first : first + len(forces)] = [self._row[f] for f in map(tuple, after.tolist())]
        sizes = table.sum(axis=1)
        self.longest = max(self.longest, int(sizes.max()))
        each = max(1, ROOM // (VALUES * self.size * max(self.size, len(self._combos))))
        for size in range(1, int(sizes.max()) + 1):
            layer = np.flatnonzero(sizes == size)
            for start in range(0, len(layer), each):
                part = layer[start : start + each]
                check_deadline()
                self._layer(first + part, table[part])

    def _grow(self, size: int) -> None:
        """Make room for so many rows."""
        self._succ = _longer(self._succ.T, size).T
        self._value = _longer(self._value, size)
        if self._between is not None:
            self._between = _longer(self._between, size)

    # ---- a layer

    def after(self, rows: Array, narrow: int, wide: int) -> Array:
        """The rows after hits by submarines and by others."""
        for way, times in ((0, narrow), (1, wide)):
            for _ in range(times):
                rows = self._succ[way, rows]
        return rows

    def _layer(self, rows: Array, table: Array) -> None:
        """Solve rows that take equally many hits."""
        import numpy as np

        narrow, wide = self.ranks.dice(table)
        most_low = self.side.most[0]
        by_subs, by_others = hits(narrow, most_low if self._hunters else 0), hits(wide, self._most)
        reached = np.stack([self.after(rows, x, y) for x, y in self._combos], axis=1)
        changed = reached != rows[:, None]
        lost = self._value[reached] * changed[:, :, None, None]
        lost = lost.reshape(len(rows), len(self._combos), -1)
        parts = []
        for ours in (False, True) if self._hunters else (True,):
            fire = self._fire(by_subs if ours else by_subs[:, :0], by_others)
            for theirs in (0, 1) if self._hunted else (1,):
                answer = self._round[theirs]
                mixed = (answer @ lost).reshape(len(rows), self.size, self.size, VALUES)
                known = np.einsum("rij,rijv->riv", fire, mixed)
                spared = (~changed) @ answer.T
                parts.append((known, spared[:, :, None] * fire))
        if not self._hunters and not self._hunted:
            known, same = parts[0]
        else:
            known, same = self._opened(rows, table, by_subs, parts)
        self._finish(rows, table, known, same, _armed(narrow), _armed(wide))
        if self._between is not None:
            each = [n + np.einsum("rij,rjv->riv", s, self._value[rows]) for n, s in parts]
            for variant, values in enumerate(each):
                self._between[rows, variant] = values

    def _fire(self, by_subs: Array, by_others: Array) -> Array:
        """The chance that the attackers' fire leads from one state of the defenders to another."""
        import numpy as np

        fire = np.zeros((len(by_others), self.size, self.size))
        every = np.arange(self.size)
        for x in range(max(by_subs.shape[1], 1)):
            for y in range(by_others.shape[1]):
                share = by_others[:, y] * (by_subs[:, x] if by_subs.shape[1] else 1.0)
                fire[:, every, self._target(x, y)] += share[:, None]
        return fire

    def _target(self, narrow: int, wide: int) -> Array:
        """The state that each state of the defenders becomes by some hits."""
        import numpy as np

        key = narrow, wide
        if key not in self._targets:
            self._targets[key] = np.array([self._number[self.side.after(s, *key)] for s in self.states])
        return self._targets[key]

    def _opened(
        self, rows: Array, table: Array, by_subs: Array, parts: list[tuple[Array, Array]]
    ) -> tuple[Array, Array]:
        """The parts of a round in which submarines may fire first."""
        import numpy as np

        hunting = table[:, self.ranks.hunting].sum(axis=1) > 0
        opening = self._fire(by_subs, np.ones((len(rows), 1)))
        opening[:, self._destroyers] = np.eye(self.size)[self._destroyers]
        ways = 2 if self._hunted else 1
        known, same = np.zeros((len(rows), self.size, VALUES)), np.zeros((len(rows), self.size, self.size))
        answers = np.where(hunting[:, None, None], np.eye(1, self._opening.shape[1])[None], self._opening[None])
        for ours in range(len(parts) // ways):
            at = self._destroyers == bool(ours) if self._hunters else np.ones(self.size, dtype=bool)
            chosen = [
                np.where(hunting[:, None, None], parts[ours * ways + ways - 1][i], parts[ours * ways][i])
                for i in (0, 1)
            ]
            spared = np.zeros((len(rows), self.size))
            # By the number of hits that submarines score before the others fire back.
            for x in range(answers.shape[2]):
                after = self.after(rows, x, 0)
                moved = after != rows
                spared += answers[:, :, x] * ~moved[:, None]
                if x and self._between is not None and moved.any():
                    there = self._between[after]
                    values = np.where(hunting[:, None, None], there[:, ours * ways + 1], there[:, ours * ways])
                    share = answers[:, :, x] * moved[:, None]
                    known[:, at] += (share[:, :, None] * (opening @ values))[:, at]
            known[:, at] += (spared[:, :, None] * (opening @ chosen[0]))[:, at]
            same[:, at] += (spared[:, :, None] * (opening @ chosen[1]))[:, at]
        return known, same

    def _finish(self, rows: Array, table: Array, known: Array, same: Array, subs: Array, others: Array) -> None:
        """The values of rows from those of smaller rows (`known`), and from their own against fewer defenders."""
        import numpy as np

        units = table[:, len(self.ranks.dents) :]
        left, worth = units.sum(axis=1), units @ np.array(self.ranks.costs)
        afloat = table[:, self.ranks.low].sum(axis=1) > 0
        ours = others[:, None] | (subs[:, None] & self._afloat)
        theirs = ~self._harmless[1] | (~self._harmless[0] & afloat[:, None])
        fought = ours | theirs
        rest = np.where(fought, 1.0 - same.diagonal(axis1=1, axis2=2), 1.0)[:, :, None]
        values = np.zeros((len(rows), self.size, VALUES))
        values[:, -1, 0] = table[:, self.ranks.holding].sum(axis=1) > 0
        values[:, :, 1], values[:, :, 2] = left[:, None], worth[:, None]
        for at in range(self.size - 2, -1, -1):
            more = (same[:, at, None, at + 1 :] @ values[:, at + 1 :])[:, 0]
            found = (known[:, at] + more) / rest[:, at]
            values[:, at] = np.where(fought[:, at, None], found, values[:, at])
        self._value[rows] = values

    # ---- answers

    def values(self, rows: Array, shells: Dice, first_round: bool) -> Array:
        """The values of rows as the battle begins, after bombardment.

        Args:
            rows: Numbers of rows.
            shells: The dice of ships that bombard.
            first_round: Whether defenders who are hit still fire: then a round is fought with the bombardment.
        """
        import numpy as np

        if shells == NO_DICE:
            return self._value[rows, 0]
        if first_round and self._most:
            return self._with_shells(rows, shells)
        found = hits(np.array([shells]), self._most)[0]
        targets = [self._target(0, y)[0] for y in range(self._most + 1)]
        return np.einsum("y,ryv->rv", found, self._value[rows][:, targets])

    def _with_shells(self, rows: Array, shells: Dice) -> Array:
        import numpy as np

        table = np.array(list(self._row), dtype=np.int64)[rows]
        thrown = self.ranks.dice(table)[1] + np.array(shells)
        fire = self._fire(np.ones((len(rows), 0)), hits(thrown, self._most))[:, 0]
        lost = self._value[np.stack([self.after(rows, x, y) for x, y in self._combos], axis=1)]
        return np.einsum("c,rcjv,rj->rv", self._round[1, 0], lost, fire)


def _longer(array: Array, size: int) -> Array:
    """The array with room for so many lines, and more if it had to grow."""
    import numpy as np

    have = len(array)
    return (
        array
        if size <= have
        else np.concatenate([array, np.zeros((max(size, 2 * have) - have, *array.shape[1:]), array.dtype)])
    )


def _armed(thrown: Array) -> Array:
    return thrown[:, 1:].sum(axis=1) > 0
