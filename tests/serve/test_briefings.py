"""Briefings as programs in other languages ask for them: of a moment, and of a planner."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.fixtures.serving import Json, Talk, codes, talk

GOAL = "vcp(Axis) >= 7"
OUTPOST = {"capture": {"territory": "Outpost"}}


@pytest.fixture(scope="module")
def server() -> Iterator[Talk]:
    with talk("--workers", "1") as found:
        found.ask("load", game="examples/two_islands.yaml", name="start")
        found.ask("planner", moment="start", side="Axis", name="plans")
        yield found


def takes(briefing: Json) -> list[list[str]]:
    assert briefing["schema"] == "vclogic/objectives/1"
    return [s["takes"] for s in briefing["winning"]["sets"]]


def test_a_moment_and_a_planner_brief_alike(server: Talk) -> None:
    of_moment = server.ask("objectives", moment="start", goal=GOAL)
    of_planner = server.ask("planner_objectives", planner="plans", goal=GOAL)
    assert takes(of_moment) == takes(of_planner) == [["Blueland"], ["Outpost"]]
    assert [of_moment[key] for key in ("cost", "landmarks", "denial")] == [
        of_planner[key] for key in ("cost", "landmarks", "denial")
    ]
    assert takes(server.ask("objectives", moment="start", goal=GOAL, avoid=[OUTPOST])) == [["Blueland"]]
    assert takes(server.ask("planner_objectives", planner="plans", goal=GOAL, require=[OUTPOST])) == [["Outpost"]]
    assert takes(server.ask("planner_objectives", planner="plans", goal=GOAL, limit=1, budget_s=20))


def test_a_planner_briefs_from_other_moments_and_states(server: Talk) -> None:
    later = server.ask("apply", moment="start", events=[{"capture": {"power": "Reds", "territory": "Outpost"}}])
    there = server.ask("planner_objectives", planner="plans", goal=GOAL, moment=later["moment"])
    assert (there["cost"]["cost"], takes(there)) == (0, [[]])
    state = server.ask("state", moment=later["moment"])["state"]
    assert takes(server.ask("planner_objectives", planner="plans", goal=GOAL, state=state)) == [[]]


def test_progress_is_told_on_request(server: Talk) -> None:
    server.ask("objectives", moment="start", goal=GOAL, progress=True, id="told")
    server.ask("planner_objectives", planner="plans", goal=GOAL, progress=True, id="told too")
    assert {id for id, _ in server.progress} <= {"told", "told too"}


def test_everything_wrong_is_named_by_its_key(server: Talk) -> None:
    wrong = {"goal": "vcp(Axs) >= 7", "threat": "vpc(Allies) > 3", "keep": "ownr", "avoid": ["captre"], "limit": 0}
    for ask, subject in (("objectives", {"moment": "start"}), ("planner_objectives", {"planner": "plans"})):
        found = server.ask(ask, **subject, **wrong)["errors"]
        assert {e["file"] for e in found} == set(wrong)
    assert codes(server.ask("planner_objectives", planner="none", goal=GOAL)) == ["unknown-name"]
    assert "wrong-value" in codes(server.ask("planner_objectives", planner="plans", goal=GOAL, state=[]))
    assert codes(server.ask("objectives", moment="start", goal=GOAL, sied="Axis")) == ["unknown-entry"]


def test_a_briefing_that_is_cancelled_ends_with_what_is_known(server: Talk) -> None:
    server.ask("load", game="axis_allies", name="large")
    server.ask("planner", moment="large", side="Axis", metric="turns", name="by turns")
    hard = {"goal": "vcp(Axis) >= 60"}
    for asked in (
        {"ask": "objectives", "moment": "large", "minimize": "turns", "timeout": 900, **hard},
        {"ask": "planner_objectives", "planner": "by turns", "budget_s": 900, **hard},
    ):
        server.send({"id": "long", **asked})
        time.sleep(1)
        assert server.ask("cancel", request="long")["cancelled"] is True
        answer = server.answer("long")  # which is waited for far less than 900 seconds
        assert answer["schema"] == "vclogic/objectives/1" or codes(answer) == ["cancelled"]
        assert server.cancelled.pop() == "long"
