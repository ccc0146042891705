"""Paths over the map: where a unit gets to in one move, and in several."""

from __future__ import annotations

from collections.abc import Mapping

from vclogic_encodings.moscow.board import Board

from vclogic.board.arrivals import Route, cheapest_ways
from vclogic.model.memoized import memoized

Hexes = frozenset[str]


class Paths:
    """Cheapest paths by terrain; each is found once.

    Attributes:
        board: The board.
    """

    def __init__(self, board: Board):
        self.board = board

    @memoized
    def moves(self, source: str, allowance: int, closed: Hexes) -> Mapping[str, Route]:
        """For each hex within a movement allowance a cheapest route to it; the source itself is none of them.

        Args:
            source: Where the unit is.
            allowance: Its movement points.
            closed: Hexes that it does not enter.
        """
        return cheapest_ways(self.board.near, self.board.cost, source, allowance, closed)

    @memoized
    def of_moves(self, source: str, allowance: int, closed: Hexes, most: int) -> Mapping[str, tuple[Route, ...]]:
        """For each hex that a unit gets to by moves in so many turns the routes of the fewest that lead there.

        Args:
            source: Where the unit is.
            allowance: Its movement points.
            closed: Hexes that it does not enter.
            most: The most moves.
        """
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
        return found
