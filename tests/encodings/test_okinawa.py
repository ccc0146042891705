"""Okinawa: lines, points, retreats and exits against plain Python on random small boards; questions; bad boards."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vclogic_encodings.okinawa.encoding import ENCODING

from tests.fixtures.efforts import effort
from tests.fixtures.games import loaded
from tests.fixtures.pace import examples
from tests.oracles.okinawa import JAPAN, READINGS, SIDES, US, Battle, random_board
from vclogic.encode.python.evaluator import apply, failed, interpret
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.query.plan.cheapest import plan
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.expressions.resolve import compile_goal

seeds = st.integers(0, 2**32 - 1)


def seen(system: System, state: State, name: str, *arguments: str) -> Any:
    """The value of an observable; None where it is undefined."""
    found = system.vocabulary[name].partial(*arguments)
    slot = system.layout.slot
    if not interpret(found.defined, slot, state):
        return None
    value = interpret(found.value, slot, state)
    members = getattr(found.value.sort, "members", None)
    return members[value] if members else int(value)


def differences(system: System, state: State, battle: Battle) -> dict[str, tuple[object, object]]:
    """What the two say otherwise of a moment."""
    expected: dict[tuple[str, ...], object] = {
        ("automatic",): battle.automatic(),
        ("holds", "automatic_victory", JAPAN): battle.over and battle.automatic(),
        ("without_loc", US): battle.cut_off(),
        ("cut_off_points",): 3 * battle.cut_off(),
        ("retreat_points", JAPAN): battle.points,
        ("removals",): battle.owed,
        ("turn",): battle.turn,
        ("round",): battle.round,
        ("over",): battle.over,
        ("margin", US): battle.final(US) - battle.final(JAPAN),
    }
    for side in SIDES:
        expected["vp", side] = battle.vp(side)
        expected["vp_at_end", side] = battle.final(side)
        expected["zone_points", side] = battle.zone_points(side)
        expected["holds", "victory", side] = battle.winner() == side
        for zone in battle.board.zones:
            expected["units_in", side, zone] = len(battle.inside(side, battle.area(zone)))
    for unit, at in battle.at.items():
        expected["at", unit] = at
        expected["value", unit] = battle.worth(unit)
        if battle.side(unit) == US:
            expected["loc", unit] = battle.traces(unit) if unit in battle.on_map(US) else None
    for h in battle.hexes():
        expected["usable", h] = h in battle.usable()
    found = {" ".join(key): (seen(system, state, *key), value) for key, value in expected.items()}
    wrong = {key: pair for key, pair in found.items() if pair[0] != pair[1]}
    slot = system.layout.slot
    broken = [r.name for r in (*system.invariants, *system.checked) if not interpret(r.kept, slot, state)]
    return {**wrong, **dict.fromkeys(broken, ("broken", "kept"))}


def system_of(battle: Battle) -> System:
    assert [*ENCODING.check_board(battle.board)] == []
    early = "allowed" if battle.early else "refused"
    return ENCODING.build(battle.board, ENCODING.settings({**battle.readings, "early_end": early}))


@examples(70)
@given(seeds)
def test_a_play_is_what_plain_python_says(seed: int) -> None:
    rng = Random(seed)
    readings = {name: rng.choice(values) for name, values in READINGS.items()}
    battle = Battle(random_board(rng), readings, early=rng.random() < 0.7)
    system = system_of(battle)
    state = system.layout.state(system.completed({}))
    assert differences(system, state, battle) == {}
    for _ in range(rng.randint(1, 25)):
        name, arguments = battle.next_event(rng)
        action = system.action(Event(name, tuple(arguments.items())))
        allowed = battle.may(name, arguments)
        assert (not failed(system, state, action)) == allowed, (name, arguments, battle)
        if allowed:
            battle.do(name, arguments)
            state = apply(system, state, action)
    assert differences(system, state, battle) == {}


@examples(40)
@given(seeds)
def test_lines_are_those_of_a_search_hex_by_hex(seed: int) -> None:
    rng = Random(seed)
    readings = {name: rng.choice(values) for name, values in READINGS.items()}
    battle = Battle(random_board(rng, units=10), readings)
    system = system_of(battle)
    for _ in range(5):
        for unit in battle.at:
            battle.at[unit] = "off"
            free = [h for h in battle.land() if battle.room(unit, h)]
            if free and rng.random() < 0.9:
                battle.at[unit] = rng.choice(free)
        at = system.layout.families["at"]
        values = {**system.completed({}), **{at[u]: h for u, h in battle.at.items()}}
        assert differences(system, system.layout.state(values), battle) == {}


# ---- plans


def fewest(battle: Battle, goal: str, number: int, turns: int) -> int | None:
    """The fewest moves of Japan after which a goal holds, with the US idle; every way to move is tried."""
    cost = {tuple(battle.at.items()): 0}
    for turn in range(turns + 1):
        holds = [n for at, n in cost.items() if met(battle, dict(at), goal, number)]
        if turn == turns:
            return min(holds, default=None)
        for at, n in list(cost.items()):
            battle.at = dict(at)
            for moved, after in [*battle.turns(JAPAN)]:
                key = tuple(after.items())
                cost[key] = min(cost.get(key, n + moved), n + moved)
    return None


def met(battle: Battle, at: dict[str, str], goal: str, number: int) -> bool:
    battle.at = at
    return battle.automatic() if goal == "automatic" else battle.cut_off() >= number


@examples(10)
@given(seeds)
def test_the_fewest_moves_are_those_of_every_way_to_move(seed: int) -> None:
    rng = Random(seed)
    board = random_board(rng, units=6, columns=5)
    while len(board.units[JAPAN]) > 2:
        board = random_board(rng, units=6, columns=5)
    battle = Battle(
        board, {**{r.name: r.default for r in ENCODING.readings}, "edge_hex": rng.choice(("free", "any"))}
    )
    system = system_of(battle)
    start, turns = dict(battle.at), min(rng.choice((1, 2)), board.turns or 2)
    state = system.layout.state(system.completed({}))
    for goal, number in (("automatic", 1), *((f"without_loc(US) >= {n}", n) for n in (1, 2, 3))):
        battle.at = dict(start)
        best = fewest(battle, goal, number, turns)
        metric = system.metric("moves")
        assert metric
        ask = ResolvedQuestion("random", system, state, (), JAPAN, "idle", metric, effort(), turns)
        found = plan(replace(ask, goal=compile_goal(goal, system.vocabulary)))
        assert (found.status, found.cost) == (("impossible", None) if best is None else ("optimal", best)), goal


# ---- questions


@pytest.mark.slow
def test_the_fewest_moves_that_cut_off_so_many_units() -> None:
    game = loaded("okinawa/small")
    for number in (2, 5):
        found = game.plan(f"without_loc(US) >= {number}", side=JAPAN, within=2)
        assert (found.status, found.cost, found.replayed) == ("optimal", 1, True)
        assert (found.steps[0].action, found.steps[0].args["unit"]) == ("move", "Raiders")
    assert game.plan("without_loc(US) >= 6", side=JAPAN, within=2).status == "impossible"


@pytest.mark.slow
def test_the_fewest_moves_that_make_the_automatic_victory_true() -> None:
    game = loaded("okinawa/small")
    assert game.plan("automatic", side=JAPAN, within=3).status == "impossible"  # the 7th Marines stay in the south
    left = Game.load("examples/okinawa_breakout.yaml")
    found = left.plan("automatic", side=JAPAN)
    assert (found.status, found.cost) == ("optimal", 1)
    won = left.plan("holds(automatic_victory, Japan)", side=JAPAN, within=2)
    assert [s.action for s in won.steps] == ["move", "end_game"]


def test_the_best_final_score_within_a_number_of_turns() -> None:
    found = loaded("okinawa/small").plan(maximize="vp_at_end(Japan)", side=JAPAN, within=1)
    assert found.maximum is not None
    # All five US units north of the regiments are cut off, as are the 7th Marines; three units enter zones.
    assert (found.status, found.maximum.value, found.maximum.upper_bound, found.cost) == ("optimal", 23, 23, 3)


def test_japan_can_win_with_fewer_points_than_the_us() -> None:
    game = Game.load("examples/okinawa_breakout.yaml")
    found = game.reach("holds(victory, Japan) and vp(Japan) < vp(US)", side=JAPAN, by="moves", within=1)
    assert found.status == "reachable"
    after = game
    for step in found.steps:
        args = {"unit": step.args["unit"], "to": step.args["to"]} if step.action == "move" else {}
        after = after.apply(step.action, **args)
    assert after.value("holds(victory, Japan)") is True
    assert after.value("vp(Japan) < vp(US)") is True
    assert game.reach("holds(victory, US) and vp(Japan) > vp(US)", opponent="any", by="moves").status == "unreachable"


def test_an_exit_is_planned_with_its_removals() -> None:
    game = loaded("okinawa/small").with_options(exits="on")
    found = game.plan("exited >= 1", side=JAPAN, within=1)
    assert [s.action for s in found.steps] == ["exit", "remove", "remove", "remove"]
    both = game.plan('exited >= 1 and at("44th Brigade") != "4,3" and removed == 3', side=JAPAN, within=1)
    assert both.record is not None
    names = [e.name for e in both.record.events or ()]
    assert names[names.index("exit") :][1:4] == ["remove"] * 3, "nothing else happens before"
    assert "move" in names
    assert game.plan("exit_points(Japan) >= 6 and removed == 3", side=JAPAN, within=1).cost == 1


@pytest.mark.slow
def test_leaving_over_another_edge_is_planned_where_it_removes_units() -> None:
    game = loaded("okinawa/small").with_options(exits="on")
    goal = "removed == 3 and exited == 0"
    assert game.plan(goal, side=JAPAN, within=2).status == "impossible"
    found = game.with_options(removal_edge="any").plan(goal, side=JAPAN, within=2)
    assert (found.status, found.cost, found.replayed) == ("optimal", 2, True)
    assert [s.action for s in found.steps] == ["move", "leave", "remove", "remove", "remove"]


def test_removed_units_take_their_retreats_along_in_plans_too(tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    state = {"retreats": 9, "retreats_of": {"1st Marines": 4, "4th Marines": 2}}
    readings = {"earlier_retreats": "taken_back", "removed_units": "eliminated"}
    file.write_text(json.dumps({"game": "okinawa/small", "state": state, "readings": readings}))
    game = Game.load(str(file)).with_options(exits="on")
    assert game.plan("exited == 1 and retreat_points(Japan) == 3", side=JAPAN, within=1).cost == 1
    assert game.plan("exited == 1 and retreat_points(Japan) == 9", side=JAPAN, within=1).status == "impossible"


def test_the_island_is_as_large_as_it_says() -> None:
    system = loaded("okinawa/island").setup.system
    assert len(system.layout.families["at"].fluents) == 61
    assert len(system.vocabulary["usable"].parameters[0].sort.members) == 420


# ---- bad input

BOARD: dict[str, Any] = {
    "first": "Japan",
    "terrain": {".": {"cost": 1}, "~": {}},
    "map": ["...", ".~.", "..."],
    "zones": {"Northern": {"hexes": ["2,0"]}, "Central": {"hexes": ["1,0"]}, "Southern": {"spans": [["0,0", "0,2"]]}},
    "northeast_edge": ["2,0", "2,1"],
    "units": {
        "Japan": {"Guards": {"at": "0,0", "attack": 1, "defence": 1}},
        "US": {"Army": {"at": "2,2", "attack": 1, "defence": 1}},
    },
}


def unit(side: str, at: str, **strengths: int) -> dict[str, Any]:
    known = {"attack": 1, "defence": 1, **strengths}
    return {"units": {**BOARD["units"], side: {**BOARD["units"][side], "New": {"at": at, **known}}}}


def zone(name: str, **zone: Any) -> dict[str, Any]:
    return {"zones": {**BOARD["zones"], name: zone}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"map": []}, "the map has no hex"),
        ({"map": ["..x"]}, "'x' is not among the letters"),
        ({"map": ["~~~"]}, "no unit can be anywhere"),
        ({"northeast_edge": []}, "nobody could trace a line"),
        ({"northeast_edge": ["3,0"]}, "3,0 is off the map"),
        ({"northeast_edge": ["2,0", "2,0"]}, "2,0 stands here twice"),
        ({"edges": {"south": {"hexes": ["3,0"]}}}, "3,0 is off the map"),
        ({"edges": {"south": {"hexes": []}}}, "nobody could leave by the south edge"),
        ({"edges": {"other": {"hexes": ["2,0"]}}}, "every map has an edge 'other' already"),
        ({"edges": {"south": {"hexes": ["2,0"], "sides": ["Japn"]}}}, "unknown side 'Japn'"),
        (zone("Central", hexes=["1,9"]), "1,9 is off the map"),
        (zone("Central", hexes=["2,0"]), "the zones Northern and Central overlap: 2,0"),
        (zone("Southern", spans=[["0,0", "2,2"]]), "the zones Northern and Southern overlap: 2,0"),
        (zone("Central", hexes=["1,0"], points={"Japan": -1}), "points are a number from 0"),
        (zone("Eastern"), "unknown zone 'Eastern'"),
        ({"zones": {"Central": {"hexes": ["1,0"]}}}, "the zone Northern is missing"),
        (unit("US", "2,2"), "2 units are in 2,2, where 1 may be"),
        (unit("US", "0,0"), "units of both sides are in 0,0"),
        (unit("US", "1,1"), "no unit can be in 1,1: its terrain has no cost"),
        (unit("US", "7,7"), "7,7 is off the map"),
        (unit("US", "eliminated"), "a game does not start with a unit that is eliminated"),
        (unit("US", "off", defence=-1), "a number from 0 to 99 is needed, not -1"),
        (unit("US", "off", barrage=2), "artillery has barrage and fpf instead"),
        ({"units": {}}, "there is no unit"),
        ({"units": {**BOARD["units"], "Chinese": {}}}, "unknown side 'Chinese'"),
        ({"first": "Chinese"}, "unknown side 'Chinese'"),
        ({"stacking": 0}, "a hex holds from 1 to 6 units"),
        ({"turns": 0}, "a scenario has from 1 to 999 game turns"),
    ],
)
def test_a_flawed_board_is_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    found = messages(tmp_path, board={**BOARD, **change})
    assert any(message in m for m in found), found


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"state": {"at": {"Army": "0,0"}}}, "at most 1 unit is in 0,0"),
        ({"state": {"at": {"Army": "9,9"}}}, "unknown place '9,9'"),
        ({"state": {"at": {"Army": "1,1"}}}, "no unit can be there"),
        ({"state": {"at": {"Navy": "0,0"}}}, "unknown unit 'Navy'"),
        ({"state": {"at": {"Army": "exited"}}}, "Army has not exited"),
        ({"state": {"at": {"Guards": "removed"}}}, "Guards was not removed"),
        (
            {"state": {"at": {"Army": "removed"}}},
            "at most 3 US units have been removed or are to be for each Japanese exit",
        ),
        ({"state": {"retreats": -1}}, "expected a whole number"),
        ({"state": {"retreated_for": 3}}, "without a retreat just now"),
        ({"record": [{"move": {"unit": "Navy", "to": "1,0"}}]}, "unknown unit 'Navy'"),
        ({"record": [{"move": {"unit": "Japan", "to": "1,0"}}]}, "it is a side, not a unit"),
        ({"record": [{"move": {"unit": "Army", "to": "2,1"}}]}, "it is not the player-turn of US"),
        ({"record": [{"move": {"unit": "Guards", "to": "2,2"}}]}, "2,2 is taken by Army"),
        ({"record": [{"move": {"unit": "Guards", "to": "0,0"}}]}, "Guards is in 0,0 already"),
        ({"record": [{"move": {"unit": "Guards", "to": "5,5"}}]}, "unknown hex '5,5'"),
        ({"record": [{"eliminate": {"unit": "Army"}}, {"eliminate": {"unit": "Army"}}]}, "it is eliminated"),
        ({"record": [{"retreat": {"unit": "Army", "hexes": 0, "to": "2,1"}}]}, "from 1 to 12"),
        ({"record": [{"retreat": {"unit": "Army", "hexes": 1, "to": "0,2"}}]}, "2 hexes from 2,2"),
        ({"record": [{"exit": {"unit": "Guards"}}]}, "0,0 is not a hex of the northeast map edge"),
        ({"record": [{"remove": {"unit": "Army"}}]}, "no Japanese unit has exited just now"),
        ({"record": ["end_game", "end_turn"]}, "the game is over"),
    ],
)
def test_an_impossible_position_or_event_is_refused(tmp_path: Path, position: dict[str, Any], message: str) -> None:
    found = messages(tmp_path, board=BOARD, **position)
    assert any(message in m for m in found), found


def messages(tmp_path: Path, **position: Any) -> list[str]:
    """What is wrong with a position."""
    file = tmp_path / "position.json"
    file.write_text(json.dumps({"game": "okinawa/small", **position}))
    with pytest.raises(InputError) as error:
        Game.load(str(file))
    return [f"{d.message} {d.help or ''}" for d in error.value.diagnostics]
