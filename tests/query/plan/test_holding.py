"""A goal that holds already: no step is built and no solver asked."""

from __future__ import annotations

import pytest

import vclogic
from vclogic.model.actions import Schema
from vclogic.query.resolved_question import ResolvedQuestion

GOALS = [("axis_allies", "vcp(Axis) >= 1", "Axis"), ("asl", "cvp(Russian) >= 0", "Russian")]


@pytest.mark.parametrize(("game", "goal", "side"), GOALS)
def test_nothing_is_built_for_a_goal_that_holds_already(
    game: str, goal: str, side: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = vclogic.load(game)
    metric = start.setup.system.metrics[0].name

    def never(*_: object, **__: object) -> None:
        raise AssertionError("something was built")

    monkeypatch.setattr(Schema, "action", never)
    monkeypatch.setattr(ResolvedQuestion, "transition", never)
    monkeypatch.setattr("vclogic.model.grounded.ground", never)
    monkeypatch.setattr("vclogic.solve.strategy.solve", never)
    for by in (None, "rules", metric):
        answer = start.reach(goal, side=side, by=by)
        assert (answer.status, answer.depth, answer.steps, answer.replayed) == ("reachable", 0, (), True)
        assert answer.record is not None
        assert answer.record.events == ()
        assert {*answer.events.included, *answer.events.left_out} == set(start.setup.system.schemas)
    plan = start.plan(goal, side=side)
    assert (plan.status, plan.cost, plan.lower_bound, plan.bound_by) == ("optimal", 0, 0, "the start")
