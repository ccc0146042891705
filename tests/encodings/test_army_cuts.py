"""Cuts of armies: no plan breaks one, on any board, from any start; a solver that knows the laws alone says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from vclogic_encodings.axis_allies.board import City

from tests.fixtures.pace import examples
from tests.oracles.integer_arithmetic import Integers
from tests.query.plan.test_armies import Question, cornered, landings, questions
from tests.query.plan.test_army_records import after, asked_from, begin
from tests.toys.army_boards import TYPES
from tests.toys.army_starts import Start, starts
from vclogic.encode.linear.terms import compile_program
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


# ---- with and without each family


@examples(25)
@given(st.one_of(landings(), questions(theatre="full"), questions(theatre="land")))
def test_no_family_changes_what_is_cheapest(question: Question) -> None:
    asked = (question.board, question.chosen, question.system, begin(question), question.side, IDLE, question.within)
    steps, best = Start(*asked, question.aim.text).steps, question.fewest()
    families = {cut.family for cut in steps.cuts}
    event(f"{len(families)} families")
    kept = [set(), families, *({f} for f in families), *(families - {f} for f in families)]
    for some in kept:
        cuts = [cut.term for cut in steps.cuts if cut.family in some]
        program = compile_program([*steps.laws, steps.goal, *cuts], steps.cost)
        solver = Integers()
        assert solver.cheaper(program, None if best is None else best + 1) == (best is not None), some
        assert best is None or not solver.cheaper(program, best), some


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
    types = {**TYPES, **{k: replace(TYPES[k], **some) for k, some in kinds.items()}}  # type: ignore[arg-type]
    question = cornered(units, edges, "B", types=types)
    answer = question.answer()
    assert question.fewest() == fewest
    assert (answer.status, answer.cost) == ("impossible" if fewest is None else "optimal", fewest)
    assert answer.record is None or answer.record.events is not None


@pytest.mark.parametrize(("kind", "fewest"), [("infantry", 4), ("artillery", 2)])
def test_what_costs_nothing_is_not_bounded_by_money(kind: str, fewest: int) -> None:
    types = {**TYPES, kind: replace(TYPES[kind], cost=0)}
    question = cornered("A Germans infantry=1 complex=1; B Russians infantry=2", "A-B", "B", types=types)
    home = replace(question.board.territories["A"], city=City("Berlin", "capital", "Germans"), ipc=kind != "infantry")
    board = replace(question.board, territories={**question.board.territories, "A": home})
    answer = replace(question, board=board, within=2, chosen={**question.chosen, "purchases": "on"}).answer()
    assert (answer.status, answer.cost) == ("optimal", fewest)


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
