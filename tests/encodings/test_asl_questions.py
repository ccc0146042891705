"""Advanced Squad Leader: the questions that players ask, with a witness, a proof, or every state there can be."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest

import vclogic
from tests.fixtures.games import loaded
from tests.fixtures.pace import BUSY
from tests.fixtures.positions import load
from vclogic.clock import Deadline
from vclogic.encode.python.evaluator import apply, compile_terms, failed
from vclogic.model.actions import Action, Event
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.query.plan_record import record_plan
from vclogic.query.reach.answer import Reach
from vclogic.terms.atoms import TRUE

EXAMPLES = Path(__file__).parents[2] / "examples"


def never(answer: Reach) -> None:
    """That an answer is an unbounded no, which a fresh solver has confirmed."""
    assert answer.status == "unreachable"
    assert answer.proof is not None
    assert answer.proof.horizon is None
    assert answer.proof.rechecked


def yes(answer: Reach) -> None:
    """That an answer is a yes, replayed."""
    assert (answer.status, answer.replayed) == ("reachable", True)


# ---- vehicles


@pytest.mark.parametrize("opponent", ["idle", "any"])
def test_a_vehicle_alone_never_gains_a_building(opponent: str) -> None:
    game = vclogic.load(str(EXAMPLES / "asl_vehicle_alone.yaml"))
    never(game.reach("controls_building(Russian, 22U3)", side="Russian", opponent=opponent))
    yes(game.reach("controls_location(Russian, 22V2/0)", side="Russian", opponent=opponent))


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["idle", "any"])
def test_a_vehicle_alone_never_gains_a_bridge_hex_with_a_depression(opponent: str) -> None:
    game = vclogic.load(str(EXAMPLES / "asl_bridge.yaml"))
    never(game.reach("controls_hex(German, 13CC5)", side="German", opponent=opponent))
    yes(game.reach("controls_location(German, 13CC5/bridge)", side="German", opponent=opponent))
    yes(game.reach("controls_hex(German, 13CC4)", side="German", opponent=opponent))


def everything(system: System, start: State) -> set[State]:
    """Every state that any events at all can bring about."""
    actions: list[Action] = []
    for schema in system.events:
        domains: list[Sequence[str | int]] = [
            d if isinstance(d := p.domain, range) else d.sort.members for p in schema.parameters
        ]
        names = [p.name for p in schema.parameters]
        events = (Event(schema.name, tuple(zip(names, args, strict=True))) for args in product(*domains))
        actions += map(system.action, events)
    found, stack = {start}, [start]
    while stack:
        state = stack.pop()
        for action in actions:
            if not failed(system, state, action) and (after := apply(system, state, action)) not in found:
                found.add(after)
                stack.append(after)
    return found


def test_in_no_state_that_any_events_bring_about_does_a_vehicle_alone_control_a_building(tmp_path: Path) -> None:
    game = load(
        tmp_path,
        "game: asl\nboard:\n  sides: [Russian, German]\n  hexes: {22V2: {}}\n"
        "  buildings: {22V2: {hexes: [22V2], levels: 1, stairs: [22V2]}}\n"
        "  units:\n    T-34: {side: Russian, kind: vehicle, main_armament: true, inherent: crew}\n"
        "  victory: {Russian: {all: [{building: 22V2}]}}\n",
    )
    system = game.setup.system
    states = everything(system, game.state)
    terms = [
        system.vocabulary[f"controls_{kind}"].partial("Russian", name).value
        for kind, name in (("building", "22V2"), ("location", "22V2/1"), ("hex", "22V2"), ("location", "22V2/0"))
    ]
    controlled = compile_terms(terms, system.layout.slot)
    ever = [any(values) for values in zip(*map(controlled, states), strict=True)]
    assert len(states) > 100
    assert ever == [False, False, False, True]


# ---- Locations, hexes and buildings


def test_a_hex_without_its_upper_location_and_a_location_without_its_hex() -> None:
    game = loaded("asl/22u3")
    yes(game.reach("controls_hex(Russian, 22V2) and not controls_location(Russian, 22V2/1)", side="Russian"))
    yes(game.reach("controls_location(Russian, 22V3/1) and not controls_hex(Russian, 22V3)", side="Russian"))


def test_a_building_is_controlled_with_an_enemy_in_control_of_an_upper_location() -> None:
    goal = "controls_building(Russian, 22U3) and controls_location(German, 22V2/1)"
    yes(loaded("asl/22u3").reach(goal, side="Russian"))
    record = vclogic.load(str(EXAMPLES / "asl_22u3.yaml")).apply("eliminate", unit="4-4-7")
    assert record.value("controls_building(German, 22U3) and controls_location(Russian, 22V3/1)") is True


UPSTAIRS = {
    "a broken squad": ("{at: {8-3-8: 22V2/1}, broken: [8-3-8]}", (True, False, False)),
    "a dummy": ("{at: {dummy: 22V2/1}}", (True, True, True)),
    "a hidden squad": ("{at: {8-3-8: 22V2/1}, concealment: {8-3-8: hidden}}", (True, False, False)),
    "a prisoner": ("{at: {8-3-8: 22V2/1}, captured: [8-3-8]}", (True, True, True)),
    "a lone leader": ("{at: {9-1: 22V2/1}}", (True, False, False)),
    "an armed vehicle in bypass": ("{at: {Pz IVH: 22V2/0}, bypass: [Pz IVH]}", (False, False, True)),
}


@pytest.mark.parametrize("who", UPSTAIRS)
def test_what_is_gained_below(tmp_path: Path, who: str) -> None:
    state, expected = UPSTAIRS[who]
    game = load(tmp_path, f"game: asl/22u3\nstate: {state}\n").apply("enter", unit="4-4-7", to="22V2/0")
    asked = ("location(Russian, 22V2/0)", "hex(Russian, 22V2)", "building(Russian, 22U3)")
    assert tuple(game.value(f"controls_{x}") for x in asked) == expected


def test_a_building_is_kept_without_a_garrison_and_is_not_lost_to_who_only_enters() -> None:
    game = loaded("asl/22u3").apply("enter", unit="4-4-7", to="22V2/0").apply("leave", unit="4-4-7")
    assert game.value("controls_building(Russian, 22U3)") is True
    entered = game.apply("enter", unit="9-1", to="22V2/0").apply("enter", unit="Pz IVH", to="22U3/0")
    assert entered.value("controls_building(Russian, 22U3)") is True
    assert entered.apply("enter", unit="8-3-8", to="22V3/1").value("controls_building(German, 22U3)") is True


@pytest.mark.slow
def test_never_do_both_sides_control_a_location_and_sometimes_neither_does() -> None:
    game = loaded("asl/22u3")
    never(game.reach("controls_location(Russian, 22V2/0) and controls_location(German, 22V2/0)", opponent="any"))
    yes(game.reach("location_controller(22V1/0) == none", opponent="any"))


# ---- the fewest events


def test_the_russians_need_one_event_for_the_building() -> None:
    plan = loaded("asl/22u3").plan("controls_building(Russian, 22U3)", side="Russian")
    assert (plan.status, plan.cost, plan.lower_bound, plan.replayed) == ("optimal", 1, 1, True)
    entered = loaded("asl/22u3").apply("enter", unit="4-4-7", to="22V2/0")
    assert entered.value("controls_building(Russian, 22U3)") is True


def test_with_the_concealed_5_4_8_inside_they_need_two(tmp_path: Path) -> None:
    game = load(tmp_path, "game: asl/22u3\nstate: {at: {5-4-8: 22V3/0}}\n")
    plan = game.plan("controls_building(Russian, 22U3)", side="Russian")
    assert (plan.status, plan.cost, plan.lower_bound, plan.replayed) == ("optimal", 2, 2, True)
    entered = game.apply("enter", unit="4-4-7", to="22V2/0")
    for event, arguments in (
        ("leave", {"unit": "5-4-8"}),
        ("eliminate", {"unit": "5-4-8"}),
        ("surrender", {"unit": "5-4-8", "to": "4-4-7"}),
    ):
        assert entered.value("controls_building(German, 22U3)") is True
        assert entered.apply(event, **arguments).value("controls_building(Russian, 22U3)") is True


@pytest.mark.parametrize("by", ["events", pytest.param("all", marks=pytest.mark.slow)])
def test_with_the_5_4_8_inside_and_armed_they_never_control_it(by: str, tmp_path: Path) -> None:
    """By the events of the planning model, and by all that the rules have."""
    game = load(tmp_path, "game: asl/22u3\nstate: {at: {5-4-8: 22V3/0}}\n")
    inside = 'controls_building(Russian, 22U3) and at("5-4-8") == "22V3/0" and armed("5-4-8")'
    answer = game.reach(inside, side="Russian", within=3, by=None if by == "all" else by, timeout=300)
    assert (answer.status, answer.proof and answer.proof.method) == ("unreachable", "bounded")


def test_the_end_of_the_game_follows_where_a_goal_is_judged_then() -> None:
    game = loaded("asl/22u3")
    system = game.setup.system
    plan = game.plan("controls_building(Russian, 22U3)", side="Russian")
    events = [Event(s.action, tuple(s.args.items())) for s in plan.steps]
    won = record_plan(system, game.state, events, system.holds("victory", "Russian"), Deadline(BUSY))
    assert won.events is not None
    assert [e.name for e in won.events] == ["enter", "end_game"]
    assert record_plan(system, game.state, events, TRUE, Deadline(BUSY)).events == won.events[:1]
    lost = record_plan(system, game.state, events, system.holds("victory", "German"), Deadline(BUSY))
    assert (lost.events, lost.reason) == (
        None,
        "the goal does not hold after these events and the turns that pass between them",
    )


@pytest.mark.parametrize(
    ("name", "goal", "cost", "events"),
    [
        ("asl/22u3", "holds(victory, Russian)", 1, ["enter", "end_game"]),
        ("asl/22u3", "holds(victory, German)", 0, ["end_game"]),
        ("asl/13cc5", "holds(victory, Russian)", 0, ["end_game"]),
        ("asl/22u3", "controls_building(Russian, 22U3)", 1, ["enter"]),
    ],
)
def test_a_plan_for_a_victory_that_is_judged_at_the_end_ends_the_game(
    name: str, goal: str, cost: int, events: list[str]
) -> None:
    """It was called impossible, although the side has enough already and nothing stands against the end."""
    plan = loaded(name).plan(goal, timeout=60)
    assert (plan.status, plan.cost) == ("optimal", cost)
    assert plan.record is not None
    assert plan.record.events is not None
    assert [e.name for e in plan.record.events] == events


# ---- where players disagree


def test_an_enemy_on_the_rooftop_is_a_matter_of_reading(tmp_path: Path) -> None:
    game = load(tmp_path, "game: asl/22u3\noptions: {rooftops: on}\nstate: {at: {8-3-8: 22V2/rooftop}}\n")
    game = game.apply("enter", unit="4-4-7", to="22V2/0")
    by_reading = {
        value: game.with_options(rooftop_enemy=value).value("building_controller(22U3)")
        for value in ("blocks", "ignored")
    }
    assert by_reading == {"blocks": "German", "ignored": "Russian"}


SEALED = """game: asl
board:
  sides: [Russian, German]
  hexes: {1F3: {}, 1F4: {}}
  buildings: {1F3: {hexes: [1F3], levels: 1, stairs: [1F3]}}
  units: {4-4-7: {side: Russian, kind: squad, at: 1F3/1}, 4-6-7: {side: German, kind: squad, at: 1F3/1}}
  held: {German: {buildings: [1F3]}}
  flammable: [1F3/0]
  victory: {Russian: {all: [{building: 1F3}]}}
