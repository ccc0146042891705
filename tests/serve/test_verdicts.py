"""The line of a report that says what was found, as a key of the answer: in the words of the report."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from tests.fixtures.pace import BUSY
from tests.fixtures.web_server import LONG
from vclogic.game import Game
from vclogic.serve.answering import CANCELLED, Answering, UnopenedQuestion
from vclogic.serve.dispatch import alone
from vclogic.serve.protocol import read_request

AXIS = {"game": "axis_allies"}
ASKED: dict[str, tuple[dict[str, Any], str]] = {
    "plan": (
        {"moment": AXIS, "goal": "vcp(Axis) >= 40"},
        "optimal: 3 captures, the fewest possible (proved by landmark cuts, checked in whole numbers)",
    ),
    "reach": ({"moment": AXIS, "goal": "vcp(Axis) >= 26"}, "reachable: the goal holds already"),
    "missing": ({"moment": AXIS, "goal": "vcp(Axis) >= 27"}, "possible: 1 fact to change; fewer are not enough"),
    "ask": ({"moment": AXIS, "question": "vcp(Axis) >= 40"}, "vcp(Axis) >= 40: no"),
    "objectives": (
        {"moment": AXIS, "side": "Axis", "goal": "vcp(Axis) >= 40"},
        "3 captures, the fewest possible: take Russia (Moscow, 5 points), United Kingdom (London, 5 points) and"
        " Eastern United States (Washington, 5 points); no other set is enough within 3 captures",
    ),
    "compare": (
        {"moment": AXIS, "other": AXIS},
        "equal, ever: both say the same of everything that is compared, word for word. (Proof: identical.)",
    ),
    "check": ({"moment": {"game": "okinawa"}, "select": "VC001"}, "okinawa/small: no findings"),
    "solve": (
        {"moment": {"game": "examples/crossroads.yaml"}, "max_positions": 10},
        "unknown: there are more than 10 positions",
    ),
    "force": (
        {"moment": {**AXIS, "steps": ["end_turn"]}, "side": "Axis", "goal": "vcp(Axis) >= 26", "within": 1},
        "forced: ",
    ),
    "defend": (
        {"moment": {**AXIS, "steps": ["end_turn"]}, "side": "Axis", "threat": "vcp(Allies) >= 70", "within": 1},
        "defended: nothing need be done now",
    ),
}


def answer(ask: str, **keys: Any) -> dict[str, Any]:
    said: list[bytes] = []
    request = {"ask": ask, "report": True, "timeout": 60 + BUSY, **keys}
    alone(said.append).receive(json.dumps(request).encode())
    found: dict[str, Any] = json.loads(said[-1])["answer"]
    return found


@pytest.mark.parametrize("ask", ASKED)
def test_verdicts_are_lines_of_the_report(ask: str) -> None:
    keys, begins = ASKED[ask]
    found = answer(ask, **keys)
    assert found["verdict"].startswith(begins), found
    assert found["verdict"] in " ".join(found["report"].split())


def test_a_table_has_no_verdict() -> None:
    found = answer("odds", moment=AXIS, attack={"armour": 3}, at="India")
    assert "verdict" not in found
    assert found["report"].startswith("The odds of ")


def test_who_does_not_ask_for_words_gets_none() -> None:
    found = answer("missing", moment=AXIS, goal="vcp(Axis) >= 27", report=False)
    assert not {"report", "verdict"} & found.keys()


def test_a_question_that_was_cancelled_says_so_in_words_too() -> None:
    game = Game.load("axis_allies")
    request = read_request(json.dumps({**LONG, "moment": "m1", "report": True}).encode())
    assert request is not None
    answering = Answering(lambda line: answering.stops.cancel(1))
    question = UnopenedQuestion(1, request, time.monotonic(), lambda: {"moment": game}, None)
    found = json.loads(answering.answer(question))
    assert found["cancelled"]
    assert (found["answer"]["status"], found["answer"]["reason"]) == ("unknown", CANCELLED)
    assert found["answer"]["verdict"].startswith(f"unknown: {CANCELLED}; ")
    assert CANCELLED in " ".join(found["answer"]["report"].split())


@pytest.mark.parametrize("columns", [46, 70, 100])
def test_the_lines_of_a_report_are_as_long_as_asked(columns: int) -> None:
    found = answer("plan", moment=AXIS, goal="vcp(Axis) >= 40", columns=columns)
    assert columns - 12 < max(map(len, found["report"].splitlines())) <= columns
