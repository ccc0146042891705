"""Plans and play without some events: kinds or single ones, by events of the rules and by planning models."""

from __future__ import annotations

import pytest

from tests.fixtures.games import loaded
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.report.json import document


@pytest.fixture(scope="module")
def islands() -> Game:
    return loaded("examples/two_islands.yaml").with_options(captures_per_turn=1)


def taken(steps: object) -> set[object]:
    return {s.args["territory"] for s in steps if s.action == "capture"}  # type: ignore[attr-defined]


@pytest.mark.parametrize("metric", ["captures", "turns"])
def test_a_plan_does_without_what_it_is_to_do_without(islands: Game, metric: str) -> None:
    goal = "vcp(Axis) >= 7"
    plan = islands.plan(goal, minimize=metric)
    (first,) = taken(plan.steps)
    event = {"capture": {"territory": str(first)}}
    other = islands.plan(goal, minimize=metric, without=[event])
    assert other.status == "optimal"
    assert first not in taken(other.steps)
    assert "without capture: {territory: " + str(first) + "}" in other.assumptions
    none = islands.plan(goal, minimize=metric, without=["capture"])
    assert (none.status, none.steps) == ("impossible", ())
    assert "capture" in none.events.left_out


def test_play_does_without_kinds_and_instances(islands: Game) -> None:
    goal = "vcp(Axis) >= 7"
    free = islands.reach(goal)
    (first,) = taken(free.steps)
    other = islands.reach(goal, without=[f"capture: {{territory: {first}}}"])
    assert (other.status, first in taken(other.steps)) == ("reachable", False)
    none = islands.reach(goal, without=["capture"])
    assert none.status == "unreachable"
    assert "capture" not in none.events.included
    assert "without capture" in document("reach", none)["assumptions"]
    last = islands.reach("happens(end_turn) and vcp(Axis) >= 7", without=["capture"])
    assert last.status == "unreachable"


def test_what_single_events_do_not_decide_is_no_proof() -> None:
    found = loaded("moscow/small").plan("holding(German, Smolensk)", without=["move: {unit: 3rd Panzer}"])
    assert found.status in {"optimal", "feasible"}
    assert found.steps
    assert all(s.args.get("unit") != "3rd Panzer" for s in found.steps)


def test_events_that_are_not_there_are_refused_with_what_there_is(islands: Game) -> None:
    with pytest.raises(InputError, match="no event 'captur'"):
        islands.reach("vcp(Axis) >= 7", without=["captur"])
    with pytest.raises(InputError, match="a plan of captures does not decide end_turn"):
        islands.plan("vcp(Axis) >= 7", without=["end_turn"])
