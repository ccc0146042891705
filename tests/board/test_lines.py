"""Zones of control and lines of communication on hex maps, against a direct search in Python."""

from __future__ import annotations

from collections.abc import Set

from hypothesis import given
from hypothesis import strategies as st

from vclogic.board.hexgrid import HexGrid, connected, occupied, zone_of_control
from vclogic.encode.python.evaluator import interpret
from vclogic.terms.atoms import boolean, var
from vclogic.terms.sorts import BOOL, EnumSort

GRID = HexGrid(4, 4, "odd-column")
PLACES = EnumSort("place", ("off", *GRID.hexes))
FREE = {h: var(f"free {h}", BOOL) for h in GRID.hexes}
END = {h: var(f"end {h}", BOOL) for h in GRID.hexes}
hexes = st.sets(st.sampled_from(GRID.hexes))


def search(ends: Set[str], usable: Set[str]) -> set[str]:
    """The hexes from which a line leads to an end."""
    found, queue = set(ends), list(ends)
    while queue:
        for n in GRID.neighbours[queue.pop()]:
            if n in usable and n not in found:
                found.add(n)
                queue.append(n)
    return found


@given(hexes, hexes)
def test_lines(ends: set[str], usable: set[str]) -> None:
    terms = connected(GRID, END, FREE)
    variables = [*FREE.values(), *END.values()]
    slot = {v: i for i, v in enumerate(variables)}
    state = [int(h in usable) for h in FREE] + [int(h in ends) for h in END]
    assert {h for h, t in terms.items() if interpret(t, slot, state)} == search(ends, usable)


@given(hexes, hexes)
def test_lines_over_a_known_map_are_known(ends: set[str], usable: set[str]) -> None:
    terms = connected(
        GRID, {h: boolean(h in ends) for h in GRID.hexes}, {h: boolean(h in usable) for h in GRID.hexes}
    )
    assert all(t.is_const for t in terms.values())
    assert {h for h, t in terms.items() if t.payload} == search(ends, usable)


@given(st.lists(st.sampled_from(PLACES.members), max_size=5))
def test_who_stands_where_and_whose_zone_it_is(at: list[str]) -> None:
    pieces = [var(f"at {i}", PLACES) for i in range(len(at))]
    slot = {v: i for i, v in enumerate(pieces)}
    state = [PLACES.index[p] for p in at]
    there = occupied(GRID, pieces)
    zone = zone_of_control(GRID.neighbours, there)
    assert {h for h in GRID.hexes if interpret(there[h], slot, state)} == {*at} - {"off"}
    around = {n for p in at if p != "off" for n in GRID.neighbours[p]}
    assert {h for h in GRID.hexes if interpret(zone[h], slot, state)} == around
