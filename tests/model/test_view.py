"""Fluents read by a view: who is where in a known state, and families that are recorded for some things only."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from vclogic.encode.python.evaluator import apply, failed
from vclogic.model.actions import Action, Event, Parameter, Requirement, Schema
from vclogic.model.fluents import Family, Layout, State, value
from vclogic.model.memoized import memoized
from vclogic.model.system import System
from vclogic.model.view import EVERY_STATE, KnownState, View
from vclogic.terms.atoms import FALSE, TRUE, constant
from vclogic.terms.build import eq, ite, ne, not_
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import BOOL, EnumSort, IntSort

UNITS = Domain(EnumSort("unit", tuple(f"u{i}" for i in range(7))))
PLACES = EnumSort("place", ("off", "wood", "hill", "ford"))
AT = Family("at", PLACES, "where", (UNITS,))
TIRED = Family("tired", BOOL, "tired", (Domain(EnumSort("foot", ("u0", "u2", "u3"))),), otherwise=False)
LOADED = Family("loaded", BOOL, "loaded", otherwise=True, empty=True)
ROUND = Family("round", IntSort(1, 9), "the round")
LAYOUT = Layout((AT, TIRED, ROUND))


def some_state(rng: Random) -> State:
    return tuple(rng.choice(range(v.lo, v.hi + 1)) for v in LAYOUT.fluents)


def changed(state: State, rng: Random) -> State:
    """The state with a few other values, or none."""
    new, other = list(state), some_state(rng)
    for i in rng.sample(range(len(new)), rng.randint(0, 3)):
        new[i] = other[i]
    return tuple(new)


@examples(60)
@given(st.integers(0, 2**32))
def test_a_view_from_the_last_one_is_that_of_the_state(seed: int) -> None:
    rng = Random(seed)
    state = some_state(rng)
    view = KnownState(LAYOUT, state)
    for _ in range(6):
        there = {u: value(PLACES, n) for u, n in zip(AT.names, state, strict=False)}
        asked = rng.sample(PLACES.members, rng.randint(0, 3))
        if rng.random() < 0.7:  # what nobody asks is brought up to date later
            assert sorted(view.having(AT, [*asked, "nowhere"])) == [u for u in AT.names if there[u] in asked]
            assert list(view.taken(AT)) == [p for p in PLACES.members if p in there.values()]
        for v, n in zip(LAYOUT.fluents, state, strict=True):
            assert view(v) is constant(v.sort, value(v.sort, n))
        state = changed(state, rng)
        view = KnownState(LAYOUT, state, view)


def test_in_every_state_anything_may_be_anywhere() -> None:
    assert [EVERY_STATE(v) for v in LAYOUT.fluents] == list(LAYOUT.fluents)
    assert list(EVERY_STATE.having(AT, ("hill",))) == list(UNITS.sort.members)
    assert list(EVERY_STATE.having(AT, ("nowhere",))) == []
    assert list(EVERY_STATE.taken(AT)) == list(PLACES.members)
    assert EVERY_STATE.only(AT) is EVERY_STATE


class Made:
    """Counts what is made of a view."""

    made = 0

    @staticmethod
    @memoized
    def of(view: View) -> int:
        Made.made += 1
        return Made.made


def test_a_part_of_a_view_is_one_object_as_long_as_it_stays_the_same() -> None:
    rng = Random(26)
    state = some_state(rng)
    first = KnownState(LAYOUT, state)
    part = first.only(TIRED)
    assert part(TIRED["u2"]) is constant(BOOL, bool(state[LAYOUT.slot[TIRED["u2"]]]))
    assert part(AT["u2"]) is AT["u2"]
    assert list(part.having(AT, ("hill",))) == list(UNITS.sort.members)

    later = list(state)
    later[LAYOUT.slot[AT["u1"]]] = (state[LAYOUT.slot[AT["u1"]]] + 1) % 4
    second = KnownState(LAYOUT, tuple(later), first)
    assert second.only(TIRED) is part
    before = Made.of(part)
    assert Made.of(second.only(TIRED)) == before

    later[LAYOUT.slot[TIRED["u0"]]] ^= 1
    third = KnownState(LAYOUT, tuple(later), second)
    assert third.only(TIRED) is not part
    assert third.only(TIRED)(TIRED["u0"]) is not part(TIRED["u0"])
    assert Made.of(third.only(TIRED)) != before


def test_families_say_what_is_read_of_what_they_are_not_recorded_for() -> None:
    assert TIRED["u1"] is FALSE
    assert TIRED["u2"].name == "tired[u2]"
    assert (LOADED["u1"], LOADED.names, dict(LOADED.fluents)) == (TRUE, (), {})
    assert KnownState(LAYOUT, some_state(Random(1)))(LOADED["u1"]) is TRUE
    with pytest.raises(KeyError):
        AT["u9"]
    with pytest.raises(TypeError, match="has no members"):
        ROUND.members["1"]


def climb(view: View = EVERY_STATE, /, *, unit: str) -> Action:
    """Onto the hill, where at most one unit may be."""
    there = [eq(view(AT[u]), "hill") for u in view.having(AT, ("hill",)) if u != unit]
    tired = view(TIRED[unit])
    return Action(
        "climb",
        (("unit", unit),),
        None,
        (
            *(Requirement(not_(t), "somebody is there") for t in there),
            Requirement(ne(view(AT[unit]), "off"), lambda values: f"{unit} is {values[AT[unit]]}"),
        ),
        ((AT[unit], ite(tired, view(AT[unit]), constant(PLACES, "hill"))),),
        f"{unit} climbs",
    )


def test_a_schema_is_written_once_for_all_states_and_for_one() -> None:
    schema = Schema("climb", (Parameter("unit", UNITS),), climb, "", viewed=True)
    system = System({"A": ("A",)}, (AT, TIRED, ROUND), {}, (), (), (), (), (schema,), ())
    rng = Random(7)
    sizes, results = [], set()
    for _ in range(60):
        state, event = some_state(rng), Event("climb", (("unit", rng.choice(UNITS.sort.members)),))
        one, every = system.action_in(state, event), system.action(event)
        lacking = bool(failed(system, state, every))
        assert bool(failed(system, state, one)) == lacking
        assert apply(system, state, one) == apply(system, state, every)
        sizes.append(len(one.requirements))
        assert len(every.requirements) == len(UNITS.sort.members)
        results.add(lacking)
    assert results == {True, False}
    assert min(sizes) < max(sizes) < len(UNITS.sort.members)
