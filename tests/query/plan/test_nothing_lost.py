"""A plan that was found is never lost: wherever a search ends, the answer says all that was told before.

The time ends after so many looks at the clock, or somebody stops the question at so many reports; no test waits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.fixtures.clocks import looks
from tests.fixtures.games import loaded
from tests.fixtures.pace import BUSY, examples
from vclogic.clock import Stopper, TimeUp, stoppable
from vclogic.progress import Progress
from vclogic.query.plan.answer import Plan

ISLANDS = "examples/two_islands.yaml"


@dataclass(frozen=True)
class Asked:
    """A question that one of the methods answers.

    Attributes:
        keys: What is asked.
        game: Of which game.
        planner: Whether a planner is asked.
    """

    keys: tuple[tuple[str, Any], ...]
    game: str = ISLANDS
    planner: bool = False


def asked(planner: bool = False, game: str = ISLANDS, **keys: Any) -> Asked:
    """A question."""
    return Asked(tuple({"side": "Axis", **keys}.items()), game, planner)


QUESTIONS = {
    "program": asked(goal="vcp(Axis) >= 7", minimize="turns", within=4),
    "program of any length": asked(goal="vcp(Axis) >= 9", minimize="turns"),
    "cuts": asked(goal="vcp(Axis) >= 12", minimize="captures"),
    "relaxation": asked(goal="vcp(Axis) >= 9", minimize="captures", opponent="helps", within=4),
    "moves": asked(goal="vcp(Axis) >= 28", game="axis_allies"),
    "largest": asked(maximize="vcp(Axis)", minimize="turns", within=2),
    "largest by cuts": asked(maximize="vcp(Axis)", minimize="captures"),
    "planner": asked(planner=True, goal="vcp(Axis) >= 12", metric="captures"),
    "planner of turns": asked(planner=True, goal="vcp(Axis) >= 7", metric="turns"),
}


@dataclass
class Told:
    """What was told of a search.

    Attributes:
        plans: The better plans, each with the bound known then.
        progress: The reports.
        stop: Ends the question
        most: after so many of both.
    """

    plans: list[tuple[Plan, int | None]] = field(default_factory=list)
    progress: list[Progress] = field(default_factory=list)
    stop: Stopper = field(default_factory=Stopper)
    most: int | None = None

    def better(self, plan: Plan, bound: int | None = None) -> None:
        """Note a plan."""
        self.plans.append((plan, plan.lower_bound if bound is None else bound))
        self._counted()

    def heard(self, progress: Progress) -> None:
        """Note a report."""
        self.progress.append(progress)
        self._counted()

    def _counted(self) -> None:
        if self.most is not None and len(self.plans) + len(self.progress) >= self.most:
            self.stop.ask()


def answer(question: Asked, told: Told) -> Plan:
    """The answer, with what was told before it."""
    keys, game = dict(question.keys), loaded(question.game)
    if question.planner:
        planner = game.planner(keys.pop("side"), keys.pop("metric"))
        found: Plan = planner.plan(**keys, budget_s=60 + BUSY, on_better=told.better)
        return found
    listening: dict[str, Any] = {} if "maximize" in keys else {"on_better": told.better}
    return game.plan(**keys, timeout=60 + BUSY, progress=told.heard, **listening)


@cache
def truth(name: str) -> Plan:
    """The answer of a search that nothing ends."""
    return answer(QUESTIONS[name], Told())


def check(name: str, found: Plan, told: Told) -> None:
    """Nothing that was told is more than the answer says, and both are so."""
    least = truth(name)
    assert least.status == "optimal", "else it says nothing about others"
    costs = [p.cost for p, _ in told.plans] + [p.cost for p in told.progress]
    bounds = [b for _, b in told.plans] + [p.bound for p in told.progress]
    assert found.status != "impossible"
    assert all(p.replayed for p, _ in told.plans)
    if any(n is not None for n in costs):
        assert found.cost is not None, "a plan was told, and is lost"
        assert found.cost <= min(n for n in costs if n is not None)
        assert found.replayed
    assert max((n for n in bounds if n), default=0) <= (found.lower_bound or 0), "a bound was told, and is lost"
    if found.maximum is None:
        assert found.cost is None or least.cost is None or found.cost >= least.cost
        assert (found.lower_bound or 0) <= (least.cost or 0)
    else:
        assert least.maximum is not None
        assert found.maximum.value is None or found.maximum.value <= (least.maximum.value or 0)
        assert found.maximum.upper_bound >= (least.maximum.value or 0)
    assert (found.status == "optimal") == (
        found.cost is not None and found.cost == found.lower_bound
    ) or found.maximum


@given(st.sampled_from(sorted(QUESTIONS)), st.integers(1, 14))
@example("program", 3)
@example("program of any length", 8)
@examples(400, usual=5)
def test_whoever_stops_a_search_has_all_that_was_told(name: str, reports: int) -> None:
    told = Told(most=reports)
    with stoppable(told.stop):
        try:
            found = answer(QUESTIONS[name], told)
        except TimeUp:
            assert not told.plans, "it is before anything could be said"
            return
    check(name, found, told)


@given(st.sampled_from(sorted(QUESTIONS)), st.floats(0, 1).map(lambda x: int(10 ** (5 * x))))
@example("program of any length", 2_000)
@examples(400, usual=5)
def test_wherever_the_time_ends_the_answer_says_all_that_was_told(name: str, most: int) -> None:
    truth(name)  # by another clock
    told = Told()
    with looks(most):
        found = answer(QUESTIONS[name], told)
    check(name, found, told)


@given(st.floats(0, 1).map(lambda x: int(10 ** (4 * x))), st.booleans())
@example(3_000, False)
@examples(200, usual=3)
def test_wherever_the_time_ends_the_changes_that_were_found_are_told(most: int, either: bool) -> None:
    game, told = loaded("axis_allies"), Told()
    goal = "controls(Axis, India) or controls(Axis, China)" if either else "vcp(Axis) >= 36"
    with looks(most):
        found = game.missing(goal, limit=12, timeout=60 + BUSY, progress=told.heard)
    numbers = [int(n.group(1)) for p in told.progress if (n := re.match(r"(\d+) found", p.phase))]
    assert len(found.repairs) >= max(numbers, default=0)
    assert max((p.bound for p in told.progress if p.bound), default=0) <= found.least or not found.repairs
    if any(p.cost is not None for p in told.progress):
        assert found.repairs, "a set of changes was told, and is lost"
        assert found.repairs[0].size <= min(p.cost for p in told.progress if p.cost is not None)


# ---- places where something was lost


def test_a_bound_of_a_horizon_is_told_as_that_of_all_plans() -> None:
    told = Told()
    found = answer(QUESTIONS["program of any length"], told)
    assert found.cost is not None
    assert all((p.bound or 0) <= found.cost for p in told.progress)


def test_what_else_is_to_be_said_of_a_plan_does_not_lose_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*given: Any) -> Any:
        raise TimeUp

    monkeypatch.setattr("vclogic.query.plan.cheapest.battles_of", late)
    found = answer(QUESTIONS["program"], Told())
    assert (found.status, found.battles, found.replayed) == ("optimal", None, True)
