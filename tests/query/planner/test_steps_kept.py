"""The steps of plans, kept for further questions about the same moment: those alone, and never half built."""

from __future__ import annotations

from dataclasses import replace

import pytest

import vclogic
from tests.fixtures.rule_sets import built_anew
from vclogic.clock import Deadline, TimeUp, until
from vclogic.game import Game
from vclogic.model.system import ANY, IDLE


@pytest.fixture
def game() -> Game:
    with built_anew():
        return vclogic.load("axis_allies")


def test_the_last_steps_are_found_again(game: Game) -> None:
    system = game.setup.system
    captures, turns = system.metrics
    first = system.steps(captures, "Axis", IDLE, game.state)
    assert system.steps(captures, "Axis", IDLE, game.state) is first
    later = game.apply("end_turn").state
    others = [(captures, "Allies", IDLE, game.state), (captures, "Axis", ANY, game.state)]
    for question in [*others, (turns, "Axis", IDLE, game.state), (captures, "Axis", IDLE, later)]:
        assert system.steps(*question) is not first
        assert system.steps(*question) is system.steps(*question)
    assert system.steps(captures, "Axis", IDLE, game.state) is not first  # only the last ones are kept


def test_a_kind_of_plans_that_is_made_for_one_question_is_not_kept(game: Game) -> None:
    system = game.setup.system
    kept = system.steps(system.metrics[0], "Axis", IDLE, game.state)
    own = replace(system.metrics[0], name="own")
    assert system.steps(own, "Axis", IDLE, game.state) is not system.steps(own, "Axis", IDLE, game.state)
    assert system.steps(system.metrics[0], "Axis", IDLE, game.state) is kept


def test_steps_that_were_not_built_in_time_are_not_kept(game: Game) -> None:
    system = game.setup.system
    with until(Deadline(-1)), pytest.raises(TimeUp):
        system.steps(system.metrics[0], "Axis", IDLE, game.state)
    assert len(system.steps(system.metrics[0], "Axis", IDLE, game.state).choices) > 60


def test_a_second_plan_is_the_first_one(game: Game) -> None:
    first, second = (game.plan("vcp(Axis) >= 25") for _ in range(2))
    assert replace(first, elapsed_s=0) == replace(second, elapsed_s=0)
    assert game.plan("vcp(Axis) >= 30").cost == vclogic.load("axis_allies").plan("vcp(Axis) >= 30").cost
