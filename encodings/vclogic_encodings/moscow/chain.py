"""Lines of adjoining hexes, and the fewest of their hexes that are not covered."""

from __future__ import annotations

from collections.abc import Mapping

from vclogic.board.area import distances
from vclogic.board.hexgrid import HexGrid, connected, zone_of_control
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import and_, any_of, ite, or_
from vclogic.terms.term import Term


def steps_from(grid: HexGrid, hex_: str) -> Mapping[str, int]:
    """For each hex that adjoining hexes join to a hex the fewest steps from there."""
    return distances(grid.neighbours, hex_, len(grid.hexes))


def in_one_piece(grid: HexGrid) -> bool:
    """True if adjoining hexes join all hexes of a map."""
    return len(steps_from(grid, grid.hexes[0])) == len(grid.hexes)


def longest(grid: HexGrid) -> int:
    """The most steps that one hex of a map is from another."""
    return max(max(steps_from(grid, h).values()) for h in grid.hexes)


def fewest_open(
    grid: HexGrid, starts: Mapping[str, Term], ends: Mapping[str, Term], covered: Mapping[str, Term], most: int
) -> Term:
    """The fewest hexes that are not covered in a line of adjoining hexes from a start to an end; 0 without a start.

    Args:
        starts: Where a line may begin; left out: nowhere.
        ends: Where it may end.
        covered: For each hex whether it is covered.
        most: More than so many are never counted.
    """
    reached = dict.fromkeys(grid.hexes, FALSE)
    arrived: list[Term] = []  # for each number of open hexes whether a line has no more
    while len(arrived) < most and TRUE not in arrived:
        begun = {h: t if arrived else and_(t, covered[h]) for h, t in starts.items()}
        beside = zone_of_control(grid.neighbours, reached)
        sources = {h: or_(begun.get(h, FALSE), reached[h], beside[h]) for h in grid.hexes}
        reached = connected(grid, sources, covered)
        arrived.append(any_of(and_(reached[h], t) for h, t in ends.items()))
    fewest: Term = integer(len(arrived))
    for number, enough in reversed([*enumerate(arrived)]):
        fewest = ite(enough, integer(number), fewest)
    return ite(any_of(starts.values()), fewest, integer(0))
