"""The JSON Schemas of requests and replies: what is sent and answered satisfies them, other things do not."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

import jsonschema
import pytest

from tests.fixtures.games import ROOT, loaded
from vclogic.errors import Diagnostic
from vclogic.progress import Progress
from vclogic.report.json import document, errors
from vclogic.serve.protocol import answer_line, progress_line, read_request
from vclogic.serve.requests import KINDS
from vclogic.serve.schemas import schema_of
from vclogic.serve.session import ClientSession

GOOD: list[dict[str, Any]] = [
    {"ask": "load", "game": "axis_allies", "settings": {"sea_range": 0}},
    {"ask": "load", "game": {"game": "axis_allies", "state": {"round": 2}}, "at": [], "name": "a"},
    {"ask": "apply", "moment": "m1", "events": ["end_turn", {"capture": {"power": "Germans", "territory": "Kiev"}}]},
    {"ask": "at_state", "moment": "m1", "state": {"round": 2}},
    {"ask": "drop", "moments": ["m1"]},
    {"ask": "state", "moment": "m1", "id": 3},
    {"ask": "value", "moment": "m1", "expressions": "turn"},
    {"ask": "status", "moment": "m1", "view": None, "tables": True},
    {
        "ask": "board",
        "moment": {"game": "axis_allies", "settings": {}, "steps": ["end_turn", {"set": {"round": 2}}]},
    },
    {"ask": "place", "moment": {"game": "axis_allies"}, "place": "Ukraine S.S.R."},
    {"ask": "place", "moment": "m1"},
    {"ask": "written", "moment": {"game": "axis_allies", "at": ["end_turn"]}},
    {"ask": "read", "text": "game: axis_allies"},
    {"ask": "read", "file": "own.yaml"},
    {"ask": "happened", "moment": "m1"},
    {"ask": "changes", "moment": "m1", "before": {"game": "axis_allies"}},
    {"ask": "catalogue"},
    {"ask": "board", "moment": "m1", "show": {"schema": "vclogic/plan/2"}, "step": 1},
    {"ask": "legal", "moment": "m1", "event": {"place": {}}, "why_not": 3},
    {"ask": "ask", "moment": "m1", "question": "vcp(Axis)", "all_readings": True, "timeout": 5, "report": True},
    {"ask": "explain", "moment": "m1", "goal": "true"},
    {"ask": "explain_event", "moment": "m1", "event": "end_turn"},
    {"ask": "rules", "moment": "m1"},
    {"ask": "plan", "moment": "m1", "goal": "true", "timeout": 0.5, "progress": True, "within": 3},
    {"ask": "reach", "moment": "m1", "goal": "true", "by": "rules"},
    {"ask": "missing", "moment": "m1", "goal": "true", "keep": ["owner"]},
    {"ask": "compare", "moment": "m1", "other": "m1", "numbers": 2},
    {"ask": "check", "moment": "m1", "scope": "reachable", "select": "VC1"},
    {
        "ask": "odds",
        "moment": "m1",
        "attack": {"armour": 3},
        "at": "India",
        "exact": True,
        "attackers_fall": "armour",
    },
    {"ask": "odds", "moment": "m1", "attack": {"armour": 3}, "defend": {"infantry": 2}, "guns": {"battleship": 1}},
    {"ask": "objectives", "moment": "m1", "side": "Axis", "avoid": [{"capture": {}}], "threat": "true", "limit": 5},
    {"ask": "solve", "moment": "m1", "max_positions": 10, "check": False},
    {"ask": "force", "moment": "m1", "goal": "true", "within": 2, "progress": True},
    {"ask": "defend", "moment": "m1", "threat": "true"},
    {"ask": "survives", "moment": "m1", "goal": "true", "plan": {}, "within": 1},
    {"ask": "planner", "moment": "m1", "side": "Axis", "name": "p"},
    {"ask": "planner_plan", "planner": "p", "goal": "true", "require": ["end_turn"], "keep": "true", "budget_s": 0.2},
    {"ask": "planner_objectives", "planner": "p", "threat": "true", "state": {"round": 2}, "budget_s": 2, "limit": 9},
    {"ask": "schema", "kind": "position", "game": "axis_allies"},
    {"ask": "together", "moment": "m1", "questions": [{"ask": "status"}, {"ask": "legal", "unplaced": True}]},
    {"ask": "cancel", "request": "a"},
    {"ask": "version", "id": "a"},
    {"ask": "shutdown"},
]


def _least(kind: str) -> dict[str, Any]:
    """A request with the keys alone that it must have."""
    needed = [f.name for f in dataclasses.fields(KINDS[kind].keys) if f.default is dataclasses.MISSING]
    return {**{name: "m1" if name == "moment" else "true" for name in needed}, "ask": kind}


GOOD += [_least(kind) for kind in KINDS if kind not in {request["ask"] for request in GOOD}]
BAD: list[Any] = [
    *({**request, "odd": 1} for request in GOOD),
    *([request] for request in GOOD[:1]),
    {"ask": "lod", "game": "axis_allies"},
    {"ask": "load"},
    {"ask": "version", "id": 1.5},
    {"ask": "apply", "moment": "m1", "events": "end_turn"},
    {"ask": "board", "moment": ["m1"]},
    {"ask": "board", "moment": {"steps": []}},
    {"ask": "board", "moment": {"game": "axis_allies", "stpes": []}},
    {"ask": "board", "moment": {"game": "axis_allies", "steps": "end_turn"}},
    {"ask": "status", "moment": "m1", "tables": "yes"},
    {"ask": "plan", "moment": "m1", "goal": "true", "timeout": "soon"},
    {"ask": "plan", "moment": "m1", "goal": "true", "within": 1.5},
    {"ask": "check", "moment": "m1", "scope": "all"},
    {"ask": "odds", "moment": "m1", "defend": {"infantry": 2}},
    {"ask": "odds", "moment": "m1", "attack": "armour: 3"},
    {"ask": "odds", "moment": "m1", "attack": {"armour": 1.5}},
]


def refused(request: Any) -> bool:
    """Whether a request is refused for its form."""
    try:
        found = read_request(json.dumps(request).encode())
        assert found is not None
        ClientSession().kind(found).read(found)
    except Exception:
        return True
    return False


def test_each_kind_of_request_is_tried() -> None:
    """Those that a list of requests does not name with what they need and nothing else."""
    assert {request["ask"] for request in GOOD} == set(KINDS)


def test_the_schema_of_requests_says_what_is_read() -> None:
    shape = schema_of("request")
    jsonschema.Draft202012Validator.check_schema(shape)
    validator = jsonschema.Draft202012Validator(shape)
    for request in GOOD:
        validator.validate(request)
        assert not refused(request), request
    for request in BAD:
        assert not validator.is_valid(request), request
        # what events and moments are is read with the game
        assert refused(request) or request["ask"] in ("apply", "board"), request


def test_every_key_of_a_request_is_described() -> None:
    for shape in schema_of("request")["oneOf"]:
        assert shape["description"].endswith("."), shape["title"]
        assert [name for name, key in shape["properties"].items() if not key["description"].strip()] == []


def replies() -> list[dict[str, Any]]:
    """Some replies of each kind."""
    game, session = loaded("axis_allies"), ClientSession()

    def ask(request: dict[str, Any]) -> Any:
        read = read_request(json.dumps(request).encode())
        assert read is not None
        kind = session.kind(read)
        return session.answer(kind, kind.read(read), read)

    lines = [answer_line(1, ask(r)) for r in (GOOD[0], *GOOD[5:13], {"ask": "version"}, GOOD[4])]
    lines.append(answer_line("a", document("plan", game.plan("vcp(Axis) >= 33"))))
    lines.append(answer_line(None, errors([Diagnostic("usage", "no")])))
    lines.append(progress_line(1, Progress("looking", 3)))
    return [json.loads(line) for line in lines]


def test_the_form_of_the_page_asks_for_fields_of_questions() -> None:
    text = (ROOT / "page" / "src" / "asked.mjs").read_text(encoding="utf-8")
    names = dict(re.findall(r"(\w+): \"(\w+)\"", text.split("const NAMES")[1].split("\n")[0]))
    forms = re.findall(r"^  (\w+): \{ label: .*, takes: \[(.*)\], goal: (\w+) \}", text, re.MULTILINE)
    assert {"plan", "defend", "odds"} <= {kind for kind, _, _ in forms}
    for kind, takes, goal in forms:
        asked = {*re.findall(r"\w+", takes)} | ({names.get(kind, "goal")} if goal == "true" else set())
        asked = asked - {"battle"} | ({"attack", "defend", "at"} if "battle" in asked else set())
        assert asked <= {field.name for field in dataclasses.fields(KINDS[kind].keys)}, kind


def test_replies_are_as_their_schema_says() -> None:
    shape = schema_of("reply")
    jsonschema.Draft202012Validator.check_schema(shape)
    validator = jsonschema.Draft202012Validator(shape)
    for reply in replies():
        validator.validate(reply)
        assert not validator.is_valid({k: x for k, x in reply.items() if k != "id"})
        assert not validator.is_valid(reply | {"answer": {}})
        for key in reply.get("answer", {}):
            answer = {k: x for k, x in reply["answer"].items() if k != key}
            assert not validator.is_valid(reply | {"answer": answer}) or reply["answer"]["schema"][8:14] == "status"


def test_numbers_that_json_lacks_are_never_written() -> None:
    with pytest.raises(ValueError, match="JSON"):
        answer_line(1, {"cost": float("nan")})
