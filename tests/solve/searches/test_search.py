"""The searches for a cheapest plan, on random small rule sets, against trying everything."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import HANGS, examples
from tests.fixtures.plan_methods import cheapest, step_by_step
from tests.fixtures.smt_checker import refuted
from tests.terms.specs import Spec, meaning, term
from tests.toys.small_systems import METRIC, Move, SmallSystem, goals, small_systems, wild_systems
from vclogic.clock import Deadline
from vclogic.encode.goal_regression import Regressions
from vclogic.model.actions import Action, Requirement
from vclogic.model.transition import Hints, Transition, one_at_a_time
from vclogic.progress import silent
from vclogic.solve.backends.session import Effort, Session
from vclogic.solve.problem import Problem, SearchResult, prepare
from vclogic.terms.atoms import FALSE, TRUE, integer, var
from vclogic.terms.build import add, eq, ge, implies, ite, le, linear, lt, not_, or_
from vclogic.terms.sorts import BOOL, IntSort
from vclogic.terms.term import Term

LONG = 20.0


def effort(seconds: float = LONG) -> Effort:
    return Effort(Deadline(seconds), silent)


def bounded(
    problem: Problem, *, low: int = 0, known: SearchResult | None = None, first: bool = False
) -> SearchResult:
    with local_sessions(LONG), Session(Deadline(LONG)) as session:
        return step_by_step(problem, session, low=low, known=known, first=first)


def longest(system: SmallSystem) -> int:
    """No way without a loop is longer."""
    return len(system.reachable()) - 1


def played(system: SmallSystem, goal: Spec, found: SearchResult, within: int | None = None) -> None:
    """The steps of a plan, each legal, the goal true at the end, the costs as said."""
    moves = {m.taken: m for m in system.moves}
    state, cost, count = system.start, 0, 0
    for step in found.steps or ():
        for taken in step:
            move = moves[taken]
            after = system.after(state, move)
            assert after is not None
            state, cost, count = after, cost + move.cost, count + 1
    assert meaning(goal, system.values(state))
    assert cost == found.cost
    assert within is None or count <= within


# ---- one step more at a time


@examples(60)
@given(st.data())
def test_bounded_search_within_a_limit(data: st.DataObject) -> None:
    system = data.draw(st.one_of(small_systems(), wild_systems()))
    goal = data.draw(goals(system))
    within = data.draw(st.integers(0, 4))
    truth = system.cheapest(goal, within)
    found = bounded(system.problem(term(goal), within))
    event(f"cost: {truth}")
    assert (found.cost, found.exhausted) == (truth, truth is None)
    assert refuted(found.claims)
    if truth is not None:
        assert found.lower_bound == truth
        played(system, goal, found, within)


@examples(40)
@given(st.data())
def test_bounded_search_without_a_limit(data: st.DataObject) -> None:
    system = data.draw(st.one_of(small_systems(), wild_systems()))
    moves = tuple(replace(m, cost=max(m.cost, 1)) for m in system.moves)  # so that it comes to an end
    system = replace(system, moves=moves)
    goal = data.draw(goals(system))
    truth = system.cheapest(goal)
    if truth is None:
        return
    low = data.draw(st.integers(0, truth))
    found = bounded(system.problem(term(goal)), low=low)
    assert (found.cost, found.lower_bound, found.exhausted) == (truth, truth, False)
    played(system, goal, found)


@examples(30)
@given(st.data())
def test_the_first_plan_is_a_plan(data: st.DataObject) -> None:
    system = data.draw(st.one_of(small_systems(), wild_systems()))
    goal = data.draw(goals(system))
    truth = system.cheapest(goal)
    if truth is None:
        return
    found = bounded(system.problem(term(goal)), first=True)
    played(system, goal, found)
    assert found.lower_bound is not None
    assert found.cost is not None
    assert found.lower_bound <= truth <= found.cost


# ---- the portfolio


@examples(120)
@given(st.data())
def test_the_cheapest_plan_by_any_method(data: st.DataObject) -> None:
    system = data.draw(st.one_of(small_systems(), wild_systems()))
    goal = data.draw(goals(system))
    within = data.draw(st.sampled_from((None, None, 1, 2, 3, 4)))
    truth = system.cheapest(goal, within)
    limit = longest(system) if within is None else within  # so that it comes to an end
    problem = prepare(system.transition, system.constants, term(goal), tail=None, metric=METRIC, within=min(limit, 8))
    if truth is None or within is None:
        truth = system.cheapest(goal, min(limit, 8))
    parties = data.draw(st.lists(st.integers(0, 2), min_size=len(system.moves), max_size=len(system.moves)))
    sides = [{m.taken: m.action for m, p in zip(system.moves, parties, strict=True) if p == n} for n in range(3)]
    kept = [{t: a for t, a in side.items() if t in problem.transition.choices} for side in sides]
    with local_sessions(LONG):
        found = cheapest(problem, kept, effort(), first=False)
    event(f"by: {found.bound_by}")
    assert (found.cost, found.exhausted) == (truth, truth is None)
    if truth is not None:
        assert found.lower_bound == truth
        played(system, goal, found, min(limit, 8))


@examples(60)
@given(st.data())
def test_a_first_plan_by_any_method(data: st.DataObject) -> None:
    system = data.draw(st.one_of(small_systems(), wild_systems()))
    goal = data.draw(goals(system))
    within = data.draw(st.integers(0, 4))
    truth = system.cheapest(goal, within)
    problem = system.problem(term(goal), within)
    sides = [{m.taken: m.action for m in system.moves[::2]}, {m.taken: m.action for m in system.moves[1::2]}]
    with local_sessions(LONG):
        found = cheapest(problem, sides, effort(), first=True)
    assert (found.cost is None, found.exhausted) == (truth is None, truth is None)
    if truth is not None:
        assert found.cost is not None
        assert found.lower_bound is None or found.lower_bound <= truth <= found.cost
        played(system, goal, found, within)


# ---- steps that are no single actions


n, clock = var("n", IntSort(0, 30)), var("clock", IntSort(0, 2))
gain, risk = var("gain", IntSort(0, 3)), var("risk", BOOL)


def season() -> Transition:
    """Every third step is free and does not count; a risk doubles what is gained, and costs two."""
    ours = lt(clock, 2)
    return Transition(
        choices=(gain, risk),
        legality=(implies(risk, ge(gain, 2)), implies(not_(ours), eq(gain, 0))),
        next={n: linear([(1, n), (1, gain), (2, risk)]), clock: linear([(1, clock), (1, ours), (-2, not_(ours))])},
        cost=linear([(1, gain), (2, risk), (1, ours)]),
        describe=lambda chosen, values: [],
        counts=ours,
    )


def best(target: int, within: int) -> int | None:
    """The least cost by trying all gains."""
    layer = {(0, 0, 0): 0}
    costs: list[int] = []
    for _ in range(3 * within + 3):
        costs += [c for (have, _, _), c in layer.items() if have >= target]
        after: dict[tuple[int, int, int], int] = {}
        for (have, time_, used), cost in layer.items():
            options = [(0, 0)] if time_ == 2 else [(g, r) for g in range(4) for r in (0, 1) if not r or g >= 2]
            for g, r in options:
                counted = used + (time_ < 2)
                if counted <= within and have + g + 2 * r <= 30:
                    key = (have + g + 2 * r, (time_ + 1) % 3, counted)
                    paid = cost + g + 2 * r + (time_ < 2)
                    after[key] = min(paid, after.get(key, paid))
        layer = after
    return min(costs, default=None)


@pytest.mark.parametrize("target", [0, 1, 3, 5, 6, 10, 11, 15])
@pytest.mark.parametrize("within", [0, 1, 2, 3])
def test_steps_that_do_not_all_count(target: int, within: int) -> None:
    start = {n: integer(0), clock: integer(0)}
    problem = Problem(
        start, season(), ge(n, target), Regressions({ge(n, target): 0}), METRIC, within, season(), start
    )
    found = bounded(problem)
    truth = best(target, within)
    assert (found.cost, found.exhausted) == (truth, truth is None)
    if truth is not None:
        assert found.lower_bound == truth


# ---- time


def endless() -> Problem:
    """A goal that only folding refutes, one step after the other, for ever."""
    m = var("m", IntSort(0, 10**9))
    up = Transition((), (), {m: add(m, 1)}, integer(0), lambda chosen, values: [])
    return Problem({m: integer(1)}, up, le(m, 0), Regressions({le(m, 0): 0}), METRIC, None, up, {m: integer(1)})


def test_a_search_that_never_asks_the_solver_still_ends() -> None:
    began = time.monotonic()
    with Session(Deadline(1)) as session:
        found = step_by_step(endless(), session)
    assert time.monotonic() - began < HANGS
    assert (found.steps, found.exhausted) == (None, False)
    assert found.reason


def test_what_nothing_can_change_is_decided_at_once() -> None:
    p, q = var("p", BOOL), var("q", BOOL)
    act = Action("x", (), None, (Requirement(TRUE, ""),), ((q, TRUE),), "", {METRIC: 1})
    problem = prepare(one_at_a_time([act], METRIC), {p: FALSE, q: FALSE}, p, tail=None, metric=METRIC, within=None)
    assert not problem.transition.next
    with local_sessions(LONG):
        found = cheapest(problem, [], effort(), first=False)
    assert found.exhausted


def test_the_time_is_up_before_it_began() -> None:
    p: Term = var("p", BOOL)
    act = Action("x", (), None, (), ((p, TRUE),), "", {METRIC: 1})
    problem = prepare(one_at_a_time([act], METRIC), {p: FALSE}, p, tail=None, metric=METRIC, within=None)
    found = cheapest(problem, [], effort(-1), first=False)
    assert (found.steps, found.exhausted, found.lower_bound) == (None, False, None)
    assert found.reason


def test_moves_are_what_their_names_say() -> None:
    move = Move("m", ("const", "B", 1), (), 0)
    assert move.taken.name == move.action.key


NOTHING = Hints()


def gate(hints: Hints = NOTHING) -> Problem:
    """A step that opens a gate for 2, beside one that costs nothing and one that nobody needs; waiting is free."""
    opens, idles, gate = (var(name, BOOL) for name in ("opens", "idles", "gate"))
    ready = var("ready", BOOL)
    step = Transition(
        choices=(opens, idles),
        legality=(implies(opens, ready),),
        next={gate: or_(gate, opens), ready: TRUE},
        cost=linear([(2, opens)]),
        describe=lambda chosen, values: (),
        hints=hints,
    )
    start = {gate: FALSE, ready: FALSE}
    return Problem(start, step, gate, Regressions({gate: 0}), METRIC, None, step, start)


def test_a_search_ends_where_more_steps_cannot_help() -> None:
    found = bounded(gate(Hints(step_bound=lambda cost: 3 + cost)))
    assert (found.cost, found.lower_bound, found.depth) == (2, 2, 5)


def resting(following: dict[Term, Term]) -> Hints:
    """Hints that tell the step in which nothing is chosen."""
    return Hints(
        resting=Transition(
            choices=(), legality=(), next=following, cost=integer(0), describe=lambda chosen, values: ()
        )
    )


def test_a_search_ends_where_waiting_longer_changes_nothing() -> None:
    """A plan that costs 1 at most needs 1 step in which something is done, and two rounds before and after it."""
    found = bounded(gate(resting({var("ready", BOOL): TRUE})))
    assert (found.cost, found.lower_bound, found.depth) == (2, 2, 1 + 2 * 2 + 1)
    assert "another one changes something" in found.claims[-1].about
    assert refuted(found.claims)


def test_a_search_goes_on_where_waiting_longer_changes_something() -> None:
    """What becomes ready only in the fifth step: a limit on the steps that waiting does not allow for is too low."""
    opens, gate_, waited = var("opens", BOOL), var("gate", BOOL), var("waited", IntSort(0, 9))
    after = ite(lt(waited, 9), add(waited, integer(1)), integer(9))
    following: dict[Term, Term] = {gate_: or_(gate_, opens), waited: after}
    step = Transition(
        choices=(opens,),
        legality=(),
        next=following,
        cost=ite(opens, ite(ge(waited, 8), integer(1), integer(2)), integer(0)),
        describe=lambda chosen, values: (),
        hints=resting({waited: after}),
    )
    start = {gate_: FALSE, waited: integer(0)}
    found = bounded(Problem(start, step, gate_, Regressions({gate_: 0}), METRIC, 12, step, start))
    assert (found.cost, found.lower_bound) == (1, 1)


def test_a_search_that_does_not_know_that_goes_on() -> None:
    with local_sessions(2.0), Session(Deadline(2.0)) as session:
        found = step_by_step(gate(), session)
    assert (found.cost, found.lower_bound) == (2, 0)


def test_a_tidy_plan_holds_nothing_that_it_does_not_need() -> None:
    found = bounded(gate(Hints(step_bound=lambda cost: 2, fewest_choices=True)))
    assert found.steps is not None
    assert [{c.name for c in step} for step in found.steps] == [set(), {"opens"}]
