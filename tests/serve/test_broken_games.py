"""Games whose rules break down, or never return, while they are asked through `serve`: the session goes on."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.serving import Json, codes
from tests.toys.three_hills import ENDLESS, NAME, installed
from vclogic import watchdog
from vclogic.game import Game
from vclogic.serve.answering import Answering, UnopenedQuestion
from vclogic.serve.protocol import read_request
from vclogic.serve.stdio import serve
from vclogic.watchdog import endless_calls_ended

RAISES = ("def end():\n", "def end():\n    1 / 0\n")


def said(*requests: dict[str, Any]) -> list[Json]:
    """The answers of a server in this process."""
    ours, theirs = os.pipe(), os.pipe()
    os.write(ours[1], b"".join(json.dumps(r).encode() + b"\n" for r in requests))
    os.close(ours[1])
    try:
        with endless_calls_ended():
            assert serve(ours[0], theirs[1], 1) == 0
    finally:
        os.close(ours[0])
        os.close(theirs[1])
    with os.fdopen(theirs[0], "rb") as out:
        return [json.loads(line)["answer"] for line in out]


@pytest.mark.parametrize(
    ("planted", "words"), [(ENDLESS, "still running after 0.5 s"), (RAISES, "ZeroDivisionError")]
)
def test_rules_that_break_down_end_one_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: tuple[str, str], words: str
) -> None:
    monkeypatch.setattr(watchdog, "PATIENCE", 0.5)
    with installed(tmp_path, monkeypatch, planted) as rules:
        loaded, broken, fine, again = said(
            {"ask": "load", "game": NAME},
            {"ask": "legal", "moment": "m1"},
            {"ask": "status", "moment": "m1"},
            {"ask": "legal", "moment": "m1"},
        )
        assert loaded["moment"] == "m1"
        assert codes(broken) == codes(again) == ["broken-rules"]
        assert broken["errors"][0]["file"] == str(rules)
        assert words in broken["errors"][0]["message"]
        assert fine["schema"] == "vclogic/status/1"

        game = Game.load(NAME)
        request = read_request(b'{"ask": "reach", "moment": "m1", "goal": "hills(Blue) >= 3"}')
        assert request is not None
        question = UnopenedQuestion(1, request, time.monotonic(), lambda: {"moment": game}, None)
        answer = json.loads(Answering(lambda line: None).answer(question))["answer"]
        assert codes(answer) == ["broken-rules"], answer


def test_what_a_game_prints_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with installed(tmp_path, monkeypatch, ("def end():\n", "def end():\n    print('here')\n")):
        answers = said({"ask": "load", "game": NAME}, {"ask": "legal", "moment": "m1"})
    assert [a["schema"] for a in answers] == ["vclogic/moment/1", "vclogic/legal/1"]


def test_a_bug_ends_one_question(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Game, expression: str) -> None:
        raise ZeroDivisionError("not your fault")

    monkeypatch.setattr(Game, "value", broken)
    answers = said(
        {"ask": "load", "game": "axis_allies"},
        {"ask": "value", "moment": "m1", "expressions": "turn"},
        {"ask": "state", "moment": "m1"},
    )
    assert codes(answers[1]) == ["internal"]
    assert answers[1]["errors"][0]["message"].startswith("internal error: ZeroDivisionError: not your fault")
    assert answers[2]["schema"] == "vclogic/state/1"
