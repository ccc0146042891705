"""Moments that requests describe: the same answers as of games moved in Python, whatever was asked before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.games import loaded
from vclogic.game import Game
from vclogic.report.json import document
from vclogic.rulebook.document import document as rules_document
from vclogic.rulebook.parser import parse_rules
from vclogic.serve.dispatch import Dispatcher
from vclogic.serve.protocol import read_request
from vclogic.serve.session import ClientSession

KARELIA = {"capture": {"power": "Germans", "territory": "Karelia"}}


class Asked:
    """A session without processes for what is answered apart."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.server = Dispatcher(ClientSession(), None, self.lines.append)  # type: ignore[arg-type]

    def __call__(self, ask: str, **keys: Any) -> Any:
        self.server.receive(json.dumps({"ask": ask, **keys}).encode())
        return json.loads(self.lines.pop())["answer"]


def test_steps_are_events_and_changes_by_hand() -> None:
    asked = Asked()
    steps: list[Any] = ["end_turn", KARELIA]
    moment = {"game": "axis_allies", "steps": steps}
    assert asked("value", moment=moment, expressions="vcp(Axis)")["values"] == [28]
    game = loaded("axis_allies").apply("end_turn").apply("capture", power="Germans", territory="Karelia")
    game = game.at_state({"owner": {"Karelia": "Russians"}})
    steps.append({"set": {"owner": {"Karelia": "Russians"}}})
    assert asked("state", moment=moment)["state"] == game.state_dict()
    steps.append({"set": {"round": 3}})
    assert asked("value", moment=moment, expressions="round")["values"] == [3]
    assert asked("apply", moment=moment, events=["end_turn"])["events"] == 1  # what was before is no history


def test_a_change_by_hand_changes_what_it_names() -> None:
    """Also of what a position file lists completely, in whatever words, and as often as one likes."""
    asked, settings = Asked(), {"level": "armies"}
    before = asked("state", moment={"game": "axis_allies", "settings": settings})["state"]
    steps: list[Any] = [
        {"set": {"units": {"Ukraine S.S.R.": {"Germans": {"infantry": 7}}}}},
        {
            "set": {
                "units": {
                    "Ukraine": {"Germans": {"armour": 0, "fighter": 1}},
                    "Karelia": {"Russians": {"armour": 9}},
                }
            }
        },
    ]
    moment = {"game": "axis_allies", "settings": settings, "steps": steps}
    found = asked("state", moment=moment)
    expected = json.loads(json.dumps(before))
    expected["units"]["Ukraine S.S.R."]["Germans"] |= {"infantry": 7, "armour": 0, "fighter": 1}
    expected["units"]["Karelia S.S.R."]["Russians"]["armour"] = 9
    assert found["state"] == expected != before
    wrong = {**moment, "steps": [{"set": {"units": {"Karelia": {"Russians": {"armor": 9}}}}}]}
    fault = asked("state", moment=wrong)["errors"][0]
    assert (fault["code"], fault["file"]) == ("unknown-name", "moment.steps[0]")
    assert "armour" in fault["help"]


def test_a_shorter_or_other_description_is_never_answered_from_a_longer_one() -> None:
    asked = Asked()
    steps: list[Any] = ["end_turn", KARELIA, "end_turn"]
    games = [loaded("axis_allies")]
    for step in steps:
        name, args = (step, {}) if isinstance(step, str) else next(iter(step.items()))
        games.append(games[-1].apply(name, **args))
    for n in (3, 1, 2, 0, 3):
        for settings in ({}, {"legality": "captures"}):
            found = asked("state", moment={"game": "axis_allies", "settings": settings, "steps": steps[:n]})
            if not settings:
                assert found["state"] == games[n].state_dict()
    other = {"game": "axis_allies", "steps": ["end_turn", "end_turn"]}
    assert asked("state", moment=other)["state"] == games[1].apply("end_turn").state_dict()


def test_only_new_steps_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, apply = Asked(), Game.apply
    played: list[str] = []

    def noted(game: Game, event: str, /, **args: Any) -> Game:
        played.append(event)
        return apply(game, event, **args)

    monkeypatch.setattr(Game, "apply", noted)
    for n in (4, 5, 6, 2):
        asked("value", moment={"game": "axis_allies", "steps": ["end_turn"] * n}, expressions="round")
    assert len(played) == 6


