"""Maps of hexes in a text: what touches, how far it is and where ways lead, against a search by hand.

Which hexes touch is worked out from where rows and columns lie on paper, in all four layouts, with holes and islands.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from math import dist, isclose, sqrt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vclogic
from tests.fixtures.pace import examples
from vclogic.game import Game

LAYOUTS = ("odd columns lower", "even columns lower", "odd rows right", "even rows right")
BOOK = """# Map

```vclogic
sides Red, Blue
turn is any number of events
hexes hex, {layout}
{rows}
  marks . open, w wood
fact seen(hex), starts false
event see by side hex
  then seen(hex) becomes true
```
"""
Near = Mapping[str, set[str]]


def on_paper(layout: str, column: int, row: int) -> tuple[float, float]:
    """The centre of a hex with sides of length 1; columns and rows are counted from 1."""
    which, what, _ = layout.split()
    if what == "columns":
        return 1.5 * column, sqrt(3) * (row + (0.5 if (column % 2 == 1) == (which == "odd") else 0))
    return sqrt(3) * (column + (0.5 if (row % 2 == 1) == (which == "odd") else 0)), 1.5 * row


def by_hand(layout: str, rows: list[str]) -> dict[str, tuple[float, float]]:
    """The hexes that there are, where they lie."""
    return {
        f"{chr(ord('A') + c)}{r + 1}": on_paper(layout, c + 1, r + 1)
        for r, row in enumerate(rows)
        for c, mark in enumerate(row)
        if mark != "-"
    }


def touching(at: Mapping[str, tuple[float, float]]) -> Near:
    """For each hex those whose centres are as far as two hexes with a common side are."""
    return {a: {b for b in at if a != b and isclose(dist(at[a], at[b]), sqrt(3))} for a in at}


def steps_from(start: str, near: Near, allowed: set[str]) -> dict[str, int]:
    """The steps to all that can be reached over what is allowed, by breadth-first search."""
    found, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in near[here] & allowed:
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found


@st.composite
def maps(draw: st.DrawFn) -> tuple[str, list[str]]:
    wide, high = draw(st.integers(2, 5)), draw(st.integers(2, 5))
    row = st.text("...w-", min_size=wide, max_size=wide)
    rows = draw(st.lists(row, min_size=high, max_size=high))
    return draw(st.sampled_from(LAYOUTS)), [draw(st.sampled_from(".w")).ljust(wide, "-"), *rows]


def written(folder: Path, layout: str, rows: list[str]) -> Game:
    path = folder / "map.md"
    path.write_text(BOOK.format(layout=layout, rows="\n".join(f"  {row}" for row in rows)))
    return vclogic.load(str(path))


@examples(400, 20)
@given(maps(), st.data())
def test_what_touches_and_how_far_it_is(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[str, list[str]], data: st.DataObject
) -> None:
    layout, rows = drawn
    game = written(tmp_path_factory.mktemp("map"), layout, rows)
    near = touching(by_hand(layout, rows))
    a = data.draw(st.sampled_from(sorted(near)))
    steps = steps_from(a, near, {*near})
    for b in near:
        assert game.value(f"adjacent('{a}', '{b}')") == (b in near[a])
        assert game.value(f"distance('{a}', '{b}')") == steps.get(b), f"{a} to {b}: no way is no way of length nought"
    for n in (0, 1, 2, 4):
        within = sum(s <= n for s in steps.values())
        assert game.value(f"count(hex where distance('{a}', hex) <= {n})") == within
        assert game.value(f"count(hex where distance(hex, '{a}') == {n})") == sum(s == n for s in steps.values())


@examples(400, 20)
@given(maps(), st.data())
def test_where_ways_lead(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[str, list[str]], data: st.DataObject
) -> None:
    layout, rows = drawn
    game = written(tmp_path_factory.mktemp("map"), layout, rows)
    near = touching(by_hand(layout, rows))
    open_ = {h for h in near if game.value(f"terrain('{h}')") == "open"}
    a, b = (data.draw(st.sampled_from(sorted(near))) for _ in range(2))
    over = f"connected('{a}', '{b}' through step hex where terrain(step) == open)"
    assert game.value(over) == ({a, b} <= open_ and b in steps_from(a, near, open_))
    seen = data.draw(st.sets(st.sampled_from(sorted(near))))
    there = game.at_state({"seen": dict.fromkeys(seen, True)})
    assert there.value(over.replace("terrain(step) == open", "seen(step)")) == (
        {a, b} <= seen and b in steps_from(a, near, seen)
    )


@examples(400, 20)
@given(maps())
def test_what_is_drawn_side_by_side_touches(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[str, list[str]]
) -> None:
    layout, rows = drawn
    picture = written(tmp_path_factory.mktemp("map"), layout, rows).picture()
    at = {r.name: r.at for r in picture.regions if r.at is not None}
    assert touching(at) == touching(by_hand(layout, rows))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_island_is_no_number_of_steps_away(layout: str, tmp_path: Path) -> None:
    game = written(tmp_path, layout, [".-.", ".-.", ".-."])
    assert game.value("distance(A1, C1)") is None
    assert game.value("count(hex where distance(A1, hex) <= 99)") == 3
    assert game.value("not distance(A1, C1) <= 99") is True, "what is undefined is never so"
