"""Moves of pieces, with a choice for each move and with one for each piece: the same states follow."""

from __future__ import annotations

from itertools import product
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.support.pace import examples
from vclogic.model.pieces import journeys, moves
from vclogic.terms.atoms import FALSE, TRUE, constant, var
from vclogic.terms.build import all_of
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort

PLACES = EnumSort("place", ("gone", "a", "b", "c", "d"))


@examples(40)
@given(st.integers(0, 2**32 - 1))
def test_a_choice_for_each_piece_says_the_same_as_one_for_each_move(seed: int) -> None:
    rng = Random(seed)
    ways = {p: rng.sample(PLACES.members[1:], rng.randint(0, 3)) for p in PLACES.members[1:]} | {"gone": []}
    piece = var("at[x]", PLACES)
    start = var("at[x]@1", PLACES, mask=rng.choice([0b11111, 0b00010, 0b01101, 0b10001]))
    at = {"x": piece}
    many = moves(at, lambda _, place: ways[place], {piece: start})
    one = journeys(at, lambda _, place: ways[place], {piece: start})
    assert {t for _, t in many.choices.values()} == {*one.targets.get("x", ())}
    for place in (p for i, p in enumerate(PLACES.members) if start.mask >> i & 1):
        here = {piece: constant(PLACES, place)}
        by_move = set()
        for values in product((FALSE, TRUE), repeat=len(many.choices)):
            then = Substitution({**here, **dict(zip(many.choices, values, strict=True))})
            if then(all_of(many.laws)) is TRUE:
                by_move.add(then(many.places.get("x", piece)).value)
        by_piece = set()
        choice = one.choices.get("x")
        for target in ("gone", *one.targets.get("x", ())):
            then = Substitution(here if choice is None else {**here, choice: constant(PLACES, target)})
            if then(all_of(one.laws)) is TRUE:
                by_piece.add(then(one.place("x")).value)
                assert then(one.moved("x")) is (TRUE if target != "gone" else FALSE)
                assert all(then(one.goes("x", (t,))) is (TRUE if t == target else FALSE) for t in PLACES.members[1:])
        assert by_move == by_piece == {place, *ways[place]}