@pytest.mark.parametrize(
    ("moment", "code", "place"),
    [
        ({"game": "axis_allies", "steps": ["end_turn", "end_trun"]}, "unknown-name", "moment.steps[1]"),
        (
            {"game": "axis_allies", "steps": [{"place": {"power": "Germans", "territory": "Karelia"}}]},
            "",
            "moment.steps[0]",
        ),
        ({"game": "axis_allies", "steps": [{"set": {"ownr": {}}}]}, "unknown-name", "moment.steps[0]"),
        (
            {"game": "axis_allies", "steps": [{"set": {"owner": {"Kiev": "Nobody"}}}]},
            "unknown-name",
            "moment.steps[0]",
        ),
        (
            {"game": "axis_allies", "steps": [{"set": {"owner": {"Kief": "Germans"}}}]},
            "unknown-name",
            "moment.steps[0]",
        ),
        ({"game": "axis_allies", "steps": [{"set": {"round": "3"}}]}, "wrong-value", "moment.steps[0]"),
        ({"game": "axis_allies", "steps": [{"set": {"owner": "Germans"}}]}, "wrong-value", "moment.steps[0]"),
        ({"game": "asl", "steps": [{"set": {"broken": ["4-4-7"]}}]}, "wrong-value", "moment.steps[0]"),
        ({"game": "axis_allies", "steps": [{"set": 3}]}, "wrong-value", "moment.steps[0]"),
        ({"game": "axis_allies", "steps": [{"state": {"round": 3}}]}, "unknown-name", "moment.steps[0]"),
        ({"game": "axis_allies", "steps": [7]}, "", "moment.steps[0]"),
        ({"game": "axis_allies", "stpes": []}, "unknown-entry", "request"),
        ({"steps": []}, "missing-entry", "request"),
        ({"game": "axis_alies"}, "unknown-game", ""),
        ({"game": "axis_allies", "settings": {"victroy": "all"}}, "", ""),
        ({"game": "-"}, "cannot-read", "request"),
        ([], "wrong-value", "request"),
        ("m9", "unknown-name", "request"),
    ],
)
def test_faults_name_their_place(moment: Any, code: str, place: str) -> None:
    answer = Asked()("value", moment=moment, expressions="round")
    assert answer["status"] == "error", answer
    fault = answer["errors"][0]
    assert not code or fault["code"] == code, fault
    assert not place or fault["file"] == place, fault
    assert fault["message"]


def test_a_saved_file_is_read_anew(tmp_path: Any) -> None:
    asked, file = Asked(), tmp_path / "a.yaml"
    file.write_text("game: axis_allies\n")
    assert asked("value", moment={"game": str(file)}, expressions="round")["values"] == [1]
    file.write_text("game: axis_allies\nstate: {round: 3}\n")
    assert asked("value", moment={"game": str(file)}, expressions="round")["values"] == [3]


def test_a_saved_board_is_read_anew(tmp_path: Any) -> None:
    """It stands in a file of its own, which the position file names."""
    asked, file, board = Asked(), tmp_path / "a.yaml", tmp_path / "maps" / "b.yaml"
    board.parent.mkdir()
    file.write_text("game: asl\nboard: maps/b.yaml\n")
    units: dict[str, Any] = {}
    for name in ("a", "b", "c"):
        units[name] = {"side": "Russian", "kind": "squad", "at": "22K3/0"}
        board.write_text(json.dumps({"sides": ["Russian", "German"], "hexes": {"22K3": {}}, "units": units}))
        for _ in range(2):
            assert asked("state", moment={"game": str(file)})["state"]["at"] == dict.fromkeys(units, "22K3/0")
    board.unlink()
    assert asked("state", moment={"game": str(file)})["errors"][0]["code"] == "no-such-file"


def test_both_games_of_a_comparison_may_be_described() -> None:
    line = json.dumps({"ask": "compare", "moment": {"game": "okinawa"}, "other": {"game": "okinawa"}}).encode()
    request = read_request(line)
    assert request is not None
    assert ClientSession().held(request, request.plain["other"], "other").setup.game.startswith("okinawa")


