"""Actions and transitions of the Python evaluator, against each other."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator, Mapping
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from vclogic.encode.python import evaluator as engine
from vclogic.encode.python.evaluator import (
    IllegalStep,
    OutOfBounds,
    Stepper,
    apply,
    failed,
    interpret,
)
from vclogic.model.actions import Action, Requirement
from vclogic.model.fluents import Family, State
from vclogic.model.system import System
from vclogic.model.transition import Transition, all_at_once, one_at_a_time, then_maybe
from vclogic.terms.atoms import FALSE, TRUE, integer, member, var
from vclogic.terms.build import (
    add,
    any_of,
    count,
    eq,
    ge,
    implies,
    is_in,
    ite,
    le,
    not_,
    or_,
)
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

MANY = examples(100)
POWER = EnumSort("power", ("German", "Japanese", "Russian", "British", "American"))


# ---- Actions


P, Q = Family("p", BOOL, "a flag"), Family("q", BOOL, "a flag")
OWNER = Family("owner", POWER, "owns", (Domain(EnumSort("town", ("x", "y"))),))
SCORE = Family("score", IntSort(0, 3), "counts")
p, q, score = P.fluent, Q.fluent, SCORE.fluent
ox, oy = OWNER["x"], OWNER["y"]


def system_of(*families: Family) -> System:
    return System({}, families, {}, (), (), (), (), (), ())


def action(name: str, effects: Mapping[Term, Term], *guards: Term) -> Action:
    needs = tuple(Requirement(g, f"needs {i}") for i, g in enumerate(guards))
    return Action(name, (), None, needs, tuple(effects.items()), name, {"n": 1})


@pytest.mark.usefixtures("either_way")
def test_effects_are_simultaneous_over_the_state_before() -> None:
    system = system_of(P, Q, OWNER, SCORE)
    swap = action("swap", {p: q, q: p, ox: oy, oy: ox, score: count([p, q])}, or_(p, q), ge(score, 1))
    for _ in range(3):
        assert apply(system, (1, 0, 2, 4, 3), swap) == (0, 1, 4, 2, 1)
        assert failed(system, (1, 0, 2, 4, 3), swap) == []
        assert failed(system, (0, 0, 2, 4, 3), swap) == [swap.requirements[0]]
        assert failed(system, (0, 0, 2, 4, 0), swap) == list(swap.requirements)
    assert all(type(n) is int for n in apply(system, (1, 0, 2, 4, 3), swap))


@pytest.mark.usefixtures("either_way")
def test_the_last_of_two_effects_counts_as_in_a_transition() -> None:
    system = system_of(P, Q, SCORE)
    twice = Action("twice", (), None, (), ((p, TRUE), (p, FALSE)), "")
    (taken,) = (step := one_at_a_time([twice], "n")).choices
    assert apply(system, (1, 1, 0), twice) == Stepper(system.layout, step).step((1, 1, 0), {taken: 1}) == (0, 1, 0)


@pytest.mark.usefixtures("either_way")
def test_leaving_a_sort_is_an_error_and_never_a_wrong_answer() -> None:
    system = system_of(SCORE, P)
    for new, wrong in ((add(score, 1), 4), (add(score, -4), -1)):
        count_up = action("count", {score: new})
        (taken,) = (step := one_at_a_time([count_up], "n")).choices
        for _ in range(2):
            with pytest.raises(OutOfBounds, match=r"outside 0\.\.3") as error:
                apply(system, (3, 0), count_up)
            assert (error.value.fluent, error.value.number) == (score, wrong)
            with pytest.raises(OutOfBounds):
                Stepper(system.layout, step).step((3, 0), {taken: 1})
            assert Stepper(system.layout, step).step((3, 0), {taken: 0}) == (3, 0)


def test_effects_on_fluents_in_a_row_are_those_one_by_one() -> None:
    """Constants and copies of fluents in a row are done at once; whatever stands between them is not."""
    n = 30
    domain = Domain(EnumSort("place", tuple(f"p{i}" for i in range(n))))
    many, wide = (Family(name, IntSort(0, 999), "counts", (domain,)) for name in ("many", "wide"))
    system = system_of(many, wide, P)
    here, there = list(many.fluents.values()), list(wide.fluents.values())
    rng = Random(1)
    for _ in range(40):
        effects: dict[Term, Term] = {}
        while len(effects) < n:
            first, length, kind = rng.randrange(n), rng.choice([1, 3, 9]), rng.randrange(4)
            shift = rng.choice([0, 1, -2])
            for i in range(first, min(first + length, n)):
                copied = there[(i + shift) % n]
                effects[here[i]] = [integer(0), integer(i * 30), copied, ite(p, copied, here[i])][kind]
            effects[there[first]] = here[rng.randrange(n)]
        pairs = list(effects.items())
        rng.shuffle(pairs)
        mixed = Action("mixed", (), None, (), tuple(pairs), "")
        for _ in range(2):
            state = (*(rng.randrange(256) for _ in range(2 * n)), rng.randrange(2))
            slot = system.layout.slot
            expected = tuple(interpret(effects.get(f, f), slot, state) for f in system.layout.fluents)
            assert apply(system, state, mixed) == expected


@pytest.mark.usefixtures("only_new_objects_collected")
def test_an_action_serves_several_systems_and_is_forgotten_with_them() -> None:
    first, second = system_of(P, Q), system_of(Q, P)
    clear = action("clear", {p: FALSE}, p)
    for _ in range(30):
        assert apply(first, (1, 1), clear) == (0, 1)
        assert apply(second, (1, 1), clear) == (1, 0)
        assert failed(second, (1, 0), clear) == list(clear.requirements)
    gone = weakref.ref(clear)
    kept = len(engine._ACTIONS)
    del clear
    gc.collect()
    assert gone() is None
    assert len(engine._ACTIONS) < kept


def test_actions_from_many_threads() -> None:
    system = system_of(P, Q, SCORE)
    step = action("step", {score: ite(ge(score, 3), integer(0), add(score, 1))}, or_(p, q))
    wrong: list[State] = []

    def work() -> None:
        for i in range(200):
            s = (i % 2, 1, i % 4)
            if apply(system, s, step) != (i % 2, 1, (i + 1) % 4) or failed(system, s, step):
                wrong.append(s)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


# ---- Transitions


FAMILIES = (P, Q, OWNER, SCORE)
FLUENTS = (p, q, ox, oy, score)
ALL_STATES = [(a, b, c, d, n) for a in (0, 1) for b in (0, 1) for c in (0, 1) for d in (0, 4) for n in (0, 3)]
ATOMS = [
    p,
    q,
    eq(ox, "German"),
    is_in(oy, ["German", "American"]),
    eq(ox, oy),
    ge(score, 2),
    ge(count([p, q]), 1),
]
NEWS: dict[Term, list[Term]] = {
    p: [TRUE, FALSE, q, not_(p), eq(ox, "German"), ge(score, 1)],
    ox: [member(POWER, "German"), member(POWER, "Japanese"), oy, ite(p, oy, ox)],
    score: [integer(0), integer(3), count([p, q]), ite(ge(score, 3), score, add(score, 1))],
}
NEWS |= {
    q: [TRUE, FALSE, p, not_(q)],
    oy: [member(POWER, "American"), ox, ite(q, ox, member(POWER, "German"))],
}


@st.composite
def guards(draw: st.DrawFn) -> list[Term]:
    atom = st.sampled_from([*ATOMS, *map(not_, ATOMS)])
    return [any_of(draw(st.lists(atom, min_size=1, max_size=2))) for _ in range(draw(st.integers(0, 2)))]


@st.composite
def actions(draw: st.DrawFn, name: str) -> Action:
    touched = draw(st.lists(st.sampled_from(FLUENTS), max_size=3, unique=True))
    return action(name, {f: draw(st.sampled_from(NEWS[f])) for f in touched}, *draw(guards()))


@st.composite
def menus(draw: st.DrawFn) -> list[Action]:
    return [draw(actions(f"a{i}")) for i in range(draw(st.integers(1, 4)))]


def outcome(system: System, step: Transition, state: State, taken: tuple[int, ...]) -> State | None:
    """The state after a step, None if it is illegal; then the error must name a legality term that fails."""
    chosen = {c: int(i in taken) for i, c in enumerate(step.choices)}
    try:
        after = Stepper(system.layout, step).step(state, chosen)
    except IllegalStep as refused:
        error = refused
    else:
        assert all(type(n) is int for n in after)
        return after
    assert error.index is not None
    assert error.term is step.legality[error.index]
    slot = {**system.layout.slot, **{c: len(FLUENTS) + i for i, c in enumerate(step.choices)}}
    assert not interpret(error.term, slot, (*state, *chosen.values()))
    return None


@examples(100)
@given(menus())
def test_one_at_a_time_is_an_action_or_none(menu: list[Action]) -> None:
    system = system_of(*FAMILIES)
    step = one_at_a_time(menu, "n")
    stepper = Stepper(system.layout, step)
    for state in ALL_STATES:
        assert outcome(system, step, state, ()) == state
        for i, a in enumerate(menu):
            want = None if failed(system, state, a) else apply(system, state, a)
            assert outcome(system, step, state, (i,)) == want
            assert stepper.cost(state, {c: int(i == j) for j, c in enumerate(step.choices)}) == 1
        assert all(outcome(system, step, state, two) is None for two in combinations(range(len(menu)), 2))


@examples(100)
@given(menus(), actions("then"))
def test_all_at_once_is_a_set_of_actions_then_one(menu: list[Action], then: Action) -> None:
    system = system_of(*FAMILIES)
    step = all_at_once(menu, then, integer(1))
    for state in ALL_STATES[::3]:
        for n in range(len(menu) + 1):
            for taken in combinations(range(len(menu)), n):
                assert outcome(system, step, state, taken) == directly(system, state, [menu[i] for i in taken], then)


@examples(30)
@given(menus(), actions("maybe"))
def test_then_maybe_is_the_transition_or_the_action(menu: list[Action], maybe: Action) -> None:
    system = system_of(*FAMILIES)
    plain = one_at_a_time(menu, "n")
    step = then_maybe(plain, maybe)
    for state in ALL_STATES[::3]:
        instead = None if failed(system, state, maybe) else apply(system, state, maybe)
        assert outcome(system, step, state, (len(menu),)) == instead
        for i in range(len(menu)):
            assert outcome(system, step, state, (i,)) == outcome(system, plain, state, (i,))
            assert outcome(system, step, state, (i, len(menu))) is None
    assert then_maybe(plain, None) is plain


def directly(system: System, state: State, taken: list[Action], then: Action) -> State | None:
    """What a set of actions and then another does, None if they are not allowed together."""
    news = {effect for a in taken for effect in a.effects}
    if len({f for f, _ in news}) < len(news) or any(failed(system, state, a) for a in taken):
        return None
    middle = list(state)
    for a in taken:
        after = apply(system, state, a)
        for f, _ in a.effects:
            middle[system.layout.slot[f]] = after[system.layout.slot[f]]
    return None if failed(system, middle, then) else apply(system, middle, then)


def test_choices_outside_their_sort_are_illegal() -> None:
    system = system_of(SCORE, P)
    k, b = var("k", IntSort(1, 2)), var("take", BOOL)
    step = Transition((k, b), (implies(b, p),), {score: ite(b, k, score)}, add(k, 0), lambda chosen, values: ())
    assert Stepper(system.layout, step).step((0, 1), {k: 2, b: 1}) == (2, 1)
    assert Stepper(system.layout, step).cost((0, 1), {k: 2, b: 1}) == 2
    for wrong, term_ in (({k: 3, b: 1}, k), ({k: 0, b: 0}, k), ({k: 1, b: 2}, b)):
        with pytest.raises(IllegalStep, match="outside") as error:
            Stepper(system.layout, step).step((0, 1), wrong)
        assert (error.value.term, error.value.index) == (term_, None)
    with pytest.raises(IllegalStep, match="does not hold") as error:
        Stepper(system.layout, step).step((0, 0), {k: 1, b: 1})
    assert (error.value.term, error.value.index) == (step.legality[0], 0)
    with pytest.raises(KeyError):
        Stepper(system.layout, step).step((0, 1), {k: 1})


def test_breadth_first_search_by_transition_and_by_actions() -> None:
    system = system_of(*FAMILIES)
    menu = [
        action("raise", {score: add(score, 1)}, le(score, 2), p),
        action("flip", {p: not_(p), ox: oy}, eq(oy, "German")),
        action("cede", {oy: ox}, ge(score, 2)),
        action("reset", {score: integer(0), q: TRUE}, ge(score, 3)),
    ]
    step = one_at_a_time(menu, "n")

    def by_transition(state: State) -> Iterator[State]:
        for i in range(len(menu)):
            after = outcome(system, step, state, (i,))
            if after is not None:
                yield after

    def by_actions(state: State) -> Iterator[State]:
        return (apply(system, state, a) for a in menu if not failed(system, state, a))

    layers = []
    for successors in (by_transition, by_actions):
        frontier: set[State] = {(0, 0, 3, 0, 0)}
        seen = frontier
        found = []
        while frontier:
            found.append(frontier)
            frontier = {t for s in frontier for t in successors(s)} - seen
            seen = seen | frontier
        layers.append(found)
    assert layers[0] == layers[1]
    assert len(layers[0]) > 5
