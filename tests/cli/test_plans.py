"""Several plans on the command line."""

from __future__ import annotations

from tests.cli.conftest import Run

GAME, GOAL = "axis_allies", ("--goal", "vcp(Axis) >= 34")


def test_all_plans_are_shown(run: Run) -> None:
    shown = run("plan", GAME, *GOAL, "--plans", "2")
    assert shown.code == 0
    assert "Plan 2, of the same cost" in shown.out
    assert "2 plans; there may be more: as many as were asked for" in shown.out
    every = run("plan", GAME, *GOAL, "--plans", "50")
    assert "12 plans; no other of this cost" in every.out
    refused = run("plan", GAME, *GOAL, "--within", "1", "--opponent", "best", "--plans", "2")
    assert refused.code == 2
    assert "--plans does not go with" in refused.err
