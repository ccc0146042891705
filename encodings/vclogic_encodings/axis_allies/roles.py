"""The kinds of units by what they can do at the army level."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from vclogic_encodings.axis_allies.board import INFANTRY, Board, UnitType

Theatre = Literal["land", "full"]


@dataclass(frozen=True)
class Roles:
    """The units of a board by what they can do.

    Attributes:
        board: The board.
        theatre: What moves: `land` units alone, or aircraft and ships as well (`full`).
    """

    board: Board
    theatre: Theatre

    def _kinds(self, *kinds: str) -> Iterable[tuple[str, UnitType]]:
        return ((name, u) for name, u in self.board.units.items() if u.kind in kinds)

    @cached_property
    def all(self) -> tuple[str, ...]:
        """All units that stand on the map."""
        return tuple(name for name, _ in self._kinds("land", "sea", "air"))

    @cached_property
    def soldiers(self) -> tuple[str, ...]:
        """Land units that march and capture; antiaircraft guns stay where they are."""
        return tuple(name for name, u in self._kinds("land") if not u.antiaircraft and u.move > 0)

    @cached_property
    def ships(self) -> tuple[str, ...]:
        """Ships, transports included."""
        return tuple(name for name, u in self._kinds("sea")) if self.theatre == "full" else ()

    @cached_property
    def warships(self) -> tuple[str, ...]:
        """The ships that close a sea zone to their enemies: all but transports."""
        return tuple(name for name, u in self._kinds("sea") if not u.transport_room)

    @cached_property
    def transports(self) -> tuple[str, ...]:
        """Ships that carry land units."""
        return tuple(name for name in self.ships if self.board.units[name].transport_room)

    @cached_property
    def bombarding(self) -> tuple[str, ...]:
        """Ships that support a landing."""
        return tuple(name for name in self.ships if self.board.units[name].bombards)

    @cached_property
    def aircraft(self) -> tuple[str, ...]:
        """Aircraft."""
        return tuple(name for name, u in self._kinds("air")) if self.theatre == "full" else ()

    @cached_property
    def carriers(self) -> tuple[str, ...]:
        """Ships that aircraft can land on."""
        return tuple(name for name, u in self._kinds("sea") if u.carrier_room)

    @cached_property
    def supporting(self) -> tuple[str, ...]:
        """Artillery: each strengthens one infantry that attacks beside it."""
        guns = tuple(u for u in self.soldiers if self.board.units[u].supports_infantry)
        return guns if self.theatre == "full" else ()

    @cached_property
    def supported(self) -> tuple[str, ...]:
        """Infantry, as artillery supports it."""
        return tuple(u for u in self.soldiers if self.board.units[u].supported_by_artillery or u == INFANTRY)

    def defenders(self, region: str) -> tuple[str, ...]:
        """The units that fight for a region: on land, land units and aircraft; at sea, everything there."""
        kinds = ("sea", "air") if self.board.territories[region].kind == "sea" else ("land", "air")
        return tuple(name for name, _ in self._kinds(*kinds))
