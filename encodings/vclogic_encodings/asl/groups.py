"""Names for many hexes, buildings and Locations at once: areas, map boards, columns, rows, buildings, levels."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from vclogic_encodings.asl.board import Board
from vclogic_encodings.asl.geometry import GRID, Geometry, hex_name, level_of, parse_hex

from vclogic.terms.domain import grouped

Named = Mapping[str, tuple[str, ...]]


class Groups:
    """The groups of a board.

    Args:
        board: The board.
        geometry: Its map.
    """

    def __init__(self, board: Board, geometry: Geometry):
        self._board = board
        self._geometry = geometry

    @cached_property
    def hexes(self) -> Named:
        """Hexes: `board 22`, `column 22V`, `row 22-3`, `area NAME`, `building 22U3`."""
        found: dict[str, list[str]] = {}
        for h in self._geometry.hexes:
            for name in _lines(h):
                found.setdefault(name, []).append(h)
        areas = {f"area {name}": self.of_area(name) for name in self._board.areas}
        buildings = {f"building {name}": b.hexes for name, b in self._board.buildings.items()}
        return {name: tuple(hexes) for name, hexes in found.items()} | areas | buildings

    @cached_property
    def buildings(self) -> Named:
        """Buildings of which all hexes lie in a group of hexes."""
        there = {name: set(hexes) for name, hexes in self.hexes.items() if not name.startswith("building ")}
        of = {n: tuple(b for b, x in self._board.buildings.items() if {*x.hexes} <= h) for n, h in there.items()}
        return {name: buildings for name, buildings in of.items() if buildings}

    @cached_property
    def locations(self) -> Named:
        """Locations: those of a group of hexes, `hex 22V3`, `level 1`; of a building its own alone."""
        of_hex, of_building = self._geometry.of_hex, self._geometry.of_building
        found = {name: tuple(x for h in hexes for x in of_hex[h]) for name, hexes in self.hexes.items()}
        found |= {f"building {name}": locations for name, locations in of_building.items()}
        found |= {f"hex {h}": locations for h, locations in of_hex.items()}
        return found | grouped("level", {x: level_of(x) for x in self._geometry.locations})

    def of_area(self, name: str) -> tuple[str, ...]:
        """The hexes in play of a set-up area."""
        area = self._board.areas[name]
        boards = {f"board {number}" for number in area.boards}
        return tuple(h for h in self._geometry.hexes if h in area.hexes or _lines(h)[0] in boards)

    def between(self, first: str, last: str) -> tuple[str, ...]:
        """The hexes in play of the rectangle of columns and rows between two hexes of one map board."""
        (one, a), (other, b) = _parsed(first), _parsed(last)
        span = {hex_name(one, h) for h in GRID.span(a, b)} if one == other else {first, last}
        return tuple(h for h in self._geometry.hexes if h in span)


def _parsed(h: str) -> tuple[str, str]:
    return parse_hex(h) or ("", "")


def _lines(h: str) -> tuple[str, str, str]:
    """The board, the column and the row of a hex, by their names."""
    number, offset = _parsed(h)
    column, row = h[len(number) :].rstrip("0123456789"), offset.partition(",")[2]
    return f"board {number}", f"column {number}{column}", f"row {number}-{row}"
