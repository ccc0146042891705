"""A goal after repetitions of an action, against taking the action again and again."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.terms.specs import KIND, Spec, domain, literal, meaning, specs, states, term
from tests.toys.small_systems import FLUENTS, Move, SmallSystem, is_value, wild_systems
from vclogic.encode.goal_regression import Regressions, regressions
from vclogic.model.actions import Action, Requirement
from vclogic.terms.atoms import FALSE, TRUE, integer, member, var
from vclogic.terms.build import add, and_, eq, ge, iff, is_in, ite, lt, not_
from vclogic.terms.rewrite import substitute
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

State = tuple[int, ...]


def fewest_repetitions(system: SmallSystem, move: Move, goal: Spec, state: State) -> int | None:
    """How often the move must be made until the goal holds, by making it."""
    seen = set()
    n = 0
    while state not in seen:
        if meaning(goal, system.values(state)):
            return n
        seen.add(state)
        after = system.after(state, move)
        if after is None:
            return None
        state, n = after, n + 1
    return None


def found_repetitions(found: Regressions, values: dict[Term, int]) -> int | None:
    """How often, by the regressions."""
    constants = {v: literal(KIND[v], x) for v, x in values.items()}
    return min((n for goal, n in found.goals.items() if substitute(goal, constants) is TRUE), default=None)


def clock(rng: Random) -> tuple[SmallSystem, Move, Spec]:
    """Fluents that a move drives around, others that it looks at, and a goal somewhere on the way."""
    fluents = tuple(rng.sample(FLUENTS, rng.randint(3, 5)))
    start = tuple(rng.choice(domain(v)) for v in fluents)
    driven = rng.sample(fluents, rng.randint(1, 3))
    looked = rng.choice(fluents)
    guard: Spec = ("const", "B", 1)
    if rng.random() < 0.4:
        guard = ("not", is_value(looked, rng.choice(domain(looked))))
    effects = []
    for v in driven:
        nxt = _next(v)
        if rng.random() < 0.4:  # only under a condition
            nxt = (f"ite {KIND[v]}", is_value(looked, rng.choice(domain(looked))), nxt, ("var", v))
        effects.append((v, nxt))
    move = Move("on", guard, tuple(effects), 0)
    system = SmallSystem(fluents, start, (move,))
    state = start
    for _ in range(rng.randrange(9)):
        state = system.after(state, move) or state
    some = rng.sample(range(len(fluents)), rng.randint(1, 3))
    return system, move, ("and", *(is_value(fluents[i], state[i]) for i in some))


def _next(v: Term) -> Spec:
    """The value after the present one, round and round."""
    if KIND[v] == "B":
        return ("not", ("var", v))
    if KIND[v] == "I":
        return ("ite I", ("ge number", ("var", v), v.hi), ("const", "I", v.lo), ("add number", ("var", v), 1))
    values = [("const", "E", x) for x in domain(v)]
    nxt: Spec = values[0]
    for x in domain(v)[:-1]:
        nxt = ("ite E", is_value(v, x), values[x + 1], nxt)
    return nxt


@examples(150)
@given(st.randoms(use_true_random=True))
def test_against_stepping(rng: Random) -> None:
    system, move, goal = clock(rng)
    own = {v for v, _ in move.effects}
    touched = {v for v in system.fluents if v not in own and rng.random() < 0.5}
    found = regressions(term(goal), move.action, system.constants, touched)
    assert all(g is not FALSE for g in found.goals) or set(found.goals) == {FALSE}
    start = system.values(system.start)
    for changed in states(tuple(touched)):
        values = {**start, **changed}
        truth = fewest_repetitions(system, move, goal, tuple(values.values()))
        event(f"repetitions: {truth}")
        assert found_repetitions(found, values) == truth


@examples(60)
@given(st.data())
def test_what_the_action_changes_may_have_been_touched(data: st.DataObject) -> None:
    system = data.draw(wild_systems())
    goal = data.draw(specs(system.fluents, "B", 2))
    (move, *_) = system.moves
    if not all(new[0] == "const" for _, new in move.effects):
        return
    touched = set(system.fluents)
    found = regressions(term(goal), move.action, system.constants, touched)
    for values in list(states(system.fluents))[:60]:
        truth = fewest_repetitions(system, move, goal, tuple(values.values()))
        assert found_repetitions(found, values) == truth


def test_without_an_action_the_goal_is_as_it_was() -> None:
    p = var("p", BOOL)
    assert regressions(p, None, {p: FALSE}, set()).goals == {p: 0}
    unrelated = Action("x", (), None, (), ((var("q", BOOL), TRUE),), "")
    assert regressions(p, unrelated, {p: FALSE, var("q", BOOL): FALSE}, set()).goals == {p: 0}


@pytest.mark.parametrize(
    ("now", "goal", "expected"), [(997, 1000, 3), (998, 999, 1), (1000, 1000, 0), (1000, 999, None)]
)
def test_a_counter_that_ends(now: int, goal: int, expected: int | None) -> None:
    n = var("round", IntSort(1, 1000))
    up = Action("up", (), None, (Requirement(lt(n, 1000), "to 1000 only"),), ((n, add(n, 1)),), "")
    found = regressions(eq(n, goal), up, {n: integer(now)}, set())
    reached = [k for g, k in found.goals.items() if g is TRUE]
    assert reached == ([] if expected is None else [expected])


def test_a_guard_on_what_bears_on_no_goal_is_kept_up_to_date() -> None:
    # The goal speaks of whose turn it is; the round, which the goal does not name, allows one more turn only.
    order = EnumSort("turn", ("A", "B", "C"))
    turn, n = var("turn", order), var("round", IntSort(1, 9))
    a, b, c = (member(order, m) for m in order.members)
    after = ite(eq(turn, "A"), b, ite(eq(turn, "B"), c, a))
    end = Action("end", (), None, (Requirement(lt(n, 9), ""),), ((turn, after), (n, add(n, eq(turn, "C")))), "")
    found = regressions(eq(turn, "B"), end, {turn: c, n: integer(8)}, set())
    assert set(found.goals) == {FALSE}
    found = regressions(eq(turn, "A"), end, {turn: c, n: integer(8)}, set())
    assert found.goals == {TRUE: 1}


def test_a_latch_over_what_the_plan_changes() -> None:
    order = EnumSort("turn", ("A", "B"))
    turn, strong = var("turn", order), var("strong", BOOL)
    first = EnumSort("first", ("none", "us", "them"))
    won = var("won", first)
    none, us, them = (member(first, m) for m in first.members)
    judged = ite(and_(eq(won, "none"), eq(turn, "B")), ite(strong, us, them), won)
    end = Action("end", (), None, (), ((turn, ite(eq(turn, "A"), *_pair(order))), (won, judged)), "")
    start = {turn: member(order, "A"), strong: FALSE, won: none}
    found = regressions(eq(won, "us"), end, start, {strong})
    assert found.goals == {strong: 2}
    found = regressions(not_(is_in(won, ["none", "them"])), end, start | {won: them}, {strong})
    assert set(found.goals) == {FALSE}


def _pair(order: EnumSort) -> tuple[Term, Term]:
    return member(order, "B"), member(order, "A")


def test_states_of_touched_fluents_that_swap_come_to_an_end() -> None:
    p, q, r = (var(n, BOOL) for n in "pqr")
    swap = Action("swap", (), None, (), ((p, q), (q, p)), "")
    found = regressions(and_(p, not_(q)), swap, {p: FALSE, q: FALSE}, {p, q})
    assert found.goals == {and_(p, not_(q)): 0, and_(q, not_(p)): 1}
    flip = Action("flip", (), None, (), ((p, iff(p, r)),), "")
    found = regressions(p, flip, {p: FALSE, r: FALSE}, {r})
    assert {k for g, k in found.goals.items() if substitute(g, {r: FALSE}) is TRUE} == {1}
    assert not [g for g in found.goals if substitute(g, {r: TRUE}) is TRUE]


def test_a_thousand_repetitions_over_a_large_goal_do_not_take_long() -> None:
    cities = [var(f"city{i}", BOOL) for i in range(60)]
    n = var("round", IntSort(1, 1000))
    up = Action("up", (), None, (Requirement(lt(n, 1000), ""),), ((n, add(n, 1)),), "")
    many = ge(add(*cities), 30)
    found = regressions(and_(many, eq(n, 900)), up, {n: integer(1), **dict.fromkeys(cities, FALSE)}, set(cities))
    assert found.goals == {many: 899}


def test_domains_are_those_of_the_variables() -> None:
    assert domain(var("x", IntSort(-2, 1))) == [-2, -1, 0, 1]
