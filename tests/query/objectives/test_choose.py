"""Who answers questions about objectives: the cheapest method that can, whatever the goal and the planning model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from tests.fixtures.efforts import effort
from tests.fixtures.games import loaded
from vclogic.clock import Deadline
from vclogic.game import Game
from vclogic.model.objectives import Objective
from vclogic.query.objectives.choose import (
    HELD,
    UNORDERED,
    CheapestSearch,
    FreshSearch,
    ProgramSearch,
    boundless,
    program_search,
    ways_of,
)
from vclogic.query.objectives.request import ObjectivesQuestion, default_goal
from vclogic.query.objectives.session_ways import SessionSearch
from vclogic.query.objectives.ways import SearchPerGoal, Sought, play
from vclogic.query.planner.cache import Built
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.build import all_of, eq
from vclogic.terms.expressions.resolve import compile_goal

LONG = 300.0


def asking(
    game: Game, side: str, goal: str | None, within: int | None = None, metric: str | None = None
) -> ObjectivesQuestion:
    """A question; without a goal, about the outcomes of the side."""
    system = game.setup.system
    kind = system.metric(metric)
    assert kind is not None
    sought = compile_goal(goal, system.vocabulary) if goal else default_goal(system, side)
    ask = ResolvedQuestion("game", system, game.state, (), side, "idle", kind, effort(LONG), within, goal=sought)
    return ObjectivesQuestion(ask, 100)


def built_for(asked: ObjectivesQuestion) -> Built:
    return Built(asked.resolved.system, asked.resolved.metric, asked.resolved.opponent)


@pytest.mark.parametrize(
    ("name", "settings", "side", "goal", "metric", "kind"),
    [
        ("axis_allies", {}, "Axis", "vcp(Axis) >= 40", None, ProgramSearch),
        ("axis_allies", {}, "Axis", None, None, SearchPerGoal),  # three victories, of which one depends on the bid
        ("axis_allies", {}, "Axis", "vcp(Axis) >= 40", "turns", SessionSearch),
        ("axis_allies", {"level": "armies"}, "Axis", "vcp(Axis) >= 30", None, FreshSearch),
        ("napoleonics/erlenbach", {}, "French", "banners(French) >= 2", None, SessionSearch),
    ],
)
def test_the_cheapest_method_that_can_answers(
    name: str, settings: Mapping[str, str], side: str, goal: str | None, metric: str | None, kind: type
) -> None:
    asked = asking(loaded(name, **settings), side, goal, 3, metric)
    searches = CheapestSearch(built_for(asked), asked)
    assert type(searches.of(Sought(frozenset()))) is kind
    cheapest = FreshSearch if kind is SessionSearch else kind
    assert type(searches.of(Sought(frozenset(), cheapest=True))) is cheapest


def test_only_programs_do_without_a_horizon() -> None:
    captures, turns = (asking(loaded("axis_allies"), "Axis", "vcp(Axis) >= 40", 3, m) for m in (None, "turns"))
    free = boundless(built_for(captures), captures, ordered=True)
    assert free is not None
    assert free.resolved.within is None
    assert boundless(built_for(turns), turns) is None


def test_a_goal_that_holds_needs_no_steps_but_something_may_come_first() -> None:
    asked = asking(loaded("axis_allies"), "Axis", "vcp(Axis) >= 20")
    ways = ways_of(built_for(asked), asked, Deadline(LONG))
    assert ways.find(frozenset(), Deadline(LONG), cheapest=True) is HELD
    assert ways.find({"Russia"}, Deadline(LONG)) is HELD
    first = ways.find(frozenset(), Deadline(LONG), cheapest=True, first="Russia")
    assert (first.status, first.search.cost) == ("found", 1)
    assert "Russia" in first.takes


def test_where_programs_know_no_order_others_are_asked_what_comes_first() -> None:
    """Who takes the Outpost first, and Blueland then, has both and Blueland at once."""
    asked = asking(loaded("examples/two_islands.yaml"), "Axis", "vcp(Axis) >= 7", 2)
    system = asked.resolved.system
    held = {name: eq(system.layout.by_name[f"owner[{name}]"], "Reds") for name in ("Blueland", "Outpost")}
    both = Objective("both", "pair", {"Axis": all_of(held.values())})
    one = Objective("Blueland", "land", {"Axis": held["Blueland"]})
    asked = replace(asked, resolved=replace(asked.resolved, system=replace(system, objectives=(both, one))))
    built = built_for(asked)
    program = program_search(built, asked)
    assert program is not None
    assert program.answer(Sought(frozenset(), first="both"), Deadline(LONG)).search.reason == UNORDERED
    ways = ways_of(built, asked, Deadline(LONG))
    assert boundless(built, asked, ordered=True) is None
    free = ways.find(frozenset(), Deadline(LONG), cheapest=True)
    assert (free.search.cost, set(free.takes)) == (1, {"Blueland"})
    first = ways.find(frozenset(), Deadline(LONG), cheapest=True, first="both")
    assert (first.status, first.search.cost, set(first.takes)) == ("found", 2, {"both", "Blueland"})
    assert [s.args["territory"] for s in play(asked, first).plan.steps] == ["Outpost", "Blueland"]
