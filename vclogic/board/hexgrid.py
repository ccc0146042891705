"""Hex maps: offset coordinates as players write them, axial coordinates inside.

Source of the coordinate systems: Red Blob Games, "Hexagonal Grids" (offset, axial and cube coordinates).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Literal

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import any_of, in_mask
from vclogic.terms.reach import Graph, reach
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

Stagger = Literal["odd-row", "even-row", "odd-column", "even-column"]
Side = Literal["north", "east", "south", "west"]
_AROUND = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


@dataclass(frozen=True)
class HexGrid:
    """Hexes in columns, numbered from west to east, and rows, numbered from north to south.

    Attributes:
        columns: How many columns there are.
        rows: How many rows there are.
        stagger: What lies half a hex further: odd or even rows lie east (hexes with a corner to the north), or odd or
            even columns lie south (hexes with a side to the north). "Odd" are those numbered 1, 3, 5 ...
        absent: Hexes of that rectangle that are not on the map.
        first: The number of the first column and of the first row, as the map prints them.
    """

    columns: int
    rows: int
    stagger: Stagger = "odd-row"
    absent: frozenset[str] = frozenset()
    first: int = 0

    # ---- names

    @cached_property
    def hexes(self) -> tuple[str, ...]:
        """The hexes on the map, row by row, each written `column,row`."""
        every = (self.at(c, r) for r in range(self.rows) for c in range(self.columns))
        return tuple(h for h in every if h not in self.absent)

    @cached_property
    def _on_map(self) -> frozenset[str]:
        return frozenset(self.hexes)

    def __contains__(self, hex_: str) -> bool:
        return hex_ in self._on_map

    def at(self, column: int, row: int) -> str:
        """The name of a hex by its column and row, counted from 0."""
        return f"{column + self.first},{row + self.first}"

    def offset(self, hex_: str) -> tuple[int, int]:
        """Column and row of a hex, counted from 0, on the map or not.

        Raises:
            InputError: It is not written `column,row`.
        """
        try:
            column, row = map(int, hex_.split(","))
        except ValueError:
            raise InputError(Diagnostic("bad-hex", f"{quoted(hex_)} is no hex", help="write `column,row`")) from None
        return column - self.first, row - self.first

    # ---- geometry

    def axial(self, hex_: str) -> tuple[int, int]:
        """Axial coordinates (q, r)."""
        return self._axials.get(hex_) or self._axial(hex_)

    @cached_property
    def _axials(self) -> Mapping[str, tuple[int, int]]:
        return {h: self._axial(h) for h in self.hexes}

    def _axial(self, hex_: str) -> tuple[int, int]:
        column, row = self.offset(hex_)
        line = row if self.corner_north else column
        further = (line + (line & 1)) // 2 if self.shifted(0) else (line - (line & 1)) // 2
        return (column - further, row) if self.corner_north else (column, row - further)

    def shifted(self, line: int) -> bool:
        """True if a row or column, counted from 0, lies half a hex further."""
        return (line + self.first) % 2 == (1 if self.stagger in ("odd-row", "odd-column") else 0)

    @cached_property
    def _by_axial(self) -> Mapping[tuple[int, int], str]:
        return {self.axial(h): h for h in self.hexes}

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[str, ...]]:
        """The hexes on the map that each hex on it touches."""
        found = {}
        for h in self.hexes:
            q, r = self.axial(h)
            around = ((q + dq, r + dr) for dq, dr in _AROUND)
            found[h] = tuple(self._by_axial[a] for a in around if a in self._by_axial)
        return found

    def outside(self, hex_: str) -> tuple[tuple[int, int], ...]:
        """The places off the map that a hex touches, as axial coordinates."""
        q, r = self.axial(hex_)
        return tuple(a for dq, dr in _AROUND if (a := (q + dq, r + dr)) not in self._by_axial)

    @cached_property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """Each pair of hexes on the map that touch, once."""
        order = {h: i for i, h in enumerate(self.hexes)}
        return tuple((a, b) for a, near in self.neighbours.items() for b in near if order[a] < order[b])

    def distance(self, a: str, b: str) -> int:
        """Steps from one hex to another, if the map had no holes."""
        (qa, ra), (qb, rb) = self.axial(a), self.axial(b)
        dq, dr = qa - qb, ra - rb
        return (abs(dq) + abs(dr) + abs(dq + dr)) // 2

    def within(self, hex_: str, steps: int) -> tuple[str, ...]:
        """The hexes on the map at most so many steps away, itself included."""
        return tuple(h for h in self.hexes if self.distance(hex_, h) <= steps)

    def centre(self, hex_: str) -> tuple[float, float]:
        """The centre of a hex, for sides of length 1: x to the east, y to the south."""
        q, r = self.axial(hex_)
        if self.stagger in ("odd-row", "even-row"):
            return sqrt(3) * (q + r / 2), 1.5 * r
        return 1.5 * q, sqrt(3) * (r + q / 2)

    @property
    def corner_north(self) -> bool:
        """True if hexes have a corner to the north, False if a side."""
        return self.stagger in ("odd-row", "even-row")

    # ---- parts of the map

    def row(self, number: int) -> tuple[str, ...]:
        """The hexes of a row, counted from 0, west to east."""
        return tuple(h for h in self.hexes if self.offset(h)[1] == number)

    def column(self, number: int) -> tuple[str, ...]:
        """The hexes of a column, counted from 0, north to south."""
        return tuple(h for h in self.hexes if self.offset(h)[0] == number)

    def border(self, side: Side) -> tuple[str, ...]:
        """The outermost hexes on one side: of each row the first or last one, or of each column."""
        if side in ("west", "east"):
            lines = [self.row(r) for r in range(self.rows)]
        else:
            lines = [self.column(c) for c in range(self.columns)]
        return tuple(line[0 if side in ("west", "north") else -1] for line in lines if line)

    def span(self, first: str, last: str) -> tuple[str, ...]:
        """The hexes of the rectangle of columns and rows between two hexes."""
        (c1, r1), (c2, r2) = self.offset(first), self.offset(last)
        columns, rows = range(min(c1, c2), max(c1, c2) + 1), range(min(r1, r2), max(r1, r2) + 1)
        return tuple(h for h in self.hexes if self.offset(h)[0] in columns and self.offset(h)[1] in rows)

    def span_of(self, hexes: Collection[str]) -> Callable[[str, str], tuple[str, ...]]:
        """As `span`, of some of the hexes alone."""
        return lambda first, last: tuple(h for h in self.span(first, last) if h in hexes)

    def lines_of(self, hexes: Collection[str]) -> dict[str, tuple[str, ...]]:
        """As `lines`, of some of the hexes alone."""
        found = {name: tuple(h for h in line if h in hexes) for name, line in self.lines.items()}
        return {name: line for name, line in found.items() if line}

    @cached_property
    def lines(self) -> Mapping[str, tuple[str, ...]]:
        """The hexes of each row and column by what a player calls it: `row 3`, `column 5`."""
        found: dict[str, list[str]] = {}
        for h in self.hexes:
            column, _, row = h.partition(",")
            found.setdefault(f"row {row}", []).append(h)
            found.setdefault(f"column {column}", []).append(h)
        return {name: tuple(hexes) for name, hexes in found.items()}

    @cached_property
    def numbers(self) -> Mapping[str, Mapping[str, int]]:
        """The column and the row of each hex, as the map prints them."""
        printed = {h: tuple(map(int, h.split(","))) for h in self.hexes}
        return {"column": {h: c for h, (c, _) in printed.items()}, "row": {h: r for h, (_, r) in printed.items()}}

    def _extent(self, row: int) -> str:
        """The extent of the map in words; of a row in which hexes are absent, its columns."""
        columns, rows = (f"{self.first} to {self.first + n - 1}" for n in (self.columns, self.rows))
        there = [h.partition(",")[0] for h in self.row(row)] if 0 <= row < self.rows else []
        if 0 < len(there) < self.columns:
            whole = int(there[-1]) - int(there[0]) + 1 == len(there)
            told = f"{there[0]} to {there[-1]}" if whole else ", ".join(there)
            return f"row {row + self.first} has {'columns' if len(there) > 1 else 'column'} {told}"
        return f"columns {columns}, rows {rows}"

    def flaws(self, hexes: Iterable[str]) -> list[str]:
        """The faults of hexes that a file names: not written `column,row`, or off the map."""
        wrong = []
        for h in hexes:
            try:
                self.offset(h)
            except InputError:
                wrong.append(f"{quoted(h)} is no hex: write `column,row`")
                continue
            if h not in self:
                wrong.append(f"{h} is off the map: {self._extent(self.offset(h)[1])}")
        return wrong


# ---- what stands on a hex map, as terms
#
# Occupied hexes, zones of control and lines of communication on a hex map, as terms for any game.


def occupied(grid: HexGrid, places: Iterable[Term]) -> dict[str, Term]:
    """For each hex, whether one of the given pieces is there.

    Args:
        places: For each piece where it is: an Enum term whose members include hexes of the map.
    """
    here: dict[str, list[Term]] = {h: [] for h in grid.hexes}
    for place in places:
        assert isinstance(place.sort, EnumSort)
        for i, h in enumerate(place.sort.members):
            if place.mask >> i & 1 and h in here:
                here[h].append(in_mask(place, 1 << i))
    return {h: any_of(terms) for h, terms in here.items()}


def zone_of_control(neighbours: Mapping[str, Iterable[str]], present: Mapping[str, Term]) -> dict[str, Term]:
    """For each hex, whether it is next to a hex with a piece that has a zone of control.

    Args:
        neighbours: The hexes that zones of control extend into from each hex: those that it touches.
        present: For each hex whether such a piece is there; left out: none is.
    """
    return {h: any_of(present.get(n, FALSE) for n in near) for h, near in neighbours.items()}


def connected(grid: HexGrid, ends: Mapping[str, Term], usable: Mapping[str, Term]) -> dict[str, Term]:
    """For each hex, whether a chain of adjacent usable hexes, itself included, leads to an end.

    Args:
        ends: Where a line may end; an end that is not usable ends no line but its own.
        usable: Through which hexes a line may lead; left out: none.
    """
    return reach(Graph.undirected(grid.hexes, grid.edges), ends, usable)
