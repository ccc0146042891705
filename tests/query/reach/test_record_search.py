"""Searches for a record that are led by relaxed distances, against all positions of small rule sets."""

from __future__ import annotations

import math

import pytest
from hypothesis import event as note
from hypothesis import given

from tests.fixtures.games import loaded
from tests.fixtures.pace import examples
from tests.query.reach.test_all_events import Rules, questions
from tests.terms.specs import Spec, meaning, term
from vclogic.clock import Deadline
from vclogic.encode.grounding import relevant
from vclogic.encode.python.evaluator import failed
from vclogic.encode.relaxed_distance import RelaxedDistance
from vclogic.files.record import RecordStep
from vclogic.model.actions import Action, Schema
from vclogic.query.reach.record_search import by_relaxed_distance
from vclogic.query.reach.tried_events import BuiltEvents
from vclogic.query.replay import play_record

ENOUGH = 10**9


def any_event(_: Schema, action: Action) -> Action:
    """Admit every event."""
    return action


@examples(200)
@given(questions())
def test_what_can_be_reached_is_found_and_nothing_else(question: tuple[Rules, Spec]) -> None:
    rules, spec = question
    small, system, goal = rules.small, rules.system, term(spec)
    events = BuiltEvents(system, relevant(system, [goal], any_event), goal)
    search = by_relaxed_distance(system, any_event, goal, events=events, work=ENOUGH)
    way = search.find(small.start, Deadline(math.inf))
    assert (way is not None) == any(meaning(spec, small.values(s)) for s in rules.reachable())
    note("found" if way is not None else "not found")
    if way is not None:
        end = play_record(system, small.start, [RecordStep(e) for e in way])
        assert meaning(spec, small.values(end))


@examples(200)
@given(questions())
def test_helpful_events_are_allowed_and_the_goal_alone_is_no_event_away(question: tuple[Rules, Spec]) -> None:
    rules, spec = question
    system = rules.system
    distance = RelaxedDistance(system, any_event, term(spec))
    for state in sorted(rules.reachable())[:20]:
        found = distance(state)
        assert (found.distance == 0) == bool(meaning(spec, rules.small.values(state)))
        assert not any(failed(system, state, system.action(event)) for event, _ in found.helpful)


@pytest.mark.parametrize(
    ("name", "settings", "goal", "side", "events"),
    [
        ("axis_allies", {"treasury": "on"}, "owner(Karelia) == Germans and placed(Karelia, infantry) >= 1", None, 9),
        ("axis_allies", {"treasury": "on"}, "complex(India) == bought and owner(India) == Japanese", "Axis", 11),
        ("axis_allies", {"treasury": "on"}, "placed(India, armour) >= 1", "Allies", 11),
        ("axis_allies", {"treasury": "on"}, "placed(Ukraine, infantry) >= 1 and owner(Ukraine) == Russians", None, 8),
        ("okinawa", {}, "exited >= 2 and removed >= 6 and retreat_points(Japan) >= 2", None, 10),
        ("okinawa", {}, "exited >= 2 and removed >= 6 and elimination_points(US) >= 17 and over", None, 14),
    ],
)
@pytest.mark.slow
def test_a_long_line_is_found_soon(
    name: str, settings: dict[str, str], goal: str, side: str | None, events: int
) -> None:
    """Most of its time goes to the planning model, which has no such plan."""
    opponent = "idle" if side else "helps"
    found = loaded(name, **settings).reach(goal, side=side, opponent=opponent, timeout=120)
    assert (found.status, found.replayed) == ("reachable", True)
    assert found.depth is not None
    assert found.depth <= events
