"""Witnesses of `reach`: what they are believed in is said, and nothing idle is shown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import vclogic
from vclogic.query.reach import by_steps as module
from vclogic.report.text.page import render
from vclogic.report.text.reach import reach as report


@pytest.mark.parametrize(
    ("game", "goal", "believed"),
    [
        ("napoleonics", "banners(French) >= 1", "how far a unit moves"),
        ("okinawa", "retreat_points(Japan) >= 1", "the combat that makes a unit retreat, and its way"),
    ],
)
def test_what_a_witness_is_believed_in_is_said(game: str, goal: str, believed: str) -> None:
    found = vclogic.load(game).reach(goal, opponent="helps")
    assert found.status == "reachable"
    assert found.not_judged
    assert believed in " ".join(found.not_judged)
    assert "Not checked, since the rule text does not say" in render(report(found))


def test_a_proof_is_believed_in_nothing() -> None:
    assert vclogic.load("okinawa").reach("units_on_map(US) < 0").not_judged == ()


def test_a_witness_of_a_planning_model_shows_no_idle_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    find: Any = getattr(module, "find")  # noqa: B009

    def slow(ask: Any, task: Any, **more: Any) -> Any:
        found = find(ask, task, **more)
        idle, steps = dict.fromkeys(task.plain.whole_step.choices, 0), found.steps or ()
        return replace(found, steps=(idle, idle, *steps, idle), cost=None)

    monkeypatch.setattr(module, "find", slow)
    found = vclogic.load("examples/two_islands.yaml").reach("owner(Blueland) == Reds", side="Axis", by="turns")
    assert [s.action for s in found.steps if s.action == "capture"] == ["capture"]
    assert found.depth == 1
    assert found.replayed
