"""A witness of `reach` holds no events that can be left out."""

from __future__ import annotations

from tests.fixtures.games import loaded
from vclogic.model.actions import Action, Event, Schema
from vclogic.query.reach.found_records import as_played, shorten
from vclogic.terms.expressions.resolve import compile_goal


def admit(schema: Schema, action: Action) -> Action:
    return action


def test_what_a_record_does_not_need_is_left_out() -> None:
    """Both ends of turns have to go together: alone the other side would be on turn."""
    game = loaded("examples/two_islands.yaml")
    system, start = game.setup.system, game.state
    goal = compile_goal("territories(Axis) >= 3 and turn == Reds", system.vocabulary).term
    end = Event("end_turn", ())
    take = system.schemas["capture"].event({"power": "Reds", "territory": "Outpost"})
    way = (end, end, end, end, take, end, end)
    assert as_played(system, start, way, admit) is not None
    assert tuple(shorten(system, start, way, goal, admit)) == (take,)