@pytest.mark.parametrize("name", ["axis_allies", "asl", "moscow/small", "napoleonics", "okinawa"])
def test_what_is_written_is_read_as_the_same_position(name: str) -> None:
    asked, game = Asked(), loaded(name)
    moment: dict[str, Any] = {"game": name, "steps": [{"set": game.state_dict()}]}
    text = asked("written", moment=moment)["text"]
    position = asked("read", text=text)["position"]
    assert asked("state", moment={"game": position})["state"] == game.state_dict()


def test_what_is_read_keeps_boards_settings_and_records() -> None:
    text = (
        "game: asl\ntitle: 'No'\noptions: {rooftops: on}\n"
        "board:\n  sides: [Russian, German]\n  hexes: {22K3: {}, 22L3: {}}\n"
        "  units: {a: {side: Russian, kind: squad, at: 22K3/0}}\n"
        "state: {broken: {a: yes}}\nrecord: []\n"
    )
    asked = Asked()
    position = asked("read", text=text)["position"]
    assert position["options"] == {"rooftops": "on"}
    assert position["state"] == {"broken": {"a": True}}
    assert asked("apply", moment={"game": position}, events=[])["game"] == "asl: No"


def test_faults_of_a_text_name_line_and_column() -> None:
    fault = Asked()("read", text="game: axis_allies\nstate:\n  ruond: 3\n")["errors"][0]
    assert (fault["file"], fault["line"], fault["column"]) == ("text", 3, 3)


def test_a_text_may_be_as_long_as_a_file() -> None:
    text = "# what was thought about it\n" * 1_000 + "game: axis_allies\n"
    assert Asked()("read", text=text)["position"] == {"game": "axis_allies"}
    wrong = Asked()("read", text=text + "title: \ufeff\n")["errors"][0]
    assert (wrong["code"], wrong["file"], wrong["line"]) == ("control-character", "text", 1_002)


def test_moves_are_drawn_over_the_board() -> None:
    asked, game = Asked(), loaded("axis_allies")
    plan = json.loads(json.dumps(document("plan", game.plan("vcp(Axis) >= 30"))))
    plan["report"] = "what the command says\n" * 1_000  # an answer in words, too, is handed back as it is
    shown = asked("board", moment={"game": "axis_allies"}, show=plan)["svg"]
    assert shown.count('class="tip"') > asked("board", moment={"game": "axis_allies"})["svg"].count('class="tip"')
    wrong = asked("board", moment={"game": "axis_allies"}, show={"schema": "vclogic/plan/2"})
    assert wrong["errors"][0]["file"] == "show"


def test_the_catalogue_lists_games_and_files(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "b.yaml").write_text("game: okinawa\ntitle: By night\n")
    (tmp_path / "rulings.yaml").write_text("game: okinawa\nrulings: []\n")
    (tmp_path / "broken.yaml").write_text("game: [\n")
    monkeypatch.chdir(tmp_path)
    found = Asked()("catalogue")
    assert found["files"] == [{"path": "maps/b.yaml", "title": "By night", "game": "okinawa"}]
    okinawa = next(g for g in found["games"] if g["name"] == "okinawa")
    assert okinawa["scenarios"][0]["name"] == "okinawa/small"


def test_a_record_that_is_read_is_given_as_steps(tmp_path: Path) -> None:
    """So that each can be gone to; together they lead where the file does."""
    asked = Asked()
    text = (
        "game: axis_allies\nstate: {turn: Germans}\nrecord:\n"
        "  - {capture: {power: Germans, territory: Karelia}}\n  - end_turn\n"
    )
    file = tmp_path / "karelia.yaml"
    file.write_text(text)
    for found in (asked("read", text=text), asked("read", file=str(file))):
        assert found["position"] == {"game": "axis_allies", "state": {"turn": "Germans"}}
        assert found["steps"] == [{"capture": {"power": "Germans", "territory": "Karelia"}}, "end_turn"]
        moment = {"game": found["position"], "settings": {}, "steps": found["steps"]}
        whole = {"game": str(file), "settings": {}, "steps": []}
        assert asked("state", moment=moment) == asked("state", moment=whole)
    assert asked("read", text="game: axis_allies\n")["steps"] == []
    wrongs: list[dict[str, str]] = [{}, {"text": text, "file": str(file)}, {"file": "-"}]
    for wrong in wrongs:
        assert asked("read", **wrong)["errors"][0]["code"] in ("missing-entry", "cannot-read")


