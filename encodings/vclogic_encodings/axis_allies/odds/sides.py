"""One side of a battle: which units roll what, and who falls first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from vclogic_encodings.axis_allies.board import Board, UnitType
from vclogic_encodings.axis_allies.roles import Roles

from vclogic.model.battles import Units
from vclogic.model.memoized import memoized

Bombarded = Literal["removed", "fires"]
"""The choice whether a defender that a bombardment hits still fires once."""
Composition = tuple[tuple[str, int], ...]
"""Kinds of units with their numbers, none of them 0, in the order of the board."""
Dice = tuple[int, ...]
"""The number of dice of a throw that hit with 0, 1, ... 6 of their six sides."""
Left = tuple[int, int]
"""The hits that a side has taken: on what submarines can hit, and on aircraft where submarines are about."""
SIDES = 6
NO_DICE: Dice = (0,) * (SIDES + 1)


@dataclass(frozen=True)
class CombatRules:
    """The conduct of battles on a board.

    Attributes:
        board: The board.
        roles: Which units do what; left out: with ships, aircraft and artillery (`theatre=full`).
        bombarded: Whether a defender that a bombardment hits still fires once.
    """

    board: Board
    roles: Roles = field(default=None)  # type: ignore[assignment]
    bombarded: Bombarded = "removed"

    def __post_init__(self) -> None:
        if self.roles is None:
            object.__setattr__(self, "roles", Roles(self.board, "full"))

    @property
    def kinds(self) -> Mapping[str, UnitType]:
        """The kinds of units of the board."""
        return self.board.units

    def fighting(self, units: Units, at_sea: bool) -> Composition:
        """The units that are in a battle: on land, land units and aircraft; at sea, ships and aircraft.

        Antiaircraft guns neither fight nor fall.
        """
        return tuple([(u, units[u]) for u in self._who(at_sea) if units.get(u, 0) > 0])

    @memoized
    def _who(self, at_sea: bool) -> tuple[str, ...]:
        """The kinds that fight there."""
        there = ("sea", "air") if at_sea else ("land", "air")
        return tuple(u for u, kind in self.kinds.items() if kind.kind in there and not kind.antiaircraft)

    def guarded(self, defenders: Units, at_sea: bool) -> bool:
        """True if antiaircraft guns fire at the attacking aircraft."""
        return not at_sea and any(n > 0 and self.kinds[u].antiaircraft for u, n in defenders.items())

    def shells(self, guns: Units, at_sea: bool) -> Dice:
        """The dice of ships that bombard: none at sea."""
        if at_sea or not guns:
            return NO_DICE
        return dice(self.kinds[u].attack for u, n in guns.items() for _ in range(n))

    def can_hold(self, units: Iterable[str], at_sea: bool) -> bool:
        """True if one of these attackers can hold the place: any at sea, a land unit on land."""
        return any(at_sea or self.kinds[u].kind == "land" for u in units)

    # ---- who falls first

    @memoized
    def ranks(self, attacking: bool, fall: tuple[str, ...] | None = None) -> Mapping[str, int]:
        """The order in which kinds of units are lost: as chosen, else the weakest and of these the cheapest first."""
        kinds = self.kinds
        usual = sorted(kinds, key=lambda u: (kinds[u].attack if attacking else kinds[u].defence, kinds[u].cost))
        chosen = dict.fromkeys(fall or ())
        return {u: rank for rank, u in enumerate((*chosen, *(u for u in usual if u not in chosen)))}

    def kept(self, units: Iterable[str]) -> str | None:
        """The land unit that an attacker on land keeps to the last: the most valuable; None if there is none."""
        kinds, ranks = self.kinds, self.ranks(True)
        land = [u for u in units if kinds[u].kind == "land"]
        return max(land, key=lambda u: (kinds[u].cost, ranks[u]), default=None)

    # ---- what they roll

    def dice(self, units: Composition, attacking: bool) -> tuple[Dice, Dice]:
        """The dice of units: those of submarines, which hit no aircraft, and those of all others.

        Each artillery makes one infantry better by 1, the strongest kind first.
        """
        kinds = self.kinds
        narrow = dice(_strength(kinds[u], attacking) for u, n in units if kinds[u].submarine for _ in range(n))
        rest = {u: n for u, n in units if not kinds[u].submarine}
        wide = [0] * (SIDES + 1)
        guns = sum(n for u, n in rest.items() if attacking and u in self.roles.supporting)
        for u in sorted(rest, key=self.ranks(attacking).__getitem__, reverse=True):
            n, strength = rest[u], _strength(kinds[u], attacking)
            helped = min(guns, n) if u in self.roles.supported else 0
            guns -= helped
            wide[_side(strength + 1)] += helped
            wide[_side(strength)] += n - helped
        return narrow, tuple(wide)

    def surprising(self, enemies: Composition) -> bool:
        """True if submarines fire first: not where the enemy has a destroyer."""
        return not any(self.kinds[u].destroyer for u, _ in enemies)


class Side:
    """One side of a battle, and what is left of it after so many hits.

    Hits that cost nothing are taken first, kind by kind as the board lists them; then units fall.

    Args:
        rules: How battles are fought.
        units: Who fights.
        attacking: Whether it attacks.
        at_sea: Whether the battle is for a sea zone.
        apart: Whether the enemy has submarines, so that a hit need not be one on aircraft.
        fall: The order in which kinds are lost; None: the usual one.
        keep: Whether a land unit is kept to the last.
    """

    def __init__(
        self,
        rules: CombatRules,
        units: Composition,
        *,
        attacking: bool,
        at_sea: bool,
        apart: bool = False,
        fall: tuple[str, ...] | None = None,
        keep: bool = False,
    ):
        self.rules, self.units, self.attacking, self.at_sea, self.apart = rules, units, attacking, at_sea, apart
        kinds, ranks = rules.kinds, rules.ranks(attacking, fall)
        falling = sorted((u for u, n in units for _ in range(n)), key=ranks.__getitem__)
        kept = rules.kept(falling) if keep and not at_sea else None
        if kept is not None:
            falling.remove(kept)
            falling.append(kept)
        dents = [(u, False) for u, n in units for _ in range(n * (kinds[u].hits - 1))]
        slots = [*dents, *((u, True) for u in falling)]
        flying = [apart and kinds[u].kind == "air" for u, _ in slots]
        ordered = list(zip(range(len(slots)), slots, flying, strict=True))
        self._chains = tuple([(rank, *slot) for rank, slot, up in ordered if up == flies] for flies in (False, True))

    @property
    def most(self) -> Left:
        """The hits that leave nothing."""
        return len(self._chains[0]), len(self._chains[1])

    @memoized
    def after(self, left: Left, narrow: int, wide: int) -> Left:
        """The rest after hits by submarines, and then others; hits too many are lost."""
        low, high = left
        low = min(low + narrow, len(self._chains[0]))
        for _ in range(wide):
            first = self._chains[0][low][0] if low < len(self._chains[0]) else None
            second = self._chains[1][high][0] if high < len(self._chains[1]) else None
            if first is not None and (second is None or first < second):
                low += 1
            elif second is not None:
                high += 1
            else:
                break
        return low, high

    @memoized
    def remaining(self, left: Left) -> Composition:
        """The units that are left."""
        low, high = (fallen[n] for fallen, n in zip(self._fallen, left, strict=True))
        numbers = ((u, n - a - b) for (u, n), a, b in zip(self.units, low, high, strict=True))
        return tuple((u, n) for u, n in numbers if n)

    @cached_property
    def _fallen(self) -> list[list[list[int]]]:
        """For each chain the numbers of each kind that have fallen after so many hits."""
        at, found = {u: n for n, (u, _) in enumerate(self.units)}, []
        for chain in self._chains:
            path = [[0] * len(at)]
            for _, unit, falls in chain:
                path.append(path[-1].copy())
                path[-1][at[unit]] += falls
            found.append(path)
        return found

    @memoized
    def dice(self, left: Left) -> tuple[Dice, Dice]:
        """The dice of the submarines, and of all others."""
        return self.rules.dice(self.remaining(left), self.attacking)

    @memoized
    def surprised(self, left: Left) -> bool:
        """True if the submarines of the enemy fire first."""
        return self.rules.surprising(self.remaining(left))

    def targets(self, left: Left) -> bool:
        """True if submarines have a target."""
        return left[0] < len(self._chains[0])

    def gone(self, left: Left) -> bool:
        """True if nobody is left."""
        return left == self.most

    def number(self, left: Left) -> int:
        """The number of units left."""
        return sum(n for _, n in self.remaining(left))

    @memoized
    def dents(self, left: Left, kind: str) -> int:
        """The hits so far that land units, aircraft or ships have taken and that have cost nothing."""
        taken = (slot for chain, n in zip(self._chains, left, strict=True) for slot in chain[:n])
        return sum(not falls and self.rules.kinds[u].kind == kind for _, u, falls in taken)


def dice(strengths: Iterable[int]) -> Dice:
    """Dice by how many of their sides hit."""
    found = Counter(_side(strength) for strength in strengths)
    return tuple(found[s] for s in range(SIDES + 1))


def together(one: Sequence[int], other: Sequence[int]) -> Dice:
    """Dice that are thrown together."""
    return tuple(a + b for a, b in zip(one, other, strict=True))


def harmless(thrown: Dice) -> bool:
    """True if no die can hit."""
    return not any(thrown[1:])


def _strength(kind: UnitType, attacking: bool) -> int:
    return kind.attack if attacking else kind.defence


def _side(strength: int) -> int:
    return max(0, min(strength, SIDES))
