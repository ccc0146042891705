"""Boards as graphs: parts and choke points against plain flooding; layouts without crossings, alike everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Collection, Mapping
from itertools import combinations
from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from vclogic.board.graphs import Movement, Part, choke_points, joined, layout, parts
from vclogic.draw.layout import spread
from vclogic.model.picture import Picture, Region

Around = Mapping[str, tuple[str, ...]]
Point = tuple[float, float]


@st.composite
def boards(draw: st.DrawFn, most: int = 9) -> Around:
    """Few links, so that there are parts, dead ends and places that join others."""
    names = draw(st.permutations("ABCDEFGHI"[: draw(st.integers(1, most))]))
    links = draw(st.lists(st.sampled_from([*combinations(names, 2)] or [("A", "A")]), max_size=len(names) + 1))
    return {n: tuple(m for m in names if m != n and ((n, m) in links or (m, n) in links)) for n in names}


def flooded(around: Around, without: Collection[str] = ()) -> list[Part]:
    """The parts of a board without some places, by walking from each place wherever ways lead."""
    found: list[Part] = []
    for start in around:
        if start in without or any(start in part for part in found):
            continue
        seen, edge = {start}, [start]
        while edge:
            new = [n for n in around[edge.pop()] if n not in seen and n not in without]
            seen.update(new)
            edge += new
        found.append(tuple(n for n in around if n in seen))
    return sorted(found, key=len, reverse=True)


@given(boards())
@examples(400)
def test_parts_and_choke_points_are_what_flooding_finds(around: Around) -> None:
    assert parts(around) == flooded(around)
    whole = len(flooded(around))
    expected = {}
    for place in around:
        if len(flooded(around, {place})) > whole - (not around[place]):
            (own,) = (part for part in flooded(around) if place in part)
            expected[place] = [part for part in flooded(around, {place}) if set(part) <= set(own)]
    assert dict(choke_points(around)) == expected


def test_what_moves_enters_only_places_with_a_cost() -> None:
    near = {"Isle": ("Sea",), "Sea": ("Isle", "Coast"), "Coast": ("Sea",)}
    ships, men = Movement("ships", near, {"Sea": 1}), Movement("men", near, {"Isle": 1, "Coast": 2})
    assert dict(ships.around) == {"Sea": ()}
    assert parts(men.around) == [("Isle",), ("Coast",)]
    assert dict(joined([ships, men])) == {"Sea": (), "Isle": (), "Coast": ()}


# ---- layouts

GRID = [(r * 5 + c, r * 5 + c + 1) for r in range(4) for c in range(4)] + [(i, i + 5) for i in range(15)]
DIAGONALS = [(r * 5 + c, r * 5 + c + 6) for r in range(3) for c in range(4)]
DIAGONALS += [(r * 5 + c + 1, r * 5 + c + 5) for r in range(3) for c in range(4)]
SQUARES = 12  # in the grid: the diagonals of each cross


def crossings(at: Mapping[int, Point], links: list[tuple[int, int]]) -> int:
    def left(p: Point, q: Point, r: Point) -> bool:
        return (q[0] - p[0]) * (r[1] - p[1]) > (q[1] - p[1]) * (r[0] - p[0])

    def cross(a: Point, b: Point, c: Point, d: Point) -> bool:
        return left(a, c, d) != left(b, c, d) and left(a, b, c) != left(a, b, d)

    pairs = (x for x in combinations(links, 2) if len({*x[0], *x[1]}) == 4)
    return sum(cross(*(at[i] for i in (*a, *b))) for a, b in pairs)


def drawn(links: list[tuple[int, int]]) -> dict[int, Point]:
    regions = tuple(Region(str(i), "land", str(i)) for i in range(20))
    found = spread(Picture((), (), regions, tuple((str(a), str(b)) for a, b in links)))
    return {int(name): at for name, at in found.items()}


def test_links_cross_only_where_they_must() -> None:
    assert crossings(dict(enumerate(layout(20, GRID))), GRID) == 0
    assert crossings(drawn([*GRID, *DIAGONALS]), [*GRID, *DIAGONALS]) == SQUARES


def test_a_map_is_drawn_without_networkx_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)  # as in the page that runs in a browser
    assert layout(20, GRID) == ()
    at = drawn([*GRID, *DIAGONALS])
    assert min(dist(at[a], at[b]) for a, b in combinations(at, 2)) > 0.1


def test_places_are_the_same_in_every_process() -> None:
    command = [sys.executable, "-c", f"from vclogic.board.graphs import layout; print(layout(20, {GRID}))"]
    elsewhere = subprocess.check_output(command, env={**os.environ, "PYTHONHASHSEED": "1"}, text=True)
    assert elsewhere.strip() == str(layout(20, GRID))
