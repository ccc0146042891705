"""The Eastern Front: the encoding against plain Python written from the text, and the questions that players ask."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vclogic_encodings.moscow.encoding import ENCODING

from tests.fixtures.games import loaded
from tests.fixtures.pace import examples
from tests.oracles.moscow import SIDES, War, boards, events, level
from vclogic.encode.python.evaluator import apply, failed, interpret
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.model.fluents import State
from vclogic.model.system import System


def seen(system: System, state: State, name: str, *arguments: str) -> Any:
    value = system.vocabulary[name].partial(*arguments).value
    x = interpret(value, system.layout.slot, state)
    members = getattr(value.sort, "members", None)
    return members[x] if members else int(x)


def compare(system: System, state: State, war: War) -> None:
    """Every value that the encoding shows is the one that plain Python has."""
    for side in SIDES:
        assert seen(system, state, "uncovered_rows", side) == len(war.uncovered(side))
        assert seen(system, state, "gaps", side) == war.gaps(side)
        assert seen(system, state, "vp", side) == war.points(side)
        assert seen(system, state, "front_points", side) == war.front[side]
        assert seen(system, state, "holds", "moscow", side) == war.takes(side, "Moscow")
        for h in war.hexes():
            assert seen(system, state, "covered", side, h) == (h in war.line(side))
        for place in war.board.places:
            assert seen(system, state, "holding", side, place) == war.holds(side, place)
            assert seen(system, state, "captured", side, place) == ((side, place) in war.captured)
        for grade in ("decisive", "substantial", "marginal"):
            judged = war.over and war.level() == f"{side.lower()}_{grade}"
            assert seen(system, state, "holds", grade, side) == judged
    assert seen(system, state, "level") == war.level()
    bare = replace(war, front=dict.fromkeys(SIDES, 0))
    bare.owner, bare.captured, bare.at, bare.held = war.owner, war.captured, war.at, war.held
    assert seen(system, state, "front_matters") == (bare.level() != war.level())
    assert (seen(system, state, "turn"), seen(system, state, "round")) == (war.turn, war.round)


@examples(60)
@given(st.data())
def test_a_play_is_what_plain_python_says(data: st.DataObject) -> None:
    board = data.draw(boards())
    readings = {r.name: data.draw(st.sampled_from(sorted(r.values))) for r in ENCODING.readings}
    assert [*ENCODING.check_board(board)] == []
    system = ENCODING.build(board, ENCODING.settings(dict(readings)))
    state = system.layout.state(system.completed({}))
    war = War(board, readings)
    compare(system, state, war)
    for _ in range(data.draw(st.integers(1, 14))):
        event = data.draw(events(war))
        action = system.action(event)
        assert (not failed(system, state, action)) == war.may(event), event
        if war.may(event):
            war.do(event)
            state = apply(system, state, action)
    compare(system, state, war)
    slot = system.layout.slot
    assert all(interpret(rule.kept, slot, state) for rule in system.invariants)


@examples(80)
@given(st.integers(0, 40), st.integers(0, 40), st.integers(-1, 1))
def test_the_table_by_fractions(soviet: int, factor: int, more: int) -> None:
    game = loaded("moscow/small").setup
    values = game.system.layout.values(game.initial)
    german = max(soviet * factor // 4 + more, 0)
    front = game.system.layout.families["front"]
    # The Soviet militia is in Moscow: 10 points more.
    state = game.system.layout.state({**values, front["German"]: german, front["Soviet"]: soviet})
    assert seen(game.system, state, "level") == level(german, soviet + 10, "undefined")


# ---- questions


@pytest.mark.slow
def test_the_fewest_moves_that_close_the_front_line() -> None:
    game = loaded("moscow/small")
    plan = game.plan("uncovered_rows(German) == 0")
    assert (plan.status, plan.cost, plan.replayed) == ("optimal", 2, True)
    assert [s.action for s in plan.steps] == ["move", "move"]
    assert game.plan("uncovered_rows(Soviet) == 0").cost == 1
    closed = game.plan("uncovered_rows(German) == 0", minimize="turns")
    assert (closed.status, closed.cost) == ("optimal", 1)


def test_the_fewest_moves_that_take_and_hold_moscow() -> None:
    game = loaded("moscow/small")
    assert game.plan("holds(moscow, German)").status == "impossible"  # the militia is in it, and nobody fights
    freed = game.apply("eliminate", unit="1st Moscow Militia")
    plan = freed.plan("holds(moscow, German)")
    assert (plan.status, plan.cost) == ("optimal", 2)
    assert plan.steps[-1].args["to"] in ("6,3", "7,3")
    assert freed.with_options(marches=1).plan("holds(moscow, German)").status == "impossible"


def test_the_best_level_that_a_side_can_still_reach() -> None:
    game = loaded("moscow/small").apply("eliminate", unit="1st Moscow Militia").apply("eliminate", unit="EB 1")
    assert game.value("level") == "undefined"
    best = game.plan(maximize="grade(Soviet)", side="Soviet", minimize="turns", within=1)
    assert best.maximum is not None
    assert best.maximum.value in (None, 6)


def test_whether_the_penalty_alone_changes_the_level() -> None:
    game = loaded("moscow/small")
    assert game.value("front_matters") is False
    found = game.reach("front_matters", side="German", by="moves", within=1)
    assert found.status in ("reachable", "unreachable")


def test_moscow_is_never_taken_and_held_by_both() -> None:
    found = loaded("moscow/small").reach("holds(moscow, German) and holds(moscow, Soviet)", opponent="any")
    assert found.status == "unreachable"
    assert found.proof is not None
    assert found.proof.method == "positions"


# ---- bad input

BOARD: dict[str, Any] = {
    "columns": 3,
    "rows": 3,
    "places": {"Moscow": {"hexes": ["2,1"]}},
    "units": {"A": {"side": "German", "at": "0,0"}, "B": {"side": "Soviet", "at": "2,2"}},
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"columns": 0}, "columns are a number from 1 to 100"),
        ({"absent": ["9,9"]}, "9,9 is off the map"),
        ({"places": {"Moscow": {"hexes": ["3,1"]}}}, "3,1 is off the map"),
        ({"places": {"Minsk": {"hexes": ["1,1"]}}}, "unknown place 'Moscow'"),
        ({"places": {"Moscow": {"hexes": ["1,1"]}, "Orel": {"hexes": ["1,1"]}}}, "1,1 belongs to Moscow already"),
        ({"terrain": {"bog": ["1,1"]}}, "'movement' says nothing of 'bog'"),
        ({"barriers": [["0,0", "2,2"]]}, "0,0 and 2,2 do not adjoin"),
        ({"awards": [{"place": "Moscow", "item": "hold", "to": ["German"], "points": -1}]}, "points are a number"),
        ({"awards": [{"place": "Kiev", "item": "hold", "to": ["German"], "points": 1}]}, "unknown place 'Kiev'"),
        ({"units": {**BOARD["units"], "C": {"side": "German", "at": "2,2"}}}, "2,2 already holds the Soviet B"),
        ({"units": {**BOARD["units"], "C": {"side": "German", "at": "7,7"}}}, "7,7 is off the map"),
        ({"units": {}}, "there is no unit"),
        (
            {"stacking": 1, "units": {**BOARD["units"], "C": {"side": "German", "at": "0,0"}}},
            "0,0 holds 1 German unit already",
        ),
    ],
)
def test_a_flawed_board_is_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    file = tmp_path / "position.json"
    file.write_text(json.dumps({"game": "moscow", "board": {**BOARD, **change}}))
    with pytest.raises(InputError) as error:
        Game.load(str(file))
    assert any(message in d.message for d in error.value.diagnostics), [d.message for d in error.value.diagnostics]


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"at": {"7th Infantry": "4,3"}}, "units of one side only stand in 4,3"),
        ({"at": {"7th Infantry": "44,3"}}, "unknown whereabouts '44,3'"),
        ({"at": {"8th Infantry": "1,1"}}, "unknown unit '8th Infantry'"),
        ({"owner": {"Moscow": "German"}}, "Moscow is the Soviets' if they have a unit in it"),
        ({"round": 11}, "no more than 10 turns"),
        ({"front": {"German": -1}}, "expected a whole number"),
    ],
)
def test_an_impossible_position_is_refused(tmp_path: Path, state: dict[str, Any], message: str) -> None:
    file = tmp_path / "position.json"
    file.write_text(json.dumps({"game": "moscow/small", "state": state}))
    with pytest.raises(InputError) as error:
        Game.load(str(file))
    assert any(message in d.message for d in error.value.diagnostics), [d.message for d in error.value.diagnostics]
