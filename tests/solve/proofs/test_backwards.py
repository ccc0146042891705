"""What leads to a goal, event by event from its end, against trying every event in plain Python."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import event as note
from hypothesis import given

from tests.fixtures.efforts import effort
from tests.fixtures.games import loaded
from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import BUSY, examples
from tests.query.reach.test_all_events import NUMBERS, Rules, distant, questions
from tests.terms.specs import Spec, meaning, term
from vclogic.encode.grounding import directly
from vclogic.model.actions import Action, Parameter, Requirement, Schema
from vclogic.model.fluents import Family
from vclogic.model.grounded import Grounded
from vclogic.model.system import System
from vclogic.query.reach import bearing_events
from vclogic.solve.problem import Proof
from vclogic.solve.proofs.backwards import backwards
from vclogic.terms.build import add, eq, le
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term


def proved(system: System, goal: Term) -> Proof | None:
    start = system.layout.constants(system.layout.state(system.completed({})))

    def changing(t: Term) -> list[Grounded]:
        return directly(system, [t], lambda schema, action: action)

    with local_sessions(20):
        return backwards(goal, changing, start, (), effort(60))


@examples(400)
@given(questions())
def test_nothing_that_play_reaches_is_called_unreachable(question: tuple[Rules, Spec]) -> None:
    _agrees(*question)


@examples(400)
@given(distant())
def test_nor_where_several_events_lead_there(question: tuple[Rules, Spec]) -> None:
    _agrees(*question)


def _agrees(rules: Rules, goal: Spec) -> None:
    possible = any(meaning(goal, rules.small.values(s)) for s in rules.reachable())
    proof = proved(rules.system, term(goal))
    note(f"possible: {possible}, {proof and proof.method} {proof and proof.k}, numbers: {rules.rise is not None}")
    assert proof is None or not possible


def sums(most: int) -> tuple[System, Term]:
    """A number that rises twice, by any numbers; with its fluent."""
    number, times = (Family(name, IntSort(0, 9), "") for name in ("number", "times"))
    x, n = number.fluent, times.fluent

    def rise(by: Term) -> Action:
        needs = (Requirement(le(n, 1), "it has risen twice"), Requirement(le(by, most), "no number so large"))
        return Action("rise", (("by", 0),), None, needs, ((x, add(x, by)), (n, add(n, 1))), "it rises")

    events = (Schema("rise", (Parameter("by", NUMBERS, term=True),), rise, "rises by a number"),)
    initial = {x: 0, n: 0}
    return System({}, (number, times), initial, (), (), (), (), events, ()), x


def test_each_event_has_numbers_of_its_own() -> None:
    system, x = sums(2)
    assert proved(system, eq(x, 3)) is None  # 1 and 2
    never = proved(system, eq(x, 5))
    assert never is not None
    assert (never.method, never.k, never.rechecked) == ("k-induction", 3, True)


@pytest.mark.parametrize(
    ("goal", "depth"),
    [
        ("emergency_infantry(Karelia) >= 1 and controls(Axis, Karelia)", 5),
        ("round == 1 and turn == British and owner(Ukraine) == Japanese", 3),
        ("happens(end_turn) and before(turn) == Russians and before(round) == 1 and owner(India) == Japanese", 3),
    ],
)
def test_what_only_a_few_turns_bear_on_is_decided_soon(goal: str, depth: int) -> None:
    answer = loaded("axis_allies").reach(goal, side="Axis", opponent="any", timeout=400)
    assert answer.status == "unreachable"
    assert answer.proof is not None
    assert (answer.proof.method, answer.proof.rechecked) == ("k-induction", True)
    assert answer.proof.k is not None
    assert answer.proof.k <= depth


@pytest.mark.slow
def test_no_event_brings_both_sides_what_ends_the_game() -> None:
    """The game ends at the first fifth banner, and of 3,333 events none brings a banner to both."""
    goal = "banners(French) >= 5 and banners(Allied) >= 5"
    answer = loaded("napoleonics").reach(goal, side="French", opponent="any", timeout=40 * BUSY)
    assert answer.status == "unreachable"
    assert answer.proof is not None
    assert (answer.proof.method, answer.proof.rechecked) == ("one-step", True)


@pytest.mark.parametrize("goal", ["placed(Germany, infantry) >= 3", "happens(end_turn) and before(turn) == Germans"])
def test_a_record_that_is_found_at_once_needs_no_way_back(goal: str) -> None:
    with patch.object(bearing_events, "backwards", side_effect=AssertionError("it was followed backwards")):
        assert loaded("axis_allies").reach(goal, side="Axis", timeout=40 * BUSY).status == "reachable"
