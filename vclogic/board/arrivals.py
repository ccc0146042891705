"""Where a piece gets to over a map on which it is not known beforehand what stands in its way, as terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from vclogic.terms.atoms import FALSE
from vclogic.terms.build import and_, any_of, eq, not_, or_
from vclogic.terms.term import Term

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
    """For each place whether a piece gets there: by some way that costs no more than it may.

    What `cheapest_ways` says of what is known. A layer for each number of points: a place is reached with them if it
    was with one less, or if the points to enter it are there and a neighbour that lets the piece go on was reached
    before.

    Args:
        neighbours: The places that each place touches, both ways.
        cost: What it costs to enter each place, 1 or more; left out: it cannot be entered.
        place: Where the piece is, an Enum term.
        sources: The places where it can be.
        most: The most that a way may cost.
        closed: For each place whether it is not entered, whatever it costs; left out: it may be.
        stops: For each place whether ways end in it; they may begin there. Left out: they need not.
    """
    start = {name: eq(place, name) for name in sources}
    reached, onward = dict(start), [dict(start)]
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
