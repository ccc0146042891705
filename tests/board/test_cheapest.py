"""Cheapest ways, against trying every way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from vclogic.board.arrivals import Route, cheapest_ways

PLACES = tuple("ABCDE")
some = st.sets(st.sampled_from(PLACES), max_size=2)


def every_way(near: Mapping[str, tuple[str, ...]], source: str) -> Iterator[Route]:
    """All ways from a place that lead through none twice."""
    for way in (way for length in range(1, len(PLACES)) for way in permutations(PLACES, length)):
        if source not in way and all(b in near[a] for a, b in zip((source, *way), way, strict=False)):
            yield way


@examples(150)
@given(
    edges=st.sets(st.sampled_from([*permutations(PLACES, 2)]), max_size=14),
    cost=st.dictionaries(st.sampled_from(PLACES), st.integers(0, 3), min_size=3),
    source=st.sampled_from(PLACES),
    most=st.integers(0, 6),
    closed=some,
    stops=some,
)
def test_cheapest_ways_are_the_least_of_all_ways(
    edges: set[tuple[str, str]], cost: dict[str, int], source: str, most: int, closed: set[str], stops: set[str]
) -> None:
    near = {p: tuple(b for a, b in edges if a == p) for p in PLACES}
    best: dict[str, tuple[int, int, Route]] = {}
    for way in every_way(near, source):
        if cost.keys() >= {*way} and closed.isdisjoint(way) and stops.isdisjoint(way[:-1]):
            paid = sum(cost[p] for p in way)
            if paid <= most:
                best[way[-1]] = min(best.get(way[-1], (paid, len(way), way)), (paid, len(way), way))
    found = cheapest_ways(near, cost, source, most, closed, stops)
    assert found == {target: way for target, (_, _, way) in best.items()}
