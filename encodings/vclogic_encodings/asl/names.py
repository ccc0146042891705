"""The names that files, goals and records use, over one board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import get_args

from vclogic_encodings.asl.board import INFANTRY, LANDED, MMC, SMC, Board, Kind
from vclogic_encodings.asl.geometry import CELLAR, ROOFTOP, Geometry, hex_of, level_of
from vclogic_encodings.asl.groups import Groups

from vclogic.terms.domain import Domain, grouped
from vclogic.terms.sorts import EnumSort
from vclogic.words import joined

NONE, OFF, ELIMINATED, EXITED = "none", "off", "eliminated", "exited"
OPEN, CONCEALED, HIDDEN = "open", "concealed", "hidden"
WORKING, MALFUNCTIONED, DISABLED = "working", "malfunctioned", "disabled"
NO_FIRE, FLAME, BLAZE = "none", "flame", "blaze"
ACCIDENT = "accident"
BOTH = "both"


KINDS = Domain(EnumSort("kind", get_args(Kind)))
"""The kinds of units."""
LOCATION, HEX, BUILDING = "location", "hex", "building"
"""Kinds of what can be controlled."""
Area = tuple[str, str]
"""An area that can be controlled: its kind and its name."""

NEEDS: Mapping[str, str] = {
    "flammable": "the board has no Location that can burn: list some under `flammable:` of the board",
    "infantry": "the board has no Infantry: add a squad, leader or the like under `units:` of the board",
    "vehicles": "the board has no vehicle: add a unit of `kind: vehicle` under `units:` of the board",
    "buildings": "the board has no building: add some under `buildings:` of the board",
    "areas": "the board has no set-up area: add some under `areas:` of the board",
    "exits": "the board has no exit area: add some under `exits:` of the board",
}
"""The part that a board without some names lacks, and the place to add it."""


def units_needed(*kinds: str) -> str:
    """The message for a board that has no unit of some kinds."""
    named = joined(kinds, "or")
    return f"the board has no unit of `kind:` {named}: add one under `units:` of the board"


class Names:
    """Sides, units, Locations, hexes and buildings by name.

    Attributes:
        board: The board.
        geometry: Its map.
    """

    def __init__(self, board: Board, geometry: Geometry):
        self.board = board
        self.geometry = geometry

    @cached_property
    def groups(self) -> Groups:
        """Names for many hexes, buildings and Locations at once."""
        return Groups(self.board, self.geometry)

    @cached_property
    def sides(self) -> Domain:
        """The two sides."""
        return Domain(EnumSort("side", self.board.sides))

    @cached_property
    def side_or_none(self) -> Domain:
        """The sides, and none."""
        return Domain(EnumSort("side or none", (NONE, *self.board.sides)))

    @cached_property
    def locations(self) -> Domain:
        """The Locations; a hex stands for its only Location at ground level."""
        g = self.geometry
        aliases = {h: g.ground(h)[0] for h in g.hexes if len(g.ground(h)) == 1}
        shared = {h: f"it has several: {', '.join(g.ground(h))}" for h in g.hexes if h not in aliases}
        return Domain(EnumSort("Location", g.locations), aliases, self._no_location() | shared, self.groups.locations)

    def _no_location(self) -> dict[str, str]:
        """Locations that options bring, and levels that somebody writes without a hex."""
        g = self.geometry
        tall = [h for b in self.board.buildings.values() if b.levels for h in b.hexes]
        options = {ROOFTOP: ("rooftops", g.rooftops), CELLAR: ("cellars", g.cellars)}
        found = {
            f"{h}/{level}": f"buildings have {option} with `options: {{{option}: on}}`"
            for level, (option, on) in options.items()
            for h in ([] if on else tall)
        }
        levels = dict.fromkeys(map(level_of, g.locations)) | dict.fromkeys((ROOFTOP, CELLAR))
        first = g.hexes[0]
        return found | {x: f"write its hex before it, as in {first}/{x}" for x in levels}

    @cached_property
    def places(self) -> Domain:
        """The places of a unit: a Location, or off the map."""
        there = self.locations
        return Domain(
            EnumSort("place", (OFF, ELIMINATED, EXITED, *self.geometry.locations)), there.aliases, there.refused
        )

    @cached_property
    def hexes(self) -> Domain:
        """The hexes."""
        return Domain(EnumSort("hex", self.geometry.hexes), groups=self.groups.hexes, span=self.groups.between)

    @cached_property
    def buildings(self) -> Domain | None:
        """The buildings, which go by any of their hexes; None without any."""
        if not self.board.buildings:
            return None
        of = self.geometry.buildings_of
        aliases = {h: names[0] for h, names in of.items() if len(names) == 1 and h not in self.board.buildings}
        refused = {
            h: f"the hex holds {', '.join(n)}" for h, n in of.items() if len(n) > 1 and h not in self.board.buildings
        }
        sort = EnumSort("building", tuple(self.board.buildings))
        return Domain(sort, aliases, refused, self.groups.buildings)

    @cached_property
    def units(self) -> Domain:
        """All units."""
        return Domain(EnumSort("unit", tuple(self.board.units)), groups=self._unit_groups(tuple(self.board.units)))

    def _unit_groups(self, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Some units by side, by kind, and as MMC and SMC."""
        units = {n: self.board.units[n] for n in names}
        found = grouped("side", {n: u.side for n, u in units.items()})
        found |= grouped("kind", {n: u.kind for n, u in units.items()})
        men = {name: tuple(n for n, u in units.items() if u.kind in of) for name, of in (("MMC", MMC), ("SMC", SMC))}
        return found | {name: some for name, some in men.items() if some}

    def some_units(self, what: str, names: tuple[str, ...]) -> Domain | None:
        """Some units, and that the others are none of them; None if there are none."""
        others = {n: f"it is a {u.kind}" for n, u in self.board.units.items() if n not in names}
        return Domain(EnumSort(what, names), refused=others, groups=self._unit_groups(names)) if names else None

    @cached_property
    def infantry(self) -> Domain | None:
        """Squads, half-squads, crews, leaders and heroes."""
        return self.some_units("Infantry unit", self.board.of(*INFANTRY))

    @cached_property
    def vehicles(self) -> Domain | None:
        """The units that move as a vehicle."""
        return self.some_units("vehicle", self.board.of(*LANDED))

    @cached_property
    def companions(self) -> EnumSort:
        """The units that another one goes along with, or none."""
        return EnumSort("unit or none", (NONE, *self.board.of(*INFANTRY, *LANDED)))

    @cached_property
    def flammable(self) -> Domain | None:
        """Locations in which there can be fire or rubble; None if there are none."""
        names = self.board.flammable
        reason = "the board does not list it under `flammable`"
        here = [x for x in self.geometry.locations if x not in names]
        if not names:
            return None
        known = {n: tuple(x for x in there if x in names) for n, there in self.groups.locations.items()}
        groups = {n: there for n, there in known.items() if there}
        return Domain(EnumSort("flammable Location", names), refused=dict.fromkeys(here, reason), groups=groups)

    @cached_property
    def exits(self) -> Domain:
        """Exit areas, and none: any other part of the edge."""
        return Domain(EnumSort("exit area", (NONE, *self.board.exits)))

    # ---- what can be controlled

    @cached_property
    def areas(self) -> Mapping[tuple[str, str], int]:
        """All that can be controlled, as kinds and names, with their places in the order of the board."""
        g = self.geometry
        kinds = ((LOCATION, g.locations), (HEX, g.hexes), (BUILDING, tuple(self.board.buildings)))
        return {area: i for i, area in enumerate((kind, name) for kind, names in kinds for name in names)}

    def parts(self, kind: str, name: str) -> tuple[str, ...]:
        """The Locations of something that can be controlled."""
        if kind == LOCATION:
            return (name,)
        return self.geometry.of_hex[name] if kind == HEX else self.geometry.of_building[name]

    def around(self, location: str) -> tuple[Area, ...]:
        """A Location with its hex and buildings."""
        h, of_building = hex_of(location), self.geometry.of_building
        buildings = [b for b in self.geometry.buildings_of.get(h, ()) if location in of_building[b]]
        return ((LOCATION, location), (HEX, h), *((BUILDING, b) for b in buildings))

    @cached_property
    def controllable(self) -> Domain:
        """The names of all that can be controlled."""
        names = tuple(f"{kind} {name}" for kind, name in self.areas)
        return Domain(EnumSort("what can be controlled", names), refused=self.no_area)

    @cached_property
    def no_area(self) -> Mapping[str, str]:
        """Locations that options bring, with their kind before their name."""
        return {f"{LOCATION} {name}": why for name, why in self.locations.refused.items()}

    # ---- fire

    @cached_property
    def causes(self) -> Domain:
        """The possible causes of a fire."""
        return Domain(EnumSort("cause of fire", (ACCIDENT, *self.board.sides, BOTH)))

    @cached_property
    def decided(self) -> tuple[str, ...]:
        """Locations whose control fire can decide."""
        return self.geometry.beyond(self.board.flammable)

    @cached_property
    def touched(self) -> Mapping[str, None]:
        """Locations, hexes and buildings whose control fire can decide, each with its kind before its name."""
        locations = self.decided
        hexes = dict.fromkeys(hex_of(x) for x in locations)
        buildings = dict.fromkeys(b for h in hexes for b in self.geometry.buildings_of.get(h, ()))
        kinds = ((LOCATION, locations), (HEX, hexes), (BUILDING, buildings))
        return {f"{kind} {name}": None for kind, names in kinds for name in names}
