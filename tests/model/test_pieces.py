"""The moves of pieces in a turn: exactly those that they can make from where they can be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vclogic.board.hexgrid import HexGrid
from vclogic.encode.python import interpret
from vclogic.model.pieces import alone, moves
from vclogic.terms.atoms import member, var
from vclogic.terms.build import all_of
from vclogic.terms.sorts import EnumSort

GRID = HexGrid(3, 3)
PLACES = EnumSort("place", ("off", *GRID.hexes))
AT = {p: var(f"at[{p}]", PLACES) for p in "ab"}
anywhere = st.sampled_from(PLACES.members)


def ways(piece: str, place: str) -> tuple[str, ...]:
    """a goes one hex, b two; nobody comes back."""
    return () if place == "off" else GRID.within(place, 1 if piece == "a" else 2)


def bounded(masks: dict[str, set[str]]) -> dict[object, object]:
    return {
        AT[p]: var(f"at[{p}]@1", PLACES, mask=sum(1 << PLACES.index[x] for x in places))
        for p, places in masks.items()
    }


@given(st.sets(anywhere, min_size=1), st.sets(anywhere, min_size=1))
def test_there_are_choices_only_for_what_can_be_reached(a: set[str], b: set[str]) -> None:
    state = bounded({"a": a, "b": b})
    found = moves(AT, ways, state)  # type: ignore[arg-type]
    expected = {(p, t) for p, places in (("a", a), ("b", b)) for s in places for t in ways(p, s) if t != s}
    assert set(found.choices.values()) == expected


@given(anywhere, anywhere, st.sets(st.integers(0, 40), max_size=3))
def test_what_the_laws_allow(a: str, b: str, picked: set[int]) -> None:
    """From a known state: a set of choices is legal if each piece moves at most once."""
    state = {AT["a"]: member(PLACES, a), AT["b"]: member(PLACES, b)}
    found = moves(AT, ways, state)
    choices = list(found.choices)
    chosen = [choices[i] for i in sorted(picked) if i < len(choices)]
    slot = {v: i for i, v in enumerate([*AT.values(), *choices])}
    now = [PLACES.index[a], PLACES.index[b], *(int(c in chosen) for c in choices)]
    movers = [found.choices[c][0] for c in chosen]
    assert bool(interpret(all_of(found.laws), slot, now)) == (len(movers) == len(set(movers)))
    assert interpret(found.number, slot, now) == len(chosen)
    if len(movers) == len(set(movers)):
        after = {p: PLACES.members[interpret(t, slot, now)] for p, t in found.places.items()}
        targets = {found.choices[c][0]: found.choices[c][1] for c in chosen}
        assert after == {p: targets.get(p, {"a": a, "b": b}[p]) for p in found.places}


@given(anywhere, anywhere)
def test_two_pieces_may_not_stand_in_one_hex(a: str, b: str) -> None:
    laws = alone(AT, GRID.hexes)
    slot = {v: i for i, v in enumerate(AT.values())}
    state = [PLACES.index[a], PLACES.index[b]]
    assert bool(interpret(all_of(laws), slot, state)) == (a != b or a == "off")
