"""How far a unit can go in a turn: shortest ways over the map, by the cost of terrain and where it stops."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from heapq import heappop, heappush

from vclogic_encodings.napoleonics.board import Board, Terrain

from vclogic.terms.atoms import FALSE
from vclogic.terms.build import and_, any_of, eq, not_, or_
from vclogic.terms.term import Term

Closed = frozenset[str]
"""Hexes that are not entered, beside those that the terrain blocks."""
OPEN = Terrain()


class Ways:
    """The ways over one board.

    Attributes:
        board: The board.
    """

    def __init__(self, board: Board):
        self.board = board
        self.from_hex = cache(self._from_hex)

    def cost(self, kind: str, hex_: str) -> int | None:
        """What entering a hex costs a kind of unit; None where it cannot."""
        terrain = self._terrain(hex_)
        return None if terrain.blocks or kind in terrain.blocks_kinds else terrain.cost

    def _terrain(self, hex_: str) -> Terrain:
        return self.board.ground.get(hex_, ("", OPEN))[1]

    def _from_hex(self, kind: str, source: str, closed: Closed = frozenset()) -> Mapping[str, tuple[str, ...]]:
        """For each hex that a kind of unit can get to in a turn the cheapest way, the hex itself at its end.

        Args:
            kind: The kind of unit.
            source: Where it starts; terrain there does not stop it.
            closed: Hexes that it does not enter.
        """
        found: dict[str, tuple[str, ...]] = {}
        queue: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        while queue:
            spent, way = heappop(queue)
            here = way[-1] if way else source
            if here in found or (way and here == source):
                continue
            if way:
                found[here] = way
                if self._terrain(here).stops:
                    continue
            for n in self.board.grid.neighbours[here]:
                cost = self.cost(kind, n)
                if cost is not None and n not in closed and spent + cost <= self.board.kinds[kind].move:
                    heappush(queue, (spent + cost, (*way, n)))
        return found

    def passable(self, kind: str, place: Term, places: set[str], enemy: Callable[[str], Term]) -> dict[str, Term]:
        """For each hex whether a unit can get there in a turn, where it is not known where enemies are.

        Args:
            kind: The kind of unit.
            place: Where it is.
            places: The hexes where it can be.
            enemy: Whether an enemy is in a hex.
        """
        neighbours, most = self.board.grid.neighbours, self.board.kinds[kind].move
        starts = {h: eq(place, h) for h in places}
        layers = [dict(starts)]  # by what may be spent
        for spent in range(1, most + 1):
            layer = dict(layers[-1])
            near = {n for below in layers for h in below for n in neighbours[h]}
            for h in near:
                cost = self.cost(kind, h)
                if cost is None or cost > spent:
                    continue
                before = layers[spent - cost]
                passed = (starts if self._terrain(n).stops else before for n in neighbours[h])
                steps = [part.get(n, FALSE) for n, part in zip(neighbours[h], passed, strict=True)]
                layer[h] = or_(layer.get(h, FALSE), and_(any_of(steps), not_(enemy(h))))
            layers.append(layer)
        return layers[-1]
