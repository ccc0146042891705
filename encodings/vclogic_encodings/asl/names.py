"""The names that files, goals and records use, over one board."""

from __future__ import annotations

from functools import cached_property

from vclogic_encodings.asl.board import INFANTRY, LANDED, Board
from vclogic_encodings.asl.geometry import Geometry

from vclogic.terms.domain import Domain
from vclogic.terms.sorts import EnumSort

NONE, OFF, ELIMINATED, EXITED = "none", "off", "eliminated", "exited"
OPEN, CONCEALED, HIDDEN = "open", "concealed", "hidden"
WORKING, MALFUNCTIONED, DISABLED = "working", "malfunctioned", "disabled"
NO_FIRE, FLAME, BLAZE = "none", "flame", "blaze"
ACCIDENT = "accident"


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
        refused = {h: f"it has several: {', '.join(g.ground(h))}" for h in g.hexes if h not in aliases}
        return Domain(EnumSort("Location", g.locations), aliases, refused)

    @cached_property
    def places(self) -> Domain:
        """Where a unit can be: a Location, or off the map."""
        there = self.locations
        return Domain(
            EnumSort("place", (OFF, ELIMINATED, EXITED, *self.geometry.locations)), there.aliases, there.refused
        )

    @cached_property
    def hexes(self) -> Domain:
        """The hexes."""
        return Domain(EnumSort("hex", self.geometry.hexes))

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
        return Domain(EnumSort("building", tuple(self.board.buildings)), aliases, refused)

    @cached_property
    def units(self) -> Domain:
        """All units."""
        return Domain(EnumSort("unit", tuple(self.board.units)))

    def some_units(self, what: str, names: tuple[str, ...]) -> Domain | None:
        """Some units, and that the others are none of them; None if there are none."""
        others = {n: f"it is a {u.kind}" for n, u in self.board.units.items() if n not in names}
        return Domain(EnumSort(what, names), refused=others) if names else None

    @cached_property
    def infantry(self) -> Domain | None:
        """Squads, half-squads, crews, leaders and heroes."""
        return self.some_units("Infantry unit", self.board.of(*INFANTRY))

    @cached_property
    def vehicles(self) -> Domain | None:
        """What moves as a vehicle."""
        return self.some_units("vehicle", self.board.of(*LANDED))

    @cached_property
    def companions(self) -> EnumSort:
        """Who a unit goes along with, or none."""
        return EnumSort("unit or none", (NONE, *self.board.of(*INFANTRY, *LANDED)))

    @cached_property
    def flammable(self) -> Domain | None:
        """Locations in which there can be fire or rubble; None if there are none."""
        names = self.board.flammable
        reason = "the board does not list it under `flammable`"
        here = [x for x in self.geometry.locations if x not in names]
        return Domain(EnumSort("flammable Location", names), refused=dict.fromkeys(here, reason)) if names else None

    @cached_property
    def exits(self) -> Domain:
        """Exit areas, and none: any other part of the edge."""
        return Domain(EnumSort("exit area", (NONE, *self.board.exits)))
