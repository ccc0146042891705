"""Requests that are answered in one process, as in a browser: what `serve --stdio` answers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest

from tests.fixtures.serving import Talk
from vclogic import shortage
from vclogic.query.planner import cache as built
from vclogic.query.reach import all_events
from vclogic.report.failures import failure_of
from vclogic.serve.dispatch import alone
from vclogic.solve.backends import kept
from vclogic.solve.landmarks import search
from vclogic.solve.searches import all_positions, milp_search

AXIS = {"game": "axis_allies", "settings": {}, "steps": ["end_turn"]}
REQUESTS: dict[str, dict[str, Any]] = {
    "a status": {"ask": "status", "moment": AXIS},
    "a board": {"ask": "board", "moment": AXIS},
    "a mistake": {"ask": "status", "moment": {**AXIS, "steps": ["end_turns"]}},
    "no request": {"ask": "everything"},
    "a ruling": {"ask": "ask", "moment": AXIS, "question": "vcp(Axis)", "report": True},
    "a plan": {"ask": "plan", "moment": AXIS, "goal": "vcp(Axis) >= 40", "progress": True, "better": True},
    "what can never be": {"ask": "reach", "moment": AXIS, "goal": "vcp(Axis) >= 70"},
    "what is missing": {"ask": "missing", "moment": AXIS, "goal": "vcp(Axis) >= 27"},
    "a schema": {"ask": "schema", "kind": "status"},
}
LEFT_OUT = ("elapsed_s", "report", "bound_by", "steps", "record", "repairs")
"""What may be another one each time, or by another solver."""


@pytest.fixture(scope="module")
def talk() -> Iterator[Talk]:
    found = Talk()
    yield found
    found.process.kill()
    found.process.wait(30)


@pytest.fixture
def as_in_a_browser() -> Iterator[None]:
    """No processes, and neither NumPy nor HiGHS."""
    with patch.object(kept, "APART", False):
        for module in (all_events, built, search, all_positions, milp_search):
            patcher = patch.object(module, "libraries_missing", lambda: True)
            patcher.start()
        yield
    patch.stopall()


TOGETHER = [
    {"ask": "status"},
    {"ask": "legal", "place": "Atlantis"},
    {"ask": "plan", "goal": "vcp(Axis) >= 40"},
    {"ask": "load", "game": "axis_allies"},
    {"ask": "everything"},
    7,
    {"ask": "value", "moment": {"game": "axis_allies"}, "expressions": ["turn"]},
]
"""Questions of which those in the middle are wrong."""


def test_of_questions_that_are_asked_together_none_spoils_the_others(talk: Talk) -> None:
    line = json.dumps({"ask": "together", "moment": AXIS, "questions": TOGETHER, "id": "all"})
    told: list[bytes] = []
    here = alone(told.append)
    here.receive(line.encode())
    apart = subprocess.run(
        [sys.executable, "-m", "vclogic", "serve", "--stdio"], input=line.encode(), capture_output=True, check=True
    ).stdout.splitlines(keepends=True)
    replies = [json.loads(one) for one in told]
    assert [json.loads(one) for one in apart] == replies
    assert [reply.get("part") for reply in replies] == [*range(len(TOGETHER)), None]
    assert replies[-1]["answer"] == {"schema": "vclogic/together/1", "questions": len(TOGETHER)}
    status, *wrong, value = [reply["document"] for reply in replies[:-1]]
    assert status == talk.ask("status", moment=AXIS)
    assert value["values"] == ["Russians"]
    said = [one["errors"][0]["message"] for one in wrong]
    assert "no place" in said[0]
    assert all("cannot be asked together" in one for one in said[1:3])
    assert "there is no request 'everything'" in said[3]
    assert "expected a mapping" in said[4]


def test_only_so_many_questions_are_asked_together() -> None:
    told: list[bytes] = []
    alone(told.append).receive(json.dumps({"ask": "together", "questions": [{"ask": "version"}] * 21}).encode())
    (error,) = json.loads(told[0])["answer"]["errors"]
    assert error["message"] == "20 questions may be asked together"


SOME = {"owner": {"Caucasus": "Germans"}}
AT_A_STATE: tuple[dict[str, Any], ...] = (
    {"ask": "load", "game": "axis_allies", "name": "m"},
    {"ask": "at_state", "moment": "m", "state": SOME, "name": "n"},
    {"ask": "apply", "moment": "n", "events": ["end_turn"], "name": "later"},
    {"ask": "value", "moment": "n", "expressions": ["vcp(Axis)"]},
    {"ask": "status", "moment": "n"},
    {"ask": "legal", "moment": "n", "event": "capture"},
    {"ask": "happened", "moment": "n"},
    {"ask": "changes", "moment": "later", "before": "n"},
    {"ask": "planner", "moment": "m", "side": "Axis", "name": "p"},
    {"ask": "planner_plan", "planner": "p", "moment": "n", "goal": "controls(Axis, Caucasus)", "budget_s": 20},
)


def replies(request: dict[str, Any]) -> list[dict[str, Any]]:
    said: list[bytes] = []
    alone(said.append).receive(json.dumps({"id": 1, **request}).encode())
    return [json.loads(line) for line in said]


def plain(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key not in LEFT_OUT}


@pytest.mark.usefixtures("as_in_a_browser")
@pytest.mark.parametrize("name", REQUESTS)
def test_the_answers_of_a_server(name: str, talk: Talk) -> None:
    *before, last = replies(REQUESTS[name])
    assert plain(last["answer"]) == plain(talk.ask(id=1, **REQUESTS[name]))
    if "better" in REQUESTS[name]:
        assert [reply for reply in before if "progress" in reply]
        better = [reply["better"] for reply in before if "better" in reply]
        assert better
        assert [plan["cost"] for plan in better] == sorted({plan["cost"] for plan in better}, reverse=True)
        assert all(plan["replayed"] for plan in better)
        assert better[-1]["cost"] == last["answer"]["cost"] == 3


def test_better_plans_are_in_words_where_the_answer_is(as_in_a_browser: None) -> None:
    *before, last = replies(REQUESTS["a plan"] | {"report": True})
    for plan in (*(reply["better"] for reply in before if "better" in reply), last["answer"]):
        assert plan["verdict"].startswith(plan["status"])
        assert plan["verdict"] in " ".join(plan["report"].split())


def test_planners_are_held_and_answer() -> None:
    said: list[bytes] = []
    server = alone(said.append)
    for request in (
        {"ask": "load", "game": "axis_allies", "name": "m"},
        {"ask": "planner", "moment": "m", "name": "p"},
        {"ask": "planner_plan", "planner": "p", "goal": "vcp(Axis) >= 33", "budget_s": 30},
    ):
        server.receive(json.dumps(request).encode())
    held, made, plan = [json.loads(line)["answer"] for line in said]
    assert (held["moment"], made["planner"]) == ("m", "p")
    assert (plan["status"], plan["cost"]) == ("optimal", 2)


def test_what_a_browser_lacks_is_not_needed_to_begin() -> None:
    lacking = ("numpy", "highspy", "z3", "networkx", "rich", "markdown_it")
    program = "import sys, vclogic.serve.dispatch; print(*(m for m in sys.argv[1:] if m in sys.modules))"
    found = subprocess.run([sys.executable, "-c", program, *lacking], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []


QUESTIONS = """
import json, sys
sys.modules["numpy"] = sys.modules["highspy"] = None
from vclogic.serve.dispatch import alone
from vclogic.solve.backends import kept
kept.APART = False
for request in json.load(sys.stdin):
    alone(lambda line: print(line.decode(), end="")).receive(json.dumps(request).encode())
