"""How far units get in a turn: shortest ways over the map."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from vclogic_encodings.okinawa.board import Board

from vclogic.board.cheapest import Route, cheapest_ways
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import and_, eq, not_, or_
from vclogic.terms.term import Term


@dataclass(frozen=True)
class Enemy:
    """Where the enemy is as a turn begins.

    Attributes:
        hexes: Hexes that no unit enters.
        control: Hexes in which a unit that enters them stops.
    """

    hexes: Set[str] = frozenset()
    control: Set[str] = frozenset()


def ways(board: Board, source: str, allowance: int, enemy: Enemy) -> Mapping[str, Route]:
    """The hexes that a unit can get to, each with a way of least cost.

    Args:
        board: The map.
        source: Where the unit is; it may leave any hex.
        allowance: Its movement points.
        enemy: Where the enemy is.
    """
    return cheapest_ways(board.grid.neighbours, board.cost, source, allowance, enemy.hexes, enemy.control)


def arrivals(
    board: Board, place: Term, sources: Set[str], allowance: int, enemy: Mapping[str, Term], stop: Mapping[str, Term]
) -> Mapping[str, Term]:
    """For each hex whether a unit gets there, where it is not known where the enemy is.

    A layer for each number of movement points: a hex is reached with them if it was with one less, or if the points
    to enter it are there and a neighbour that lets the unit go on was reached before.

    Args:
        board: The map.
        place: Where the unit is, an Enum term.
        sources: The hexes where it can be.
        allowance: Its movement points.
        enemy: For each hex whether the enemy is there; left out: he is not.
        stop: For each hex whether a unit that enters it stops; left out: it does not.
    """
    start = {h: eq(place, h) for h in sources}
    layers: list[dict[str, Term]] = [dict(start)]
    onward: list[dict[str, Term]] = [dict(start)]
    for points in range(1, allowance + 1):
        reached = dict(layers[-1])
        for h, cost in board.cost.items():
            if cost <= points:
                near = [t for n in board.grid.neighbours[h] if (t := onward[points - cost].get(n)) is not None]
                if near:
                    here = or_(reached.get(h, FALSE), and_(not_(enemy.get(h, FALSE)), or_(*near)))
                    if here is not FALSE:
                        reached[h] = here
        layers.append(reached)
        go_on = ((h, or_(start.get(h, FALSE), and_(t, not_(stop.get(h, FALSE))))) for h, t in reached.items())
        onward.append({h: t for h, t in go_on if t is not FALSE})
    return layers[-1]
