"""Records of a rulebook that has what those of games in Python have: lists, defaults, ends by names of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from vclogic_encodings.napoleonics.encoding import ENCODING
from vclogic_encodings.okinawa.encoding import ENCODING as OKINAWA

import vclogic
from tests.files.test_shapes import wrong
from vclogic.errors import InputError
from vclogic.files.source import Source
from vclogic.files.trees.nodes import parse
from vclogic.game import Game
from vclogic.model.actions import Schema
from vclogic.model.system import Encoding

FILE = Path(__file__).parent / "said" / "records.md"
RECORD = """
game: records.md
record:
  - order: {unit: [Marines, Army]}
  - move: {unit: Marines, to: B1}
  - eliminate: {unit: Mortars}
  - eliminate: {unit: Guards, same_result: no}
  - end_movement
  - end_turn
"""


def in_python(encoding: Encoding, scenario: str) -> dict[str, Schema]:
    return dict(Game.load(f"{encoding.name}/{scenario}").setup.system.schemas)


def written(folder: Path, record: str) -> Path:
    (folder / "records.md").write_text(FILE.read_text())
    file = folder / "position.yaml"
    file.write_text(record)
    return file


def features(schema: Schema) -> tuple[object, ...]:
    parameters = [(p.name, p.each, p.default, p.implied is None) for p in schema.parameters]
    return parameters, schema.routine, schema.obliged, schema.decided_by, schema.not_judged


def test_events_have_what_those_of_games_in_python_have() -> None:
    game = vclogic.load(str(FILE)).setup.system.schemas
    ours = in_python(ENCODING, "erlenbach")
    named = {p.name for s in (game["order"], ours["order"]) for p in s.parameters}
    assert named == {"unit", "units"}  # of the reference the argument goes by the name of its kind
    assert features(game["order"])[1:] == features(ours["order"])[1:]
    for name in ("end_movement",):
        assert features(game[name]) == features(ours[name])
    for name in ("move", "eliminate"):
        assert features(game[name]) == features(in_python(OKINAWA, "small")[name])
    assert game["end_game"].routine


def test_a_record_is_read_as_that_of_a_game_in_python(tmp_path: Path) -> None:
    game = vclogic.load(str(written(tmp_path, RECORD)))
    events = [(step.event.name, dict(step.event.args)) for step in game.setup.record]
    assert events == [
        ("order", {"unit": "Marines"}),
        ("order", {"unit": "Army"}),
        ("move", {"unit": "Marines", "to": "B1"}),
        ("eliminate", {"unit": "Mortars", "same_result": "auto"}),
        ("eliminate", {"unit": "Guards", "same_result": "no"}),
        ("end_movement", {}),
        ("end_turn", {"side": "US"}),
    ]
    now = game.status()
    assert now.not_judged == (
        "the card that orders a unit",
        "how far a unit moves",
        "the combat that eliminates a unit",
    )
    assert game.state_dict()["results"] == 1 + 3 + 1


def test_an_editor_knows_lists_and_defaults(tmp_path: Path) -> None:
    file = written(tmp_path, RECORD)
    tree = parse(Source("x", file.read_text())).tree
    assert isinstance(tree, dict)
    tree["game"] = str(tmp_path / "records.md")
    assert wrong("position", str(tmp_path / "records.md"), tree) == []
    tree["record"] = [{"order": {"unit": ["Marines", "Armi"]}}]
    assert wrong("position", str(tmp_path / "records.md"), tree)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("- order: {unit: []}", "unit: the list is empty"),
        ("- order: {unit: [Marines, Armi]}", "unknown unit 'Armi'"),
        ("- order: {unit: [Marines, Marines]}", "Marines has been ordered already"),
        ("- order: {unit: [Marines, Guards]}", "Guards is not of the side on turn"),
        ("- move: {unit: [Marines, Army], to: B1}", "unit: expected one name, found a list"),
        ("- eliminate: {unit: Army, same_result: maybe}", "unknown choice 'maybe'"),
        ("- leave: {unit: Army, by: sea}", "nothing of leave is called 'by'"),
        ("- end_movement: {side: US}", "nothing of end_movement is called 'side'"),
        ("- end_phase", "there is no event 'end_phase'"),
    ],
)
def test_what_is_wrong_in_a_record_is_told(record: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        vclogic.load(str(written(tmp_path, f"game: records.md\nrecord:\n  {record}\n"))).status()


def test_a_plan_puts_the_end_of_the_movement_between_its_events() -> None:
    game = vclogic.load(str(FILE)).at_state({"results": 5})
    found = game.plan("phase == combat and at(Marines) == B2", side="US", within=4)
    assert [s.action for s in found.steps] == ["order", "move", "end_movement"]
    assert found.steps[-1].actor == "US"


def test_an_opponent_that_does_nothing_ends_its_movement_all_the_same() -> None:
    game = vclogic.load(str(FILE)).at_state({"turn": "Japan"})
    found = game.plan("ordered(Marines)", side="US", opponent="idle", within=6)
    steps = [(s.actor, s.action) for s in found.steps]
    assert steps == [("Japan", "end_movement"), ("Japan", "end_turn"), ("US", "order")]
    with_moves = game.plan("ordered(Guards)", side="US", opponent="idle", within=2)
    assert not with_moves.steps


def test_rulings_and_messages_have_the_event_as_it_is_written() -> None:
    game = vclogic.load(str(FILE))
    text = {k.event: k for k in game.legal("US").kinds}
    assert {"order", "end_movement"} <= {*text}
    assert game.legal("Japan").reason == "It is the turn of US."
