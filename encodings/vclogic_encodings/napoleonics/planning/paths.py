"""Distances of units in a turn: shortest paths over the map, by the cost of terrain and its stops."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from vclogic_encodings.napoleonics.board import Board, Terrain

from vclogic.board.arrivals import Route, arrivals, cheapest_ways
from vclogic.model.memoized import memoized
from vclogic.terms.atoms import TRUE
from vclogic.terms.term import Term

Closed = frozenset[str]
"""Hexes that are not entered, beside those that the terrain blocks."""
OPEN = Terrain()


class Paths:
    """The paths over one board.

    Attributes:
        board: The board.
    """

    def __init__(self, board: Board):
        self.board = board

    @cached_property
    def _terrain(self) -> Mapping[str, Terrain]:
        return {h: self.board.ground.get(h, ("", OPEN))[1] for h in self.board.grid.hexes}

    @cached_property
    def stops(self) -> frozenset[str]:
        """The hexes in which a unit that enters them stops."""
        return frozenset(h for h, terrain in self._terrain.items() if terrain.stops).union(self.board.exits)

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[str, ...]]:
        """The hexes, and ways off the map, that each of them touches."""
        found = {**self.board.grid.neighbours, **self.board.ways_out}
        for name, hexes in self.board.ways_out.items():
            found |= {h: (*found[h], name) for h in hexes}
        return found

    @memoized
    def costs(self, kind: str) -> Mapping[str, int]:
        """The cost of each hex for a kind of unit, without those that it cannot enter."""
        terrain = self._terrain.items()
        known = {h: t.cost for h, t in terrain if not t.blocks and kind not in t.blocks_kinds}
        leave = (name for name, x in self.board.exits.items() if not x.kinds or kind in x.kinds)
        return known | dict.fromkeys(leave, 1)

    @memoized
    def from_hex(self, kind: str, source: str, closed: Closed = frozenset()) -> Mapping[str, Route]:
        """For each hex that a kind of unit can get to in a turn the cheapest way, the hex itself at its end.

        Args:
            kind: The kind of unit.
            source: Where it starts; terrain there does not stop it.
            closed: Hexes that it does not enter.
        """
        most = self.board.kinds[kind].move
        return cheapest_ways(self.neighbours, self.costs(kind), source, most, closed, self.stops)

    def passable(self, kind: str, place: Term, places: set[str], enemy: Mapping[str, Term]) -> Mapping[str, Term]:
        """For each hex whether a unit can get there in a turn, where it is not known where enemies are.

        Args:
            kind: The kind of unit.
            place: Where it is.
            places: The hexes where it can be.
            enemy: For each hex whether an enemy is there; left out: none is.
        """
        near, most = self.neighbours, self.board.kinds[kind].move
        return arrivals(near, self.costs(kind), place, places, most, enemy, dict.fromkeys(self.stops, TRUE))
