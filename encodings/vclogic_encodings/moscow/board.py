"""The format of a board: the map, the units, the places that matter and the schedule of Victory Points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from vclogic.board.hexgrid import HexGrid, Stagger

GERMAN, SOVIET = "German", "Soviet"
SIDES = (GERMAN, SOVIET)
ELIMINATED, OFF = "eliminated", "off"
CLEAR = "clear"
MOST = 999
"""The largest strength, number of points and movement allowance."""

Size = Literal["army group", "army", "corps", "division", "brigade", "regiment", "battalion", "other"]
LARGE: tuple[Size, ...] = ("army group", "army")
FULL: tuple[Size, ...] = ("corps", "division")


def enemy(side: str) -> str:
    """The other side."""
    return SOVIET if side == GERMAN else GERMAN


@dataclass(frozen=True)
class Unit:
    """A unit of the scenario.

    Attributes:
        side: Whose it is.
        at: The hex where it starts; `off`: it comes later.
        strength: Its combat strength, on attack where the game tells attack from defence.
        defence: Its strength in defence; left out: the same.
        size: Its formation.
        bracketed: Whether its combat factor stands in brackets.
        eb: Whether it is an EB unit.
        allowance: Movement points in a turn, for planning.
    """

    side: Literal["German", "Soviet"]
    at: str = OFF
    strength: int = 0
    defence: int | None = None
    size: Size = "division"
    bracketed: bool = False
    eb: bool = False
    allowance: int = 0

    @property
    def defends(self) -> int:
        """Its strength in defence."""
        return self.strength if self.defence is None else self.defence


@dataclass(frozen=True)
class Place:
    """A geographic objective.

    Attributes:
        hexes: The hexes that it is made of.
        owner: Whose it is at the start, wherever units stand; left out: nobody's.
    """

    hexes: tuple[str, ...]
    owner: Literal["German", "Soviet"] | None = None


@dataclass(frozen=True)
class Award:
    """A line of the Victory Point Schedule about an objective.

    Attributes:
        place: The objective.
        item: What is worth points: its capture (once, kept whatever comes after), holding it at the end, or taking
            and holding it.
        to: The sides that can get the points.
        points: How many.
    """

    place: str
    item: Literal["capture", "hold", "take_and_hold"]
    to: tuple[Literal["German", "Soviet"], ...]
    points: int


@dataclass(frozen=True)
class EliminationRate:
    """The worth of eliminated strength: so many points for each so many strength points, whole ones only."""

    points: int = 1
    per: int = 1


@dataclass(frozen=True)
class Board:
    """A scenario: map, units, objectives, schedule.

    Attributes:
        columns: Hexes from west to east.
        rows: Hex rows from north to south.
        numbered_from: The number of the first column and of the first row, as the map prints them.
        stagger: Which rows or columns, by their numbers, lie half a hex further, as `vclogic.board.hexgrid` has it. A
            hex row is all hexes with one row number in any case; where columns are staggered it runs in a zigzag.
        absent: Hexes of that rectangle that are not on the map, such as sea.
        terrain: The hexes of each terrain; what is not listed is `clear`.
        movement: Movement points for entering a hex of each terrain, for planning; `clear` costs 1 if left out.
        barriers: Pairs of adjoining hexes between which no unit moves and no zone of control extends.
        places: Objectives by name.
        moscow: Which of them is Moscow.
        units: Units by name.
        eliminated: What each side gets for eliminated enemy strength; a side left out gets a point for each
            strength point.
        awards: The rest of the schedule.
        first: Who moves first.
        rounds: The game ends after so many turns of each side; left out: only when a record says so.
        stacking: The most units of a side in a hex; left out: any number.
        home: The hexes of each side's own edge of the map, from which units can be cut off (reading `cut_off_units`);
            left out: the westernmost column is the Germans', the easternmost the Soviets'.
    """

    columns: int
    rows: int
    units: Mapping[str, Unit]
    places: Mapping[str, Place]
    awards: tuple[Award, ...] = ()
    eliminated: Mapping[Literal["German", "Soviet"], EliminationRate] = field(default_factory=dict)
    moscow: str = "Moscow"
    stagger: Stagger = "odd-row"
    numbered_from: int = 0
    absent: tuple[str, ...] = ()
    terrain: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    movement: Mapping[str, int] = field(default_factory=dict)
    barriers: tuple[tuple[str, str], ...] = ()
    first: Literal["German", "Soviet"] = "German"
    rounds: int | None = None
    stacking: int | None = None
    home: Mapping[Literal["German", "Soviet"], tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def grid(self) -> HexGrid:
        """The hexes of the map."""
        return HexGrid(self.columns, self.rows, self.stagger, frozenset(self.absent), self.numbered_from)

    @cached_property
    def near(self) -> Mapping[str, tuple[str, ...]]:
        """The hexes that each hex touches, without those beyond a barrier."""
        closed = {frozenset(pair) for pair in self.barriers}
        return {
            h: tuple(n for n in around if frozenset((h, n)) not in closed)
            for h, around in self.grid.neighbours.items()
        }

    @cached_property
    def cost(self) -> Mapping[str, int]:
        """Movement points for entering each hex."""
        kind = {h: name for name, hexes in self.terrain.items() for h in hexes}
        known = {CLEAR: 1, **self.movement}
        return {h: known[kind.get(h, CLEAR)] for h in self.grid.hexes}

    @cached_property
    def place_of(self) -> Mapping[str, str]:
        """The objective of each hex that belongs to one."""
        return {h: name for name, place in self.places.items() for h in place.hexes}

    @cached_property
    def hex_rows(self) -> Mapping[str, tuple[str, ...]]:
        """The hexes of each hex row that has any on the map, by its number."""
        found: dict[str, list[str]] = {}
        for h in self.grid.hexes:
            found.setdefault(h.partition(",")[2], []).append(h)
        return {row: tuple(hexes) for row, hexes in found.items()}

    def edge(self, side: str) -> tuple[str, ...]:
        """The hexes of a side's own edge of the map."""
        for known, hexes in self.home.items():
            if known == side:
                return hexes
        columns = [self.grid.offset(h)[0] for h in self.grid.hexes]
        return self.grid.column(min(columns) if side == GERMAN else max(columns))

    def army(self, side: str) -> tuple[str, ...]:
        """The units of a side."""
        return self._armies[side]

    @cached_property
    def _armies(self) -> Mapping[str, tuple[str, ...]]:
        return {side: tuple(name for name, unit in self.units.items() if unit.side == side) for side in SIDES}
