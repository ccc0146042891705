"""The chance to take a place and the expected losses, for any attackers against defenders who are known."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeVar

from vclogic_encodings.axis_allies.armies.roles import Roles
from vclogic_encodings.axis_allies.board import Board
from vclogic_encodings.axis_allies.odds.counting import Counting, State
from vclogic_encodings.axis_allies.odds.forces import NO_DICE, Bombarded, Composition, Dice, Left, Manner, Side

from vclogic.model.battles import Units

N = TypeVar("N", float, Fraction)
Result = tuple[float, float, float]
"""The chance to take the place, the expected number of the attacker's losses, and what they cost."""
Exact = tuple[Fraction, Fraction, Fraction]
"""The same in fractions."""


class Chances:
    """Chances against the same defenders; what was computed is kept.

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
        self._manner = Manner(board, roles or Roles(board, "full"), bombarded)
        self._at_sea = at_sea
        self._guarded = self._manner.guarded(defenders, at_sea)
        self._defenders = self._manner.fighting(defenders, at_sea)
        self._floats, self._fractions = Counting[float](lambda a, b: a / b), Counting[Fraction](Fraction)
        self._results: dict[tuple[Composition, Dice], Result] = {}
        self._exact: dict[tuple[Composition, Dice], Exact] = {}

    @property
    def error(self) -> float:
        """How far a float can be from the exact value, as a share of it."""
        return 1e-9

    def take(self, attackers: Units, guns: Units) -> float:
        """The chance that the attackers, helped by ships that bombard, take the place."""
        return self.result(attackers, guns)[0]

    def result(self, attackers: Units, guns: Units) -> Result:
        """The chance to take the place, and the attacker's expected losses in units and in money."""
        key = self._manner.fighting(attackers, self._at_sea), self._manner.shells(guns)
        if key not in self._results:
            self._results[key] = self._counted(self._floats, *key)
        return self._results[key]

    def exact(self, attackers: Units, guns: Units) -> Exact:
        """The same in fractions: slow."""
        key = self._manner.fighting(attackers, self._at_sea), self._manner.shells(guns)
        if key not in self._exact:
            self._exact[key] = self._counted(self._fractions, *key)
        return self._exact[key]

    def _counted(self, counting: Counting[N], attackers: Composition, shells: Dice) -> tuple[N, N, N]:
        """The result in some type of numbers, counted state by state."""
        manner, kinds = self._manner, self._manner.kinds
        take, units, value = counting.none, counting.none, counting.none
        forces = counting.shot_down(manner, attackers) if self._guarded else [(attackers, counting.one)]
        there = dict(attackers)
        for force, chance in forces:
            ends, a, d = self._fought(counting, force, shells)
            for (left, beaten), p in ends.items():
                now = dict(a.remaining(left))
                fallen = {u: n - now.get(u, 0) for u, n in there.items()}
                share = chance * p
                take += share * (d.gone(beaten) and manner.can_hold(now, self._at_sea))
                units += share * sum(fallen.values())
                value += share * sum(n * kinds[u].cost for u, n in fallen.items())
        return take, units, value

    def _fought(
        self, counting: Counting[N], attackers: Composition, shells: Dice
    ) -> tuple[dict[State, N], Side, Side]:
        """The ends of a battle after antiaircraft fire, and its two sides."""
        manner, at_sea = self._manner, self._at_sea
        a = Side(manner, attackers, attacking=True, at_sea=at_sea, apart=_apart(manner, self._defenders), keep=True)
        d = Side(manner, self._defenders, attacking=False, at_sea=at_sea, apart=_apart(manner, attackers))
        return counting.fought(a, d, bombarded(counting, manner, a, d, shells)), a, d


def _apart(manner: Manner, enemies: Composition) -> bool:
    """Whether enemies have submarines."""
    return any(manner.kinds[u].submarine for u, _ in enemies)


def bombarded(counting: Counting[N], manner: Manner, a: Side, d: Side, shells: Dice) -> dict[State, N]:
    """The states after bombardment: before the first round, or after it where those who are hit still fire."""
    start: Left = (0, 0)
    if shells == NO_DICE:
        return {(start, start): counting.one}
    if manner.bombarded == "fires" and not a.gone(start) and not d.gone(start):
        return counting.round(a, d, (start, start), shells)
    found: dict[State, N] = {}
    for hits, p in enumerate(counting.hits(shells)):
        state = start, d.after(start, 0, hits)
        found[state] = found.get(state, counting.none) + p
    return found
