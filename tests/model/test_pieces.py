"""Moves of pieces, a choice for each: exactly those that they can make from where they can be."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from vclogic.board.hexgrid import HexGrid
from vclogic.encode.python.evaluator import interpret
from vclogic.model.pieces import alone, move_choices
from vclogic.terms.atoms import FALSE, TRUE, constant, var
from vclogic.terms.build import all_of
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort

PLACES = EnumSort("place", ("gone", "a", "b", "c", "d"))
GRID = HexGrid(3, 3)
HEXES = EnumSort("hex", ("off", *GRID.hexes))
AT = {p: var(f"at[{p}]", HEXES) for p in "ab"}
anywhere = st.sampled_from(HEXES.members)


@examples(40)
@given(st.integers(0, 2**32 - 1))
def test_a_piece_gets_to_where_a_way_leads_and_nowhere_else(seed: int) -> None:
    rng = Random(seed)
    ways = {p: rng.sample(PLACES.members[1:], rng.randint(0, 3)) for p in PLACES.members[1:]} | {"gone": []}
    piece = var("at[x]", PLACES)
    start = var("at[x]@1", PLACES, mask=rng.choice([0b11111, 0b00010, 0b01101, 0b10001]))
    at = {"x": piece}
    one = move_choices(at, lambda _, place: ways[place], {piece: start})
    sources = [p for i, p in enumerate(PLACES.members) if start.mask >> i & 1]
    assert {*one.targets.get("x", ())} == {t for p in sources for t in ways[p] if t != p}
    for place in sources:
        here = {piece: constant(PLACES, place)}
        reached = set()
        choice = one.choices.get("x")
        for target in ("gone", *one.targets.get("x", ())):
            then = Substitution(here if choice is None else {**here, choice: constant(PLACES, target)})
            if then(all_of(one.laws)) is TRUE:
                reached.add(then(one.place("x")).value)
                assert then(one.moved("x")) is (TRUE if target != "gone" else FALSE)
                assert all(then(one.goes("x", (t,))) is (TRUE if t == target else FALSE) for t in PLACES.members[1:])
        assert reached == {place, *ways[place]}


@given(anywhere, anywhere)
def test_two_pieces_may_not_stand_in_one_hex(a: str, b: str) -> None:
    laws = alone(AT, GRID.hexes)
    slot = {v: i for i, v in enumerate(AT.values())}
    state = [HEXES.index[a], HEXES.index[b]]
    assert bool(interpret(all_of(laws), slot, state)) == (a != b or a == "off")
