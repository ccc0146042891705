"""The figures of the real board that are known from outside."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from tests.fixtures.games import loaded
from vclogic.solve import budgets
from vclogic.solve.searches.milp_search import VERIFIED


@pytest.fixture
def any_of_the_cheapest() -> Iterator[None]:
    """The first of the cheapest plans will do: which one it is, `test_same_plan` looks at."""
    with patch.object(budgets, "CHOOSING", 0.0):
        yield


@pytest.mark.parametrize(
    ("goal", "sea_range", "fewest"),
    [
        ("vcp(Axis) >= 33", 2, 2),
        ("vcp(Axis) >= 40", 2, 3),
        ("vcp(Axis) >= 40", 1, 4),
        ("vcp(Axis) >= 45", 2, 5),
        ("vcp(Axis) >= 50", 2, 6),
        ("vcp(Allies) >= 50", 2, 3),
        ("vcp(Allies) >= 60", 2, 7),
        ("vcp(Allies) >= 65", 2, 10),
        ("territories(Axis) == 63", 2, 40),
        ("holds(major_victory, Axis)", 2, 3),
    ],
)
def test_fewest_captures_from_the_start(goal: str, sea_range: int, fewest: int) -> None:
    plan = loaded("axis_allies/revised-1942", sea_range=sea_range).plan(goal)
    assert (plan.status, plan.cost, plan.lower_bound, plan.exact, plan.replayed) == (
        "optimal",
        fewest,
        fewest,
        True,
        True,
    )
    captures = [step for step in plan.steps if step.action == "capture"]
    assert len(captures) == fewest
    assert all(step.turn is None for step in captures)
    assert "control only, armies left out" in plan.assumptions[0]


def test_who_has_won_at_any_moment_is_looked_at_as_a_turn_ends() -> None:
    game = loaded("axis_allies", total_moment="any")
    plan = game.plan("holds(total_victory, Axis)", side="Axis")
    assert (plan.status, plan.cost) == ("optimal", 40)
    assert plan.record is not None
    assert plan.record.events


@pytest.mark.usefixtures("any_of_the_cheapest")
def test_a_turn_that_has_begun_knows_what_was_taken_in_it() -> None:
    """From what was taken this turn nothing is taken, and what was taken counts for the limit."""
    game = loaded("axis_allies", legality="captures").apply("end_turn")
    game = game.apply("capture", power="Germans", territory="Caucasus")
    at_hand, further = "owner(Russia) == Germans", 'owner("Kazakh S.S.R.") == Germans'
    assert game.plan(at_hand, side="Axis", minimize="turns", within=1).cost == 1
    assert game.plan(further, side="Axis", minimize="turns", within=1).status == "impossible"
    game = game.apply("capture", power="Germans", territory="Karelia")
    game = game.apply("capture", power="Germans", territory="UK")
    assert game.plan(at_hand, side="Axis", minimize="turns", within=1).status == "impossible"


@pytest.mark.slow
@pytest.mark.usefixtures("any_of_the_cheapest")
def test_a_plan_that_begins_in_the_middle_of_a_turn_knows_what_was_taken_in_it() -> None:
    """From what was taken this turn nothing is taken, and what was taken counts for the limit."""
    game = loaded("axis_allies", legality="captures").apply("end_turn")
    game = game.apply("capture", power="Germans", territory="Caucasus")
    further = 'owner("Kazakh S.S.R.") == Germans'
    plan = game.plan(further, side="Axis", minimize="turns", within=4)
    assert (plan.status, plan.cost) == ("optimal", 3), "Germans, Japanese, Germans"
    assert plan.record is not None
    assert plan.record.events
    at_hand = "owner(Russia) == Germans"
    assert game.plan(at_hand, side="Axis", minimize="turns").cost == 1
    game = game.apply("capture", power="Germans", territory="Karelia")
    game = game.apply("capture", power="Germans", territory="UK")
    assert game.plan(at_hand, side="Axis", minimize="turns", within=4).cost == 3


def test_a_plan_for_an_outcome_ends_with_the_passes_to_its_moment() -> None:
    plan = loaded("axis_allies").plan("holds(major_victory, Axis)")
    passes = [step for step in plan.steps if step.action == "end_turn"]
    assert plan.steps[-len(passes) :] == tuple(passes)
    assert [step.turn["turn"] if step.turn else None for step in passes] == [
        "Russians",
        "Germans",
        "British",
        "Japanese",
        "Americans",
    ]


def test_no_position_gives_both_sides_enough() -> None:
    answer = loaded("axis_allies").reach("vcp(Axis) >= 40 and vcp(Allies) >= 50", opponent="any")
    assert answer.status == "unreachable"
    assert answer.proof is not None
    assert (answer.proof.method, answer.proof.horizon, answer.proof.rechecked) == ("positions", None, True)


def test_forty_nine_is_the_most_without_sea_moves() -> None:
    game = loaded("axis_allies", sea_range=0)
    answer = game.reach("vcp(Axis) >= 50", side="Axis", timeout=300)
    assert answer.status == "unreachable"
    assert answer.proof is not None
    assert (answer.proof.method, answer.proof.horizon, answer.proof.rechecked) == ("closure", None, True)
    assert any("Australia" in law for law in answer.proof.invariant)
    # What can bear on the goal has taken part; an attack that fails and a complex that is destroyed cannot.
    assert set(answer.events.included) == {"capture", "end_turn"}
    assert {*answer.events.included, *answer.events.left_out} == set(game.setup.system.schemas)
    assert game.reach("vcp(Axis) >= 49", side="Axis").status == "reachable"


def test_sixty_four_is_the_most_for_the_allies_without_sea_moves() -> None:
    game = loaded("axis_allies", sea_range=0)
    plan = game.plan("vcp(Allies) >= 65")
    assert (plan.status, plan.bound_by, plan.horizon.n, plan.cost) == ("impossible", "closure", None, None)
    best = game.plan(maximize="vcp(Allies)")
    assert best.status == "optimal"
    assert best.maximum is not None
    assert (best.maximum.value, best.maximum.upper_bound) == (64, 64)


def test_a_limit_is_part_of_the_statement() -> None:
    plan = loaded("axis_allies").plan("vcp(Axis) >= 40", within=2)
    assert (plan.status, plan.horizon.n, plan.horizon.unit) == ("impossible", 2, "capture")


@pytest.mark.slow
@pytest.mark.usefixtures("any_of_the_cheapest")
def test_turns_are_counted_for_the_sides_own_powers() -> None:
    plan = loaded("axis_allies").plan("vcp(Axis) >= 65", minimize="turns")
    assert (plan.status, plan.cost, plan.horizon.unit) == ("optimal", 5, "player-turn")
    assert {step.turn is not None for step in plan.steps} == {True}


@pytest.mark.slow
@pytest.mark.usefixtures("any_of_the_cheapest")
def test_a_player_turn_without_limits_takes_all_that_it_borders() -> None:
    """As many as you like from one border, as it was before a turn had limits."""
    free = {"captures_per_turn": 99, "captures_per_source": 99}
    plan = loaded("axis_allies", **free).plan("vcp(Axis) >= 65", minimize="turns")
    assert (plan.status, plan.cost) == ("optimal", 3)


@pytest.mark.usefixtures("any_of_the_cheapest")
@pytest.mark.parametrize(
    ("goal", "fewest"), [("vcp(Axis) >= 45", 2), pytest.param("vcp(Allies) >= 55", 2, marks=pytest.mark.slow)]
)
def test_one_border_serves_for_one_capture_in_a_turn(goal: str, fewest: int) -> None:
    """Russia cannot take Berlin, Rome and Tokyo from wherever it can see them, all in its first turn."""
    plan = loaded("axis_allies").plan(goal, minimize="turns")
    assert (plan.status, plan.cost, plan.horizon.unit) == ("optimal", fewest, "player-turn")
    assert {step.turn is not None for step in plan.steps} == {True}
    turns: dict[str, list[str]] = {}
    for step in plan.steps:
        if step.action == "capture":
            assert step.turn is not None
            turns.setdefault(str(step.turn), []).append(step.text.rsplit(" from ", 1)[-1])
    assert all(len(starts) == len(set(starts)) <= 3 for starts in turns.values())


LAND = {"level": "armies", "theatre": "land", "blitz": "off"}


@pytest.mark.parametrize(
    ("points", "rounds", "moves"),
    [(36, 2, 14), *(pytest.param(*row, marks=pytest.mark.slow) for row in ((38, 3, 16), (40, 3, 21), (40, 6, 19)))],
)
def test_fewest_moves_of_land_armies(points: int, rounds: int, moves: int) -> None:
    plan = loaded("axis_allies", **LAND).plan(f"vcp(Axis) >= {points}", within=rounds, timeout=180)
    assert (plan.status, plan.metric, plan.cost, plan.lower_bound) == ("optimal", "moves", moves, moves)
    assert plan.replayed
    assert plan.exact == (plan.bound_by == VERIFIED and not plan.argued)  # how far it is proved is a matter of time
    assert (plan.horizon.n, plan.horizon.unit) == (rounds, "round")


def test_one_round_of_land_armies_is_too_short_for_certain() -> None:
    sure = loaded("axis_allies", **LAND).plan("vcp(Axis) >= 33", within=1, certify=True)
    assert (sure.status, sure.exact, sure.argued) == ("impossible", True, ())


@pytest.mark.slow
def test_argued_cuts_are_named_or_not_made_use_of() -> None:
    """The full theatre's first round: what is argued is named, and with `certify` nothing is."""
    game = loaded("axis_allies", level="armies")
    plan = game.plan("vcp(Axis) >= 33", within=1)
    assert (plan.status, plan.cost, plan.exact and bool(plan.argued)) == ("optimal", 9, False)
    sure = game.plan("vcp(Axis) >= 33", within=1, certify=True, timeout=180)
    assert (sure.status, sure.cost, sure.exact, sure.argued) == ("optimal", 9, True, ())


@pytest.mark.slow
def test_the_fewest_moves_of_all_where_longer_plans_cost_more() -> None:
    game = loaded("axis_allies", **LAND)
    plan = game.plan("vcp(Axis) >= 29")
    assert (plan.status, plan.cost, plan.lower_bound, plan.horizon.n) == ("optimal", 4, 4, None)
    assert game.plan("vcp(Axis) >= 29", within=2).cost == 4
