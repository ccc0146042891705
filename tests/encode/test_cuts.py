"""What is taken for good is taken once: no sequence of steps breaks such a cut, and it is made where it should be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.oracles.integer_arithmetic import Integers
from vclogic.encode.unroll import Unrolling
from vclogic.model.transition import Cut, Hints, Scoped, Transition
from vclogic.solve.searches.plan_groups import TAKEN_ONCE, cuts
from vclogic.terms.atoms import TRUE, integer, member, var
from vclogic.terms.build import and_, ge, implies, is_in, ite, le, not_, or_
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

OWNER = EnumSort("owner", ("red", "blue", "green"))
CLOCK = EnumSort("clock", ("first", "second"))
A, B = var("A", OWNER), var("B", OWNER)
TIME, TIRED, COUNT = var("time", CLOCK), var("tired", BOOL), var("count", IntSort(0, 3))
P, Q = var("P", BOOL), var("Q", BOOL)
X, CHOSEN = var("X", IntSort(0, 2)), var("chosen", OWNER)
RED, BLUE, GREEN = (member(OWNER, name) for name in OWNER.members)
START = {A: RED, B: BLUE, TIRED: TRUE, COUNT: integer(1), TIME: member(CLOCK, "first")}


def step(laws: Sequence[Term], following: Mapping[Term, Term]) -> Transition:
    """A step that asks for some laws and changes some fluents."""
    return Transition((P, Q, X, CHOSEN), tuple(laws), following, integer(0), lambda chosen, values: ())


def alternating(first: Transition, second: Transition) -> Scoped:
    """Two kinds of steps by turns."""
    tick = {TIME: ite(is_in(TIME, ["first"]), member(CLOCK, "second"), member(CLOCK, "first"))}
    both = (first, second)
    return Scoped(
        tick,
        scope=lambda state, wanted: step(
            both[state[TIME].payload].legality, {**both[state[TIME].payload].next, **tick}
        ),
        reads=lambda state: (TIME,),
    )


def unrolled(transition: Transition, start: Mapping[Term, Term], steps: int) -> tuple[list[Term], list[Cut]]:
    """What holds of some steps, and their cuts."""
    found, laws = Unrolling(transition, start), list[Term]()
    for _ in range(steps):
        laws += found.extend()
    return laws, cuts(found, Hints())


def broken(laws: Sequence[Term], found: Sequence[Cut]) -> list[Cut]:
    """The cuts that some steps break."""
    solver = Integers()
    solver.add(laws)
    return [cut for cut in found if solver.possible(not_(cut.term))]


# ---- where it is made

TAKE_A = implies(P, is_in(A, ["red"]))  # red is not of those that take
LATCHES: Mapping[str, tuple[list[Term], Term]] = {
    "to one value": ([TAKE_A], ite(P, BLUE, A)),
    "to one of several": ([TAKE_A], ite(P, ite(TIRED, BLUE, GREEN), A)),
    "to what is chosen": ([TAKE_A], ite(P, var("new", OWNER, mask=0b110), A)),
    "among other laws": ([TAKE_A, implies(P, TIRED), or_(not_(Q), P), ge(X, 1)], ite(P, BLUE, A)),
}


@pytest.mark.parametrize("name", LATCHES)
def test_each_step_has_a_cut(name: str) -> None:
    laws, change = LATCHES[name]
    said, found = unrolled(step(laws, {A: change}), START, 3)
    assert [(cut.family, cut.argued) for cut in found] == [(TAKEN_ONCE, False)] * 3
    assert broken(said, found) == []


def test_what_is_taken_at_the_start_is_never_taken() -> None:
    laws, change = LATCHES["to one value"]
    said, found = unrolled(step(laws, {A: change}), {**START, A: BLUE}, 2)
    assert len(found) == 2
    assert broken(said, found) == []


# ---- where it must not be made

NONE: Mapping[str, tuple[list[Term], Term]] = {
    "it may be taken again": ([], ite(P, BLUE, A)),
    "it may be lost": ([TAKE_A], ite(P, BLUE, ite(Q, RED, A))),
    "it is given up again": ([implies(P, is_in(A, ["red", "blue"]))], ite(P, BLUE, A)),
    "it goes to a value from which it is taken": ([TAKE_A], ite(P, CHOSEN, A)),
    "the law binds another flag": ([implies(Q, is_in(A, ["red"]))], ite(P, BLUE, A)),
    "the law is of another fluent": ([implies(P, is_in(B, ["red"]))], ite(P, BLUE, A)),
    "the law is of two flags": ([implies(and_(P, Q), is_in(A, ["red"]))], ite(P, BLUE, A)),
    "the law may be excused": ([or_(implies(P, is_in(A, ["red"])), Q)], ite(P, BLUE, A)),
    "the law asks for more than it": ([implies(P, or_(is_in(A, ["red"]), TIRED))], ite(P, BLUE, A)),
    "it changes where the flag is not set": ([implies(not_(P), is_in(A, ["red"]))], ite(P, A, BLUE)),
    "it is set whatever happens": ([TAKE_A], BLUE),
}


@pytest.mark.parametrize("name", NONE)
def test_no_cut_where_it_may_change_otherwise(name: str) -> None:
    laws, change = NONE[name]
    _, found = unrolled(step(laws, {A: change}), START, 2)
    assert found == []


def test_no_cut_from_the_step_on_that_takes_it_back() -> None:
    take = step([TAKE_A], {A: ite(P, BLUE, A)})
    back = step([implies(P, is_in(A, ["blue"]))], {A: ite(P, RED, A)})
    said, found = unrolled(alternating(take, back), START, 4)
    assert len(found) == 1
    assert broken(said, found) == []


def test_no_cut_of_what_nobody_tracks_or_knows() -> None:
    change = step([TAKE_A], {A: ite(P, BLUE, A)})
    assert unrolled(change, {B: BLUE}, 2)[1] == []
    assert unrolled(change, {A: A}, 2)[1] == []


# ---- any steps

MASKS = [["red"], ["red"], ["red"], ["blue"], ["red", "blue"], ["blue", "green"], ["red", "green"]]
FLAGS = st.sampled_from([P, Q, TIRED])
VALUES = st.sampled_from([RED, BLUE, BLUE, GREEN, GREEN, CHOSEN, B, ite(TIRED, BLUE, GREEN), ite(Q, GREEN, RED)])


@st.composite
def changes(draw: st.DrawFn, fluent: Term, flag: Term) -> Term:
    """What becomes of a fluent: mostly the flag takes it."""
    change = ite(flag, draw(VALUES), fluent)
    match draw(st.integers(0, 9)):
        case 0:
            return ite(draw(FLAGS), draw(VALUES), change)
        case 1:
            return draw(VALUES)
        case 2:
            return ite(not_(flag), draw(VALUES), fluent)
    return change


@st.composite
def transitions(draw: st.DrawFn) -> Transition:
    """Steps in which flags take what has not some values; or nearly so."""
    said: list[Term] = []
    following: dict[Term, Term] = {}
    for fluent in (A, B):
        flag, outside = draw(FLAGS), is_in(fluent, draw(st.sampled_from(MASKS)))
        following[fluent] = draw(changes(fluent, flag))
        law = implies(draw(st.sampled_from([flag, flag, flag, not_(flag), Q])), outside)
        said += draw(st.sampled_from([[law], [law], [law], [], [or_(law, draw(FLAGS))], [or_(law, ge(X, 1))]]))
    for _ in range(draw(st.integers(0, 2))):
        said.append(implies(draw(FLAGS), is_in(draw(st.sampled_from([A, B])), draw(st.sampled_from(MASKS)))))
    following[TIRED] = draw(st.sampled_from([TIRED, P, not_(TIRED), or_(TIRED, Q)]))
    following[COUNT] = ite(and_(P, le(COUNT, 2)), integer(3), COUNT)
    if draw(st.integers(0, 4)) == 0:
        del following[A]
    return step(said, following)


@st.composite
def turns(draw: st.DrawFn) -> Scoped:
    """Steps that are all of one kind, or of two."""
    first = draw(transitions())
    return alternating(first, draw(st.one_of(st.just(first), transitions())))


@examples(400)
@given(turns(), st.sampled_from([RED, BLUE, GREEN]), st.integers(1, 4))
def test_no_steps_break_a_cut(transition: Scoped, begin: Term, steps: int) -> None:
    said, found = unrolled(transition, {**START, A: begin}, steps)
    event(f"{len(found)} cuts")
    assert broken(said, found) == []
