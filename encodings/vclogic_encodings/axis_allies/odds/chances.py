"""The chance to take a place and the expected losses, for any attackers against defenders who are known."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from typing import cast

from vclogic_encodings.axis_allies.board import Board
from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.odds.backward import VALUES, Backward
from vclogic_encodings.axis_allies.odds.distribution import counted
from vclogic_encodings.axis_allies.odds.exact import Exact
from vclogic_encodings.axis_allies.odds.monotone import monotone
from vclogic_encodings.axis_allies.odds.sides import (
    Bombarded,
    CombatRules,
    Composition,
    Dice,
    Row,
    Side,
    combat_rules,
)
from vclogic_encodings.axis_allies.odds.states import Array, binomials
from vclogic_encodings.axis_allies.roles import Roles

from vclogic.model.battles import Battle, Conduct, Units
from vclogic.model.memoized import memoized

Result = tuple[float, float, float]
"""The chance to take the place, the expected number of the attacker's losses, and what they cost."""
ExactResult = tuple[Fraction, Fraction, Fraction]
"""The same in fractions."""
Force = tuple[Units, Units]
"""Attackers, and ships that bombard."""


def chances(game: Rules, defenders: Units, *, at_sea: bool) -> Chances:
    """The chances against some defenders, with the game's settings; all who ask about the same share them."""
    there = tuple((u, n) for u, n in sorted(defenders.items()) if n)
    return _shared(game, there, at_sea)


@memoized
def _shared(game: Rules, defenders: Composition, at_sea: bool) -> Chances:
    fought = combat_rules(game)
    return Chances(game.board, dict(defenders), at_sea, roles=fought.roles, bombarded=fought.bombarded)


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
        self._rules = rules = CombatRules(board, roles or Roles(board, "full"), bombarded)
        self._at_sea, self._defenders = at_sea, defenders
        self._guarded = rules.guarded(defenders, at_sea) and bool(board.kinds("air"))
        self._a = Side(rules, rules.who(at_sea), attacking=True, at_sea=at_sea, keep=True)
        d = Side(rules, rules.kinds_of(defenders, at_sea), attacking=False, at_sea=at_sea)
        self._floats = Backward(self._a, d, d.row(rules.fighting(defenders, at_sea)), at_sea)
        self._fractions = Exact(self._a, d)
        self._results: dict[tuple[Composition, Dice], Result] = {}
        self._exact: dict[tuple[Composition, Dice], ExactResult] = {}

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
        """The largest distance of an attack's float from the exact value; see `errors`."""
        return self._floats.error

    @property
    def monotone(self) -> bool:
        """True if one more attacker, or ship that bombards, is proved never to lower the chance; see `monotone`."""
        return monotone(self._rules, self._at_sea)

    def _key(self, attackers: Units, guns: Units) -> tuple[Composition, Dice]:
        return self._rules.fighting(attackers, self._at_sea), self._rules.shells(guns, self._at_sea)

    def _found(self, attackers: Sequence[Composition], shells: Dice) -> list[Result]:
        """The results of attacks with the same bombardment."""
        import numpy as np

        a, floats = self._a, self._floats
        rows = [a.row(force) for force in attackers]
        units = np.array(rows, dtype=np.int64)[:, list(a.columns.values())]
        if self._guarded:
            values = self._under_fire(rows, shells)
        else:
            values = floats.values(floats.numbers(rows), shells, self._rules.bombarded == "fires")
        whole = np.stack([0.0 * values[:, 0], units.sum(axis=1), units @ floats.costs], axis=1)
        lost = np.maximum(whole - values, 0.0)
        lost[:, 0] = np.minimum(values[:, 0], 1.0)
        return [(take, n, cost) for take, n, cost in lost.tolist()]

    def _under_fire(self, rows: Sequence[Row], shells: Dice) -> Array:
        """The values of rows that antiaircraft guns fire at: one die for each aircraft, which hits with a 1."""
        import numpy as np

        a, kinds, table = self._a, self._rules.kinds, np.array(rows, dtype=np.int64)
        aircraft = [u for u in a.units if kinds[u].kind == "air"]
        each = np.array([a.row(((u, 1),)) for u in aircraft], dtype=np.int64).reshape(-1, table.shape[1])
        numbers = table[:, [a.columns[u] for u in aircraft]]
        chances = [binomials(column, 1) for column in numbers.T]
        found, left, parts = np.zeros((len(rows), VALUES)), [], []
        for down in product(*(range(n + 1) for n in numbers.max(axis=0))):
            some = np.flatnonzero((numbers >= down).all(axis=1))
            left.append(table[some] - np.array(down, dtype=np.int64) @ each)
            parts.append((some, np.prod([chances[i][some, k] for i, k in enumerate(down)], axis=0)))
        solved = self._solved(np.concatenate(left))
        values, start = self._floats.values(solved, shells, self._rules.bombarded == "fires"), 0
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
        numbers: Array = self._floats.numbers(map(tuple, table[first].tolist()))
        return numbers[which]

    # ---- fractions

    def exact(self, attackers: Units, guns: Units) -> ExactResult:
        """The result in fractions: slow, for a few attacks."""
        key = self._key(attackers, guns)
        if key not in self._exact:
            found = counted(self._fractions, Battle(attackers, self._defenders, guns, at_sea=self._at_sea), Conduct())
            exact = found.take, found.attacker.units, found.attacker.value
            self._exact[key] = cast(ExactResult, exact)
        return self._exact[key]

    def compared(self, forces: Sequence[Force], threshold: Fraction) -> list[int]:
        """For each attack -1, 0 or 1, as its chance to take is below, at or above a threshold, exactly.

        Fractions settle what floats leave open.
        """
        results, near, close = self.results(forces), float(threshold), 2 * self.error
        return [
            (take > near) - (take < near) if abs(take - near) > close else self._sign(force, threshold)
            for force, (take, _, _) in zip(forces, results, strict=True)
        ]

    def _sign(self, force: Force, threshold: Fraction) -> int:
        take = self.exact(*force)[0]
        return (take > threshold) - (take < threshold)
