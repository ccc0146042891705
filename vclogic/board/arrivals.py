"""Ways of a piece over a map: the cheapest ones, and those within its reach where what blocks them changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from heapq import heappop, heappush
from types import MappingProxyType

from vclogic.clock import check_deadline
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import and_, any_of, eq, not_, or_
from vclogic.terms.term import Term

# ---- the cost of ways


Route = tuple[str, ...]
"""The places that a way leads through, its end included, its start not."""


# ---- shortest paths over a map, by the cost to enter each place


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
    check_deadline()
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


# ---- ways that the state may block


NOWHERE: Mapping[str, Term] = MappingProxyType({})


def arrivals(
    neighbours: Mapping[str, Iterable[str]],
    cost: Mapping[str, int],
    place: Term,
    sources: Iterable[str],
    most: int,
    closed: Mapping[str, Term],
    stops: Mapping[str, Term] = NOWHERE,
) -> Mapping[str, Term]:
    """For each place, a Bool term: whether a piece can reach it by a path that costs at most `most`.

    The symbolic form of `cheapest_ways`. There is a layer for each number of movement points: a place is reached with
    n points if it is reached with n - 1, or if a neighbour from which the piece may go on is reached with n less the
    cost to enter the place.

    Args:
        neighbours: The places that each place touches, both ways.
        cost: What it costs to enter each place, 1 or more; left out: it cannot be entered.
        place: Where the piece is, an Enum term.
        sources: The places where it can be.
        most: The most that a path may cost.
        closed: For each place whether it cannot be entered; missing: it can.
        stops: For each place whether a path that enters it ends there; missing: it need not.
    """
    start = {name: eq(place, name) for name in sources}
    reached, onward = dict(start), [dict(start)]
    # Layer by layer: `onward[p]` says where a piece can be and go on after paying p points at most.
    for points in range(1, most + 1):
        now = dict(reached)
        near = dict.fromkeys(n for layer in onward for name in layer for n in neighbours[name])
        for name in near:
            price = cost.get(name, points + 1)
            if price > points:
                continue
            before = onward[points - price]
            came = any_of(before[n] for n in neighbours[name] if n in before)
            here = or_(now.get(name, FALSE), and_(came, not_(closed.get(name, FALSE))))
            if here is not FALSE:
                now[name] = here
        goes_on = ((n, or_(start.get(n, FALSE), and_(t, not_(stops.get(n, FALSE))))) for n, t in now.items())
        onward.append({name: t for name, t in goes_on if t is not FALSE})
        reached = now
    return reached
