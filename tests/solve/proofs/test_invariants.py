"""Invariants that are found: each kind where it is so and where it is not, and against all that can happen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import product
from unittest.mock import patch

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import examples
from tests.terms.specs import term
from tests.toys.small_systems import SmallSystem, goals, small_systems, wild_systems
from tests.toys.unreachable import METRIC, A, B, P, Q, X, Y, Z, act, column, effort, ledger, walk
from vclogic.encode.python.codegen import interpret
from vclogic.encode.step_slice import StepSlices
from vclogic.model.actions import Action
from vclogic.model.transition import Transition, one_at_a_time, plain, then_maybe
from vclogic.solve.problem import Proof
from vclogic.solve.proofs import invariants
from vclogic.solve.proofs.invariants import Guesses, SystemSlice, by_invariants, easy, inductive_laws, parts
from vclogic.solve.proofs.race import Confined
from vclogic.terms.atoms import FALSE, TRUE, boolean, integer, member, var
from vclogic.terms.build import add, and_, count, eq, ge, is_in, le, lt, ne, not_, or_, sub
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term, show, variables

PHASE = var("phase", EnumSort("phase", ("move", "fight", "end")))


def is_at(fluent: Term, name: str) -> Term:
    """A member of a fluent's sort."""
    assert isinstance(fluent.sort, EnumSort)
    return member(fluent.sort, name)


FLAGS = tuple(var(f"flag[{i}]", BOOL) for i in range(4))
START: dict[Term, Term] = {
    X: integer(5), Y: integer(0), Z: integer(2), P: FALSE, Q: FALSE, PHASE: is_at(PHASE, "move"),
    A: is_at(A, "north"), B: is_at(B, "north"), **{f: boolean(i == 0) for i, f in enumerate(FLAGS)},
}  # fmt: skip


pytestmark = pytest.mark.usefixtures("nothing_left")


@pytest.fixture(autouse=True)
def _nothing_is_remembered() -> None:
    invariants._kept.clear()


def prove(
    goal: Term, step: Transition, start: dict[Term, Term] | None = None, laws: Iterable[Term] = ()
) -> Proof | None:
    with local_sessions(20):
        return by_invariants(goal, step, start or START, [*laws], effort(20))


def at(phase: str) -> Term:
    return eq(PHASE, phase)


def to(phase: str) -> tuple[Term, Term]:
    return PHASE, is_at(PHASE, phase)


RISE = act("rise", lt(X, 50), (X, add(X, 1)))
FALL = act("fall", ge(X, 1), (X, sub(X, 1)))
NEXT = act("next", at("move"), to("fight"))
SHIFT = [
    act(f"shift {i}", FLAGS[i], (FLAGS[i], FALSE), (FLAGS[(i + 1) % 4], TRUE)) for i in range(4)
]  # one flag, handed on

