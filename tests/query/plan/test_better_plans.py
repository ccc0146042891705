"""Each better plan is told while a cheaper one is looked for, and costs nothing where nobody wants to know."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import pytest

from tests.fixtures.games import loaded
from tests.fixtures.pace import BUSY
from vclogic.clock import ANSWERING, TIME_UP, TimeUp, grace_period
from vclogic.query import plan_search
from vclogic.query.plan import planning as module
from vclogic.query.plan.answer import Plan
from vclogic.query.plan.planning import PLAYING
from vclogic.query.replay import simplify_plan
from vclogic.solve.problem import SearchResult

ISLANDS = "examples/two_islands.yaml"


def asked(**keys: Any) -> Plan:
    """The answer to a question whose plans are made simpler before anybody sees them."""
    return loaded(ISLANDS).plan("vcp(Axis) >= 7", side="Axis", minimize="turns", within=4, timeout=60 + BUSY, **keys)


def test_what_is_told_is_made_where_somebody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    def noted(*given: Any) -> SearchResult:
        made.append(given)
        return simplify_plan(*given)

    monkeypatch.setattr(plan_search, "simplify_plan", noted)
    found = asked()
    assert (found.status, len(made)) == ("optimal", 1)
    told: list[Plan] = []
    assert asked(on_better=told.append).cost == found.cost
    assert len(made) > 2
    assert [plan.cost for plan in told] == sorted({plan.cost or 0 for plan in told}, reverse=True) != []
    assert all(plan.replayed for plan in told)


def test_a_plan_that_is_told_may_take_as_long_to_be_played_as_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a stop that is longer than usual."""
    given: list[float] = []

    def noted(seconds: float) -> AbstractContextManager[None]:
        given.append(seconds)
        return grace_period(seconds)

    for one in (module, plan_search):
        monkeypatch.setattr(one, "grace_period", noted)
        monkeypatch.setattr(one, "grace", lambda: 7.0)
    told: list[Plan] = []
    asked(on_better=told.append)
    assert told
    assert given.count(ANSWERING) == 1  # to see whether the goal holds already
    assert set(given) == {ANSWERING, 7.0}


def late(*given: Any) -> Any:
    """The time is up."""
    raise TimeUp


def test_a_plan_that_was_told_is_answered_where_the_last_one_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vclogic.query.plan.cheapest.replay_preferred", late)
    told: list[Plan] = []
    found = asked(on_better=told.append)
    assert (found.cost, found.steps, found.replayed) == (told[-1].cost, told[-1].steps, True)
    assert found.status == "optimal" or found.reason == TIME_UP
    unheard = asked()  # the first plan is played whether anybody listens or not
    assert (unheard.cost, unheard.replayed) == (told[0].cost, True)
    monkeypatch.setattr(module, "replay_plan", late)
    nothing = asked()
    assert (nothing.status, nothing.cost, nothing.reason, nothing.replayed) == ("unknown", None, PLAYING, None)
    assert nothing.lower_bound == found.cost  # the bound on all plans stays true


def test_a_planner_keeps_the_bound_of_a_plan_that_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "replay_plan", late)
    found = loaded(ISLANDS).planner("Axis", "captures").plan("vcp(Axis) >= 12", budget_s=60)
    assert (found.status, found.cost, found.steps, found.reason) == ("unknown", None, (), PLAYING)
    assert found.lower_bound is not None


@pytest.mark.slow
def test_what_highs_has_found_is_told_while_it_goes_on() -> None:
    """Who stops the search, or loses it, has that plan at least."""
    game = loaded("axis_allies", level="armies")
    told: list[Plan] = []
    found = game.plan("vcp(Axis) >= 33", minimize="moves", within=1, timeout=60 + BUSY, on_better=told.append)
    assert told[0].replayed
    assert told[0].lower_bound is None  # it is from the midst of the search
    assert told[0].cost is not None
    assert told[0].cost >= (found.cost or 0)


@pytest.mark.slow
def test_a_plan_that_cannot_be_played_in_time_is_not_told_and_costs_nothing() -> None:
    game = loaded("axis_allies", level="armies")
    found = game.plan("vcp(Axis) >= 33", minimize="moves", within=1, timeout=60 + BUSY, on_better=late)
    assert (found.status, found.cost) == ("optimal", 9)