"""
NIM = {"moment": {"game": "examples/rulebooks/nim.md"}, "goal": "holds(last, First)", "within": 2}
BATTLE: dict[str, Any] = {"ask": "odds", "moment": AXIS, "attack": {"infantry": 2}, "defend": {"infantry": 1}}


def test_what_is_answered_without_numpy_and_highs(talk: Talk) -> None:
    turns = {"moment": NIM["moment"], "side": "First", "within": 1}
    asked: list[dict[str, Any]] = [
        {"ask": "force", "goal": NIM["goal"], **turns},
        {"ask": "defend", "threat": NIM["goal"], **turns},
        {"ask": "objectives", **NIM},
        BATTLE,
        {"ask": "solve", "moment": NIM["moment"]},
    ]
    done = subprocess.run(
        [sys.executable, "-c", QUESTIONS], input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    force, defend, objectives, odds, solve = [json.loads(line)["answer"] for line in done.stdout.splitlines()]
    assert [one["status"] for one in (force, defend, objectives)] == ["refuted", "defended", "impossible"]
    assert "were not checked once more: NumPy and HiGHS are missing here" in force["reason"]
    assert force["refutation"]
    exact = talk.ask(id=2, **BATTLE, exact=True)
    assert plain(odds) == plain(exact)
    assert [error["code"] for error in solve["errors"]] == ["not-here"]


def test_what_is_missing_is_said_in_words() -> None:
    assert not shortage.libraries_missing()
    for name in ("numpy", "highspy"):
        fault = failure_of(ModuleNotFoundError(f"No module named {name!r}", name=name))
        assert fault.code == "not-here"
        assert "NumPy and HiGHS are missing here" in fault.message
    assert failure_of(ModuleNotFoundError("No module named 'other'", name="other")).code != "not-here"


def test_another_state_is_not_put_into_the_form_of_a_file_before_it_is_written() -> None:
    """Which takes a hundred times as long as the state itself."""
    said: list[bytes] = []
    asked = alone(said.append)
    with patch("vclogic.moment.starting_at", side_effect=AssertionError("nobody asked for a file")):
        for n, request in enumerate(AT_A_STATE):
            asked.receive(json.dumps({"id": n, **request}).encode())
    assert [json.loads(line)["answer"].get("errors") for line in said] == [None] * len(AT_A_STATE)
