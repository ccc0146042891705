"""Briefings: what is not decided in time is marked so and nothing wrong is said; mistakes come in one report."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest

from tests.fixtures.clocks import looks
from tests.fixtures.games import loaded
from tests.fixtures.pace import MORE
from vclogic.clock import Deadline
from vclogic.errors import InputError
from vclogic.progress import Progress
from vclogic.query.objectives.answer import Cost, Objectives
from vclogic.query.objectives.request import ObjectivesQuestion
from vclogic.query.objectives.ways import ObjectiveWay, ObjectiveWays
from vclogic.query.objectives.winning import Parts, parts
from vclogic.query.planner.planner import BUSY, Planner
from vclogic.solve.strategy import BUILDING

ISLANDS = "examples/two_islands.yaml"
LONG = 300.0
POINTS, WITHIN = "vcp(Axis) >= 36", 3


def planner(name: str = "axis_allies", side: str | None = "Axis") -> Planner:
    game = loaded(name)
    return Planner(game.setup, game.state, side, None, "idle")


@pytest.fixture(scope="module")
def known() -> Objectives:
    """The whole briefing."""
    return planner().objectives(POINTS, within=WITHIN, budget_s=LONG)


def lasting(found: Objectives) -> object:
    """What is the same each time it is asked with time enough, whatever plan was advised before."""
    assert found.next is not None
    return replace(found, elapsed_s=0.0, next=None), found.next.cost


def no_more(early: Cost | None, late: Cost | None) -> None:
    """What is said early of a cost is true, and no more than what is known later."""
    if early is None or late is None:
        assert early is late
        return
    assert early.status in ("unknown", "feasible", late.status)
    if late.cost is not None:
        assert early.cost is None or early.cost >= late.cost
        assert (early.lower_bound or 0) <= late.cost
    if early.status == late.status and late.status != "unknown":
        assert (early.cost, early.lower_bound) == (late.cost, late.lower_bound)


def claims_nothing_false(early: Objectives, known: Objectives) -> None:
    """Each part of an early answer is a part of the whole one, or says what it leaves open."""
    no_more(early.cost, known.cost)
    every = {w.takes: w for w in known.winning.sets}
    for w in early.winning.sets:
        no_more(w.cost, every[w.takes].cost if w.takes in every else w.cost)
        assert w.smallest is not True or w.takes in every
        assert w.plan.steps
    assert {d.keeps for d in early.denial.sets} <= {d.keeps for d in known.denial.sets}
    assert {m.name for m in early.landmarks.found} <= {m.name for m in known.landmarks.found}
    for part, whole in ((early.winning, known.winning), (early.denial, known.denial)):
        assert part.reason or part.complete
        assert part.all_found or not part.complete
        if part.all_found:
            assert part.total == whole.total
    left = {m.name for m in known.landmarks.found} - {m.name for m in early.landmarks.found}
    assert left <= set(early.landmarks.open)
    assert not early.landmarks.open or early.landmarks.reason
    rows = {o.name: o for o in known.objectives}
    assert [o.name for o in early.objectives] == list(rows)
    for o in early.objectives:
        for kind in ("first", "closed", "lost"):
            no_more(getattr(o, kind), getattr(rows[o.name], kind))
        assert o.cheapest in (None, rows[o.name].cheapest)
    for threat, whole_threat in zip(early.threats, known.threats, strict=True):
        no_more(threat.cost, whole_threat.cost)
        assert threat.winning.complete or threat.winning.reason
        if threat.stop is not None and whole_threat.stop is not None:
            no_more(threat.stop.cost, whole_threat.stop.cost)


def test_whenever_the_time_is_up_nothing_false_is_said_and_the_next_answer_is_whole(known: Objectives) -> None:
    asked = planner()
    with looks(1e9) as counted:
        planner().objectives(POINTS, within=WITHIN, budget_s=LONG)
    every = int(1e9 - counted.left)
    decided = set()
    for share in (0.001, 0.05, 0.2, 0.5, 0.9) if MORE else (0.001, 0.2, 0.5):
        with looks(max(int(every * share), 3)):
            early = asked.objectives(POINTS, within=WITHIN, budget_s=LONG)
        claims_nothing_false(early, known)
        decided.add((early.cost.status, early.winning.complete, early.denial.complete))
    assert len(decided) > 2, "the time is up in the midst of different parts"
    assert lasting(asked.objectives(POINTS, within=WITHIN, budget_s=LONG)) == lasting(known)


def test_the_whole_briefing_is_decided(known: Objectives) -> None:
    assert known.cost.status == "optimal"
    assert (known.winning.complete, known.winning.all_cheapest, known.denial.complete) == (True, True, True)
    assert not known.landmarks.open
    assert all(t.winning.complete for t in known.threats)
    assert known.next is not None
    assert known.horizon.n == WITHIN


def test_with_hardly_any_time_nothing_is_known_and_why_is_said() -> None:
    found = planner().objectives(POINTS, budget_s=1e-6)
    assert (found.status, found.winning.sets, found.denial.sets, found.next) == ("unknown", (), (), None)
    assert "time" in found.cost.reason
    assert found.winning.reason
    assert found.landmarks.open


def test_what_is_listed_is_limited_and_the_rest_counted(known: Objectives) -> None:
    found = planner().objectives(POINTS, within=WITHIN, limit=5, budget_s=LONG)
    assert found.winning.total == known.winning.total > 5
    assert found.denial.total == known.denial.total > 5
    assert [d.keeps for d in found.denial.sets] == [d.keeps for d in known.denial.sets][:5]
    assert found.winning.sets[:5] == known.winning.sets[:5]
    listed = {w.n: w for w in found.winning.sets}
    numbers = {w.takes: w.n for w in known.winning.sets}
    assert all(numbers[w.takes] == n for n, w in listed.items())
    leaks = {leak.winning for d in found.denial.sets for leak in d.leaks}
    assert set(listed) == {1, 2, 3, 4, 5} | leaks
    assert (found.winning.complete, found.winning.all_found) == (False, True)
    assert (found.denial.complete, found.denial.all_found) == (False, True)
    assert "listed" in found.winning.reason
    assert "listed" in found.denial.reason
    assert [o.cheapest for o in found.objectives] == [o.cheapest for o in known.objectives]


def test_without_a_limit_the_horizon_is_that_of_the_cheapest_plan() -> None:
    found = planner().objectives(POINTS, budget_s=LONG)
    assert found.horizon.n == found.cost.cost == len(found.winning.sets[0].plan.steps)
    assert found.cost.horizon == found.horizon
    assert all(w.cheapest and w.smallest for w in found.winning.sets)


@pytest.mark.slow
def test_the_cheapest_plan_is_followed_though_the_first_winning_set_costs_more() -> None:
    def first_costs_more(
        asked: ObjectivesQuestion, ways: ObjectiveWays, best: ObjectiveWay, deadline: Deadline
    ) -> Parts:
        found = parts(asked, ways, best, deadline)
        dear = next(done for done in found.played.values() if done.way.search.cost != best.search.cost)
        return replace(found, played={1: dear})

    with patch("vclogic.query.objectives.brief.parts", first_costs_more):
        found = planner().objectives("vcp(Axis) >= 40", within=4, budget_s=LONG)
    assert found.next is not None
    assert found.next.cost.cost == len(found.next.plan.steps) == found.cost.cost == 3


def test_what_is_out_of_reach_needs_no_denial() -> None:
    found = planner().objectives("vcp(Axis) >= 60", within=2, budget_s=LONG)
    assert found.status == "impossible"
    assert found.cost.bound_by
    assert (found.winning.sets, found.winning.complete, found.denial.sets, found.denial.complete) == (
        (),
        True,
        (),
        True,
    )
    assert not found.landmarks.found
    assert not found.landmarks.open
    assert found.next is None


def test_what_holds_already_takes_nothing() -> None:
    found = planner().objectives("vcp(Axis) >= 10", budget_s=LONG)
    assert (found.cost.cost, found.horizon.n) == (0, 0)
    assert [(w.takes, w.smallest, w.cheapest, w.plan.steps) for w in found.winning.sets] == [((), True, True, ())]
    assert (found.denial.sets, found.denial.complete, found.landmarks.found) == ((), True, ())


def test_everything_wrong_is_told_at_once() -> None:
    wrong: dict[str, Any] = {"threat": "vcp(Nobody) >= 1", "keep": "nonsense", "within": -1, "limit": 0}
    with pytest.raises(InputError) as raised:
        planner().objectives("vcp(", **wrong)
    files = {d.file for d in raised.value.diagnostics}
    assert files == {"goal", "threat", "keep", "within", "limit"}


def test_without_a_goal_the_side_must_be_known() -> None:
    with pytest.raises(InputError, match="neither a side nor a goal"):
        planner(side=None).objectives()
    assert planner(ISLANDS, side=None).objectives("vcp(Allies) >= 7", budget_s=LONG).side == "Allies"


def test_one_question_at_a_time_and_another_thread_can_end_it() -> None:
    asked = planner()
    begun, said, told = threading.Event(), threading.Event(), []

    def wait(_: Progress) -> None:
        begun.set()
        said.wait(LONG)

    def first() -> None:
        told.append(asked.objectives(POINTS, budget_s=LONG, progress=wait))

    thread = threading.Thread(target=first)
    thread.start()
    assert begun.wait(LONG)
    busy = asked.objectives(POINTS, budget_s=0.01)
    assert (busy.status, busy.cost.reason, busy.winning.reason) == ("unknown", BUSY, BUSY)
    asked.cancel()
    said.set()
    thread.join(LONG)
    assert told[0].winning.reason == BUILDING
    assert planner().objectives(POINTS, budget_s=LONG).winning.complete
