"""The cheapest plan where all positions are looked at, against brute force and against bounded model checking."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import event as note
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.efforts import effort
from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import examples
from tests.fixtures.plan_methods import step_by_step
from tests.terms.specs import KIND, Spec, domain, specs, term
from tests.toys.small_systems import FLUENTS, Move, SmallSystem, small_systems
from vclogic.explore.events import Some, as_started, of_action
from vclogic.explore.search import shortest
from vclogic.model.transition import actions_of
from vclogic.solve.problem import prepare
from vclogic.solve.searches import all_positions
from vclogic.solve.searches.all_positions import cheapest_plan, closed
from vclogic.terms.atoms import FALSE, number
from vclogic.terms.build import and_


@st.composite
def questions(draw: st.DrawFn) -> tuple[SmallSystem, Spec, int | None]:
    """A rule set whose moves all cost 2, a goal, and perhaps the largest number of moves."""
    small = draw(small_systems())
    same = replace(small, moves=tuple(replace(m, cost=2) for m in small.moves))
    return same, draw(specs(small.fluents, "B", 3)), draw(st.sampled_from([None, None, 0, 1, 2, 3]))


@examples(150)
@given(questions())
def test_the_cheapest_plan_is_that_of_brute_force(question: tuple[SmallSystem, Spec, int | None]) -> None:
    small, goal, within = question
    problem = small.problem(term(goal), within)
    cost = small.cheapest(goal, within)
    found = cheapest_plan(problem, effort(20))
    assert found is not None
    note(f"cost {cost}, {found.proof and found.proof.method}")
    if cost is None:
        assert found.exhausted
        assert found.steps is None
        assert found.proof is not None or within is not None
        if found.proof is not None:
            assert small.cheapest(goal) is None
            assert found.proof.positions == len(small.reachable())
        return
    assert found.steps is not None
    assert (found.cost, found.lower_bound) == (cost, cost)
    assert found.rechecked == (cost > 0)
    state: tuple[int, ...] | None = small.start
    moves = {m.taken: m for m in small.moves}
    for step in found.steps:
        (taken,) = step
        assert state is not None
        state = small.after(state, moves[taken])
    assert 2 * len(found.steps) == cost
    assert state is not None
    assert small.cheapest(goal) is not None
    assert _holds(small, goal, state)


def _holds(small: SmallSystem, goal: Spec, state: tuple[int, ...]) -> bool:
    return replace(small, start=state).cheapest(goal, 0) == 0


@examples(60)
@given(questions())
def test_the_plan_is_that_of_bounded_model_checking(question: tuple[SmallSystem, Spec, int | None]) -> None:
    """Both give the lexicographically first of the shortest plans, so that a faster machine shows no other plan."""
    small, goal, _ = question
    if not small.cheapest(goal):
        return
    problem = prepare(small.transition, small.constants, term(goal), tail=None, metric="n", within=None)
    if not actions_of(problem.transition):
        return
    mine = cheapest_plan(problem, effort(20))
    assert mine is not None
    with local_sessions(20), effort(20).session() as session:
        other = step_by_step(problem, session)
    note(f"cost {mine.cost}")
    assert [dict(s) for s in mine.steps or ()] == [dict(s) for s in other.steps or ()]


def test_costs_that_differ_are_left_to_other_methods() -> None:
    a, b = [v for v in FLUENTS if KIND[v] == "B"][:2]
    sure: Spec = ("const", "B", 1)
    moves = [Move(f"to {v.name}", sure, ((v, sure),), cost) for v, cost in ((a, 1), (b, 2))]
    goal = and_(a, b)
    assert cheapest_plan(SmallSystem((a, b), (0, 0), tuple(moves)).problem(goal), effort(20)) is None
    same = [replace(m, cost=1) for m in moves]
    found = cheapest_plan(SmallSystem((a, b), (0, 0), tuple(same)).problem(goal), effort(20))
    assert found is not None
    assert found.cost == 2
    assert cheapest_plan(SmallSystem((a, b), (0, 0), ()).problem(goal), effort(20)) is None


def test_too_many_positions_are_left_to_other_methods(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = [v for v in FLUENTS if KIND[v] == "I"]
    sure: Spec = ("const", "B", 1)
    moves = [Move(f"{v.name} {n}", sure, ((v, ("const", "I", n)),), 1) for v in (x, y) for n in domain(v)]
    problem = SmallSystem((x, y), (domain(x)[0], domain(y)[0]), tuple(moves)).problem(FALSE)
    found = cheapest_plan(problem, effort(20))
    assert found is not None
    assert found.proof is not None
    assert (found.proof.positions, found.proof.rechecked) == (16, True)
    monkeypatch.setattr(all_positions, "_GLANCE", 3)
    assert cheapest_plan(problem, effort(20)) is not None  # there cannot be many more
    monkeypatch.setattr(all_positions, "_POSITIONS", 3)
    assert cheapest_plan(problem, effort(20)) is None
    monkeypatch.setattr(all_positions, "MOST_EVENTS", 3)
    assert cheapest_plan(problem, effort(20)) is None


@examples(100)
@given(questions(), st.data())
def test_a_second_look_notices_a_position_that_is_missing_or_too_far(
    question: tuple[SmallSystem, Spec, int | None], data: st.DataObject
) -> None:
    small, goal, _ = question
    problem = small.problem(term(goal), None)
    facts = Some(tuple(problem.start))
    start = tuple(number(f.sort, constant.value) for f, constant in problem.start.items())
    events = [of_action(a, facts) for a in actions_of(problem.transition).values()]
    found = shortest(facts, start, problem.goal, as_started(facts, [start], events), most=10_000, memory=10**9)
    if not found.record:
        return
    assert found.nearer is not None
    states, depth = found.nearer
    assert closed(facts, start, states, events, problem.goal, depth)
    assert {*depth.tolist()} == {*range(len(found.record))}
    row = data.draw(st.integers(0, len(states) - 1))
    without = np.arange(len(states)) != row
    if depth[without].max(initial=0) == depth.max() > 0:
        assert not closed(facts, start, states[without], events, problem.goal, depth[without])
    farther = depth.copy()
    farther[row] += 1
    assert not closed(facts, start, states, events, problem.goal, farther) or depth[row] == depth.max()
