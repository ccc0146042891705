"""What lies within some moves, and which straits must be open, against walking."""

from __future__ import annotations

from itertools import chain, combinations

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from vclogic.board.area import AreaMap, distances, ways

REGIONS = tuple("ABCDEF")
PAIRS = tuple(combinations(REGIONS, 2))


def walk(edges: set[frozenset[str]], start: str, moves: int) -> dict[str, int]:
    """The regions within some moves, with the fewest for each."""
    found = {start: 0}
    for step in range(1, moves + 1):
        for edge in edges:
            for a in edge:
                (b,) = edge - {a}
                if found.get(a) == step - 1:
                    found.setdefault(b, step)
    return found


@examples(150)
@given(st.data())
def test_ways(data: st.DataObject) -> None:
    connections = data.draw(st.lists(st.sampled_from(PAIRS), unique=True, max_size=10))
    straits = {
        f"strait {i}": data.draw(st.sampled_from([edge, edge[::-1]]))
        for i, edge in enumerate(data.draw(st.lists(st.sampled_from(PAIRS), unique=True, max_size=3)))
    }
    start, moves = data.draw(st.sampled_from(REGIONS)), data.draw(st.integers(0, 5))
    area = AreaMap(REGIONS, tuple(connections))
    found = ways(area.part(REGIONS), straits, start, moves)
    edges = {frozenset(e) for e in connections}
    narrow = {name: frozenset(e) for name, e in straits.items() if frozenset(e) in edges}
    for opened in chain.from_iterable(combinations(straits, k) for k in range(len(straits) + 1)):
        usable = edges - {e for name, e in narrow.items() if name not in opened}
        within = walk(usable, start, moves)
        for region in REGIONS:
            sets = [s for s, _ in found.get(region, ()) if s <= set(opened)]
            assert bool(sets) == (region in within)
    for region, sets_ in found.items():
        needs = [s for s, _ in sets_]
        assert not any(a < b for a in needs for b in needs), "a set that is not the smallest"
        assert len(set(needs)) == len(needs)
        for s, away in sets_:
            usable = edges - {e for name, e in narrow.items() if name not in s}
            assert walk(usable, start, moves)[region] == away


@examples(100)
@given(st.lists(st.sampled_from(PAIRS), unique=True, max_size=10), st.integers(0, 5))
def test_distances(connections: list[tuple[str, str]], moves: int) -> None:
    area = AreaMap(REGIONS, tuple(connections))
    for start in REGIONS:
        found = distances(area.neighbours, start, moves)
        graph = networkx.Graph(connections)
        graph.add_nodes_from(REGIONS)
        assert found == dict(networkx.single_source_shortest_path_length(graph, start, cutoff=moves))
        assert list(found.values()) == sorted(found.values())


def test_a_strait_beside_an_open_way_is_not_needed() -> None:
    area = AreaMap(("A", "B", "C"), (("A", "B"), ("B", "C"), ("A", "C")))
    found = ways(area.part("ABC"), {"canal": ("A", "C")}, "A", 2)
    assert found["C"] == [(frozenset(), 2)]
    assert ways(area.part("ABC"), {"canal": ("A", "C")}, "A", 1)["C"] == [(frozenset({"canal"}), 1)]
    assert set(ways(area.part("ABC"), {}, "A", 0)) == {"A"}


def test_neighbours_and_parts_of_a_map() -> None:
    area = AreaMap(("A", "B", "C"), (("A", "B"), ("C", "B"), ("B", "A")))
    assert area.neighbours == {"A": ("B",), "B": ("A", "C"), "C": ("B",)}
    part = area.part(["A", "B"])
    assert part == {"A": ("B",), "B": ("A",)}


def test_a_connection_to_nowhere_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        _ = AreaMap(("A",), (("A", "B"),)).neighbours
