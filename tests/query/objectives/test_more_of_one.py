"""Objectives that are more of one thing, such as a 2nd and a 3rd US line: without the 2nd there is no 3rd."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vclogic.clock import Deadline
from vclogic.game import Game
from vclogic.progress import silent
from vclogic.query.objectives.request import ObjectivesQuestion
from vclogic.query.objectives.session_ways import session_search
from vclogic.query.objectives.ways import ObjectiveWays
from vclogic.query.planner.cache import Built
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve.backends.session import Effort
from vclogic.terms.expressions.resolve import compile_goal

GOAL = "without_loc(US) >= 4"


@pytest.fixture(scope="module")
def ways() -> ObjectiveWays:
    game = Game.load("okinawa")
    system, deadline = game.setup.system, Deadline(120)
    metric = system.metrics[0]
    ask = ResolvedQuestion("okinawa", system, game.state, (), "Japan", "idle", metric, Effort(deadline, silent), 1)
    asked = ObjectivesQuestion(replace(ask, goal=compile_goal(GOAL, system.vocabulary)), 10)
    found = session_search(Built(system, metric, "idle"), asked)
    assert found is not None
    return ObjectiveWays(found)


@pytest.mark.parametrize("line", ["2nd US line", "3rd US line", "4th US line"])
def test_without_one_there_are_no_further_ones(ways: ObjectiveWays, line: str) -> None:
    assert ways.find({line}, Deadline(60)).status == "none"


def test_without_a_further_one_those_before_it_are_left(ways: ObjectiveWays) -> None:
    way = ways.find({"6th US line", "2nd unit in Northern"}, Deadline(60))
    assert way.status == "found"
    assert way.takes >= {"2nd US line", "3rd US line", "4th US line"}
    assert not way.takes & {"6th US line", "2nd unit in Northern", "3rd unit in Northern"}
