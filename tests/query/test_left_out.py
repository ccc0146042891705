"""The events that took part in an answer, and those that were left out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fixtures.games import loaded
from vclogic.report.text.missing import missing
from vclogic.report.text.page import render as shown

DEAR: list[Any] = [
    ("axis_allies", {}, "vcp(Axis) >= 33", {"minimize": "turns"}),
    ("napoleonics", {}, "banners(French) >= 1", {"within": 3}),
    ("napoleonics", {"combat": "adjacent"}, "banners(French) >= 2", {"within": 4, "timeout": 20}),
    ("asl/points", {}, "exit_vp(German) >= 1", {"side": "German"}),
]
PLANS: list[Any] = [
    ("axis_allies", {}, "holds(major_victory, Axis)", {}),
    ("moscow/small", {}, "vp(German) >= 2", {"within": 2, "minimize": "turns"}),
    *(pytest.param(*row, marks=pytest.mark.slow) for row in DEAR),
]


@pytest.mark.parametrize(("name", "options", "goal", "more"), PLANS)
def test_a_plan_and_its_record_hold_only_what_its_model_names(
    name: str, options: dict[str, str], goal: str, more: dict[str, object]
) -> None:
    game = loaded(name).with_options(**options)
    system = game.setup.system
    plan = game.plan(goal, **more)  # type: ignore[arg-type]
    metric = system.metric(str(more["minimize"]) if "minimize" in more else None)
    assert metric is not None
    assert plan.events.included == metric.events
    assert plan.events.left_out == tuple(e for e in system.schemas if e not in metric.events)
    assert {s.action for s in plan.steps} <= set(plan.events.included)
    if plan.record is not None and plan.record.events is not None:
        assert {e.name for e in plan.record.events} <= set(plan.events.included)


def test_settings_change_what_a_model_names() -> None:
    usual = loaded("napoleonics")
    fights = usual.with_options(combat="adjacent").setup.system.metrics[0].events
    assert set(fights) - set(usual.setup.system.metrics[0].events) == {"eliminate"}
    stays = loaded("okinawa").with_options(exits="off").setup.system.metrics[0].events
    exits = loaded("okinawa").with_options(exits="on").setup.system.metrics[0].events
    assert set(exits) - set(stays) == {"exit", "leave", "remove"}
    armies = loaded("axis_allies").with_options(level="armies")
    buying = armies.with_options(purchases="on").setup.system.metrics[0].events
    assert set(buying) - set(armies.setup.system.metrics[0].events) == {"purchase", "place", "launch"}


def test_what_no_position_satisfies_leaves_no_event_out() -> None:
    never = loaded("axis_allies").reach("vcp(Axis) >= 66")
    assert never.proof is not None
    assert never.proof.method == "positions"
    assert never.events.left_out == ()


def test_what_a_model_denies_missing_does_not_promise() -> None:
    """A plan of captures cannot do it, `reach` can (see `test_all_events`): that is what `missing` names."""
    game = loaded("axis_allies")
    goal = "emergency_infantry(Ukraine) >= 1"
    assert "`vclogic reach` looks for a way there" in " ".join(shown(missing(game.missing(goal))).split())
    plan = game.plan(goal, side="Axis")
    assert (plan.status, "emergency" in plan.events.left_out) == ("impossible", True)
