"""Ways over the map: where a unit gets to in one move, and in several."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush

from vclogic_encodings.moscow.board import Board

Route = tuple[str, ...]
"""The hexes that a move leads through, its end included, its start not."""
Hexes = frozenset[str]


class Ways:
    """Cheapest ways by terrain; each is found once.

    Attributes:
        board: The board.
    """

    def __init__(self, board: Board):
        self.board = board
        self._moves: dict[tuple[str, int, Hexes], Mapping[str, Route]] = {}
        self._marches: dict[tuple[str, int, Hexes, int], Mapping[str, tuple[Route, ...]]] = {}

    def moves(self, source: str, allowance: int, closed: Hexes) -> Mapping[str, Route]:
        """For each hex within a movement allowance a cheapest route to it; the source itself is none of them.

        Args:
            source: Where the unit is.
            allowance: Its movement points.
            closed: Hexes that it does not enter.
        """
        key = source, allowance, closed
        if key not in self._moves:
            self._moves[key] = self._search(source, allowance, closed)
        return self._moves[key]

    def _search(self, source: str, allowance: int, closed: Hexes) -> Mapping[str, Route]:
        done: dict[str, Route] = {}
        queue: list[tuple[int, int, Route, str]] = [(0, 0, (), source)]
        while queue:
            paid, length, route, here = heappop(queue)
            if here in done:
                continue
            done[here] = route
            for h in self.board.near[here]:
                cost = paid + self.board.cost[h]
                if cost <= allowance and h not in closed and h not in done:
                    heappush(queue, (cost, length + 1, (*route, h), h))
        del done[source]
        return done

    def marches(self, source: str, allowance: int, closed: Hexes, most: int) -> Mapping[str, tuple[Route, ...]]:
        """For each hex that a unit gets to by moves in so many turns the routes of the fewest that lead there.

        Args:
            source: Where the unit is.
            allowance: Its movement points.
            closed: Hexes that it does not enter.
            most: The most moves.
        """
        key = source, allowance, closed, most
        if key not in self._marches:
            found: dict[str, tuple[Route, ...]] = {source: ()}
            last = [source]
            for _ in range(most):
                new: dict[str, tuple[Route, ...]] = {}
                for here in last:
                    for h, route in self.moves(here, allowance, closed).items():
                        if h not in found and h not in new:
                            new[h] = (*found[here], route)
                found |= new
                last = list(new)
            del found[source]
            self._marches[key] = found
        return self._marches[key]