record:
  - {fire: {location: 1F3/0}}
  - {blaze: {location: 1F3/0}}
  - {leave: {unit: 4-6-7}}
"""


def test_who_is_caught_upstairs_by_blazes_is_a_matter_of_reading(tmp_path: Path) -> None:
    game = load(tmp_path, SEALED)
    by_reading = {
        value: game.with_options(sealed_occupants=value).value("building_controller(1F3)")
        for value in ("surroundings", "occupants")
    }
    assert by_reading == {"surroundings": "German", "occupants": "Russian"}


# ---- what a side can know


def test_a_view_shows_what_that_side_can_know() -> None:
    game = vclogic.load(str(EXAMPLES / "asl_22u3.yaml"))
    shown = {
        view: game.status(view).observables["location_controller(22V2/0)"] for view in ("Russian", "German", None)
    }
    assert shown == {"Russian": "undeclared", "German": "German", None: "German"}
    assert game.status("Russian").observables["building_controller(22U3)"] == "Russian"
    revealed = game.apply("reveal", unit="5-4-8").status("Russian")
    assert revealed.observables["location_controller(22V2/0)"] == "German"
    ended = game.apply("end_game").status("Russian")
    assert ended.observables["location_controller(22V2/0)"] == "German"


def test_an_outcome_that_hangs_on_hidden_units_is_undeclared_until_the_end() -> None:
    game = loaded("asl/22u3").apply("enter", unit="4-4-7", to="22V2/0").apply("leave", unit="4-4-7")
    hidden = game.apply("enter", unit="5-4-8", to="22V3/0")
    status = {view: [o.status for o in hidden.status(view).outcomes] for view in ("Russian", "German")}
    assert status == {"Russian": ["undeclared", "undeclared"], "German": ["unmet", "unmet"]}
    assert hidden.status("Russian").outcomes[0].have is None
    ended = hidden.apply("end_game").status("Russian")
    assert [o.status for o in ended.outcomes] == ["unmet", "met"]


def test_an_answer_says_that_it_counts_on_what_is_hidden_from_the_side_that_moves() -> None:
    """While the 5-4-8 is concealed the Russians cannot know where it is; the Germans can, and all once it is seen."""
    game = vclogic.load(str(EXAMPLES / "asl_22u3.yaml"))
    goal = "cvp(Russian) >= 0"  # which holds already

    def says(side: str, *, revealed: bool) -> list[str]:
        now = game.apply("reveal", unit="5-4-8") if revealed else game
        asked = (now.reach(goal, side=side, within=0), now.plan(goal, side=side, within=0))
        return [line for answer in asked for line in answer.assumptions if "hidden" in line]

    line = "hidden facts are taken as known to the Russian side "
    line += "(`vclogic status --view Russian` leaves them out)"
    assert says("Russian", revealed=False) == [line, line]
    assert says("German", revealed=False) == []
    hidden = game.apply("reveal", unit="5-4-8").status("Russian").observables.values()
    assert bool(says("Russian", revealed=True)) == ("undeclared" in hidden)


def test_a_whole_board_of_the_users_own() -> None:
    game = vclogic.load(str(EXAMPLES / "asl_whole_board.yaml"))
    assert len(game.setup.system.vocabulary["controls_hex"].parameters[1].sort.members) == 346
    assert game.value("holds(victory, Russian)") is False
    assert game.apply("end_game").status().winner == "Russian"
