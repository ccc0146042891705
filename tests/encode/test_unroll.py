"""Steps as terms, against stepping in Python."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.fixtures.smt_checker import Checker, is_
from tests.terms.specs import meaning, specs, term
from tests.toys.small_systems import SmallSystem, small_systems, wild_systems
from vclogic.encode.python.evaluator import IllegalStep, Stepper
from vclogic.encode.unroll import Unrolling, cone, free_state, without
from vclogic.model.fluents import Family, Layout
from vclogic.model.transition import Transition, plain, then_maybe
from vclogic.terms.atoms import FALSE, TRUE, boolean, integer, var
from vclogic.terms.build import add, all_of, eq, ge, implies, ite, le, linear, not_, or_, sub
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term


def layout_of(system: SmallSystem) -> Layout:
    return Layout(Family(v.name, v.sort, "") for v in system.fluents)


@examples(70)
@given(st.data())
def test_a_sequence_of_steps(data: st.DataObject) -> None:
    system = data.draw(st.one_of(small_systems(), wild_systems()))
    asked = data.draw(specs(system.fluents, "B", 2))
    transition = system.transition
    fluents = dict(zip(system.fluents, layout_of(system).fluents, strict=True))
    plain = all(v is f for v, f in fluents.items())
    unrolled = Unrolling(transition, system.constants)
    checker = Checker("plain")
    state, played = system.start, True
    stepper = Stepper(layout_of(system), transition)
    chosen: list[Term] = []
    cost = 0
    for step in range(data.draw(st.integers(1, 3))):
        checker.add(*unrolled.extend())
        move = data.draw(st.sampled_from([None, *system.moves]))
        inputs = {c: int(move is not None and c is move.taken) for c in transition.choices}
        chosen += [eq(unrolled.choices[step][c], boolean(bool(x))) for c, x in inputs.items()]
        if played:
            after = state if move is None else system.after(state, move)
            if plain:
                try:
                    assert stepper.step(state, inputs) == after
                except IllegalStep:
                    assert after is None
            played = after is not None
            state = after or state
            cost += move.cost if move else 0
    assert checker.check(all_of(chosen)) == played
    if played:
        depth = unrolled.depth
        here = all_of(is_(v, x) if x_is_open else TRUE for v, x, x_is_open in _open(unrolled, state, depth))
        assert checker.check(all_of(chosen), here)
        for v, x in zip(system.fluents, state, strict=True):
            value = unrolled.states[depth][v]
            assert not checker.check(all_of(chosen), not_(_has(value, x)))
        assert checker.check(all_of(chosen), unrolled.holds(term(asked), depth)) == bool(
            meaning(asked, system.values(state))
        )
        paid = add(integer(0), *unrolled.costs)
        assert not checker.check(all_of(chosen), not_(eq(paid, cost)))


def _open(unrolled: Unrolling, state: tuple[int, ...], depth: int) -> list[tuple[Term, int, bool]]:
    values = unrolled.states[depth].values()
    return [(v, x, not v.is_const) for v, x in zip(values, state, strict=True)]


def _has(value: Term, x: int) -> Term:
    """That a constant or variable has a state's number as its value."""
    if value.is_const:
        return boolean(int(value.payload) == x)
    return is_(value, x)


def test_what_is_fixed_from_the_start_folds_away() -> None:
    clock, owner = var("clock", IntSort(0, 9)), var("owner", BOOL)
    take = var("take", BOOL)
    tick = Transition((take,), (), {clock: add(clock, 1), owner: or_(owner, take)}, integer(0), lambda c, v: [])
    unrolled = Unrolling(tick, {clock: integer(0), owner: FALSE})
    assert unrolled.extend() == []
    assert unrolled.states[1][clock] is integer(1)
    assert unrolled.states[1][owner] is unrolled.choices[0][take]
    assert unrolled.holds(ge(clock, 1), 1) is TRUE


def test_a_free_state_is_any_state() -> None:
    n = var("n", IntSort(0, 9))
    up = Transition((), (le(n, 8),), {n: add(n, 1)}, integer(0), lambda c, v: [])
    unrolled = Unrolling(up, free_state([n]))
    checker = Checker("plain")
    checker.add(*unrolled.extend())
    assert checker.check(unrolled.holds(eq(n, 9), 1))
    assert not checker.check(unrolled.holds(eq(n, 0), 1))


# ---- the cone


x, y, z = (var(name, IntSort(0, 9)) for name in "xyz")
on, off = var("on", BOOL), var("off", BOOL)
many = var("many", IntSort(0, 3))


def step(choices: tuple[Term, ...], laws: tuple[Term, ...], after: dict[Term, Term], cost: Term) -> Transition:
    return Transition(choices, laws, after, cost, lambda chosen, values: [])


def test_the_cone_keeps_what_bears_on_the_goal_through_others() -> None:
    whole = step((on, off, many), (), {x: y, y: linear([(1, on)]), z: linear([(1, off)])}, linear([(1, off)]))
    needed, smaller = cone(whole, [ge(x, 1)])
    assert set(needed) == {x, y}
    assert smaller.choices == (on,)
    assert set(smaller.next) == {x, y}
    assert smaller.cost is integer(0)


