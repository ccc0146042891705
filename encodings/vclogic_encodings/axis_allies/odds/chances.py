"""The chance to take a place and the expected losses, for any attackers against defenders who are known."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product

from vclogic_encodings.axis_allies.board import Board
from vclogic_encodings.axis_allies.odds.backward import VALUES, Tails
from vclogic_encodings.axis_allies.odds.exact import Counting, bombarded, two_sides
from vclogic_encodings.axis_allies.odds.monotone import monotone
from vclogic_encodings.axis_allies.odds.ranks import Array, Row, binomials
from vclogic_encodings.axis_allies.odds.sides import Bombarded, CombatRules, Composition, Dice
from vclogic_encodings.axis_allies.roles import Roles

from vclogic.model.battles import Units

Result = tuple[float, float, float]
"""The chance to take the place, the expected number of the attacker's losses, and what they cost."""
Exact = tuple[Fraction, Fraction, Fraction]
"""The same in fractions."""
Force = tuple[Units, Units]
"""Attackers, and ships that bombard."""


class Chances:
    """Chances against the same defenders; what was computed is kept.

    One attack alone takes about a millisecond; many are far quicker together (`results`).

    Args:
        board: The board.
        defenders: Who defends, antiaircraft guns included.
        at_sea: Whether the battle is for a sea zone.
        roles: Which units do what; left out: as with `theatre=full`.
        bombarded: Whether a defender that a bombardment hits still fires once.
    """

    def __init__(
        self,
        board: Board,
        defenders: Units,
        at_sea: bool,
        *,
        roles: Roles | None = None,
        bombarded: Bombarded = "removed",
    ):
        self._rules = CombatRules(board, roles or Roles(board, "full"), bombarded)
        self._at_sea = at_sea
        self._guarded = self._rules.guarded(defenders, at_sea) and bool(board.kinds("air"))
        self._defenders = self._rules.fighting(defenders, at_sea)
        self._tails = Tails(self._rules, self._defenders, at_sea)
        self._fractions = Counting[Fraction](Fraction)
        self._results: dict[tuple[Composition, Dice], Result] = {}
        self._exact: dict[tuple[Composition, Dice], Exact] = {}

    # ---- floats

    def take(self, attackers: Units, guns: Units) -> float:
        """The chance that the attackers, helped by ships that bombard, take the place; off by at most `error`."""
        return self.result(attackers, guns)[0]

    def result(self, attackers: Units, guns: Units) -> Result:
        """The chance to take the place, and the attacker's expected losses in units and in money.

        The losses are off by at most `error` times the attacker's units, and what they cost.
        """
        return self.results([(attackers, guns)])[0]

    def results(self, forces: Iterable[Force]) -> list[Result]:
        """The results of many attacks."""
        keys = [self._key(*force) for force in forces]
        new = [k for k in dict.fromkeys(keys) if k not in self._results]
        for shells in dict.fromkeys(s for _, s in new):
            attackers = [a for a, s in new if s == shells]
            found = self._found(attackers, shells)
            self._results |= {(a, shells): r for a, r in zip(attackers, found, strict=True)}
        return [self._results[k] for k in keys]

    @property
    def error(self) -> float:
        """The largest distance of an attack's float from the exact value; see `rounding`."""
        return self._tails.error

    @property
    def monotone(self) -> bool:
        """True if one more attacker, or ship that bombards, is proved never to lower the chance; see `monotone`."""
        return monotone(self._rules, self._at_sea)

    def _key(self, attackers: Units, guns: Units) -> tuple[Composition, Dice]:
        return self._rules.fighting(attackers, self._at_sea), self._rules.shells(guns, self._at_sea)

    def _found(self, attackers: Sequence[Composition], shells: Dice) -> list[Result]:
        """The results of attacks with the same bombardment."""
        import numpy as np

        tails, first_round = self._tails, self._rules.bombarded == "fires"
        rows = [tails.ranks.row(a) for a in attackers]
        units = np.array(rows, dtype=np.int64)[:, len(tails.ranks.dents) :]
        if self._guarded:
            values = self._under_fire(rows, shells)
        else:
            values = tails.values(np.array(tails.rows(rows)), shells, first_round)
        whole = np.stack([0.0 * values[:, 0], units.sum(axis=1), units @ np.array(tails.ranks.costs)], axis=1)
        lost = np.maximum(whole - values, 0.0)
        lost[:, 0] = np.minimum(values[:, 0], 1.0)
        return [(take, n, cost) for take, n, cost in lost.tolist()]

    def _under_fire(self, rows: Sequence[Row], shells: Dice) -> Array:
        """The values of rows that antiaircraft guns fire at: one die for each aircraft, which hits with a 1."""
        import numpy as np

        tails, kinds, table = self._tails, self._rules.kinds, np.array(rows, dtype=np.int64)
        aircraft = [u for u in tails.ranks.units if kinds[u].kind == "air"]
        each = np.array([tails.ranks.row(((u, 1),)) for u in aircraft], dtype=np.int64).reshape(-1, table.shape[1])
        numbers = np.stack([table[:, len(tails.ranks.dents) + tails.ranks.units.index(u)] for u in aircraft], axis=1)
        chances = [binomials(column, 1) for column in numbers.T]
        found, left, parts = np.zeros((len(rows), VALUES)), [], []
        for down in product(*(range(n + 1) for n in numbers.max(axis=0))):
            some = np.flatnonzero((numbers >= down).all(axis=1))
            left.append(table[some] - np.array(down, dtype=np.int64) @ each)
            parts.append((some, np.prod([chances[i][some, k] for i, k in enumerate(down)], axis=0)))
        solved = self._solved(np.concatenate(left))
        values, start = tails.values(solved, shells, self._rules.bombarded == "fires"), 0
        for some, chance in parts:
            found[some] += chance[:, None] * values[start : start + len(some)]
            start += len(some)
        return found

    def _solved(self, table: Array) -> Array:
        """The numbers of rows, of which many may be the same."""
        import numpy as np

        sizes = (table.max(axis=0) + 1).tolist()
        if math.prod(sizes) < 2**62:  # rows as numbers are sorted sooner
            codes = np.ravel_multi_index(tuple(table.T), sizes)
            _, first, which = np.unique(codes, return_index=True, return_inverse=True)
        else:
            _, first, which = np.unique(table, axis=0, return_index=True, return_inverse=True)
        return np.array(self._tails.rows(map(tuple, table[first].tolist())))[which]

    # ---- fractions

    def exact(self, attackers: Units, guns: Units) -> Exact:
        """The result in fractions: slow, for a few attacks."""
        key = self._key(attackers, guns)
        if key not in self._exact:
            self._exact[key] = self._counted(*key)
        return self._exact[key]

    def reaches(self, attackers: Units, guns: Units, threshold: Fraction) -> bool:
        """True if the chance to take is at least the threshold, exactly: fractions settle what floats leave open."""
        take, error = Fraction(self.take(attackers, guns)), Fraction(self.error)
        if abs(take - threshold) > error:
            return take > threshold
        return self.exact(attackers, guns)[0] >= threshold

    def _counted(self, attackers: Composition, shells: Dice) -> Exact:
        counting, kinds, there = self._fractions, self._rules.kinds, dict(attackers)
        take = units = value = Fraction(0)
        forces = counting.shot_down(self._rules, attackers) if self._guarded else [(attackers, Fraction(1))]
        for force, chance in forces:
            a, d = two_sides(self._rules, force, self._defenders, self._at_sea)
            for (left, beaten), p in counting.fought(a, d, bombarded(counting, self._rules, a, d, shells)).items():
                now = dict(a.remaining(left))
                fallen = {u: n - now.get(u, 0) for u, n in there.items()}
                share = chance * p
                take += share * (d.gone(beaten) and self._rules.can_hold(now, self._at_sea))
                units += share * sum(fallen.values())
                value += share * sum(n * kinds[u].cost for u, n in fallen.items())
        return take, units, value
