"""The names that files, goals and records use, over one board."""

from __future__ import annotations

from functools import cached_property

from vclogic_encodings.moscow.board import ELIMINATED, OFF, SIDES, Board

from vclogic.terms.domain import Domain
from vclogic.terms.sorts import EnumSort

NONE = "none"
UNDEFINED = "undefined"
GRADES = ("decisive", "substantial", "marginal")
LEVELS = (
    "soviet_decisive",
    "soviet_substantial",
    "soviet_marginal",
    "german_marginal",
    "german_substantial",
    "german_decisive",
)
LEVEL = EnumSort("level", (*LEVELS, UNDEFINED))


class Names:
    """Units, hexes, rows and places by name.

    Attributes:
        board: The board.
    """

    def __init__(self, board: Board):
        self.board = board

    @cached_property
    def sides(self) -> Domain:
        """The two sides."""
        return Domain(EnumSort("side", SIDES), {s.lower(): s for s in SIDES} | {f"{s}s": s for s in SIDES})

    @cached_property
    def side_or_none(self) -> Domain:
        """The sides, and none."""
        return Domain(EnumSort("side or none", (NONE, *SIDES)), self.sides.aliases)

    @cached_property
    def units(self) -> Domain:
        """The units."""
        return Domain(EnumSort("unit", tuple(self.board.units)))

    @cached_property
    def places(self) -> Domain:
        """The objectives."""
        return Domain(EnumSort("place", tuple(self.board.places)))

    @cached_property
    def rows(self) -> Domain:
        """The hex rows, by number."""
        return Domain(EnumSort("hex row", tuple(self.board.hex_rows)))

    @cached_property
    def hexes(self) -> Domain:
        """The hexes of the map; one that is a place by itself goes by the place's name too."""
        aliases, refused = self._other_names()
        return Domain(EnumSort("hex", self.board.grid.hexes), aliases, refused)

    @cached_property
    def destinations(self) -> Domain:
        """The hexes, and off the map."""
        aliases, refused = self._other_names()
        members = (*self.board.grid.hexes, OFF)
        return Domain(EnumSort("hex (or off)", members), aliases, {ELIMINATED: "record `eliminate`", **refused})

    @cached_property
    def whereabouts(self) -> Domain:
        """Where a unit can be: off the map (the first member: as a choice it means staying), a hex, or eliminated."""
        aliases, refused = self._other_names()
        return Domain(EnumSort("whereabouts", (OFF, *self.board.grid.hexes, ELIMINATED)), aliases, refused)

    @cached_property
    def levels(self) -> Domain:
        """The levels of victory."""
        return Domain(LEVEL)

    def _other_names(self) -> tuple[dict[str, str], dict[str, str]]:
        aliases: dict[str, str] = {}
        refused = dict.fromkeys(self.board.absent, "it is not on the map")
        for name, place in self.board.places.items():
            if len(place.hexes) == 1:
                aliases[name] = place.hexes[0]
            else:
                refused[name] = f"it has {len(place.hexes)} hexes: {' and '.join(place.hexes)}"
        return aliases, refused
