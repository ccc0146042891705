"""What only gains is recognised, and its plans are the cheapest that trying everything finds."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.terms.specs import term
from tests.toys.small_systems import METRIC, goals, small_systems
from vclogic.clock import Deadline
from vclogic.encode.linear.delete_free import delete_free, raises
from vclogic.encode.linear.gains import Gains
from vclogic.model.actions import Action, Requirement
from vclogic.progress import silent
from vclogic.solve.backends.session import Effort
from vclogic.solve.problem import Problem, SearchResult
from vclogic.solve.searches.delete_free_search import cheapest_plan
from vclogic.terms.atoms import FALSE, TRUE, boolean, constant, integer, member, var
from vclogic.terms.build import and_, any_of, count, eq, ge, iff, ite, le, not_, or_
from vclogic.terms.reach import Graph, reach
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

POWER = EnumSort("power", ("none", "Red", "Blue"))
NONE, RED, BLUE = (member(POWER, m) for m in POWER.members)
p, q, r = (var(n, BOOL) for n in "pqr")
a, b = (var(n, POWER) for n in "ab")
n = var("n", IntSort(0, 5))
START = {p: FALSE, q: FALSE, r: FALSE, a: NONE, b: NONE, n: integer(0)}


def action(name: str, guard: Term, cost: int = 1, **effects: Term) -> Action:
    """An action on the fluents of `START`, by name."""
    fluents = {v.name: v for v in START}
    needs = (Requirement(guard, "it needs that"),)
    return Action(name, (), None, needs, tuple((fluents[f], new) for f, new in effects.items()), name, {METRIC: cost})


def choices(*actions: Action) -> dict[Term, Action]:
    return {var(x.key, BOOL): x for x in actions}


def plan(actions: Mapping[Term, Action], goal: Term, within: int | None = None) -> SearchResult:
    """The cheapest plan by the encoding."""
    free = delete_free(actions, START, METRIC)
    assert free is not None
    return _solve(actions, START, goal, within)


def _solve(
    actions: Mapping[Term, Action], start: Mapping[Term, Term], goal: Term, within: int | None = None
) -> SearchResult:
    from vclogic.encode.goal_regression import Regressions
    from vclogic.model.transition import one_at_a_time

    free = delete_free(actions, start, METRIC)
    assert free is not None
    step = one_at_a_time(actions.values(), METRIC)
    problem = Problem(start, step, goal, Regressions({goal: 0}), METRIC, within, step, start)
    return cheapest_plan(problem, free, Effort(Deadline(10), silent))


# ---- what is delete-free, and what is not


GAINS = {
    "a raise": [action("x", TRUE, p=TRUE)],
    "a chain": [action("x", TRUE, p=TRUE), action("y", p, q=TRUE)],
    "a loop": [action("x", q, p=TRUE), action("y", p, q=TRUE)],
    "two actions for one value": [action("x", TRUE, p=TRUE, q=TRUE), action("y", TRUE, p=TRUE, r=TRUE)],
    "it needs itself unraised": [action("x", not_(p), p=TRUE)],
    "two values, each needs it unraised": [action("x", eq(a, "none"), a=RED), action("y", eq(a, "none"), a=BLUE)],
    "a member test that both values pass": [
        action("x", eq(a, "none"), a=RED),
        action("y", eq(a, "none"), a=BLUE),
        action("z", not_(eq(a, "none")), p=TRUE),
    ],
    "a member test that one of two values passes": [
        action("x", eq(a, "none"), a=RED),
        action("y", eq(a, "none"), a=BLUE),
        action("z", eq(a, "Red"), p=TRUE),
    ],
    "a count": [action("x", TRUE, p=TRUE), action("y", TRUE, q=TRUE), action("z", ge(count([p, q]), 2), r=TRUE)],
    "a number": [action("x", TRUE, n=integer(3)), action("y", ge(n, 2), p=TRUE)],
    "what nobody needs may be lost": [action("x", TRUE, a=RED), action("y", TRUE, p=TRUE)],
    "a guard on what never changes": [action("x", not_(p), q=TRUE)],
    "an effect that changes nothing": [action("x", TRUE, p=TRUE, q=FALSE)],
    "an action that can never be taken lowers": [action("x", TRUE, p=TRUE), action("y", and_(q, p), p=FALSE)],
    "reach": [
        action("x", TRUE, p=TRUE),
        action("y", reach(Graph((0, 1), ((0, 1),)), {0: p}, {1: TRUE})[1], q=TRUE),
    ],
}
LOSES = {
    "an effect puts back": [action("x", TRUE, p=TRUE), action("y", p, p=FALSE)],
    "an effect puts back by the way": [action("x", TRUE, p=TRUE), action("y", TRUE, q=TRUE, p=FALSE)],
    "a guard needs another unraised": [action("x", TRUE, p=TRUE), action("y", not_(p), q=TRUE)],
    "a guard needs a count small": [action("x", TRUE, p=TRUE), action("y", le(count([p, q]), 0), r=TRUE)],
    "a guard needs a number small": [action("x", TRUE, n=integer(3)), action("y", le(n, 2), p=TRUE)],
    "a guard needs the value that is lost": [action("x", TRUE, a=RED), action("y", eq(a, "none"), p=TRUE)],
    "two values": [action("x", TRUE, a=RED), action("y", TRUE, a=BLUE)],
    "two values, one needs it unraised": [action("x", eq(a, "none"), a=RED), action("y", TRUE, a=BLUE)],
    "one of two values is lost": [action("x", eq(a, "none"), a=RED), action("y", not_(eq(a, "Blue")), a=BLUE)],
    "an effect that is no constant": [action("x", TRUE, p=TRUE), action("y", TRUE, q=p)],
    "an effect that counts up": [action("x", TRUE, n=ite(ge(n, 5), n, n)), action("y", TRUE, n=count([p, q]))],
    "an equivalence": [action("x", TRUE, p=TRUE), action("y", TRUE, q=TRUE), action("z", iff(p, q), r=TRUE)],
    "one needs it unraised, another does not": [action("x", not_(p), p=TRUE, q=TRUE), action("y", TRUE, p=TRUE)],
    "a guard needs what another raises, each once": [
        action("x", not_(p), p=TRUE),
        action("y", and_(not_(p), not_(q)), q=TRUE),
    ],
    "reach that must not be": [
        action("x", TRUE, p=TRUE),
        action("y", not_(reach(Graph((0, 1), ((0, 1),)), {0: p}, {1: TRUE})[1]), q=TRUE),
    ],
}


@pytest.mark.parametrize("name", GAINS)
def test_what_only_gains_is_delete_free(name: str) -> None:
    actions = choices(*GAINS[name])
    assert delete_free(actions, START, METRIC) is not None


@pytest.mark.parametrize("name", LOSES)
def test_what_loses_is_not(name: str) -> None:
    actions = choices(*LOSES[name])
    assert raises(Gains(actions, START)) is None
    assert delete_free(actions, START, METRIC) is None


def test_a_number_that_one_action_raises_is_lost_where_another_lowers_it() -> None:
    m = var("m", IntSort(0, 5))
    still = Requirement(and_(ge(m, 3), le(m, 3)), "it is as it was")
    down, up = (Action(f"to {k}", (), None, (still,), ((m, integer(k)),), "", {METRIC: 1}) for k in (1, 5))
    actions = choices(down, up, action("y", ge(m, 2), p=TRUE))
    assert delete_free(actions, {**START, m: integer(3)}, METRIC) is None


# ---- small plans


def test_a_fluent_that_many_actions_raise() -> None:
    # Captures set `ended` to none whenever the start is just after a turn: that must not allow one capture only.
    actions = choices(action("x", TRUE, p=TRUE, r=TRUE), action("y", TRUE, q=TRUE, r=TRUE))
    found = plan(actions, and_(p, q))
    assert (found.cost, found.lower_bound) == (2, 2)


def test_a_needed_fluent_that_many_actions_raise() -> None:
    actions = choices(action("x", TRUE, 3, p=TRUE, r=TRUE), action("y", p, q=TRUE, r=TRUE), action("z", r, 0, a=RED))
    found = plan(actions, and_(q, eq(a, "Red")))
    assert (found.cost, found.lower_bound) == (4, 4)
    assert next(str(next(iter(step))) for step in found.steps or ()) == "x()"


def test_an_action_that_needs_what_it_sets_again() -> None:
    actions = choices(action("x", TRUE, p=TRUE), action("y", p, p=TRUE, q=TRUE))
    assert plan(actions, q).cost == 2


def test_a_loop_does_not_hold_itself_up() -> None:
    actions = choices(action("x", q, p=TRUE), action("y", p, q=TRUE))
    found = plan(actions, q)
    assert found.steps is None
    assert found.exhausted


def test_only_one_of_two_values() -> None:
    actions = choices(action("x", eq(a, "none"), a=RED), action("y", eq(a, "none"), a=BLUE))
    seen = choices(action("z", eq(a, "Red"), p=TRUE), action("w", eq(a, "Blue"), q=TRUE))
    assert plan({**actions, **seen}, p).cost == 2
    assert plan({**actions, **seen}, and_(p, q)).exhausted


def test_one_action_that_raises_much_is_paid_once() -> None:
    actions = choices(
        action("all", TRUE, 3, p=TRUE, q=TRUE, r=TRUE),
        action("x", TRUE, 2, p=TRUE),
        action("y", TRUE, 2, q=TRUE),
        action("z", TRUE, 2, r=TRUE),
    )
    assert plan(actions, and_(p, q, r)).cost == 3
    assert plan(actions, and_(p, q)).cost == 3
    assert plan(actions, p).cost == 2
    assert plan(actions, count_is(2)).cost == 4


def count_is(k: int) -> Term:
    return and_(ge(count([p, q, r]), k), le(count([p, q, r]), k))


def test_the_limit_counts_actions_not_costs() -> None:
    actions = choices(action("x", TRUE, 0, p=TRUE), action("y", p, 0, q=TRUE), action("z", TRUE, 5, q=TRUE))
    assert plan(actions, q).cost == 0
    assert plan(actions, q, within=2).cost == 0
    assert plan(actions, q, within=1).cost == 5
    assert plan(actions, q, within=0).exhausted


def test_free_actions_that_do_nothing_are_left_out() -> None:
    actions = choices(action("idle", p, 0, p=TRUE), action("x", TRUE, p=TRUE), action("stay", p, 0, q=FALSE))
    found = plan(actions, p)
    assert found.cost == 1
    assert len(found.steps or ()) == 1


# ---- against trying everything


@examples(220)
@given(st.data())
def test_the_cheapest_plan_is_the_one_that_trying_finds(data: st.DataObject) -> None:
    system = data.draw(small_systems())
    goal = data.draw(goals(system))
    within = data.draw(st.sampled_from((None, None, None, None, 2, 3, 1)))
    actions = {m.taken: m.action for m in system.moves}
    free = delete_free(actions, system.constants, METRIC)
    event(f"delete-free: {free is not None}")
    if free is None:
        return
    found = _solve(actions, system.constants, term(goal), within)
    truth = system.cheapest(goal, within)
    event(f"cost: {truth}")
    assert found.cost == truth
    if truth is None:
        assert found.exhausted
        return
    assert found.lower_bound == truth
    moves = {m.taken: m for m in system.moves}
    state = system.start
    for step in found.steps or ():
        (taken,) = step
        after = system.after(state, moves[taken])
        assert after is not None, "a step that is not legal"
        state = after
    assert system.cheapest(goal, 0, ()) is not None or state != system.start
    from tests.terms.specs import meaning

    assert meaning(goal, system.values(state))
    assert sum(moves[t].cost for step in found.steps or () for t in step) == truth
    assert within is None or len(found.steps or ()) <= within


@pytest.mark.parametrize("order", list(product((0, 1), repeat=3)))
def test_plans_come_in_an_order_that_can_be_played(order: tuple[int, ...]) -> None:
    xs = [var(f"x{i}", BOOL) for i in range(6)]
    start = dict.fromkeys(xs, FALSE)
    moves = []
    for i, x in enumerate(xs):
        need = TRUE if i == 0 else xs[i - 1] if order[i % 3] else or_(xs[i - 1], any_of(xs[: i - 1]))
        effects = ((x, boolean(True)),)
        moves.append(Action(f"m{5 - i}", (), None, (Requirement(need, ""),), effects, "", {METRIC: 1}))
    found = _solve(choices(*moves), start, and_(*xs))
    done: set[Term] = set()
    for step in found.steps or ():
        (taken,) = step
        move = choices(*moves)[taken]
        from vclogic.terms.rewrite import substitute

        assert substitute(move.guard, {x: constant(BOOL, x in done) for x in xs}) is TRUE
        done |= {x for x, _ in move.effects}
    assert done == set(xs)
