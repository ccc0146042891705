"""The goal of a side where nobody says one: what its outcomes ask for, judged or not."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from vclogic.conformance.games import legal_play
from vclogic.encode.python.evaluator import interpret
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.query.objectives.request import default_goal


@pytest.mark.parametrize(
    ("name", "some"),
    [
        ("axis_allies", {False}),  # also of Minor Victory, which is undefined where nobody has bid
        ("moscow/small", {False, True}),
        ("napoleonics", {False}),
        ("okinawa", {False, True}),
        ("asl/13cc5", {False, True}),
    ],
)
def test_it_holds_where_status_says_that_an_outcome_is_fulfilled(name: str, some: set[bool]) -> None:
    game = Game.load(name)
    system = game.setup.system
    goals = {side: default_goal(system, side).term for side in system.sides}
    seen = set()
    for event, _ in [(None, None), *legal_play(system, game.state, Random(name), 12, set())]:
        game = game if event is None else game.apply(event.name, **dict(event.args))
        outcomes = game.status().outcomes
        for side, goal in goals.items():
            holds = bool(interpret(goal, system.layout.slot, game.state))
            assert holds == any(o.fulfilled for o in outcomes if o.side == side), (side, game.history)
            seen.add(holds)
    assert seen == some


def test_it_holds_before_the_outcome_is_judged() -> None:
    """The Axis plan for 40 points, not for the end of a turn of the Americans with 40 points."""
    game = Game.load("axis_allies")
    system = game.setup.system
    found = default_goal(system, "Axis")
    goal = found.term
    assert found.text == "enough for total_victory, major_victory or minor_victory"
    for points, territory in ((29, "Caucasus"), (34, "Russia"), (39, "United Kingdom"), (40, "Hawaiian Islands")):
        assert not interpret(goal, system.layout.slot, game.state)
        game = game.at_state({"owner": {territory: "Germans"}})
        assert game.value("vcp(Axis)") == points
    assert interpret(goal, system.layout.slot, game.state)
    assert game.value("holds(major_victory, Axis)") is False


def test_a_side_without_an_outcome_needs_a_goal() -> None:
    system = replace(Game.load("okinawa").setup.system, outcomes=())
    with pytest.raises(InputError, match="nothing by which Japan wins") as raised:
        default_goal(system, "Japan")
    assert "goal" in str(raised.value.diagnostics[0].help)
