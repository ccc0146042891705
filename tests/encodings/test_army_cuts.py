"""Cuts of armies: no plan breaks one, on any board, from any start; a solver that knows the laws alone says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import event, given

from tests.query.test_armies import cornered
from tests.query.test_army_records import after, asked_from, begin
from tests.support.army_boards import TYPES
from tests.support.army_cuts import Start, starts
from tests.support.pace import examples
from vclogic.model.actions import Event
from vclogic.model.system import ANY, IDLE


@examples(80)
@given(starts())
def test_no_plan_breaks_a_cut(start: Start) -> None:
    steps = start.steps
    for family in {cut.family for cut in steps.cuts}:
        event(family)
    assert steps.broken == []


@examples(15)
@given(starts(whose=((True, ANY), (False, IDLE), (False, ANY))))
def test_where_enemies_move_nothing_is_argued(start: Start) -> None:
    steps = start.steps
    assert not [cut for cut in steps.cuts if cut.argued]
    assert steps.broken == []


# ---- boards that the game has not


Kinds = Mapping[str, Mapping[str, int | bool]]
ODD: Mapping[str, tuple[Kinds, str, str, int | None]] = {
    "artillery strengthens infantry that has no attack": (
        {"infantry": {"attack": 0}},
        "A Germans infantry=1 artillery=1; B Russians armour=1",
        "A-B",
        2,
    ),
    "artillery that has no attack strengthens infantry": (
        {"artillery": {"attack": 0}},
        "A Germans infantry=1 artillery=1; B Russians infantry=1",
        "A-B",
        2,
    ),
    "infantry that is artillery strengthens itself": (
        {"infantry": {"supports_infantry": True}},
        "A Germans infantry=2; B Russians infantry=2",
        "A-B",
        2,
    ),
    "a soldier without attack enters what aircraft win": (
        {"infantry": {"attack": 0}},
        "A Germans infantry=1 fighter=1; B Russians infantry=1",
        "A-B",
        2,
    ),
    "one voyage to carry and to bombard": (
        {"transport": {"bombards": True, "attack": 4}},
        "A Germans infantry=1; B Russians artillery=1 infantry=1; S1 Germans; S2 Germans transport=1",
        "A-S1 B-S1 S1-S2",
        2,
    ),
    "a transport too small for anybody": (
        {"transport": {"transport_room": 1}},
        "A Germans infantry=1; B Russians; S1 Germans transport=1 battleship=1",
        "A-S1 B-S1",
        None,
    ),
    "two kinds of transports": (
        {"submarine": {"transport_room": 3}},
        "A Germans infantry=3; B Russians infantry=1 artillery=1; S1 Germans transport=1 submarine=1",
        "A-S1 B-S1",
        None,
    ),
    "two kinds of transports, one of them needed": (
        {"submarine": {"transport_room": 3}},
        "A Germans infantry=2; B Russians infantry=1; S1 Germans transport=1 submarine=1",
        "A-S1 B-S1",
        3,
    ),
    "two kinds of transports, both needed": (
        {"submarine": {"transport_room": 3}},
        "A Germans infantry=3; B Russians infantry=3; S1 Germans transport=1 submarine=1; F Germans fighter=1",
        "A-S1 B-S1 F-B",
        6,
    ),
}
"""Kinds of units that are changed, a board, what touches what, and the fewest moves to B; None: it holds out."""


@pytest.mark.parametrize("name", ODD)
def test_kinds_of_units_that_the_game_has_not(name: str) -> None:
    kinds, units, edges, fewest = ODD[name]
    types = {**TYPES, **{kind: replace(TYPES[kind], **some) for kind, some in kinds.items()}}
    question = cornered(units, edges, "B", types=types)
    answer = question.answer()
    assert question.fewest() == fewest
    assert (answer.status, answer.cost) == ("impossible" if fewest is None else "optimal", fewest)
    assert answer.record is None or answer.record.events is not None


# ---- plans that begin within a turn


def march(unit: str, start: str, to: str) -> Event:
    args = (("power", "Germans"), ("unit", unit), ("count", 1), ("from", start), ("via", "none"), ("to", to))
    return Event("march", args)


def test_who_has_entered_a_landmass_is_there() -> None:
    question = replace(cornered("A Germans infantry=1; B Russians; C Russians", "A-B B-C", "B C"), within=2)
    answer = asked_from(question, after(question, begin(question), [march("infantry", "A", "B")]))
    assert (answer.status, answer.cost) == ("optimal", 1)


def test_who_has_entered_without_attack_needs_no_way_in() -> None:
    types = {**TYPES, "infantry": replace(TYPES["infantry"], attack=0)}
    question = cornered("A Germans infantry=1 fighter=1; B Russians infantry=1", "A-B", "B", types=types)
    answer = asked_from(question, after(question, begin(question), [march("infantry", "A", "B")]))
    assert (answer.status, answer.cost) == ("optimal", 1)
