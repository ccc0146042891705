"""JSON Schemas: what is shipped fits them, what play leads to fits them, what people get wrong does not."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest

from tests.fixtures.pages import blocks
from tests.oracles.yaml_in_editors import as_edited
from vclogic.conformance.games import legal_play
from vclogic.files.registry import encoding_names, scenario_names
from vclogic.files.setup import Memo
from vclogic.files.shapes.documents import KINDS, file_schema
from vclogic.files.shapes.words import of_type
from vclogic.files.write import write_position
from vclogic.game import Game

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "encodings" / "vclogic_encodings"
EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))


MEMO = Memo()


@cache
def schema_of(kind: str, game: str | None = None) -> Any:
    return file_schema(kind, game, MEMO)


@cache
def validator(kind: str, game: str | None = None) -> Any:
    return jsonschema.Draft202012Validator(schema_of(kind, game))


def wrong(kind: str, game: str | None, content: Any) -> list[str]:
    found = validator(kind, game).iter_errors(content)
    return [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in found]


def game_of(file: Path) -> str:
    named: str = as_edited(file)["game"]
    return named.partition("/")[0]


# ---- what is right


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda p: p.name)
def test_examples_fit(file: Path) -> None:
    content = as_edited(file)
    assert wrong("position", game_of(file), content) == []
    assert wrong("position", None, content) == []


@pytest.mark.parametrize("game", encoding_names())
def test_what_an_encoding_ships_fits(game: str) -> None:
    folder = GAMES / game
    cases, scenarios = sorted((folder / "cases").glob("*.yaml")), sorted((folder / "scenarios").glob("*.yaml"))
    assert cases
    assert scenarios
    boards = {as_edited(s).get("board", "board.yaml") for s in scenarios}
    for kind, files in (("case", cases), ("scenario", scenarios), ("board", [folder / b for b in sorted(boards)])):
        assert wrong(kind, None, as_edited(files[0])) == []
        for file in files:
            assert wrong(kind, game, as_edited(file)) == [], file.name


@pytest.mark.parametrize("game", ["asl/22u3", "moscow/small", "okinawa/small"])
def test_what_play_leads_to_fits(game: str) -> None:
    setup = Game.load(game).setup
    name = game.partition("/")[0]
    plays = (legal_play(setup.system, setup.initial, Random(f"{game} {i}"), 8) for i in range(9))
    steps = next(play for play in plays if len(play) > 2)  # not one that ends at once
    for _, state in steps:
        assert wrong("position", name, as_edited(write_position(setup, state))) == []
    record = as_edited(write_position(setup, record=[event for event, _ in steps]))
    assert len(record["record"]) == len(steps)
    assert wrong("position", name, record) == []


@pytest.mark.parametrize("text", ["game: {}\noptions: {{victory: minor, treasury: on}}", "game: {}\nstate:\nrecord:"])
def test_yaml_s_liberties(text: str) -> None:
    assert wrong("position", "axis_allies", as_edited(text.format("axis_allies"))) == []


def test_the_example_of_the_page_for_designers_fits() -> None:
    (text,) = [
        b.text for b in blocks((ROOT / "docs" / "designers.md").read_text()) if "# yaml-language-server" in b.text
    ]
    assert wrong("position", "axis_allies", as_edited(text)) == []


# ---- what is wrong


AXIS = "game: axis_allies\n"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("state: {round: 2}", ""),
        ("game: axis_alies", "game"),
        (AXIS + "states: {round: 2}", ""),
        (AXIS + "state: {rounds: 2}", "state"),
        (AXIS + "state: {round: 0}", "state/round"),
        (AXIS + "state: {round: two}", "state/round"),
        (AXIS + "state: {turn: Germanz}", "state/turn"),
        (AXIS + "state: {owner: {Karelia: Germanz}}", "state/owner/Karelia"),
        (AXIS + "state: {owner: {Karelja: Germans}}", "state/owner"),
        (AXIS + "state: {attacked: [Karelja]}", "state/attacked"),
        (AXIS + "options: {sea_range: -1}", "options/sea_range"),
        (AXIS + "options: {every_territory: ownable}", "options"),
        (AXIS + "readings: {every_territory: mine}", "readings/every_territory"),
        (AXIS + "record: [end_trun]", "record/0"),
        (AXIS + "record: [capture]", "record/0"),
        (AXIS + "record: [{capture: {power: Germans}}]", "record/0"),
        (AXIS + "record: [{capture: {power: Germans, territory: Karelja}}]", "record/0"),
        (AXIS + "record: [{capture: {power: Germans, territory: Karelia, by: sea}}]", "record/0"),
        (AXIS + "record: [{end_turn: {}, capture: {power: Germans, territory: Karelia}}]", "record/0"),
        (AXIS + "board: {powers: {}}", "board"),
    ],
)
def test_mistakes_in_a_position(text: str, place: str) -> None:
    (found,) = wrong("position", "axis_allies", as_edited(text))
    assert found.startswith(f"{place}: ")


CASE = "- name: a ruling\n  cites: [VC-infantry/4]\n  "


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (CASE, "0"),
        (CASE + "expect: vcp(Axis) == 1\n  expect_error: {step: 1}", "0"),
        (CASE.replace("infantry/4", "infantri/4") + "expect: round == 1", "0/cites"),
        (CASE + "expect: [vcp(Axis) == 1, vpc(Axis) == 1]", "0/expect"),
        (CASE + "expect_error: {step: 0}", "0/expect_error/step"),
        (CASE + "expect: round == 1\n  position: {state: {turn: Germanz}}", "0/position/state/turn"),
        (CASE + "expect: round == 1\n  readings: {every_territory: mine}", "0/readings/every_territory"),
    ],
)
def test_mistakes_in_a_ruling(text: str, place: str) -> None:
    (found,) = wrong("case", "axis_allies", as_edited(text))
    assert found.startswith(f"{place}: ")


@pytest.mark.parametrize(
    "goal",
    ["vcp(Axis) >= 1", "not(round == 2 and holds (total_victory, Axis))", "owner('Foo (bar)') == x", "-vcp(Axis)<0"],
)
def test_goals(goal: str) -> None:
    assert wrong("case", "axis_allies", [{"name": "x", "cites": [], "expect": [goal]}]) == []


def test_mistakes_in_a_scenario_and_a_board() -> None:
    for game in encoding_names():
        assert wrong("scenario", game, {"text": "no title"})
        assert wrong("scenario", game, {"title": "x", "boards": "y"})
        assert wrong("board", game, {"nonsense": 1})
    assert wrong("record", "okinawa/small", ["end_turn"]) == []
    assert wrong("record", "okinawa/small", ["end_trun"])
    assert wrong("scenario", "okinawa", {"title": "x", "board": "small.yaml", "state": {"turn": "France"}})
    assert wrong("scenario", "okinawa", {"title": "x", "board": "small.yaml", "state": {"turn": "Japan"}}) == []


# ---- the documents


def test_each_kind_of_each_scenario_is_a_schema() -> None:
    for kind in KINDS:
        for game in (None, "napoleonics/sankt-veit"):
            jsonschema.Draft202012Validator.check_schema(schema_of(kind, game))
        assert schema_of(kind)["title"] == f"vclogic: {kind}"
    for name in scenario_names("asl"):
        schema = schema_of("position", f"asl/{name}")
        assert schema["properties"]["game"]["enum"][0] == "asl"


def test_editors_get_texts_and_choices() -> None:
    schema = schema_of("position", "axis_allies")
    (rule,) = schema["allOf"]
    state = schema["$defs"][rule["then"]["properties"]["state"]["$ref"].removeprefix("#/$defs/")]
    assert state["properties"]["round"]["description"]
    assert "Karelia" in str(schema["$defs"])
    case = schema_of("case", "axis_allies")
    assert "vcp(side or power)" in str(case["$defs"]["goal"])
    board = schema_of("board", "axis_allies")["else"]
    assert board["properties"]["territories"]["additionalProperties"]["properties"]["owner"]["description"]


def test_a_type_that_no_file_has() -> None:
    with pytest.raises(TypeError):
        of_type(bytes)


RULINGS = ROOT / "tests" / "rulings"


@pytest.mark.parametrize("file", ["passes", "position", "many_games", "goal_between", "other_reading", "allowed"])
def test_rulings_of_ones_own_fit(file: str) -> None:
    content = as_edited(RULINGS / f"{file}.yaml")
    assert wrong("case", None, content) == []
    assert file == "many_games" or wrong("case", "asl", content) == []


def test_overlays_fit_with_what_they_change_alone() -> None:
    board = {"based_on": "axis_allies", "territories": {"Germany": {"city": {"rank": "minor"}}, "India": None}}
    board["remove"] = {"connections": [["Algeria", "Libya"]]}
    for game in (None, "axis_allies"):
        assert wrong("position", game, {"game": "axis_allies", "board": board}) == []
        assert wrong("position", game, {"based_on": "cities.yaml", "state": {"round": 2}}) == []
        assert wrong("position", game, {"state": {}})
    assert wrong("board", "axis_allies", board | {"teritories": {}})


HEAD = "game: asl/22u3\n"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (HEAD + "sttae: {}\nrulings: [{name: x, expect: over}]", ""),
        (HEAD + "options: {rooftop: 'on'}\nrulings: [{name: x, expect: over}]", "options"),
        (HEAD + "rulings: [{name: x, expcet: over, expect: over}]", "rulings/0"),
        (HEAD + "rulings: [{name: x}]", "rulings/0"),
        (HEAD + "rulings: [{name: x, expect: over, expect_error: {step: 1}}]", "rulings/0"),
        (HEAD + "setups: {a: {setups: b}}\nrulings: [{name: x, expect: over}]", "setups/a"),
        (HEAD + "setups: {a: {record: [{entre: {}}]}}\nrulings: [{name: x, expect: over}]", "setups/a/record/0"),
        (HEAD + "record: [{refused: {entre: {}}}]\nrulings: [{name: x, expect: over}]", "record/0"),
        (HEAD + "record: [{expect: contrls_hex(German)}]\nrulings: [{name: x, expect: over}]", "record/0"),
        (HEAD + "rulings: [{name: x, position: {state: {brokn: []}}, expect: over}]", "rulings/0/position/state"),
        (
            HEAD + "rulings: [{name: x, expect: over, per_reading: [{readings: {regain: never}, expect: over}]}]",
            "rulings/0/per_reading/0/readings/regain",
        ),
        (HEAD + "rulings: [{name: x, expect: over, per_reading: [{readings: {}}]}]", "rulings/0/per_reading/0"),
    ],
)
def test_mistakes_below_a_head(text: str, place: str) -> None:
    found = wrong("case", "asl", as_edited(text))
    assert [e for e in found if e.startswith(f"{place}: ")], found
    assert all(e.startswith(place) for e in found)
    own = text.replace("22u3", "22u3\nboard: own.yaml")
    assert "position" in place or "record" in place or wrong("case", "asl", as_edited(own))


def test_a_head_may_name_another_scenario_than_the_usual_one() -> None:
    text = "game: asl/points\nrulings: [{name: x, position: {state: {at: {DEFAULT: off}}}, expect: over}]"
    (found,) = wrong("case", "asl", as_edited(text))
    assert found.startswith("rulings/0/position/state/at: ")
    assert (
        wrong("case", "asl", as_edited(text.replace("game: asl/points", "game: asl/points\nboard: own.yaml"))) == []
    )
