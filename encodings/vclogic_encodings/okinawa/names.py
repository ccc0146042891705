"""The names that files, goals and records use, over one board."""

from __future__ import annotations

from functools import cached_property

from vclogic_encodings.okinawa.board import ELSEWHERE, JAPAN, SIDES, US, ZONES, Board

from vclogic.terms.domain import Domain
from vclogic.terms.sorts import EnumSort

NONE = "none"
NO, YES, AUTO = "no", "yes", "auto"


class Names:
    """Sides, units, zones and hexes by name.

    Attributes:
        board: The board.
    """

    def __init__(self, board: Board):
        self.board = board

    @cached_property
    def sides(self) -> Domain:
        """The two sides."""
        other = {"Japanese": JAPAN, "U.S.": US, "USA": US, "American": US}
        units = {u: f"it is a unit of the {s}" for u, s in self.board.side_of.items() if u not in other}
        return Domain(EnumSort("side", SIDES), other, units)

    @cached_property
    def traced(self) -> Domain:
        """The side whose units need a line of communications."""
        return Domain(EnumSort("side with lines", (US,)), {"U.S.": US, "USA": US}, {JAPAN: "only US units need one"})

    @cached_property
    def side_or_none(self) -> EnumSort:
        """The sides, and none."""
        return EnumSort("side or none", (NONE, *SIDES))

    @cached_property
    def units(self) -> Domain:
        """The units of both sides."""
        sides = dict.fromkeys(SIDES, "it is a side, not a unit")
        return Domain(EnumSort("unit", tuple(self.board.all_units)), refused=sides)

    @cached_property
    def us_units(self) -> Domain:
        """The units that need a line of communications."""
        refused = dict.fromkeys(self.board.of(JAPAN), "it is Japanese, and only US units need a line")
        return Domain(EnumSort("US unit", self.board.of(US)), refused=refused)

    @cached_property
    def us_unit_or_none(self) -> EnumSort:
        """The US units, and none."""
        return EnumSort("US unit or none", (NONE, *self.board.of(US)))

    @cached_property
    def zones(self) -> Domain:
        """The Objective zones."""
        return Domain(EnumSort("zone", ZONES), {f"{z} zone": z for z in ZONES})

    @cached_property
    def _not_land(self) -> dict[str, str]:
        known = self.board.cost
        return {h: "no unit can be there" for h in self.board.grid.hexes if h not in known}

    @cached_property
    def hexes(self) -> Domain:
        """The hexes where units can be."""
        elsewhere = dict.fromkeys(ELSEWHERE, "it is no place on the map")
        return Domain(EnumSort("hex", self.board.land), refused={**self._not_land, **elsewhere})

    @cached_property
    def all_hexes(self) -> Domain:
        """Every hex of the map."""
        return Domain(EnumSort("hex of the map", self.board.grid.hexes))

    @cached_property
    def places(self) -> Domain:
        """Where a unit can be: a hex, or why it is on none."""
        return Domain(EnumSort("place", (*ELSEWHERE, *self.board.land)), refused=self._not_land)

    @cached_property
    def same_result(self) -> Domain:
        """Whether a unit is destroyed by the combat result that made it retreat."""
        other = {"false": NO, "true": YES, "off": NO, "on": YES}
        return Domain(EnumSort("choice: auto, yes or no", (AUTO, NO, YES)), other)
