"""Hex maps: distance is a metric, neighbours are what is one step away, borders and rows are where they should be."""

from __future__ import annotations

from itertools import pairwise
from math import dist, isclose, sqrt

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vclogic.board.hexgrid import HexGrid, Stagger
from vclogic.errors import InputError

STAGGERS: tuple[Stagger, ...] = ("odd-row", "even-row", "odd-column", "even-column")
SIZES, ORIGINS = st.integers(1, 8), st.integers(0, 2)
grids = st.builds(HexGrid, SIZES, SIZES, st.sampled_from(STAGGERS), st.just(frozenset[str]()), ORIGINS)


@st.composite
def places(draw: st.DrawFn, count: int) -> tuple[HexGrid, list[str]]:
    grid = draw(grids)
    return grid, [draw(st.sampled_from(grid.hexes)) for _ in range(count)]


@given(places(3))
def test_distance_is_a_metric(found: tuple[HexGrid, list[str]]) -> None:
    grid, (a, b, c) = found
    assert (grid.distance(a, b) == 0) == (a == b)
    assert grid.distance(a, b) == grid.distance(b, a)
    assert grid.distance(a, c) <= grid.distance(a, b) + grid.distance(b, c)


@given(grids)
def test_distance_is_the_shortest_way_over_neighbours(grid: HexGrid) -> None:
    graph = networkx.Graph(grid.edges)
    graph.add_nodes_from(grid.hexes)
    start = grid.hexes[0]
    lengths = networkx.single_source_shortest_path_length(graph, start)
    assert {h: grid.distance(start, h) for h in grid.hexes} == dict(lengths)


@given(grids)
def test_neighbours_are_one_step_away_and_lie_side_by_side(grid: HexGrid) -> None:
    for h, near in grid.neighbours.items():
        assert set(near) == {x for x in grid.hexes if grid.distance(h, x) == 1}
        for x in near:
            assert h in grid.neighbours[x]
            assert isclose(dist(grid.centre(h), grid.centre(x)), sqrt(3))
    assert len(grid.edges) == sum(map(len, grid.neighbours.values())) // 2


@given(grids)
def test_around_a_hex_are_six_places_on_the_map_or_off_it(grid: HexGrid) -> None:
    on_map = {grid.axial(h) for h in grid.hexes}
    for h in grid.hexes:
        outside = grid.outside(h)
        assert len(grid.neighbours[h]) + len(outside) == 6
        assert on_map.isdisjoint(outside)


@pytest.mark.parametrize(
    ("stagger", "near"),
    [
        ("odd-row", {"2,1", "0,1", "1,0", "2,0", "1,2", "2,2"}),
        ("even-row", {"2,1", "0,1", "0,0", "1,0", "0,2", "1,2"}),
        ("odd-column", {"1,0", "1,2", "0,1", "2,1", "0,2", "2,2"}),
        ("even-column", {"1,0", "1,2", "0,1", "2,1", "0,0", "2,0"}),
    ],
)
def test_what_lies_half_a_hex_further(stagger: Stagger, near: set[str]) -> None:
    assert set(HexGrid(3, 3, stagger).neighbours["1,1"]) == near


@given(grids)
def test_staggered_lines_lie_half_a_hex_further(grid: HexGrid) -> None:
    half = sqrt(3) / 2
    axis = 0 if grid.corner_north else 1
    lines = (
        [grid.row(r) for r in range(grid.rows)] if grid.corner_north else list(map(grid.column, range(grid.columns)))
    )
    firsts = [grid.centre(line[0])[axis] for line in lines]
    shift = half if grid.stagger.startswith("even" if grid.first % 2 else "odd") else -half
    for i, (a, b) in enumerate(pairwise(firsts)):
        assert isclose(b - a, shift if i % 2 == 0 else -shift, abs_tol=1e-9)


@given(grids)
def test_rows_columns_and_borders(grid: HexGrid) -> None:
    assert sorted(h for r in range(grid.rows) for h in grid.row(r)) == sorted(grid.hexes)
    assert sorted(h for c in range(grid.columns) for h in grid.column(c)) == sorted(grid.hexes)
    assert grid.border("north") == grid.row(0)
    assert grid.border("south") == grid.row(grid.rows - 1)
    assert grid.border("west") == grid.column(0)
    assert grid.border("east") == grid.column(grid.columns - 1)
    assert grid.span(grid.hexes[0], grid.hexes[-1]) == grid.hexes


@given(grids, st.integers(1, 3))
def test_a_map_numbered_from_another_number_is_the_same_map(grid: HexGrid, more: int) -> None:
    """By its printed numbers what is odd becomes even where all numbers grow by one."""
    at = STAGGERS.index(grid.stagger)
    stagger = STAGGERS[at ^ 1] if more % 2 else grid.stagger
    moved = HexGrid(grid.columns, grid.rows, stagger, frozenset(), grid.first + more)
    called = dict(zip(grid.hexes, moved.hexes, strict=True))
    for h, name in called.items():
        assert name == ",".join(str(int(n) + more) for n in h.split(","))
        assert moved.axial(name) == grid.axial(h)
        assert moved.neighbours[name] == tuple(called[n] for n in grid.neighbours[h])
        assert moved.centre(name) == grid.centre(h)
    for line, hexes in grid.lines.items():
        kind, number = line.split()
        assert moved.lines[f"{kind} {int(number) + more}"] == tuple(called[h] for h in hexes)


def test_absent_hexes_are_not_on_the_map() -> None:
    grid = HexGrid(3, 2, "odd-row", frozenset({"2,1"}))
    assert "2,1" not in grid
    assert grid.row(1) == ("0,1", "1,1")
    assert grid.border("east") == ("2,0", "1,1")
    assert all("2,1" not in near for near in grid.neighbours.values())


@given(places(1), st.integers(0, 4))
def test_within_some_steps(found: tuple[HexGrid, list[str]], steps: int) -> None:
    grid, (h,) = found
    assert set(grid.within(h, steps)) == {x for x in grid.hexes if grid.distance(h, x) <= steps}


def test_bad_hexes_are_named() -> None:
    grid = HexGrid(4, 3)
    assert grid.flaws(["0,0", "3,2"]) == []
    assert grid.flaws(["4,0", "A1"]) == [
        "4,0 is off the map: columns 0 to 3, rows 0 to 2",
        "'A1' is no hex: write `column,row`",
    ]
    assert HexGrid(4, 3, first=1).flaws(["0,1", "4,3"]) == ["0,1 is off the map: columns 1 to 4, rows 1 to 3"]
    short = HexGrid(4, 3, absent=frozenset({"3,1", "0,2", "2,2"}))
    assert short.flaws(["3,1", "2,2"]) == [
        "3,1 is off the map: row 1 has columns 0 to 2",
        "2,2 is off the map: row 2 has columns 1, 3",
    ]
    with pytest.raises(InputError, match="'A1' is no hex"):
        grid.axial("A1")
