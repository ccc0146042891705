"""The names that files, goals and records use, over one board."""

from __future__ import annotations

from functools import cached_property

from vclogic_encodings.napoleonics.board import ELIMINATED, NONE, OFF, Board

from vclogic.terms.domain import Domain
from vclogic.terms.sorts import EnumSort

BETWEEN, MOVEMENT, COMBAT = "between", "movement", "combat"
"""Between two turns; from the start of a turn to the end of its movement phase; from there to its end."""


class Names:
    """Sides, units, hexes and objectives by name.

    Attributes:
        board: The board.
    """

    def __init__(self, board: Board):
        self.board = board

    @cached_property
    def sides(self) -> Domain:
        """The two sides."""
        return Domain(EnumSort("side", self.board.sides))

    @cached_property
    def side_or_none(self) -> EnumSort:
        """The sides, and none."""
        return EnumSort("side or none", (NONE, *self.board.sides))

    @cached_property
    def holders(self) -> Domain:
        """The sides, and none, as values."""
        return Domain(self.side_or_none)

    @cached_property
    def pieces(self) -> Domain:
        """The units and leaders."""
        return Domain(EnumSort("unit", tuple(self.board.units)))

    @cached_property
    def _refused(self) -> dict[str, str]:
        return {h: f"nobody can be there: it is {terrain}" for h, terrain in self.board.blocked.items()}

    @cached_property
    def hexes(self) -> Domain:
        """The hexes where a unit can be."""
        lost = {OFF: "it is off the map", ELIMINATED: "it is no place on the map"}
        return Domain(EnumSort("hex", self.board.hexes), refused=self._refused | lost)

    @cached_property
    def destinations(self) -> Domain:
        """Where a unit can move to: the hexes, and off the map."""
        lost = {ELIMINATED: "that is the event `eliminate`"}
        return Domain(EnumSort("hex, or off", (OFF, *self.board.hexes)), refused=self._refused | lost)

    @cached_property
    def places(self) -> Domain:
        """Where a unit can be: the hexes, off the map, and eliminated."""
        return Domain(EnumSort("place", (ELIMINATED, OFF, *self.board.hexes)), refused=self._refused)

    @cached_property
    def phases(self) -> Domain:
        """The phases of a turn."""
        return Domain(EnumSort("phase", (BETWEEN, MOVEMENT, COMBAT)))

    def holders_of(self, objective: str) -> tuple[str, ...]:
        """The sides that can hold an objective."""
        side = self.board.objectives[objective].side
        return self.board.sides if side is None else (side,)
