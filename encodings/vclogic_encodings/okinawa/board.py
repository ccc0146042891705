"""The format of a board file: the map, its zones and edge, and the units with where they start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated

from vclogic_encodings.okinawa.citing import encodes

from vclogic.board.hexgrid import HexGrid, Stagger

JAPAN, US = "Japan", "US"
SIDES = (JAPAN, US)
NORTHERN, CENTRAL, SOUTHERN = "Northern", "Central", "Southern"
ZONES = (NORTHERN, CENTRAL, SOUTHERN)
OFF, ELIMINATED, EXITED, REMOVED, LEFT = "off", "eliminated", "exited", "removed", "left"
ELSEWHERE: Mapping[str, str] = {
    OFF: "it is not on the map yet",
    ELIMINATED: "it is eliminated",
    EXITED: "it has exited from the map",
    REMOVED: "it was removed for a Japanese exit",
    LEFT: "it has left the map over another edge",
}
"""The places off the hexes, each with the words of a message about a unit there."""
NORTHEAST, OTHER = "northeast", "other"
"""The edges of every map: the northeast one, and all else."""
BLANK = " "
"""In the picture of the map: no hex there."""
Hexes = Annotated[tuple[str, ...], "one or several"]


@dataclass(frozen=True)
class Terrain:
    """A kind of hex.

    Attributes:
        cost: Movement points to enter it, for planning; None: no unit can be there, as on the open sea.
    """

    cost: int | None = None


@dataclass(frozen=True)
class Zone:
    """An Objective zone.

    Attributes:
        hexes: Hexes of it.
        spans: Pairs of hexes: all of the rectangle of columns and rows between them.
        in_use: Whether the scenario uses it.
        points: Victory Points per unit there at the end, by side; left out: as the rule text has it.
    """

    hexes: Hexes = ()
    spans: tuple[tuple[str, str], ...] = ()
    in_use: bool = True
    points: Mapping[str, int] | None = None


@dataclass(frozen=True)
class Edge:
    """An edge of the map, or a part of one, by which a scenario lets units leave.

    Attributes:
        hexes: The hexes from which they leave.
        sides: Whose units may.
    """

    hexes: Hexes
    sides: tuple[str, ...] = SIDES


@dataclass(frozen=True)
class Unit:
    """A counter.

    Attributes:
        at: Its hex at the start, or `off` if it comes later.
        defence: Its Defense Strength.
        attack: Its Attack Strength; artillery has none.
        barrage: Artillery: its Barrage Strength.
        fpf: Artillery: its FPF (final protective fire) Strength.
        movement: Movement points in a turn, for planning.
        zone_of_control: Whether it has a zone of control.
        size: Its formation, such as battalion or regiment, for conditions that count them.
    """

    at: str
    defence: int
    attack: int | None = None
    barrage: int | None = None
    fpf: int | None = None
    movement: int = 0
    zone_of_control: bool = True
    size: str | None = None

    @property
    def artillery(self) -> bool:
        """True if it has the strengths of artillery."""
        return self.barrage is not None or self.fpf is not None

    @property
    @encodes("17.11/1")
    def value(self) -> int:
        """The Victory Point Value of a unit is the total of its Combat Strengths."""
        return self.defence + (self.attack or 0) + (self.barrage or 0) + (self.fpf or 0)


POINTS: Mapping[str, Mapping[str, int]] = {NORTHERN: {JAPAN: 5}, CENTRAL: {JAPAN: 1}, SOUTHERN: {US: 4}}
"""Victory Points per unit in a zone at the end, where a scenario says nothing else (17.31/3, 17.31/4, 17.31/6)."""


@dataclass(frozen=True)
class Board:
    """A map with its units, as a scenario plays on it.

    Attributes:
        terrain: What each letter of the map's picture stands for.
        map: The picture: a line for each row of hexes, north to south, a letter for each hex; a blank is no hex.
        stagger: Which rows or columns, by their numbers, lie half a hex further; see `HexGrid`.
        numbered_from: The number of the first column and of the first row, as the map prints them.
        zones: The Objective zones.
        northeast_edge: Hexes on the northeast map edge, to which lines of communications lead.
        units: The counters of each side.
        first: The side that moves first in a game turn.
        turns: How many game turns the scenario has; left out: any number.
        stacking: How many units may be in one hex.
        edges: Edges of the map by name, by which units leave; left out: Japanese ones alone do, by the northeast edge
            or another.
    """

    terrain: Mapping[str, Terrain]
    map: tuple[str, ...]
    zones: Mapping[str, Zone]
    northeast_edge: Hexes
    units: Mapping[str, Mapping[str, Unit]]
    stagger: Stagger = "odd-column"
    numbered_from: int = 0
    first: str = US
    turns: int | None = None
    stacking: int = 1
    edges: Mapping[str, Edge] = field(default_factory=dict)

    # ---- the map

    @cached_property
    def grid(self) -> HexGrid:
        """The hexes."""
        columns = max((len(row) for row in self.map), default=0)
        whole = HexGrid(columns, len(self.map), self.stagger, first=self.numbered_from)
        there = [(c, r) for r, row in enumerate(self.map) for c in range(columns) if row[c : c + 1] in ("", BLANK)]
        blank = frozenset(whole.at(c, r) for c, r in there)
        return HexGrid(columns, len(self.map), self.stagger, blank, self.numbered_from)

    def letter(self, hex_: str) -> str:
        """The letter of a hex on the map."""
        column, row = self.grid.offset(hex_)
        return self.map[row][column]

    @cached_property
    def cost(self) -> Mapping[str, int]:
        """Movement points to enter each hex where units can be."""
        found = {h: self.terrain[self.letter(h)].cost for h in self.grid.hexes}
        return {h: cost for h, cost in found.items() if cost is not None}

    @cached_property
    def land(self) -> tuple[str, ...]:
        """The hexes where units can be."""
        return tuple(self.cost)

    @cached_property
    def zone(self) -> Mapping[str, frozenset[str]]:
        """The hexes of each zone where units can be."""
        return {name: frozenset(self.zone_hexes(z)) & set(self.land) for name, z in self.zones.items()}

    def zone_hexes(self, zone: Zone) -> tuple[str, ...]:
        """All hexes that a zone names, those on land and those not."""
        spans = (h for first, last in zone.spans for h in self.grid.span(first, last))
        return tuple(dict.fromkeys((*zone.hexes, *spans)))

    @cached_property
    def other_edges(self) -> frozenset[str]:
        """The hexes where units can be that lie on another edge of the map than the northeast one.

        A hex of the northeast edge lies on another one too where that edge ends: a place beyond the map that it
        touches then touches a hex of another edge.
        """
        northeast = frozenset(self.northeast_edge)
        elsewhere = {place for h in self.grid.hexes if h not in northeast for place in self.grid.outside(h)}
        return frozenset(h for h in self.land if elsewhere.intersection(self.grid.outside(h)))

    @cached_property
    def ways_off(self) -> Mapping[str, tuple[str, tuple[str, ...], tuple[str, ...]]]:
        """For each edge the place of units that have left by it, the hexes from which they do, and whose may."""
        northeast = tuple(h for h in self.northeast_edge if h in self.cost)
        other = tuple(sorted(self.other_edges))
        japan = {NORTHEAST: (EXITED, northeast, (JAPAN,)), OTHER: (LEFT, other, (JAPAN,))}
        return japan | {name: (f"{LEFT} by {name}", e.hexes, e.sides) for name, e in self.edges.items()}

    @cached_property
    def elsewhere(self) -> Mapping[str, str]:
        """The places off the hexes, each with the words of a message about a unit there."""
        left = {self.ways_off[name][0]: f"it has left the map by the {name} edge" for name in self.edges}
        return {**ELSEWHERE, **left}

    def off_by(self, side: str) -> Mapping[str, tuple[str, ...]]:
        """The places off the map to which units of a side leave it, each with the hexes from which they do."""
        return {place: hexes for place, hexes, sides in self.ways_off.values() if side in sides}

    @encodes("17.31/1")
    def in_use(self, zone: str) -> bool:
        """The scenario states which Objective zones are in use."""
        return zone in self.zones and self.zones[zone].in_use

    @encodes("17.31/7")
    def points(self, zone: str, side: str) -> int:
        """The points for a unit in a zone are those of the rules unless the scenario states others."""
        stated = self.zones[zone].points if self.in_use(zone) else {}
        return (POINTS[zone] if stated is None else stated).get(side, 0)

    # ---- the units

    @cached_property
    def all_units(self) -> Mapping[str, Unit]:
        """The counters of both sides by name."""
        return {name: unit for side in SIDES for name, unit in self.units.get(side, {}).items()}

    @cached_property
    def side_of(self) -> Mapping[str, str]:
        """The side of each unit."""
        return {name: side for side in SIDES for name in self.units.get(side, {})}

    @cached_property
    def sizes(self) -> Mapping[str, str]:
        """The formation of each unit whose board says it."""
        return {name: unit.size for name, unit in self.all_units.items() if unit.size}

    def of(self, side: str) -> tuple[str, ...]:
        """The names of a side's units."""
        return tuple(self.units.get(side, {}))


def enemy(side: str) -> str:
    """The other side."""
    return US if side == JAPAN else JAPAN
