"""Shortest paths over a map, by the cost to enter each place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from heapq import heappop, heappush

from vclogic.clock import look

Route = tuple[str, ...]
"""The places that a way leads through, its end included, its start not."""


def cheapest_ways(
    neighbours: Mapping[str, Iterable[str]],
    cost: Mapping[str, int],
    source: str,
    most: int,
    closed: Set[str] = frozenset(),
    stops: Set[str] = frozenset(),
) -> dict[str, Route]:
    """A shortest path to each reachable place, by Dijkstra's algorithm.

    Of ways that cost the same it is the one through the fewest places, and of those the first by their names.

    Args:
        neighbours: The places that each place touches.
        cost: What it costs to enter each place, 0 or more; left out: it cannot be entered.
        source: Where ways begin; none leads back there.
        most: The most that a way may cost.
        closed: Places that are not entered, whatever it costs.
        stops: Places that ways end in, but may begin in.
    """
    done: dict[str, Route] = {}
    queue: list[tuple[int, int, Route, str]] = [(0, 0, (), source)]
    look()
    while queue:
        paid, length, route, here = heappop(queue)
        if here in done:
            continue
        done[here] = route
        # A piece stops there, but may begin there.
        if here in stops and here != source:
            continue
        for place in neighbours[here]:
            if place not in done and place not in closed and place in cost and paid + cost[place] <= most:
                heappush(queue, (paid + cost[place], length + 1, (*route, place), place))
    del done[source]
    return done
