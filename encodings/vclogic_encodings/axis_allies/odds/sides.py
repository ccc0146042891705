"""The two sides of a battle: which units roll what, and who falls first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from vclogic_encodings.axis_allies.board import Board, UnitType
from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.roles import Roles

from vclogic.model.battles import Units
from vclogic.model.memoized import memoized

Bombarded = Literal["removed", "fires"]
"""The choice whether a defender that a bombardment hits still fires once."""
Composition = tuple[tuple[str, int], ...]
"""Kinds of units with their numbers, none of them 0, in the order of the board."""
Dice = tuple[int, ...]
"""The number of dice of a throw that hit with 0, 1, ... 6 of their six sides."""
Row = tuple[int, ...]
"""What is left of a side; see `Side`."""
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
        return tuple([(u, units[u]) for u in self.who(at_sea) if units.get(u, 0) > 0])

    def kinds_of(self, units: Units, at_sea: bool) -> tuple[str, ...]:
        """The kinds of these units that are in a battle."""
        return tuple(u for u, _ in self.fighting(units, at_sea))

    @memoized
    def who(self, at_sea: bool) -> tuple[str, ...]:
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

    def value(self, unit: str) -> tuple[int, int]:
        """The value of a land unit, of which an attacker on land keeps the most valuable to the last."""
        return self.kinds[unit].cost, self.ranks(True)[unit]

    # ---- what they roll

    def dice(
        self, numbers: Mapping[str, Any], attacking: bool, least: Callable[[Any, Any], Any] = min
    ) -> tuple[list[Any], list[Any]]:
        """The dice of units by strength: those of submarines, which hit no aircraft, and those of all others.

        Each artillery makes one infantry better by 1, the strongest kind first.

        Args:
            numbers: The number of each kind; or arrays of numbers, for many forces at once.
            attacking: Whether they attack.
            least: The smaller of two numbers; or of two arrays, entry by entry.
        """
        kinds, ranks = self.kinds, self.ranks(attacking)
        narrow, wide = [0] * (SIDES + 1), [0] * (SIDES + 1)
        guns = sum(n for u, n in numbers.items() if attacking and u in self.roles.supporting)
        for u in sorted(numbers, key=ranks.__getitem__, reverse=True):
            n, strength = numbers[u], kinds[u].attack if attacking else kinds[u].defence
            if not kinds[u].submarine and u in self.roles.supported:
                helped = least(guns, n)
                guns, n = guns - helped, n - helped
                wide[_side(strength + 1)] = wide[_side(strength + 1)] + helped
            thrown = narrow if kinds[u].submarine else wide
            thrown[_side(strength)] = thrown[_side(strength)] + n
        return narrow, wide


def combat_rules(game: Rules) -> CombatRules:
    """The conduct of battles under a game's settings."""
    return CombatRules(game.board, game.roles, cast(Bombarded, game.settings.word("bombarded")))


class Side:
    """The laws of one side of a battle: what any of its units roll, and who of them falls first.

    What is left of a side is a row of numbers: the hits that cost nothing, by kinds that take more than one, in the
    order of the board, then units by kind, the first to fall standing first. Hits are taken in this order.

    Args:
        rules: How battles are fought.
        kinds: Who may fight, in the order of the board.
        attacking: Whether it attacks.
        at_sea: Whether the battle is for a sea zone.
        fall: The order in which kinds are lost; None: the usual one.
        keep: Whether a land unit is kept to the last.
    """

    def __init__(
        self,
        rules: CombatRules,
        kinds: Iterable[str],
        *,
        attacking: bool,
        at_sea: bool,
        fall: tuple[str, ...] | None = None,
        keep: bool = False,
    ):
        there, types = tuple(kinds), rules.kinds
        self.rules, self.attacking = rules, attacking
        self.tough = [u for u in there if types[u].hits > 1]
        self.units = sorted(there, key=rules.ranks(attacking, fall).__getitem__)
        columns = [*self.tough, *self.units]
        self.columns = {u: n for n, u in enumerate(self.units, len(self.tough))}
        self.ships = tuple(n for n, u in enumerate(columns) if types[u].kind != "air")
        """The columns that submarines can hit: no aircraft."""
        self.hunting = any(types[u].submarine for u in there)
        self.destroyers = tuple(n for u, n in self.columns.items() if types[u].destroyer)
        self._board_order = tuple((u, self.columns[u]) for u in there)
        self._every = tuple(range(len(columns)))
        land = [u for u in self.units if types[u].kind == "land"] if keep and not at_sea else []
        land.sort(key=rules.value)
        self._dearer = {self.columns[u]: tuple(self.columns[v] for v in land[n + 1 :]) for n, u in enumerate(land)}

    def row(self, units: Composition) -> Row:
        """The row of a whole force."""
        there, kinds = dict(units), self.rules.kinds
        spare = [there.get(u, 0) * (kinds[u].hits - 1) for u in self.tough]
        return (*spare, *[there.get(u, 0) for u in self.units])

    @memoized
    def remaining(self, row: Row) -> Composition:
        """The units of a row."""
        return tuple([(u, row[n]) for u, n in self._board_order if row[n]])

    def only(self, row: Row, units: Iterable[str]) -> Row:
        """The row without units of other kinds, as when they retreat."""
        some = set(units)
        return tuple(n if u in some else 0 for u, n in zip((*self.tough, *self.units), row, strict=True))

    def number(self, row: Row) -> int:
        """The number of units left."""
        return sum(row[len(self.tough) :])

    def after(self, row: Row, by_submarine: bool) -> Row:
        """The row after one hit; the same if it hits nothing."""
        kept = None
        for column in self.ships if by_submarine else self._every:
            n = row[column]
            if n == 1 and kept is None and self._is_kept(row, column):
                kept = column
            elif n:
                return (*row[:column], n - 1, *row[column + 1 :])
        return row if kept is None else (*row[:kept], 0, *row[kept + 1 :])

    def _is_kept(self, row: Row, column: int) -> bool:
        """True if a column is that of the land unit that is kept to the last: no more valuable one is there."""
        dearer = self._dearer.get(column)
        return dearer is not None and not any(row[other] for other in dearer)

    @memoized
    def dice(self, row: Row) -> tuple[Dice, Dice]:
        """The dice of the submarines, and of all others."""
        narrow, wide = self.rules.dice(dict(self.remaining(row)), self.attacking)
        return tuple(narrow), tuple(wide)

    def surprised(self, row: Row) -> bool:
        """True if the submarines of the enemy fire first: not where a destroyer is left."""
        return not any(row[n] for n in self.destroyers)

    def can_hit(self, row: Row, enemy: Side, there: Row) -> bool:
        """True if this side can hit the other: submarines can hit ships only."""
        narrow, wide = self.dice(row)
        return not harmless(wide) or (not harmless(narrow) and any(there[n] for n in enemy.ships))


State = tuple[Row, Row]
"""What is left of the attacker and of the defender."""


def is_over(a: Side, d: Side, state: State, few: int | None = None) -> bool:
    """True if a battle ends here: one side is gone, neither can hit the other, or so few attackers retreat."""
    ours, theirs = state
    if not any(ours) or not any(theirs) or (few is not None and a.number(ours) <= few):
        return True
    return not (a.can_hit(ours, d, theirs) or d.can_hit(theirs, a, ours))


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


def _side(strength: int) -> int:
    return max(0, min(strength, SIDES))
