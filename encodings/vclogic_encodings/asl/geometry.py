"""The geomorphic map: hexes by their printed names, Locations, buildings, and what leads where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from functools import cache, cached_property
from itertools import pairwise

from vclogic_encodings.asl.board import Board, Building

from vclogic.board.hexgrid import HexGrid
from vclogic.terms.reach import Graph

ROOFTOP, CELLAR, BRIDGE, DEPRESSION, PILLBOX, GROUND = "rooftop", "cellar", "bridge", "depression", "pillbox", "0"
BESIDE = ("sewer", "tunnel")
"""Locations that are always subterranean."""
AT_GROUND = (GROUND, BRIDGE, DEPRESSION)
"""Locations at the ground level of their hex."""
KNOWN = (*AT_GROUND, PILLBOX, *BESIDE)
"""Locations that a board may list for a hex; those of buildings come with the building."""
_HEX = re.compile(r"([0-9]+[a-z]?)([A-Z]|[A-G]{2})([0-9]|10)")
COLUMNS = (*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", *(c * 2 for c in "ABCDEFG"))
GRID = HexGrid(len(COLUMNS), 11, "odd-column", frozenset(f"{c},0" for c in range(0, len(COLUMNS), 2)))
"""A geomorphic board: columns A to GG, rows 1 to 10, and in every other column 0 to 10."""


@cache
def parse_hex(name: str) -> tuple[str, str] | None:
    """The number of the board and `column,row` of a hex, or None if it is no name of one."""
    match = _HEX.fullmatch(name)
    if match is None or match[2] not in COLUMNS:
        return None
    offset = f"{COLUMNS.index(match[2])},{match[3]}"
    return (match[1], offset) if offset in GRID else None


def hex_name(number: str, offset: str) -> str:
    """The printed name of a hex, with the number of its board before it."""
    column, row = GRID.offset(offset)
    return f"{number}{COLUMNS[column]}{row}"


def is_half(name: str) -> bool:
    """True if a hex is a half hex at the edge of its board."""
    found = parse_hex(name)
    assert found is not None
    column, row = GRID.offset(found[1])
    return column in (0, GRID.columns - 1) or (column % 2 == 1 and row in (0, 10))


def whole_board(number: str) -> tuple[str, ...]:
    """All hexes of a geomorphic board."""
    return tuple(hex_name(number, h) for h in GRID.hexes)


def hex_of(location: str) -> str:
    """The hex of a Location."""
    return location.partition("/")[0]


def level_of(location: str) -> str:
    """The Location in its hex: `0`, `1`, `rooftop` ..."""
    return location.partition("/")[2]


class Geometry:
    """Hexes, Locations and buildings of a board.

    Args:
        board: The board, checked.
        rooftops: Whether buildings have rooftops.
        cellars: Whether buildings have cellars.
    """

    def __init__(self, board: Board, *, rooftops: bool, cellars: bool):
        self.board = board
        self.rooftops = rooftops
        self.cellars = cellars

    @cached_property
    def hexes(self) -> tuple[str, ...]:
        """The hexes in play."""
        listed = (h for number in self.board.whole for h in whole_board(number))
        return tuple(dict.fromkeys((*listed, *self.board.hexes)))

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[str, ...]]:
        """The hexes in play that each hex touches; boards are not joined to each other."""
        here = set(self.hexes)
        found = {}
        for h in self.hexes:
            number, offset = parse_hex(h) or ("", "")
            around = (hex_name(number, n) for n in GRID.neighbours[offset])
            found[h] = tuple(n for n in around if n in here)
        return found

    @cached_property
    def edge(self) -> tuple[str, ...]:
        """Hexes with fewer than six neighbours in play: units can come there from elsewhere."""
        return tuple(h for h in self.hexes if len(self.neighbours[h]) < 6)

    @cached_property
    def buildings_of(self) -> Mapping[str, tuple[str, ...]]:
        """The buildings of each hex that has one."""
        found: dict[str, list[str]] = {}
        for name, b in self.board.buildings.items():
            for h in b.hexes:
                found.setdefault(h, []).append(name)
        return {h: tuple(names) for h, names in found.items()}

    @cached_property
    def of_hex(self) -> Mapping[str, tuple[str, ...]]:
        """The Locations of each hex."""
        found = {}
        for h in self.hexes:
            levels = list(self.board.hexes[h].locations) if h in self.board.hexes else [GROUND]
            for name in self.buildings_of.get(h, ()):
                levels += self._levels(self.board.buildings[name])
            found[h] = tuple(f"{h}/{level}" for level in dict.fromkeys(levels))
        return found

    def _levels(self, b: Building) -> list[str]:
        tall = b.levels > 0
        cellar, rooftop = [CELLAR] * (tall and self.cellars), [ROOFTOP] * (tall and self.rooftops)
        return [*map(str, range(b.levels + 1)), *cellar, *rooftop]

    @cached_property
    def locations(self) -> tuple[str, ...]:
        """All Locations."""
        return tuple(x for h in self.hexes for x in self.of_hex[h])

    @cached_property
    def of_building(self) -> Mapping[str, tuple[str, ...]]:
        """The Locations of each building, rooftops and cellars included."""
        found = {}
        for name, b in self.board.buildings.items():
            found[name] = tuple(f"{h}/{level}" for h in b.hexes for level in self._levels(b))
        return found

    def ground(self, h: str) -> tuple[str, ...]:
        """The Locations of a hex at ground level."""
        return tuple(x for x in self.of_hex[h] if level_of(x) in AT_GROUND)

    def part(self, building: str, h: str) -> tuple[str, ...]:
        """The hexes of a building that are one with a hex for Mopping Up: no rowhouse bar lies between."""
        b = self.board.buildings[building]
        return self.joined(h, b.hexes, {frozenset(pair) for pair in b.rowhouse})

    def joined(self, start: str, hexes: tuple[str, ...], bars: Set[frozenset[str]] = frozenset()) -> tuple[str, ...]:
        """Those of some hexes that hang together with one of them."""
        near = ((h, n) for h in hexes for n in self.neighbours.get(h, ()) if n in hexes and {h, n} not in bars)
        graph = Graph.undirected(tuple(dict.fromkeys(hexes)), tuple(near))
        reached = graph.closure([graph.index[start]], [True] * len(graph.nodes))
        return tuple(h for h, found in zip(graph.nodes, reached, strict=True) if found)

    # ---- ways

    @cached_property
    def graph(self) -> Graph[str]:
        """The ways on foot: from hex to hex at ground level, in buildings on one level and by stairs."""
        edges = [(a, b) for h in self.hexes for a in self.ground(h) for b in self._beside(h)]
        for h in self.hexes:
            inside = [x for x in self.of_hex[h] if level_of(x) in (*AT_GROUND, PILLBOX)]
            edges += [(a, b) for a in inside for b in inside if a != b]
        for name, b in self.board.buildings.items():
            edges += self._inside(name, b)
        return Graph.undirected(self.locations, dict.fromkeys(edges))

    @cached_property
    def beside(self) -> Mapping[str, tuple[str, ...]]:
        """The Locations to which a way leads from each."""
        graph = self.graph
        return {x: tuple(graph.nodes[n] for n in graph.successors[i]) for i, x in enumerate(graph.nodes)}

    def _beside(self, h: str) -> Iterable[str]:
        barred = {
            frozenset(pair) for name in self.buildings_of.get(h, ()) for pair in self.board.buildings[name].rowhouse
        }
        return [x for n in self.neighbours[h] if frozenset((h, n)) not in barred for x in self.ground(n)]

    def _inside(self, name: str, b: Building) -> Iterable[tuple[str, str]]:
        shut = {frozenset(pair) for pair in (*b.walls, *b.rowhouse)}
        for level in range(1, b.levels + 1):
            for a in b.hexes:
                for n in self.neighbours[a]:
                    if n in b.hexes and frozenset((a, n)) not in shut:
                        yield f"{a}/{level}", f"{n}/{level}"
        for h in b.stairs:
            ladder = [f"{h}/{level}" for level in range(b.levels + 1)]
            ladder += [f"{h}/{ROOFTOP}"] * (f"{h}/{ROOFTOP}" in self.of_hex[h])
            yield from pairwise(ladder)
        for x in self.of_building[name]:
            if level_of(x) == CELLAR:
                yield f"{hex_of(x)}/{GROUND}", x

    def beyond(self, shut: Iterable[str]) -> tuple[str, ...]:
        """Locations that can be shut, and what a side could no longer reach with those and all above them shut."""
        shut = set(shut)
        shut |= {x for c in shut if level_of(c).isdigit() for x in self._above(c)}
        if not shut:
            return ()
        found = set(shut)
        for side in self.board.sides:
            never = {x for h, special in self.board.hexes.items() if side in special.closed for x in self.of_hex[h]}
            found |= self._reached(never) - self._reached(never | shut)
        return tuple(x for x in self.locations if x in found)

    def hanging_together(self, start: str, places: Iterable[str]) -> set[str]:
        """Those of some Locations to which ways lead from one of them that leave none of them."""
        graph, inside = self.graph, {*places}
        got = graph.closure([graph.index[start]], [x in inside for x in graph.nodes])
        return {x for x, reached in zip(graph.nodes, got, strict=True) if reached}

    def _reached(self, shut: set[str]) -> set[str]:
        """The Locations to which a way leads from the edge of the map, not through any that are shut."""
        graph = self.graph
        open_ = [x not in shut for x in graph.nodes]
        got = graph.closure([graph.index[x] for x in self.doors if x not in shut], open_)
        return {x for x, reached in zip(graph.nodes, got, strict=True) if reached}

    @cached_property
    def doors(self) -> tuple[str, ...]:
        """The entries to the map: the Locations at ground level of the hexes at its edge."""
        return tuple(x for h in self.edge for x in self.ground(h))

    def gates(self, area: str) -> tuple[str, ...]:
        """The Locations from which units leave by an exit area; none where the board does not say."""
        found = self.board.exits.get(area)
        return tuple(x for h in found.hexes for x in self.ground(h)) if found else ()

    def _above(self, location: str) -> Iterable[str]:
        """The Locations of a building above one of its levels."""
        above = [x for x in self.of_hex[hex_of(location)] if level_of(x).isdigit()]
        upper = [x for x in above if int(level_of(x)) > int(level_of(location))]
        return [*upper, *(x for x in self.of_hex[hex_of(location)] if level_of(x) == ROOFTOP)]

    def below(self, location: str) -> tuple[str, ...]:
        """The levels of a building below one of its Locations: where those are rubble, it stands no more."""
        if not level_of(location).isdigit() and level_of(location) != ROOFTOP:
            return ()
        here = [x for x in self.of_hex[hex_of(location)] if level_of(x).isdigit()]
        return tuple(x for x in here if level_of(location) == ROOFTOP or int(level_of(x)) < int(level_of(location)))
