"""The order of a plan's events as a search: by the clock, told to stop, and honest where it is cut off."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from tests.fixtures.clocks import looks, stretches
from tests.fixtures.games import loaded
from tests.fixtures.pace import BUSY
from tests.toys.mid_game import SIDES, question
from vclogic.clock import Deadline, Stopper, stoppable
from vclogic.game import Game
from vclogic.model.actions import Event
from vclogic.query import plan_record
from vclogic.query.answers import Recorded
from vclogic.query.plan.answer import Plan
from vclogic.query.plan_record import NOT_IN_TIME, record_plan
from vclogic.terms.expressions.resolve import compile_goal

LATE = 10_000_000  # steps of work (`tests/fixtures/work.py`) beyond a budget that an answer may take
TO_RUSSIA = ("Karelia S.S.R.", "Archangel", "Russia", "Kazakh S.S.R.", "Persia")
FAR = ("New Zealand", *TO_RUSSIA, "Caucasus", "Novosibirsk", "Evenki National Okrug")
"""Lands that the Germans take one after the other, but for the first, to which no way leads."""


def board() -> Game:
    return loaded("axis_allies", legality="captures")


def captures(*lands: str) -> list[Event]:
    return [Event("capture", (("power", "Germans"), ("territory", t))) for t in lands]


def order(*lands: str, goal: str = "0 == 0", keep: str = "0 == 0", seconds: float = BUSY) -> Recorded:
    game = board()
    wanted, kept = (compile_goal(text, game.setup.system.vocabulary).term for text in (goal, keep))
    return record_plan(game.setup.system, game.state, captures(*lands), wanted, Deadline(seconds), kept)


def test_the_order_of_a_plan_backwards_is_found() -> None:
    with looks(1e9) as counted:
        found = order(*reversed(TO_RUSSIA))
    assert found.events is not None
    taken = [dict(e.args)["territory"] for e in found.events if e.name == "capture"]
    assert sorted(map(str, taken)) == sorted(TO_RUSSIA)
    assert [e.name for e in found.events].count("end_turn") < 15
    assert 1e9 - counted.left < 20_000


def test_an_event_that_no_order_allows_is_named_without_a_look_at_the_orders() -> None:
    with looks(1e9) as counted:
        found = order(*FAR)
    assert found.events is None
    assert found.decided
    assert "the rules refuse capture(Germans, New Zealand, no) in every order" in found.reason
    assert "cannot reach New Zealand" in found.reason
    assert 1e9 - counted.left < 20_000


def test_where_the_time_is_up_nothing_is_said_of_the_rules() -> None:
    lands = tuple(reversed(TO_RUSSIA))
    with looks(1e9) as counted:
        order(*lands)
    with looks((1e9 - counted.left) * 0.9):
        found = order(*lands, seconds=0)
    assert found == Recorded(None, NOT_IN_TIME, decided=False)


def test_who_says_stop_ends_the_search_for_an_order(monkeypatch: pytest.MonkeyPatch) -> None:
    stop, usual = Stopper(), plan_record._OrderSearch.in_any_order

    def stopped(self: Any, *args: Any) -> Any:
        stop.ask()
        return usual(self, *args)

    monkeypatch.setattr(plan_record._OrderSearch, "in_any_order", stopped)
    with stoppable(stop):
        found = order(*reversed(TO_RUSSIA))
    assert stop.asked
    assert found == Recorded(None, NOT_IN_TIME, decided=False)


def test_a_search_among_too_many_orders_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_record, "_MOST", 5)
    found = order(*reversed(TO_RUSSIA))
    assert (found.events, found.decided) == (None, False)
    assert "5 positions" in found.reason


def test_what_is_to_be_kept_may_ask_for_another_order() -> None:
    lands, keep = (*TO_RUSSIA, "Caucasus"), 'controls(Allies, "Persia") or controls(Axis, "Caucasus")'
    assert order(*lands).events is not None
    found = order(*lands, keep=keep)
    assert found.events is not None
    taken = [dict(e.args)["territory"] for e in found.events if e.name == "capture"]
    assert taken.index("Caucasus") < taken.index("Persia")


def test_what_cannot_be_kept_in_any_order_is_named() -> None:
    found = order(*TO_RUSSIA, keep='controls(Allies, "Archangel")')
    assert (found.events, found.decided) == (None, True)
    assert (
        found.reason
        == "the condition to keep does not hold after capture(Germans, Archangel, no) in any order of these events"
    )


# ---- planners in the middle of games


def asked(game: Game, planners: dict[str, Any], seed: int) -> tuple[Plan, float, int]:
    """An answer, its budget and the steps of work beyond it."""
    rng = Random(seed)
    one = question(rng, game)
    budget = rng.choice((0.1, 0.3, 1.0, 2.0))
    with stretches(math.inf, budget) as clock:
        answer = planners[one.side].plan(one.goal, state=one.now, budget_s=budget, **one.conditions)
    return answer, budget, clock.late


def on_time(seeds: Iterable[int]) -> Counter[str]:
    """Asks questions; each is answered on time, and says why where its plan is no record."""
    game, seen = board(), Counter[str]()
    planners = {side: game.planner(side) for side in SIDES}
    for seed in seeds:
        answer, budget, late = asked(game, planners, seed)
        assert late < LATE, (seed, budget)
        if answer.record is not None:
            seen["no record" if answer.record.events is None else "record"] += 1
            assert (answer.record.events is None) == bool(answer.record.reason), seed
            assert answer.record.decided or "time" in answer.record.reason or "found" in answer.record.reason, seed
    return seen


def test_planners_under_conditions_in_the_middle_of_games_are_on_time() -> None:
    on_time((3, 15, 21))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 2000, 250))
def test_a_thousand_planners_in_the_middle_of_games_are_on_time(first: int) -> None:
    assert min(on_time(range(first, first + 250)).values()) >= 10


@pytest.mark.slow
def test_briefings_under_conditions_in_the_middle_of_games_are_on_time() -> None:
    game = board()
    for seed in range(2000, 2060):
        rng = Random(seed)
        one, budget = question(rng, game), rng.choice((0.5, 1.0, 2.0))
        with stretches(math.inf, budget) as clock:
            one.now.objectives(one.goal, side=one.side, timeout=budget, **one.conditions)
        assert clock.late < LATE, seed