def test_the_cone_keeps_a_choice_that_another_needs() -> None:
    whole = step((on, off), (implies(on, off),), {x: linear([(1, on)])}, linear([(1, off)]))
    _, smaller = cone(whole, [ge(x, 1)])
    assert set(smaller.choices) == {on, off}
    assert smaller.cost is not integer(0)


def test_the_cone_drops_a_choice_that_is_only_forbidden() -> None:
    whole = step((on, off), (le(add(on, off), 1), implies(off, ge(z, 1))), {x: linear([(1, on)])}, integer(1))
    needed, smaller = cone(whole, [ge(x, 1)])
    assert smaller.choices == (on,)
    assert needed == [x]


def test_the_cone_keeps_what_a_law_without_choices_asks_for() -> None:
    whole = step((on, off), (ge(z, 1),), {x: linear([(1, on)]), z: linear([(1, off)])}, integer(0))
    needed, smaller = cone(whole, [ge(x, 1)])
    assert set(needed) == {x, z}
    assert set(smaller.choices) == {on, off}


def test_the_cone_keeps_a_number_that_a_law_binds() -> None:
    whole = step((on, many), (le(sub(on, many), 0),), {x: linear([(1, on)])}, linear([(1, many)]))
    _, smaller = cone(whole, [ge(x, 1)])
    assert set(smaller.choices) == {on, many}


def test_the_cone_leaves_a_number_out_at_nothing() -> None:
    whole = step((on, many), (), {x: linear([(1, on)]), z: add(z, many)}, linear([(1, many), (1, on)]))
    _, smaller = cone(whole, [ge(x, 1)])
    assert smaller.choices == (on,)
    assert smaller.cost is linear([(1, on)])


@examples(150)
@given(st.data())
def test_the_cone_of_single_actions_is_that_of_their_terms(data: st.DataObject) -> None:
    system = data.draw(st.one_of(small_systems(), wild_systems()))
    goal = term(data.draw(specs(system.fluents, "B", 2)))
    assume(not any(new is fluent for m in system.moves for fluent, new in m.action.effects))  # changes nothing
    step = system.transition
    (needed, smaller), (wanted, by_terms) = cone(step, [goal]), cone(plain(step), [goal])
    assert set(needed) == set(wanted)
    assert smaller.choices == by_terms.choices
    assert dict(smaller.next) == dict(by_terms.next)
    assert smaller.touched == by_terms.touched
    assert {*smaller.legality} - {TRUE} == {*by_terms.legality} - {TRUE}
    assert smaller.cost is by_terms.cost
    fewer, also = (without(s, smaller.choices[:1]) for s in (smaller, by_terms))
    assert {*fewer.legality} - {TRUE} == {*also.legality} - {TRUE}
    assert {f: t for f, t in also.next.items() if t is not f} == dict(fewer.next)
    assert fewer.cost is also.cost


def test_without_a_choice_its_cost_and_laws_go() -> None:
    whole = step((on, off), (implies(off, on), implies(on, ge(z, 1))), {x: linear([(1, off)])}, linear([(3, off)]))
    smaller = without(whole, [off])
    assert smaller.choices == (on,)
    assert smaller.legality == (implies(on, ge(z, 1)),)
    assert smaller.next[x] is integer(0)
    assert smaller.cost is integer(0)


def test_choices_of_every_sort_can_be_left_out() -> None:
    place = var("place", EnumSort("place", ("stay", "hill", "ford")))
    many = var("many", IntSort(0, 3))
    whole = step((place, many), (), {x: ite(eq(place, "hill"), integer(5), y), y: add(z, many)}, linear([(2, many)]))
    smaller = without(whole, [place, many])
    assert smaller.choices == ()
    assert (smaller.next[x], smaller.next[y]) == (y, z)
    assert smaller.cost is integer(0)


def test_a_step_or_an_action_instead() -> None:
    from vclogic.model.actions import Action, Requirement

    whole = step((on,), (), {x: linear([(1, on)], 3)}, integer(0))
    stay = Action("stay", (), None, (Requirement(ge(z, 1), ""),), ((y, integer(7)),), "")
    either = then_maybe(whole, stay)
    layout = Layout(Family(v.name, v.sort, "") for v in (x, y, z))
    instead = either.choices[-1]
    stepper = Stepper(layout, either)
    assert stepper.step((0, 0, 1), {on: 1, instead: 0}) == (4, 0, 1)
    for chosen, state in (({on: 0, instead: 1}, (0, 0, 0)), ({on: 1, instead: 1}, (0, 0, 1))):
        try:
            stepper.step(state, chosen)
        except IllegalStep:
            continue
        raise AssertionError("the step is not legal")
    assert stepper.step((0, 0, 1), {on: 0, instead: 1}) == (0, 7, 1)
