"""The chance to take a place and the expected losses, for any attackers against defenders who are known."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import comb

from vclogic_encodings.axis_allies.board import Board

from vclogic.model.battles import Units

Force = tuple[str, ...]
"""The kinds of a side's units one by one, in the order in which they are lost."""
Result = tuple[float, float, float]
"""The chance to take the place, the expected number of the attacker's losses, and what they cost."""


class Chances:
    """Chances against the same defenders; what was computed is kept.

    Args:
        board: The board.
        defenders: Who defends, antiaircraft guns included.
        at_sea: Whether the battle is for a sea zone.
    """

    def __init__(self, board: Board, defenders: Units, at_sea: bool):
        self._board, self._at_sea = board, at_sea
        kinds = board.units
        self._guarded = any(kinds[u].antiaircraft and n for u, n in defenders.items())
        fighting = [u for u, n in defenders.items() for _ in range(n) if not kinds[u].antiaircraft]
        self._defenders: Force = tuple(sorted(fighting, key=lambda u: (kinds[u].defence, kinds[u].cost)))
        self._known: dict[tuple[Force, Force], Result] = {}
        self._results: dict[tuple[tuple[tuple[str, int], ...], ...], Result] = {}

    def take(self, attackers: Units, guns: Units) -> float:
        """The chance that the attackers, helped by ships that bombard, take the place."""
        return self.result(attackers, guns)[0]

    def result(self, attackers: Units, guns: Units) -> Result:
        """The chance to take the place, and the attacker's expected losses in units and in money."""
        key = (tuple(sorted(attackers.items())), tuple(sorted(guns.items())))
        if key not in self._results:
            self._results[key] = self._opening(attackers, guns)
        return self._results[key]

    def _opening(self, attackers: Units, guns: Units) -> Result:
        """The result after antiaircraft fire and bombardment."""
        kinds = self._board.units
        aircraft = [u for u, n in attackers.items() if kinds[u].kind == "air" and n and self._guarded]
        found = [0.0, 0.0, 0.0]
        shells = _hits(kinds[u].attack for u, n in guns.items() for _ in range(n))
        for down in product(*(range(attackers[u] + 1) for u in aircraft)):
            left, chance = dict(attackers), 1.0
            for u, n in zip(aircraft, down, strict=True):
                chance *= comb(attackers[u], n) * (1 / 6) ** n * (5 / 6) ** (attackers[u] - n)
                left[u] -= n
            for hits, likely in enumerate(shells):
                result = self._fight(self._in_order(left), self._defenders[hits:])
                found[0] += chance * likely * result[0]
                found[1] += chance * likely * (result[1] + sum(down))
                shot = sum(n * kinds[u].cost for u, n in zip(aircraft, down, strict=True))
                found[2] += chance * likely * (result[2] + shot)
        return found[0], found[1], found[2]

    def _in_order(self, attackers: Units) -> Force:
        kinds = self._board.units
        each = sorted(
            (u for u, n in attackers.items() for _ in range(n)), key=lambda u: (kinds[u].attack, kinds[u].cost)
        )
        land = [u for u in each if kinds[u].kind == "land"]
        if land:
            each.remove(land[-1])
            each.append(land[-1])
        return tuple(each)

    def _fight(self, attackers: Force, defenders: Force) -> Result:
        kinds = self._board.units
        if not defenders:
            return (
                float((self._at_sea and bool(attackers)) or any(kinds[u].kind == "land" for u in attackers)),
                0.0,
                0.0,
            )
        if not attackers:
            return 0.0, 0.0, 0.0
        key = attackers, defenders
        if key not in self._known:
            self._known[key] = self._rounds(attackers, defenders)
        return self._known[key]

    def _rounds(self, attackers: Force, defenders: Force) -> Result:
        kinds = self._board.units
        guns = sum(kinds[u].supports_infantry for u in attackers)
        men = sum(u == "infantry" for u in attackers)
        strong = [kinds[u].attack for u in attackers if u != "infantry"]
        helped = min(guns, men)
        strong += [2] * helped + [kinds["infantry"].attack] * (men - helped) if men else []
        ours, theirs = _hits(strong), _hits(kinds[u].defence for u in defenders)
        again = ours[0] * theirs[0]
        found = [0.0, 0.0, 0.0]
        for (a, chance), (d, likely) in product(enumerate(ours), enumerate(theirs)):
            if a or d:
                share = chance * likely / (1 - again) if again < 1 else 0.0
                fallen = attackers[:d]
                result = self._fight(attackers[d:], defenders[a:])
                found[0] += share * result[0]
                found[1] += share * (result[1] + len(fallen))
                found[2] += share * (result[2] + sum(kinds[u].cost for u in fallen))
        return found[0], found[1], found[2]


def _hits(strengths: Iterable[int]) -> list[float]:
    """The chance of 0, 1, 2 ... hits of units with these strengths, one die each."""
    found = [1.0]
    for strength in strengths:
        hit = strength / 6
        found = [
            (found[n] if n < len(found) else 0.0) * (1 - hit) + (found[n - 1] * hit if n else 0.0)
            for n in range(len(found) + 1)
        ]
    return found
