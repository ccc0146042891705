"""The planner: what it says is what a fresh `plan` says, under conditions what plain Python finds, and in time."""

from __future__ import annotations

import pytest

from tests.fixtures.games import loaded
from vclogic.errors import InputError


def test_a_plan_holds_what_it_must_and_not_what_it_must_not() -> None:
    game = loaded("axis_allies")
    planner = game.planner("Axis")
    goal = "vcp(Axis) >= 40"
    free = planner.plan(goal, budget_s=20)
    assert (free.status, free.cost) == ("optimal", game.plan(goal).cost)
    taken = {str(s.args["territory"]) for s in free.steps}
    spared = planner.plan(goal, avoid=[f"capture: {{territory: {t}}}" for t in sorted(taken)], budget_s=20)
    assert spared.status == "optimal"
    assert not taken & {s.args["territory"] for s in spared.steps}
    led = planner.plan(goal, require=["capture: {territory: Brazil}"], budget_s=20)
    assert (led.status, led.cost) == ("optimal", 4)
    assert any("plan holds an event" in line for line in led.assumptions)


def test_wrong_conditions_are_told_at_once() -> None:
    planner = loaded("axis_allies").planner("Axis")
    with pytest.raises(InputError) as told:
        planner.plan(
            "vcp(Axis) >= 40",
            require=["captur: {territory: Brazil}", "end_turn"],
            avoid=["capture: {territory: Brazl}"],
            keep="vcp(Axs) >= 3",
        )
    said = " ".join(f"{d.message} {d.help}" for d in told.value.diagnostics)
    assert len(told.value.diagnostics) == 4
    assert "capture" in said
    assert "Brazil" in said
    assert "does not decide end_turn" in said
