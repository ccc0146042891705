"""An event as a planning model sees it."""

from __future__ import annotations

import pytest

import vclogic
from vclogic.encode.python.evaluator import apply, failed
from vclogic.model.actions import Action, Requirement
from vclogic.model.restricting import at_each_beginning, restricted
from vclogic.model.transition import actions_of
from vclogic.terms.atoms import FALSE, TRUE, integer, var
from vclogic.terms.build import add, and_, ge
from vclogic.terms.sorts import BOOL, IntSort

A, B = var("a", BOOL), var("b", BOOL)
N, M = var("n", IntSort(0, 3)), var("m", IntSort(0, 3))
EVENT = Action(
    "go",
    (("to", "x"),),
    None,
    (Requirement(A, "not now", name="turn order"), Requirement(B, "not there")),
    ((N, integer(2)), (A, FALSE)),
    "it goes",
    assumed=(Requirement(ge(M, 1), "nobody there"),),
)


def test_what_is_named_is_dropped_and_what_is_assumed_is_asked() -> None:
    seen = restricted(EVENT, without=("turn order",), costs={"goes": 2})
    assert [r.term for r in seen.requirements] == [B, ge(M, 1)]
    assert (seen.effects, seen.text, dict(seen.costs), seen.assumed) == (EVENT.effects, "it goes", {"goes": 2}, ())
    assert seen.key == EVENT.key


def test_a_model_may_assume_something_else_and_leave_fluents_to_the_end_of_the_step() -> None:
    seen = restricted(EVENT, assumed=(Requirement(ge(M, 3), "more"),), leaving={A}, text="there")
    assert [r.term for r in seen.requirements] == [A, B, ge(M, 3)]
    assert (seen.effects, seen.text) == (((N, integer(2)),), "there")


def test_what_holds_whenever_a_step_begins() -> None:
    """Only what the end of a step settles, and what is so at the start already."""
    end = Action("end", (), None, (), ((A, FALSE), (N, M), (B, TRUE), (M, add(M, 0))), "")
    start = {A: FALSE, B: FALSE, N: integer(1), M: integer(1)}
    assert at_each_beginning(end, start)(and_(A, B)) is FALSE
    assert at_each_beginning(end, start)(and_(B, ge(N, 2))) == and_(B, ge(N, 2)), "M changes too"
    calm = Action("end", (), None, (), end.effects[:3], "")
    assert at_each_beginning(calm, start)(and_(B, ge(N, 2))) == and_(B, ge(M, 2))
    assert at_each_beginning(calm, start | {N: integer(2)})(ge(N, 2)) == ge(N, 2)
    assert at_each_beginning(calm, {})(and_(A, ge(N, 2))) == and_(A, ge(N, 2))


@pytest.mark.parametrize("settings", [{}, {"total_moment": "any", "liberated_territory": "first_owner"}])
def test_a_planned_capture_does_what_the_event_does(settings: dict[str, str | int]) -> None:
    """The same state comes of both, in the capture's own turn."""
    game = vclogic.load("axis_allies", settings=settings)
    system, state = game.setup.system, game.state
    metric = system.metric("captures")
    assert metric
    looked = 0
    for action in actions_of(metric.transition("Allies", "idle", {})).values():
        event = system.schemas["capture"].action(action.args)
        if action.actor == "Russians" and not failed(system, state, action):
            assert not failed(system, state, event)
            assert apply(system, state, action) == apply(system, state, event)
            looked += 1
    assert looked > 3
