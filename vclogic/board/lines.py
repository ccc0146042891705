"""Occupied hexes, zones of control and lines of communication on a hex map, as terms for any game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vclogic.board.hexgrid import HexGrid
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import any_of, in_mask
from vclogic.terms.reach import Graph, reach
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term


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