def test_each_step_is_said() -> None:
    asked = Asked()
    capture = {"capture": {"power": "Germans", "territory": "Karelia S.S.R."}}
    moment = {"game": "axis_allies", "settings": {}, "steps": ["end_turn", capture]}
    told = ["Russians end their turn", "Germans take Karelia S.S.R."]
    assert asked("happened", moment=moment)["steps"] == told
    more = {**moment, "steps": [*moment["steps"], {"set": {"round": 3}}, "end_turn"]}
    assert asked("happened", moment=more)["steps"] == [*told, "", "Germans end their turn"]
    orders = {"order": {"units": ["Marshal", "1st Line"]}}
    several = {"game": "napoleonics", "settings": {}, "steps": [{"start_turn": {"side": "French"}}, orders]}
    assert asked("happened", moment=several)["steps"][1] == "French: Marshal ordered; French: 1st Line ordered"
    assert asked("happened", moment={**moment, "steps": []})["steps"] == []
    asked("load", game="axis_allies", name="m")
    asked("apply", moment="m", events=["end_turn", capture], name="n")
    assert asked("happened", moment="n")["steps"] == told
    game = Game.load("axis_allies").apply("end_turn")
    assert Game.load("moscow").happened(game) == ()
    assert game.happened(game.apply("end_turn")) == ()


def test_what_is_another_one_than_before_is_said() -> None:
    asked = Asked()
    before = {"game": "axis_allies", "settings": {}, "steps": [{"set": {"turn": "Germans"}}]}
    after = {**before, "steps": [*before["steps"], {"capture": {"power": "Germans", "territory": "Karelia S.S.R."}}]}
    facts = asked("changes", moment=after, before=before)["facts"]
    assert "Karelia S.S.R. belongs to the Germans" in facts
    assert asked("changes", moment=after, before=after)["facts"] == []
    other = {"game": "okinawa", "settings": {}, "steps": []}
    assert asked("changes", moment=after, before=other)["errors"][0]["code"] == "not-for-this-game"
    assert asked("changes", moment=after, before="m9")["errors"][0]["code"] == "unknown-name"


BOOK = Path("examples/rulebooks/skirmish.md").read_text()


def test_a_rulebook_is_sent_as_its_text_and_runs_no_code(tmp_path: Path) -> None:
    asked = Asked()

    def status(**texts: str) -> Any:
        return asked("status", moment={"game": {"rulebook": {f"{n}.md": text for n, text in texts.items()}}})

    assert [one["rule"] for one in status(own=BOOK)["outcomes"]][:1] == ["victory"]
    assert [one["rule"] for one in status(own=BOOK.replace("wins victory", "wins ground"))["outcomes"]][:1] == [
        "ground"
    ]
    whole = "# Two\n\n```vclogic\ninclude parts.md\n```\n"
    assert status(own=whole, parts=BOOK)["outcomes"] == status(own=BOOK)["outcomes"]
    (fault,) = status(own=BOOK + "\n```vclogic\npython own.py\n  f\n```\n")["errors"]
    assert "a rulebook runs no code" in fault["message"]
    (fault,) = status(own=whole.replace("parts.md", "../../README.md"))["errors"]
    assert "is not in the folder of the rulebook" in fault["message"]
    wrong: tuple[Any, ...] = ({}, [], {"own.md": 1}, {"../own.md": BOOK}, {"own.py": "x"})
    for bad in wrong:
        (fault,) = asked("status", moment={"game": {"rulebook": bad}})["errors"]
        assert (fault["code"], fault["file"]) == ("wrong-value", "moment.game")


def test_a_fault_of_outcomes_that_were_sent_has_its_line_and_column() -> None:
    text = "instead of major_victory\nAxis wins x at once if vpc(Axis) >= 3\n"
    (fault,) = Asked()("status", moment={"game": {"game": "axis_allies", "outcomes": text}})["errors"]
    assert (fault["line"], fault["column"], fault["help"]) == (2, 24, "did you mean 'vcp' or 'ipc'?")


def test_outcomes_that_are_a_document_are_read_as_text() -> None:
    text = "Axis wins x at once if vcp(Axis) >= 30\n"
    held = {"game": "axis_allies", "outcomes": rules_document(parse_rules(text))}
    found = Asked()("read", text=json.dumps(held))["position"]["outcomes"]
    assert rules_document(parse_rules(found)) == held["outcomes"]
