"""Questions that players and designers ask of the games, with their answers."""

from __future__ import annotations

from pathlib import Path

import pytest

import vclogic
from tests.fixtures.games import loaded
from vclogic.query.reach.answer import Reach

POWERS = ("Russians", "Germans", "British", "Japanese", "Americans")
CHEAP = " or ".join(f"lowest_ic_price({p}) <= 0" for p in POWERS)


def test_a_complex_that_may_be_bought_has_a_price_above_zero() -> None:
    answer = loaded("axis_allies").reach(CHEAP, opponent="any")
    assert answer.status == "unreachable"
    assert answer.proof is not None
    assert (answer.proof.method, answer.proof.horizon, answer.proof.rechecked) == ("positions", None, True)


def test_prices_below_zero_are_those_of_seven_places_with_a_permanent_complex() -> None:
    game = loaded("axis_allies")
    land = game.setup.system.vocabulary["owner"].parameters[0].sort.members
    prices = {t: game.value(f'ic_price("{t}")') for t in land}
    below = {t for t, price in prices.items() if isinstance(price, int) and price <= 0}
    assert len(below) == 7
    assert {game.value(f'complex("{t}")') for t in below} == {"permanent"}
    assert sorted(p for p in prices.values() if isinstance(p, int))[:2] == [-45, -35]


def test_with_a_second_complex_allowed_there_is_one_at_the_start() -> None:
    game = loaded("axis_allies", second_complex="allowed")
    answer = game.reach(CHEAP, opponent="any")
    assert (answer.status, answer.depth, answer.replayed) == ("reachable", 0, True)
    assert "reading second_complex=allowed" in answer.assumptions
    bought = game.with_options(treasury="on").apply("purchase", power="Russians", unit="complex", at="Moscow")
    assert bought.value("treasury(Russians)") == 24 + 25


def test_both_sides_never_win_major_victory_at_once() -> None:
    goal = "holds(major_victory, Axis) and holds(major_victory, Allies)"
    answer = loaded("axis_allies").reach(goal, opponent="any")
    assert answer.status == "unreachable"
    assert answer.proof is not None
    assert answer.proof.method == "positions"


def test_minor_victory_never_ends_without_a_majority() -> None:
    answer = loaded("axis_allies").reach("vcp(Axis) <= 32 and vcp(Allies) <= 32", opponent="any")
    assert answer.status == "unreachable"
    assert answer.proof is not None
    assert answer.proof.method == "positions"


def test_russians_and_germans_place_most_infantry() -> None:
    game = loaded("axis_allies")
    assert {p: game.value(f"infantry_capacity({p})") for p in POWERS} == {
        "Russians": 13,
        "Germans": 13,
        "British": 11,
        "Japanese": 9,
        "Americans": 11,
    }
    for power in POWERS:
        assert game.value(f"infantry_capacity({power}) <= infantry_capacity(Russians)")


def test_two_captures_let_germany_place_ten_infantry_outside_germany() -> None:
    goal = "infantry_capacity(Germans) - infantry_limit(Germans, Berlin) >= 10"
    start = loaded("axis_allies")
    plan = start.plan(goal)
    assert (plan.status, plan.cost, plan.lower_bound, plan.replayed) == ("optimal", 2, 2, True)
    captures = [s for s in plan.steps if s.action == "capture"]
    assert {s.actor for s in captures} == {"Germans"}
    assert plan.steps[-1].action == "capture", "it is not Germany's turn: its limits are those of its next one"
    seized = [start.value(f'infantry_limit(Germans, "{s.args["territory"]}")') for s in captures]
    assert seized == [0, 0]


def test_in_its_own_turn_germany_must_hold_the_cities_when_a_turn_begins() -> None:
    goal = "infantry_capacity(Germans) - infantry_limit(Germans, Berlin) >= 10"
    plan = loaded("axis_allies").apply("end_turn").plan(goal)
    assert (plan.status, plan.cost, plan.replayed) == ("optimal", 2, True)
    assert plan.steps[-1].action == "end_turn"


# ---- questions about single events

BUILDING = """game: asl
board:
  sides: [Russian, German]
  hexes: {22U3: {}, 22V2: {}}
  buildings:
    22U3: {hexes: [22U3]}
  units:
    4-4-7: {side: Russian, kind: squad, at: 22V2/0}
    T-34: {side: Russian, kind: vehicle, armour: 11, inherent: crew, at: 22V2/0}
    4-6-7: {side: German, kind: squad, at: 22U3/0}
  exits: {west: {sides: [Russian]}}
  held: {German: {buildings: [22U3]}}
  victory:
    Russian: {text: the Russians control the building or exit, any: [{building: 22U3}, {exit_vp: 10}]}
"""
PAID = "happens(end_turn) and treasury(Germans) > before(treasury(Germans))"


def never_by_any_event(answer: Reach) -> bool:
    """Whether it is proved that no event does it from any position."""
    return (answer.status, answer.proof and answer.proof.method) == ("unreachable", "one-step")


def test_an_end_of_turn_pays_the_power_whose_turn_ends_and_no_other() -> None:
    game = vclogic.load("axis_allies", settings={"treasury": "on"})
    own = game.reach(f"{PAID} and before(turn) == Germans", opponent="helps", timeout=300)
    assert [s.text for s in own.steps] == ["Russians end their turn", "Germans end their turn"]
    other = game.reach(f"{PAID} and before(turn) != Germans", opponent="helps", timeout=300)
    assert never_by_any_event(other)
    assert other.events.included == ("end_turn",)


def test_no_event_lowers_exit_points(tmp_path: Path) -> None:
    file = tmp_path / "building.yaml"
    file.write_text(BUILDING)
    game = vclogic.load(str(file))
    assert never_by_any_event(
        game.reach("before(exit_vp(Russian)) > exit_vp(Russian)", opponent="helps", timeout=300)
    )
    more = game.reach("before(exit_vp(Russian)) < exit_vp(Russian)", opponent="helps", timeout=300)
    assert [s.action for s in more.steps] == ["exit"]
    japan = "before(exit_points(Japan)) > exit_points(Japan)"
    assert never_by_any_event(loaded("okinawa/small").reach(japan, opponent="helps", timeout=300))


def test_control_passes_by_the_loss_of_an_enemy_but_not_of_an_own_unit(tmp_path: Path) -> None:
    file = tmp_path / "building.yaml"
    file.write_text(BUILDING)
    gains = "not before(controls_building(German, 22U3)) and controls_building(German, 22U3)"
    own = f'happens(eliminate, unit="4-6-7") and {gains}'
    assert never_by_any_event(vclogic.load(str(file)).reach(own, opponent="helps", timeout=300))
    enemy = vclogic.load(str(file)).reach(
        f'happens(eliminate, unit="4-4-7") and {gains}', opponent="helps", timeout=300
    )
    assert enemy.status == "reachable"
    assert enemy.steps[-1].text == "4-4-7 is eliminated"


@pytest.mark.slow
def test_what_is_missing_is_a_position_that_can_be_given() -> None:
    """No repair puts two units into a hex that holds one."""
    game = loaded("okinawa/small")
    found = game.missing("units_in(Japan, Northern) >= 2 and units_in(US, Northern) >= 1", limit=1)
    assert found.repairs
    for repair in found.repairs:
        changed = {c.fluent: c.after for c in repair.changes}
        state = dict(game.state_dict()["at"])
        state |= {f.removeprefix("at[").removesuffix("]"): at for f, at in changed.items() if f.startswith("at[")}
        game.by_hand({"at": state})