KINDS: dict[str, tuple[Term, list[Action], list[Action]]] = {
    # what is never so; the events with which that is so; one more with which it is not
    "no event changes it": (ne(A, "north"), [RISE], [act("go", at("move"), (A, is_at(A, "east")))]),
    "it only rises": (lt(X, 5), [RISE], [FALL]),
    "it only falls": (ge(X, 6), [FALL], [RISE]),
    "a bound from what is asked": (
        ge(X, 8), [act("up to 7", lt(X, 7), (X, add(X, 1))), FALL], [RISE],
    ),
    "a sum that stays": (
        ne(add(X, Z), 7),
        [
            act("there", and_(ge(X, 1), lt(Z, 9)), (X, sub(X, 1)), (Z, add(Z, 1))),
            act("back", and_(ge(Z, 1), lt(X, 9)), (Z, sub(Z, 1)), (X, add(X, 1))),
        ],
        [act("lost", ge(X, 1), (X, sub(X, 1)))],
    ),
    "exactly one": (ne(count(FLAGS), 1), SHIFT, [act("lose", FLAGS[2], (FLAGS[2], FALSE))]),
    "at most one": (
        and_(FLAGS[0], FLAGS[2]),
        [*SHIFT, act("drop", FLAGS[3], (FLAGS[3], FALSE))],
        [act("again", FLAGS[3], (FLAGS[0], TRUE))],
    ),
    "latched once true": (
        and_(P, not_(Q)),
        [act("first", not_(Q), (Q, TRUE)), act("then", Q, (P, TRUE))],
        [act("unlatch", Q, (Q, FALSE))],
    ),
    "a latch and a phase": (
        and_(P, at("move")),
        [act("win", at("fight"), (P, TRUE)), NEXT, act("end", at("fight"), to("end"))],
        [act("again", at("end"), to("move"))],
    ),
    "one implies the other": (
        and_(eq(A, "south"), ne(B, "south")),
        [
            act("go", eq(A, "north"), (A, is_at(A, "south")), (B, is_at(B, "south"))),
            act("home", eq(A, "south"), (A, is_at(A, "north"))),
        ],
        [act("apart", eq(A, "south"), (B, is_at(B, "west")))],
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_where_it_is_so(kind: str) -> None:
    goal, events, _ = KINDS[kind]
    proof = prove(goal, one_at_a_time(events, METRIC))
    assert proof is not None
    assert (proof.method, proof.rechecked, proof.k) == ("invariants", True, None)
    for law in proof.invariant:  # none of them can be spared
        rest = [t for t in proof.invariant if t is not law]
        assert not sure(rest, goal, events), show(law)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_where_it_is_not(kind: str) -> None:
    goal, events, more = KINDS[kind]
    assert prove(goal, one_at_a_time([*events, *more], METRIC)) is None


def sure(laws: list[Term], goal: Term, events: list[Action]) -> bool:
    from vclogic.solve.proofs.unreachability import is_invariant

    with local_sessions(20):
        about = {f: START[f] for f in variables(goal, *laws, *(t for a in events for _, t in a.effects))}
        step = StepSlices(one_at_a_time(events, METRIC)).near(about)
        return is_invariant(laws, goal, step, about, effort(20)) is not None


@pytest.mark.parametrize(
    ("system", "least"),
    [pytest.param(ledger, 3, marks=pytest.mark.slow), (walk, 1), pytest.param(column, 2, marks=pytest.mark.slow)],
)
def test_systems_that_need_several_at_once(system: Callable[[], Confined], least: int) -> None:
    asked = system()
    proof = prove(asked.goal, asked.transition, dict(asked.start))
    assert proof is not None
    assert len(proof.invariant) >= least


def test_a_rule_about_positions_is_a_guess_like_any_other() -> None:
    apart = or_(ne(X, Y), P)  # nothing else says it
    events = [act("double", and_(lt(X, 40), ge(X, 3)), (X, add(X, X)), (Y, X)), act("level", eq(X, Y), (P, TRUE))]
    assert prove(P, one_at_a_time(events, METRIC), laws=[apart]) is not None
    wrong = [*events, act("wrong", lt(X, 50), (X, Y))]
    assert prove(P, one_at_a_time(wrong, METRIC), laws=[apart]) is None


def test_numbers_that_leave_their_sort_are_no_ground_for_a_proof() -> None:
    n, m = var("n", IntSort(0, 3)), var("m", IntSort(0, 9))
    step = Transition((), (), {n: add(n, 1), m: n}, integer(1), lambda chosen, values: [])
    assert prove(ge(m, 5), step, {n: integer(0), m: integer(0)}) is None
    guarded = Transition((), (lt(n, 3),), {n: add(n, 1), m: n}, integer(1), lambda chosen, values: [])
    assert prove(ge(m, 5), guarded, {n: integer(0), m: integer(0)}) is not None


def test_the_easy_part_of_a_goal_is_enough() -> None:
    goal = and_(lt(X, 5), ge(count([*FLAGS, P, Q, eq(A, "north")]), 2))
    assert easy(goal) is lt(X, 5)
    proof = prove(goal, one_at_a_time([RISE, *SHIFT], METRIC))
    assert proof is not None
    assert [show(t) for t in proof.invariant] == ["(x >= 5)"]


# ---- what is remembered


def test_the_next_question_about_the_same_fluents_tries_only_what_is_new() -> None:
    step, tried = one_at_a_time([RISE, NEXT], METRIC), []
    real = invariants._unbroken

    def noting(part: SystemSlice, guesses: list[Term], laws: list[Term], spent: object) -> list[Term] | None:
        tried.append(set(guesses))
        return real(part, guesses, laws, spent)  # type: ignore[arg-type]

    with patch.object(invariants, "_unbroken", noting):
        assert prove(lt(X, 4), step) is not None
        assert prove(lt(X, 4), step) is not None
        assert len(tried) == 1
        assert prove(lt(X, 3), step) is not None
        assert len(tried) == 2
        assert ge(X, 5) not in tried[1]  # it is known
        later = {**START, X: integer(6)}  # another start, other laws
        assert prove(lt(X, 6), step, later) is not None
        assert ge(X, 6) in tried[2]


def test_what_is_remembered_of_one_rule_set_is_not_believed_of_another() -> None:
    assert prove(lt(X, 5), one_at_a_time([RISE], METRIC)) is not None
    assert prove(lt(X, 5), one_at_a_time([RISE, FALL], METRIC)) is None


# ---- against all that can happen


def laws_of(part: SystemSlice) -> tuple[Term, ...]:
    guesses = Guesses(part.goal, part.step, part.start)
    found: tuple[Term, ...] = ()
    for more in (guesses.likely, guesses.single, guesses.paired):
        found = inductive_laws(part, more(found), effort(20))
    return found


def holds(t: Term, small: SmallSystem, state: tuple[int, ...]) -> bool:
    return bool(interpret([t], {v: i for i, v in enumerate(small.fluents)}, state)[0])


@examples(15)
@given(st.data())
def test_what_steps_keep_holds_in_every_state_that_can_be_reached(data: st.DataObject) -> None:
    small = data.draw(st.one_of(wild_systems(), small_systems()))
    goal = term(data.draw(goals(small)))
    invariants._kept.clear()
    with local_sessions(20):
        found = [t for part in parts(goal, small.transition, small.constants) for t in laws_of(part)]
    event("some" if found else "none")
    wrong = {show(t) for t in found for s in small.reachable() if not holds(t, small, s)}
    assert not wrong


@examples(25)
@given(st.data())
def test_never_is_said_only_of_what_is_never_so(data: st.DataObject) -> None:
    small = data.draw(st.one_of(wild_systems(), small_systems()))
    goal = term(data.draw(goals(small)))
    invariants._kept.clear()
    with local_sessions(20):
        proof = by_invariants(goal, small.transition, small.constants, [], effort(20))
    truth = any(holds(goal, small, s) for s in small.reachable())
    event(f"{'reachable' if truth else 'never'}: {'proof' if proof else 'none'}")
    assert proof is None or not truth


# ---- steps cut down


@examples(25)
@given(st.data())
def test_a_step_cut_down_allows_whatever_the_whole_one_does(data: st.DataObject) -> None:
    small = data.draw(small_systems())
    about = data.draw(st.lists(st.sampled_from(small.fluents), min_size=1, unique=True))
    whole = small.transition
    tail = data.draw(st.sampled_from([None, replace(small.moves[0].action, name="at the end")]))
    part = StepSlices(then_maybe(whole, tail)).near(about)
    for state in small.reachable():
        for move in small.moves:
            after = small.after(state, move)
            if after is not None:
                then = small.values(after)
                assert tuple(then[f] for f in about) in successors(part, about, small, state)


def successors(
    part: Transition, about: list[Term], small: SmallSystem, state: tuple[int, ...]
) -> set[tuple[int, ...]]:
    """What can become of some fluents in a step of which at most one Bool choice is made."""
    found = set()
    for made in (None, *part.choices):
        values = {**small.values(state), **{c: int(c is made) for c in part.choices}}
        slot = {v: i for i, v in enumerate(values)}
        (*legal,) = interpret(part.legality, slot, list(values.values()))
        if all(legal):
            following = interpret([part.next.get(f, f) for f in about], slot, list(values.values()))
            found.add(tuple(map(int, following)))
    return found


@examples(25)
@given(st.data())
def test_so_does_one_of_which_choices_are_made_together(data: st.DataObject) -> None:
    small = data.draw(wild_systems())
    about = data.draw(st.lists(st.sampled_from(small.fluents), min_size=1, unique=True))
    whole = plain(small.transition)
    together = replace(whole, legality=tuple(t for t in whole.legality if t is not le(count(whole.choices), 1)))
    part = StepSlices(together).near(about)
    for state in sorted(small.reachable())[:6]:
        assert outcomes(together, about, small, state) <= outcomes(part, about, small, state)


def outcomes(step: Transition, about: list[Term], small: SmallSystem, state: tuple[int, ...]) -> set[tuple[int, ...]]:
    """What can become of some fluents in a step, whichever of its Bool choices are made."""
    found = set()
    for made in product((0, 1), repeat=len(step.choices)):
        values = {**small.values(state), **dict(zip(step.choices, made, strict=True))}
        slot = {v: i for i, v in enumerate(values)}
        if all(interpret(step.legality, slot, list(values.values()))):
            following = interpret([step.next.get(f, f) for f in about], slot, list(values.values()))
            found.add(tuple(map(int, following)))
    return found


def test_of_events_that_do_the_same_one_stands_for_all() -> None:
    many = [act(f"strike {i}", ge(Y, i), (P, TRUE), (Z, integer(i))) for i in range(60)]
    step = one_at_a_time([*many, RISE], METRIC)
    assert len(StepSlices(step).near([P]).choices) == 1
    assert len(StepSlices(step).near([P, X]).choices) == 2
    assert len(StepSlices(step).near([P, Z]).choices) == 60


def test_guesses_hold_at_the_start_and_are_no_platitudes() -> None:
    step = one_at_a_time([RISE, NEXT, *SHIFT], METRIC)
    guesses = Guesses(and_(lt(X, 3), is_in(PHASE, ["end"])), step, START)
    found = [*guesses.likely(), *guesses.single(), *guesses.paired([])]
    assert ge(X, 5) in found
    assert le(count(FLAGS), 1) in found
    numbers = {f: t.lo if not t.mask else t.mask.bit_length() - 1 for f, t in START.items()}
    assert all(interpret(found, {v: i for i, v in enumerate(numbers)}, list(numbers.values())))
    assert TRUE not in found
