"""The cheapest plan by landmark cuts, on random rule sets in which nothing is lost, against trying everything."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests.fixtures.efforts import effort
from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import examples
from tests.fixtures.smt_checker import refuted
from tests.toys.gain_only import FLAGS, METRIC, Gain, Gaining, aim, gaining, sum_term, true, weights, worth
from vclogic import clock
from vclogic.clock import Deadline, check_deadline
from vclogic.encode.goal_regression import Regressions
from vclogic.encode.linear.delete_free import DeleteFree, delete_free
from vclogic.model.actions import Action, Requirement
from vclogic.model.transition import one_at_a_time
from vclogic.progress import untold
from vclogic.query.plan.maximize import maximize_delete_free
from vclogic.solve.backends.session import PLAIN
from vclogic.solve.landmarks import program, search
from vclogic.solve.landmarks.rounding import Rounding
from vclogic.solve.landmarks.search import CLOSURE, VERIFIED, CutSearch, cheapest
from vclogic.solve.landmarks.task import never
from vclogic.solve.problem import Problem
from vclogic.solve.searches.delete_free_search import _shortest, cheapest_plan, confirmed, task_of
from vclogic.terms.atoms import FALSE, TRUE, var
from vclogic.terms.build import linear, not_
from vclogic.terms.reach import Graph, reach
from vclogic.terms.sorts import BOOL

SEEDS = st.randoms(use_true_random=True)


def any_plan(search: CutSearch) -> None:
    """A first plan that is cheap by other prices, so that it is often dearer by a little."""
    rng, task = Random(1), search.task
    for _ in range(2):
        plan = Rounding(task, search.possible).plan([rng.choice((0.0, 1.0, 3.0)) for _ in range(task.network.size)])
        if plan is not None:
            search.took(plan)


OWNERS = {
    "first": (search, "_first_plan"),
    "rounding": (Rounding, "plan"),
    "idle": (program, "_IDLE"),
}
HABITS: dict[str, dict[str, Any]] = {
    "as usual": {},
    "another first plan": {"first": any_plan},
    "no plan by rounding": {"first": lambda self: None, "rounding": lambda self, prices: None},
    "branching at once": {"first": lambda self: None, "rounding": lambda self, prices: None, "idle": -1},
}


@contextmanager
def habit(name: str) -> Iterator[None]:
    """Landmark cuts while something that only makes them fast is done otherwise, so that all of it is tried."""
    with ExitStack() as stack:
        for what, other in HABITS[name].items():
            owner, attribute = OWNERS[what]
            stack.enter_context(patch.object(owner, attribute, other))
        yield


def free_of(system: Gaining) -> DeleteFree:
    """The system without steps."""
    free = delete_free(system.actions, system.constants, METRIC)
    assert free is not None
    return free


@pytest.mark.parametrize("name", HABITS)
@examples(120)
@given(SEEDS, st.sampled_from((None, None, 0, 1, 2, 3, 4)))
def test_the_cheapest_plan_and_of_these_the_shortest(name: str, rng: Random, within: int | None) -> None:
    system = gaining(rng)
    goal = aim(rng, system)
    free = free_of(system)
    truth = system.cheapest(goal, within)
    event(f"{'no plan' if truth is None else 'a plan'}")
    with habit(name):
        found = cheapest_plan(system.problem(goal, within), free, effort(30))
    assert found.exact
    assert found.bound_by in (CLOSURE, VERIFIED)
    assert found.exhausted is (truth is None)
    if truth is None:
        assert (found.cost, found.lower_bound, found.steps) == (None, None, None)
        return
    assert found.steps is not None
    assert (found.cost, found.lower_bound) == (truth[0], truth[0])
    assert true(goal, system.played(found.steps))
    by = {g.taken: g for g in system.gains}
    assert sum(by[taken].price for step in found.steps for taken in step) == truth[0]
    if len(set(free.prices.values())) > 1:
        assert len(found.steps) == truth[1]
    assert within is None or len(found.steps) <= within


@pytest.mark.parametrize("name", HABITS)
@examples(80)
@given(SEEDS, st.sampled_from((None, None, 1, 2, 3)))
def test_the_largest_value(name: str, rng: Random, within: int | None) -> None:
    system = gaining(rng)
    goal = aim(rng, system) if rng.random() < 0.6 else ("and", [])
    pairs = weights(rng, 1)
    free = free_of(system)
    values = [worth(pairs, at) for _, _, at in system.everything(within) if true(goal, at)]
    objective = sum_term(pairs)
    with habit(name):
        found = maximize_delete_free(system.problem(goal, within), free, objective, Deadline(30), untold)
    event(f"values: {bool(values)}")
    assert found.value == max(values, default=None)
    if values:
        assert found.upper_bound == max(values)
        assert found.plan.steps is not None
        end = system.played(found.plan.steps)
        assert true(goal, end)
        assert worth(pairs, end) == max(values)
        assert found.claims
        assert refuted(found.claims)


def test_the_largest_value_of_what_the_goal_does_not_name() -> None:
    p, q, r = (var(n, BOOL) for n in "pqr")
    start = dict.fromkeys((p, q, r), FALSE)
    acts = [Action(str(v), (), None, (Requirement(TRUE, ""),), ((v, TRUE),), "", {METRIC: 1}) for v in start]
    step, goal = one_at_a_time(acts, METRIC), not_(r)
    problem = Problem(start, step, goal, Regressions({goal: 0}), METRIC, None, step, start)
    free = delete_free({var(a.key, BOOL): a for a in acts}, start, METRIC)
    assert free is not None
    found = maximize_delete_free(problem, free, linear([(3, p), (2, q), (-1, r)]), Deadline(30), untold)
    assert (found.value, found.upper_bound) == (5, 5)


@examples(40)
@given(SEEDS)
def test_a_solver_confirms_what_is_so_and_nothing_else(rng: Random) -> None:
    system = gaining(rng)
    goal = aim(rng, system)
    task = task_of(system.problem(goal), free_of(system))
    found = cheapest(task, Deadline(30), untold)

    def confirms(**changes: Any) -> bool:
        with local_sessions(30), effort(30).session(PLAIN) as session:
            return confirmed(task, replace(found, **changes), session)

    assert confirms()
    if found.cost:
        assert not confirms(cost=found.cost + 1, cuts=())
        assert not confirms(plan=None, cost=None, cuts=())


def test_the_shortest_of_the_cheapest_plans_may_be_empty() -> None:
    system = Gaining([Gain("free", ("and", []), {"b0": 1}, 0), Gain("dear", ("and", []), {"b1": 1}, 2)])
    free, goal = free_of(system), ("not", ("has", "b1", 1))
    task = task_of(system.problem(goal), free)
    idle = search.Cheapest([system.gains[0].taken], 0, 0)
    assert list(_shortest(task, free, idle, Deadline(30))) == []


def test_what_is_never_possible_plays_no_part() -> None:
    """It raises what others raise, too; and an owner that only it would set."""
    none = ("not", ("has", "o0", 1))
    system = Gaining(
        [
            Gain("one", none, {"o0": 1}, 2),
            Gain("never", ("and", [none, ("has", "b4", 1)]), {"o0": 2}, 1),
            Gain("nor this", ("and", [("not", ("has", "o1", 1)), ("has", "o0", 1), ("is", "o0", 2)]), {"o1": 1}, 1),
        ]
    )
    found = cheapest_plan(system.problem(("has", "o0", 1)), free_of(system), effort(30))
    assert (found.cost, found.lower_bound) == (2, 2)
    assert cheapest_plan(system.problem(("has", "o1", 1)), free_of(system), effort(30)).exhausted


def test_a_plan_is_kept_where_the_time_is_up_while_its_cost_is_checked() -> None:
    system = Gaining([Gain("a", ("and", []), {"b0": 1}, 2), Gain("b", ("has", "b0", 1), {"b1": 1}, 3)])
    task = task_of(system.problem(("has", "b1", 1)), free_of(system))
    deadline = Deadline(30)
    terms = never

    def late(cuts: object) -> bool:
        clock._end.set(clock._End(-math.inf))
        clock._granted.set((-math.inf, -math.inf))
        check_deadline()
        return True

    def looked(*args: Any) -> Any:
        check_deadline()
        return terms(*args)

    with patch("vclogic.solve.landmarks.program.Cuts.proved", late), patch.object(program, "never", looked):
        found = cheapest(task, deadline, untold)
    assert (found.cost, found.lower_bound, found.exact, found.bound_by) == (5, 5, False, search.LANDMARKS)


@pytest.mark.parametrize("name", HABITS)
@pytest.mark.parametrize("owner", ["o0", "o1"])
def test_an_owner_is_set_once_whichever_it_is(name: str, owner: str) -> None:
    gains = []
    for o, (red, blue) in {"o0": ("b0", "b1"), "o1": ("b2", "b3")}.items():
        unset = ("not", ("has", o, 1))
        gains += [Gain(f"{o} Red", unset, {o: 1}, 1), Gain(f"{o} Blue", unset, {o: 2}, 1)]
        gains += [Gain(red, ("is", o, 1), {red: 1}, 1), Gain(blue, ("is", o, 2), {blue: 1}, 1)]
    system = Gaining(gains)
    red, blue = ("b0", "b1") if owner == "o0" else ("b2", "b3")
    with habit(name):
        found = cheapest_plan(system.problem(("has", red, 1)), free_of(system), effort(30))
        assert (found.cost, found.lower_bound) == (2, 2)
        both = ("and", [("has", red, 1), ("has", blue, 1)])
        assert cheapest_plan(system.problem(both), free_of(system), effort(30)).exhausted
        most = maximize_delete_free(
            system.problem(("and", [])), free_of(system), sum_term([(1, b) for b in FLAGS]), Deadline(30), untold
        )
        assert (most.value, most.upper_bound) == (2, 2)


def test_what_costs_one_less_than_the_first_plan_is_not_left_out() -> None:
    system = Gaining([Gain("dear", ("and", []), {"b0": 1}, 3), Gain("cheap", ("and", []), {"b0": 1}, 2)])
    task = task_of(system.problem(("has", "b0", 1)), free_of(system))
    (dear,) = (c for c in task.network.choices if task.prices is not None and task.prices[c] == 3)
    with habit("no plan by rounding"), patch.object(search, "_first_plan", lambda s: s.took([dear])):
        found = cheapest(task, Deadline(30), untold)
    assert (found.cost, found.lower_bound) == (2, 2)


@pytest.mark.parametrize("places", [3, 2000])
def test_a_plan_is_rounded_where_places_lead_to_each_other_at_no_cost(places: int) -> None:
    """On a line that is open throughout, each place costs as much as those beside it, those farther on included."""
    p = var("p", BOOL)
    line = Graph.undirected(range(places), [(i, i + 1) for i in range(places - 1)])
    goal = reach(line, {places - 1: p}, dict.fromkeys(line.nodes, TRUE))[0]
    step = one_at_a_time([Action("gain", (), None, (), ((p, TRUE),), "", {METRIC: 1})], METRIC)
    start = {p: FALSE}
    free = delete_free(step.actions, start, METRIC)
    assert free is not None
    task = task_of(Problem(start, step, goal, Regressions({goal: 0}), METRIC, None, step, start), free)
    assert Rounding(task, bytearray(b"\1" * task.network.size)).plan([1.0] * task.network.size) == [2]
