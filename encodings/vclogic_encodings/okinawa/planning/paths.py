"""How far units get in a turn: shortest paths over the map."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from vclogic_encodings.okinawa.board import Board

from vclogic.board.cheapest import Route, cheapest_ways


@dataclass(frozen=True)
class Enemy:
    """Where the enemy is as a turn begins.

    Attributes:
        hexes: Hexes that no unit enters.
        control: Hexes in which a unit that enters them stops.
    """

    hexes: Set[str] = frozenset()
    control: Set[str] = frozenset()


def paths(board: Board, source: str, allowance: int, enemy: Enemy) -> Mapping[str, Route]:
    """The hexes that a unit can get to, each with a path of least cost.

    Args:
        board: The map.
        source: Where the unit is; it may leave any hex.
        allowance: Its movement points.
        enemy: Where the enemy is.
    """
    return cheapest_ways(board.grid.neighbours, board.cost, source, allowance, enemy.hexes, enemy.control)
