"""Briefings on the 1942 board that somebody asks to find a fault: odd goals, no time, two threads, many states."""

from __future__ import annotations

import threading
from random import Random
from typing import Any

import pytest

from tests.fixtures.games import loaded
from vclogic.query.objectives.answer import Objectives

SECONDS = 60


def said(answer: Objectives) -> object:
    """What is the same whenever and by whomever a question is asked."""
    return (
        answer.status,
        answer.cost.cost,
        answer.horizon,
        [(w.takes, w.cost.cost, w.smallest, w.cheapest) for w in answer.winning.sets],
        [d.keeps for d in answer.denial.sets],
        [m.name for m in answer.landmarks.found],
        [(t.side, t.cost.cost, t.stop and (t.stop.status, t.stop.cost.cost)) for t in answer.threats],
        [
            (o.name, o.first and o.first.cost, o.lost and o.lost.cost, o.closed and o.closed.cost)
            for o in answer.objectives
        ],
    )


@pytest.mark.parametrize(
    ("goal", "more", "status"),
    [
        pytest.param("not controls(Allies, Russia)", {}, "optimal", marks=pytest.mark.slow),
        pytest.param("vcp(Axis) == 30", {}, "optimal", marks=pytest.mark.slow),
        pytest.param("vcp(Axis) >= 1", {}, "optimal", marks=pytest.mark.slow),
        ("vcp(Axis) >= 999", {}, "impossible"),
        pytest.param("vcp(Axis) >= 36 and vcp(Axis) <= 30", {}, "impossible", marks=pytest.mark.slow),
        pytest.param("turn == Germans", {}, "optimal", marks=pytest.mark.slow),
        pytest.param("round >= 2", {}, "optimal", marks=pytest.mark.slow),
        ("vcp(Axis) >= 40", {"within": 0}, "impossible"),
        ("vcp(Axis) >= 30", {"keep": "vcp(Axis) >= 27"}, "optimal"),
        pytest.param("vcp(Axis) >= 40", {"keep": "vcp(Axis) >= 99"}, "impossible", marks=pytest.mark.slow),
        ("vcp(Axis) >= 1", {"keep": "vcp(Axis) >= 99"}, "optimal"),
        ("vcp(Axis) >= 30", {"avoid": ["capture"]}, "impossible"),
        pytest.param("ipc(Germans) >= 50", {}, "optimal", marks=pytest.mark.slow),
    ],
)
def test_odd_goals(goal: str, more: dict[str, Any], status: str) -> None:
    planner = loaded("axis_allies").planner("Axis")
    answer = planner.objectives(goal, budget_s=SECONDS, **more)
    assert answer.status == status
    assert answer.cost.cost == planner.plan(goal, budget_s=SECONDS, **more).cost
    assert (answer.next is None) == (status == "impossible")
    assert bool(answer.winning.sets) == (status == "optimal")
    assert answer.winning.complete
    assert answer.denial.complete
    if answer.cost.cost == 0:
        assert [w.takes for w in answer.winning.sets] == [()]
        assert not answer.denial.sets
        assert not answer.landmarks.found
        assert answer.next is not None
        assert {step.action for step in answer.next.plan.steps} <= {"end_turn"}


@pytest.mark.slow
def test_no_time_leaves_all_open_and_claims_nothing_false() -> None:
    game = loaded("axis_allies")
    full = game.planner("Axis").objectives("vcp(Axis) >= 40", within=4, budget_s=SECONDS, limit=1_000)
    wins = {w.takes for w in full.winning.sets}
    denials = {d.keeps for d in full.denial.sets}
    warm = game.planner("Axis")
    for n, milliseconds in enumerate((1, 20, 50, 100, 300)):
        planner = warm if n % 2 else game.planner("Axis")
        answer = planner.objectives("vcp(Axis) >= 40", within=4, budget_s=milliseconds / 1000)
        assert answer.status in ("unknown", "feasible", "optimal")
        assert {w.takes for w in answer.winning.sets if w.smallest} <= wins
        assert {d.keeps for d in answer.denial.sets} <= denials
        assert not answer.landmarks.found
        assert answer.winning.complete or answer.winning.reason
        assert answer.denial.complete or answer.denial.reason
        assert not answer.winning.complete or wins == {w.takes for w in answer.winning.sets} or answer.winning.total
        for t in answer.threats:
            assert t.cost.status in ("unknown", "feasible", "optimal")
        for o in answer.objectives:
            for cost in (o.first, o.closed, o.lost):
                assert cost is None or cost.status != "unknown" or cost.reason


def test_two_threads_get_the_same() -> None:
    planner = loaded("axis_allies").planner("Axis")
    found: list[Objectives] = []

    def ask() -> None:
        found.append(planner.objectives("vcp(Axis) >= 30", within=2, budget_s=SECONDS))

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said(found[0]) == said(found[1])


def test_states_in_any_form() -> None:
    game = loaded("axis_allies")
    later = game.apply("end_turn").apply("capture", power="Germans", territory="Caucasus")
    planner = game.planner("Axis")
    answers = [planner.objectives("vcp(Axis) >= 34", state=s, budget_s=SECONDS) for s in (later, later.state_dict())]
    assert (
        said(answers[0])
        == said(answers[1])
        == said(later.planner("Axis").objectives("vcp(Axis) >= 34", budget_s=SECONDS))
    )


def along(number: int, seed: int) -> None:
    """Warm answers from changing states are those of a planner that was asked nothing else."""
    rng, game = Random(seed), loaded("axis_allies")
    planners = {side: game.planner(side) for side in ("Axis", "Allies")}
    now = game
    for _ in range(number):
        for _ in range(rng.randint(1, 4)):
            captures = [a for kind in now.legal(event="capture").kinds for a in kind.allowed]
            now = now.apply("capture", **dict(rng.choice(captures).args)) if captures else now.apply("end_turn")
        side = rng.choice(("Axis", "Allies"))
        goal = f"vcp({side}) >= {int(now.value(f'vcp({side})') or 0) + rng.randint(1, 8)}"
        warm = planners[side].objectives(goal, state=now, budget_s=SECONDS)
        cold = now.planner(side).objectives(goal, budget_s=SECONDS)
        assert said(warm) == said(cold), (goal, now.state)


def test_warm_answers_are_cold_answers() -> None:
    along(1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 7))
def test_many_warm_answers_are_cold_answers(seed: int) -> None:
    along(10, seed)
