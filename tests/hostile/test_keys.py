"""Whatever requests and commands are given: an answer, or an error in words, and never one that is called internal.

Requests and their keys, commands and their options are looked up, so that a new one is tried as well.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import click
import pytest

from tests.cli.conftest import Run
from tests.fixtures.games import ROOT
from tests.hostile.arguments import WRONG
from vclogic.cli.main import commands
from vclogic.serve.dispatch import alone
from vclogic.serve.requests import KINDS

OWN = str(ROOT / "examples" / "two_islands.yaml")
MOMENT = {"game": OWN}
RIGHT: dict[str, Any] = {
    "attack": {"infantry": 1},
    "before": MOMENT,
    "event": "end_turn",
    "events": [],
    "expressions": ["round"],
    "game": OWN,
    "goal": "vcp(Axis) >= 1",
    "kind": "plan",
    "moment": MOMENT,
    "other": MOMENT,
    "plan": {},
    "planner": "p1",
    "question": "round == 1",
    "questions": [{"ask": "status", "moment": MOMENT}],
    "request": 1,
    "state": {},
    "text": "game: axis_allies",
    "threat": "vcp(Axis) >= 1",
}
QUICK = {"timeout": 0.001, "budget_s": 0.001}


def keys(ask: str) -> dict[str, bool]:
    """The keys of a request by their names, each with whether it must be given."""
    found = dataclasses.fields(KINDS[ask].keys)
    return {f.name: f.default is dataclasses.MISSING for f in found if f.name not in ("ask", "id")}


def as_json(value: Any) -> bool:
    """Whether a value can stand in a request."""
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True


@pytest.mark.parametrize("ask", [ask for ask in KINDS if ask != "shutdown"])
def test_a_wrong_value_of_a_key_is_answered_or_refused(
    ask: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said: list[bytes] = []
    server = alone(said.append)
    server.receive(json.dumps({"ask": "planner", "moment": MOMENT, "name": "p1", "side": "Axis"}).encode())
    asked = keys(ask)
    right = {n: RIGHT[n] for n, must in asked.items() if must} | {n: x for n, x in QUICK.items() if n in asked}
    values = [v for v in WRONG if as_json(v)]
    for i, key in enumerate([*asked, "no_such"]):
        for value in values[i % 3 :: 3]:
            said.clear()
            server.receive(json.dumps({"ask": ask, "id": 1, **right, key: value}).encode())
            answer = json.loads(said[-1])["answer"]
            codes = {d["code"] for d in answer.get("errors", ())}
            assert not codes & {"internal", "broken-rules"}, (key, value, answer)
            assert key != "no_such" or codes


WORDS = ("", "no such", "\ud800", "-1", "0", "1e400", "nan", "9" * 5_000, "[]", "{a: [}", "round == 1", "=")
ARGUMENTS = {"game": OWN, "question": "round == 1", "goal": "vcp(Axis) >= 1", "threat": "vcp(Axis) >= 1"}
ARGUMENTS |= {"folder": "rows"}
ARGUMENTS |= {"attack": "infantry: 1", "timeout": "0.01", "output": "out.svg", "plan_file": "no_such.json"}
NOT_HERE = {"serve", "new"}
"""Commands that go on, or write a folder."""


@pytest.mark.parametrize("name", [n for n in commands.commands if n not in NOT_HERE])
def test_a_wrong_value_of_an_option_is_answered_or_refused(
    name: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    params = [p for p in commands.commands[name].params if isinstance(p, click.Option) and not p.is_flag]
    places = [p for p in commands.commands[name].params if isinstance(p, click.Argument)]
    right = {p.opts[0]: ARGUMENTS[str(p.name)] for p in params if p.required or p.name == "timeout"}
    for i, option in enumerate(params):
        for value in WORDS[i % 3 :: 3]:
            given = [f"{o}={x}" for o, x in {**right, option.opts[-1]: value}.items()]
            found = run(name, *(ARGUMENTS.get(str(p.name), OWN) for p in places), *given)
            assert found.code in (0, 1, 2, 3), (option.opts, value, found)
            assert "Traceback" not in found.err
