"""Nothing that is served, to the page or to programs, speaks of commands, their options or the parts of files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from vclogic.serve.dispatch import alone

COMMAND = re.compile(r"(?<![\w-])--[a-z]|`?vclogic [a-z]+\b|`(?:state|record|settings):`")
GAMES = {
    "axis_allies": (
        "vcp(Axis) >= 40",
        "major_victory Axis",
        {"capture": {"power": "Germans", "territory": "Russia"}},
    ),
    "moscow/small": ("vp(German) >= 1", "decisive Soviet", {"eliminate": {"unit": "nobody"}}),
    "napoleonics/erlenbach": ("banners(French) >= 1", "victory French", "end_turn"),
    "okinawa/small": ("vp(Japan) >= 1", "victory Japan", "end_game"),
    "asl/22u3": ("cvp(Russian) >= 1", "victory Russian", {"break": {"unit": "4-4-7"}}),
    "examples/rulebooks/skirmish.md": ("areas_held(Red) >= 3", "victory Red", {"move": {"unit": "nobody"}}),
}


def told(ask: str, **keys: Any) -> Iterator[str]:
    """The texts of all replies to a request."""
    lines: list[bytes] = []
    alone(lines.append).receive(json.dumps({"ask": ask, **keys}).encode())
    for line in lines:
        yield from texts(json.loads(line))


def texts(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from texts(inner)


@pytest.mark.parametrize("game", GAMES)
def test_no_answer_and_no_fault_names_what_only_a_command_has(game: str) -> None:
    goal, outcome, event = GAMES[game]
    moment = {"game": game}
    told_in_words = {"moment": moment, "report": True, "columns": 46, "timeout": 1}
    said = [
        *told("status", moment=moment, tables=True),
        *told("status", moment={**moment, "steps": [event]}),
        *told("status", moment={**moment, "steps": [{"set": {"nothing": 1}}]}),
        *told("status", moment={**moment, "steps": ["nothing"]}),
        *told("explain_event", moment=moment, event=event),
        *told("plan", goal=goal, within=1, **told_in_words),
        *told("plan", goal=goal, within=1, minimize="nothing", opponent="best", **told_in_words),
        *told("plan", goal="count(unit of nobody", **told_in_words),
        *told("plan", goal="nothing(1) >= 2", **told_in_words),
        *told("reach", goal=goal, within=1, **told_in_words),
        *told("reach", goal=goal, side="nobody", **told_in_words),
        *told("missing", goal=goal, **told_in_words),
        *told("missing", goal=f"not {goal}", **told_in_words),
        *told("ask", question=outcome, **told_in_words),
        *told("objectives", goal=goal, within=1, **told_in_words),
        *told("force", goal=goal, within=1, **told_in_words),
        *told("defend", threat=goal, **told_in_words),
        *told("solve", max_positions=10, **told_in_words),
        *told("odds", attack={}, **told_in_words),
    ]
    assert len(said) > 100
    assert [text for text in said if COMMAND.search(text)] == []
