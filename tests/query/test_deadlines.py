"""The time of a question: whenever it is up there is an answer, and the next one is not the worse for it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest

import vclogic
from benchmarks.large_boards import random_areas, written
from tests.fixtures.clocks import looks
from tests.fixtures.games import ROOT, loaded
from tests.fixtures.pace import HANGS, MORE, cases
from vclogic.clock import LONGEST, check_deadline
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.model.rules import Outcome
from vclogic.progress import Progress
from vclogic.report import json
from vclogic.terms.term import Term

TINY = 1e-6
ISLANDS = "examples/two_islands.yaml"
QUESTIONS: dict[str, tuple[str, dict[str, str], str, dict[str, Any]]] = {
    "captures": ("axis_allies", {}, "plan", {"goal": "vcp(Axis) >= 40", "side": "Axis"}),
    "the most points": ("axis_allies", {}, "plan", {"maximize": "vcp(Axis)", "side": "Axis", "within": 2}),
    "armies": (
        "axis_allies",
        {"level": "armies"},
        "plan",
        {"goal": "vcp(Axis) >= 30", "side": "Axis", "minimize": "moves", "within": 1},
    ),
    "moves": ("moscow/small", {}, "plan", {"goal": "holds(moscow, German)", "side": "German"}),
    "a building": ("asl/22u3", {}, "plan", {"goal": "controls_building(Russian, 22U3)", "side": "Russian"}),
    "all events": ("moscow/small", {}, "reach", {"goal": "vp(German) >= 2", "side": "German"}),
    "the last event": ("axis_allies", {}, "reach", {"goal": "happens(attack) and vcp(Axis) >= 27", "side": "Axis"}),
    "what is near": (
        str(ROOT / ISLANDS),
        {},
        "reach",
        {"goal": "happens(attack) and vcp(Axis) >= 7", "side": "Axis"},
    ),
    "changes": ("asl/22u3", {}, "missing", {"goal": "controls_building(Russian, 22U3)", "limit": 2}),
    "what forbids it": ("axis_allies", {}, "missing", {"goal": "vcp(Axis) + vcp(Allies) >= 70"}),
    "two rule sets": (str(ROOT / ISLANDS), {}, "compare", {"on": "may_build_ic", "within": 2}),
    "a fault of a small board": (str(ROOT / ISLANDS), {}, "check", {"select": ["VC201"]}),
    "faults of a small board": (str(ROOT / ISLANDS), {}, "check", {"select": ["VC104", "VC201", "VC205"]}),
    "faults": ("axis_allies", {}, "check", {"select": ["VC104", "VC201", "VC205"]}),
}


def ask(game: Game, command: str, asked: dict[str, Any], timeout: float) -> Any:
    """Asks; the answer has to be one that a program can read."""
    if command == "compare":
        asked = {**asked, "other": loaded(ISLANDS, second_complex="allowed")}
    answer = getattr(game, command)(timeout=timeout, **asked)
    assert json.document(command, answer)
    return answer


def brief(command: str, answer: Any) -> object:
    """What must be the same each time, once there is time enough."""
    if command == "plan":
        most = answer.maximum and (answer.maximum.value, answer.maximum.upper_bound)
        return answer.status, answer.cost, answer.lower_bound, most
    if command == "reach":
        return answer.status, answer.depth
    if command == "missing":
        return answer.status, len(answer.repairs), len(answer.conflicts), answer.least
    if command == "compare":
        return answer.status, answer.on
    return sorted((f.code, f.rule) for f in answer.findings), answer.unknown


def claims_nothing_false(command: str, early: Any, known: Any) -> None:
    """What is said early is less than what is known with time, and nothing else."""
    if command == "plan":
        assert early.status in ("unknown", "feasible", known.status)
        if early.maximum:
            assert (early.maximum.value or 0) <= known.maximum.value <= early.maximum.upper_bound
        elif early.cost is not None:
            assert (early.lower_bound or 0) <= known.cost <= early.cost
            assert early.replayed
            assert len(early.steps) > 0
        elif known.cost is not None:
            assert (early.lower_bound or 0) <= known.cost
    elif command == "check":
        assert {(f.code, f.rule) for f in early.findings} <= {(f.code, f.rule) for f in known.findings}
        assert early.unknown or early.findings == known.findings
    else:
        assert early.status in ("unknown", known.status)
    if getattr(early, "status", None) in ("unknown", "feasible"):
        assert early.reason


USUAL = ("captures", "what is near", "what forbids it", "two rule sets", "a fault of a small board")


@pytest.mark.parametrize("name", cases(QUESTIONS, *USUAL))
def test_after_the_time_was_up_anywhere_the_same_question_has_its_answer(name: str) -> None:
    """Whatever was being built then is built again: nothing is remembered half built."""
    game, settings, command, asked = QUESTIONS[name]
    with looks(1e9) as counted:
        known = ask(vclogic.load(game, settings=settings), command, asked, 600)
    all_ = int(1e9 - counted.left)
    again = vclogic.load(game, settings=settings)
    for share in (0.01, 0.3, 0.8) if MORE else (0.01, 0.6):
        with looks(max(int(all_ * share), 3)):
            early = ask(again, command, asked, 600)
        claims_nothing_false(command, early, known)
    assert brief(command, ask(again, command, asked, 600)) == brief(command, known)


@pytest.mark.parametrize("name", QUESTIONS)
def test_with_hardly_any_time_nothing_is_known_and_why_is_said(name: str) -> None:
    game, settings, command, asked = QUESTIONS[name]
    answer = ask(vclogic.load(game, settings=settings), command, asked, TINY)
    if command == "check":
        assert not answer.findings
        assert {u.code for u in answer.unknown} == set(answer.checked)
    elif "maximize" in asked:  # what is so now can be had
        assert (answer.status, answer.cost, answer.maximum.value) == ("feasible", 0, 26)
    else:
        assert answer.status == "unknown"
        assert "time" in answer.reason


def test_of_a_ruling_what_there_was_no_time_for_is_left_out_and_told() -> None:
    game = loaded("asl")
    known = ask(game, "ask", {"question": "cvp(Russian) >= 100", "explain": True}, 600)
    early = ask(game, "ask", {"question": "cvp(Russian) >= 100", "explain": True}, TINY)
    assert (early.value, early.text) == (known.value, known.text)
    assert (early.because, early.clauses, early.explanations) == ((), (), ())
    assert early.reason == "the time was up before the facts that decide could be told"
    assert not early.readings.complete
    assert known.because
    assert known.clauses
    assert known.explanations
    assert not known.reason


@pytest.mark.slow
def test_a_large_board_keeps_its_time(tmp_path: Any) -> None:
    """Captures on 3,000 areas take longer to build than a busy machine may be late."""
    game = vclogic.load(written(random_areas(3_000), str(tmp_path / "areas.yaml")))
    have = game.value("vcp(Axis)")
    assert isinstance(have, int)
    for command in ("plan", "reach", "missing"):
        began = time.monotonic()
        answer = getattr(game, command)(f"vcp(Axis) >= {have + 60} and territories(Axis) >= 1200", timeout=0.5)
        assert time.monotonic() - began < HANGS
        assert answer.elapsed_s < HANGS
        assert answer.status != "optimal"


def test_what_is_known_is_told_as_it_becomes_known(tmp_path: Any) -> None:
    """On the board of 1942 the first plan is mostly the best; on this one it is not."""
    told: list[Progress] = []
    game = vclogic.load(written(random_areas(300, 2), str(tmp_path / "areas.yaml")))
    have = game.value("vcp(Axis)")
    assert isinstance(have, int)
    plan = game.plan(f"vcp(Axis) >= {have + 30}", side="Axis", timeout=300, progress=told.append)
    assert plan.status == "optimal"
    assert plan.cost is not None
    costs = [p.cost for p in told if p.cost is not None]
    bounds = [p.bound for p in told if p.bound is not None]
    assert costs[0] > plan.cost  # the first plan, long before the best one
    assert costs == sorted(costs, reverse=True)
    assert bounds == sorted(bounds)
    assert bounds[-1] <= plan.cost <= costs[-1]
    assert all(p.phase and p.phase[0].islower() for p in told)


def test_a_plan_to_the_largest_value_found_is_given_where_no_cheap_one_was_looked_for() -> None:
    game = loaded("axis_allies")
    with looks(1e9) as counted:
        known = game.plan(maximize="vcp(Axis)", side="Axis", timeout=300)
    all_ = 1e9 - counted.left
    assert known.maximum is not None
    found = set()
    for share in (0.85, 0.9, 0.94, 0.97):
        with looks(int(all_ * share)):
            early = game.plan(maximize="vcp(Axis)", side="Axis", timeout=300)
        assert early.maximum is not None
        if early.status == "feasible" and early.cost:
            assert early.replayed
            found.add(early.maximum.value)
    assert found <= {known.maximum.value}


EASY = "vcp(Axis) >= 7"
ASKED: dict[str, Callable[..., Any]] = {
    "ask": lambda game, s: game.ask("vcp(Axis)", timeout=s),
    "plan": lambda game, s: game.plan(EASY, timeout=s),
    "reach": lambda game, s: game.reach(EASY, timeout=s),
    "missing": lambda game, s: game.missing(EASY, timeout=s, limit=1),
    "check": lambda game, s: game.check(timeout=s),
    "compare": lambda game, s: game.compare(game, on="vcp", timeout=s),
    "solve": lambda game, s: game.solve(max_positions=1, timeout=s),
    "force": lambda game, s: game.force(EASY, within=1, timeout=s),
    "defend": lambda game, s: game.defend(EASY, side="Axis", within=1, timeout=s),
    "objectives": lambda game, s: game.objectives(EASY, timeout=s, limit=1),
    "planner": lambda game, s: game.planner("Axis").plan(EASY, budget_s=s),
    "planner objectives": lambda game, s: game.planner("Axis").objectives(EASY, budget_s=s, limit=1),
}


@pytest.mark.parametrize("question", ASKED)
def test_a_limit_of_time_is_taken_as_it_is_or_refused(question: str) -> None:
    """The longest is not too long for what waits; one that is longer is not taken for a shorter one."""
    game = loaded(ISLANDS)
    assert ASKED[question](game, LONGEST) is not None
    for seconds in (10 * LONGEST, 1e12, math.inf, math.nan, 0, -1):
        with pytest.raises(InputError, match="at most 1,000,000"):
            ASKED[question](game, seconds)


def test_check_lists_the_outcomes_that_it_has_no_time_to_put_together() -> None:
    """Terms look at the clock now and then; here that of an outcome does each time."""

    def now(outcome: Outcome) -> Term:
        check_deadline()
        return outcome.condition.holds

    game = vclogic.load("napoleonics/erlenbach")
    with patch.object(Outcome, "now", property(now)), looks(500):
        answer = game.check(scope="reachable", timeout=600)
    assert {u.code for u in answer.unknown} >= {"VC201"}
