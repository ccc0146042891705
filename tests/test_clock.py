"""The clock that whatever works for a question looks at: it ends building soon, and leaves nothing half built."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import pairwise

import pytest

from tests.fixtures.clocks import looks
from vclogic.clock import (
    ANSWERING,
    OFTEN,
    Deadline,
    Stopper,
    TimeUp,
    at_the_latest,
    check_deadline,
    grace_period,
    patience,
    stoppable,
    until,
)
from vclogic.encode.python.evaluator import compile_term, interpret
from vclogic.encode.smt import SmtWriter
from vclogic.files.blame import their_code
from vclogic.model.lazy import LazySequence
from vclogic.model.memoized import memoized
from vclogic.terms.atoms import var
from vclogic.terms.build import and_, any_of, count, eq, ge, le, not_, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL, EnumSort
from vclogic.terms.term import Term, postorder

PLACES = EnumSort("place", tuple("abcdef"))
UNITS = [var(f"unit {i}", PLACES) for i in range(600)]
MANY = any_of(and_(eq(u, "a"), not_(eq(v, "b"))) for u, v in pairwise(UNITS))
PAST = -1.0


def test_without_a_question_there_is_no_limit() -> None:
    check_deadline()
    with grace_period():
        check_deadline()


def test_the_sooner_of_two_deadlines_counts_and_is_forgotten_when_it_is_over() -> None:
    with until(Deadline(100)):
        check_deadline()
        with pytest.raises(TimeUp), until(Deadline(PAST)):
            check_deadline()
        check_deadline()
    with pytest.raises(TimeUp), until(Deadline(PAST)), until(Deadline(100)):
        check_deadline()
    check_deadline()


def test_what_makes_an_answer_may_go_on_for_a_while() -> None:
    with until(Deadline(PAST)):
        with grace_period(100):
            check_deadline()
            with pytest.raises(TimeUp), until(Deadline(PAST)):
                check_deadline()
            check_deadline()
        with grace_period():
            check_deadline()
        with pytest.raises(TimeUp), grace_period(0):
            check_deadline()
        with pytest.raises(TimeUp):
            check_deadline()


def test_who_stops_some_work_stops_its_parts_but_not_the_other_way_round() -> None:
    whole, part, later = Stopper(), Stopper(), Stopper()
    with stoppable(whole):
        with stoppable(part), until(Deadline(100)):
            part.ask()
            assert Deadline(100).left <= 0
        assert Deadline(100).left > 0
        with stoppable(later), until(Deadline(100)):
            whole.ask()
            with pytest.raises(TimeUp):
                check_deadline()
        with stoppable(Stopper()):  # what begins later ends at once
            assert Deadline(100).left <= 0
    assert (part.asked, later.asked) == (True, True)


def test_another_thread_can_stop_the_work() -> None:
    stop = Stopper()
    with stoppable(stop), until(Deadline(100)):
        check_deadline()
        assert Deadline(100).left > 0
        assert patience(100) < 1
        with until(Deadline(50)):
            stop.ask()
            with pytest.raises(TimeUp):
                check_deadline()
        with pytest.raises(TimeUp):
            check_deadline()
        with pytest.raises(TimeUp), until(Deadline(100)):  # also what begins later
            check_deadline()
        with grace_period(100):
            check_deadline()  # what is known may still become an answer
        assert Deadline(100).left <= 0
    with until(Deadline(100)):
        check_deadline()
    assert patience(100) == 100


def test_nothing_is_granted_beyond_the_latest_moment() -> None:
    with at_the_latest(time.monotonic() - 1), until(Deadline(PAST)), pytest.raises(TimeUp), grace_period(100):
        check_deadline()
    with at_the_latest(time.monotonic() + 100), until(Deadline(PAST)), grace_period(100):
        check_deadline()


def test_what_is_granted_after_the_end_of_a_question_is_bounded_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    worked = 0.0
    monkeypatch.setattr("vclogic.clock._worked", lambda: worked)

    def answer() -> None:
        nonlocal worked
        for _ in range(100):
            with until(Deadline(PAST)), grace_period(ANSWERING):
                worked += ANSWERING / 4
                check_deadline()

    with until(Deadline(PAST)), pytest.raises(TimeUp):
        answer()
    assert ANSWERING < worked < 2 * ANSWERING
    with until(Deadline(PAST)), grace_period(ANSWERING):  # the next question has its own
        check_deadline()


def test_a_builder_ends_after_few_terms() -> None:
    made = 0

    def build(term: Callable[[int], Term]) -> None:
        nonlocal made
        for made in range(10 * OFTEN):
            term(made)

    with pytest.raises(TimeUp), until(Deadline(PAST)):
        build(lambda i: var(f"fresh {i}", BOOL))
    assert made <= OFTEN
    with pytest.raises(TimeUp), until(Deadline(PAST)):  # also one that only makes what there is
        build(lambda i: eq(UNITS[i % 9], "a"))
    assert made <= OFTEN


WORK: dict[str, Callable[[], object]] = {
    "a walk over terms": lambda: list(postorder([MANY])),
    "a substitution": lambda: Substitution({UNITS[0]: UNITS[1]})(MANY),
    "evaluation": lambda: interpret(MANY, {u: i for i, u in enumerate(UNITS)}, [0] * len(UNITS)),
    "compiling": lambda: compile_term(MANY, {u: i for i, u in enumerate(UNITS)}),
    "writing for solvers": lambda: SmtWriter().assertions([MANY]),
}


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_work_that_makes_no_terms_ends(work: Callable[[], object]) -> None:
    with until(Deadline(PAST)), pytest.raises(TimeUp):
        work()
    with looks(1), until(Deadline(100)), pytest.raises(TimeUp):  # in the middle, too
        work()
    assert work() is not None


def test_a_game_cannot_catch_it_by_the_way() -> None:
    def theirs() -> Iterable[Term]:
        for i in range(10 * OFTEN):
            try:
                yield var(f"theirs {i}", BOOL)
            except Exception:  # somebody's careless code
                yield UNITS[0]

    with pytest.raises(TimeUp), until(Deadline(PAST)):
        list(theirs())
    with pytest.raises(TimeUp), until(Deadline(PAST)), their_code("a game", "built"):
        list(theirs())


class Rules:
    """Something of a game that is built when it is looked at."""

    def __init__(self) -> None:
        self.begun = 0

    def _numbers(self, of: str) -> Iterator[Term]:
        self.begun += 1
        for i in range(4 * OFTEN):
            yield var(f"{of} {i}", BOOL)

    @cached_property
    def kept(self) -> tuple[Term, ...]:
        return tuple(self._numbers("kept"))

    @memoized
    def of(self, name: str) -> tuple[Term, ...]:
        return tuple(self._numbers(name))


def test_what_is_remembered_is_never_half_built() -> None:
    rules = Rules()
    later = LazySequence(lambda: rules._numbers("later"))
    makes: list[Callable[[], tuple[Term, ...]]] = [lambda: rules.kept, lambda: rules.of("some"), lambda: tuple(later)]
    for make in makes:
        rules.begun = 0
        for _ in range(2):
            with pytest.raises(TimeUp), until(Deadline(PAST)):
                make()
        assert rules.begun == 2
        assert len(make()) == len(make()) == 4 * OFTEN
        assert rules.begun == 3


@pytest.mark.parametrize("most", range(1, 22, 2))
def test_what_a_writer_has_written_before_the_time_was_up_is_not_lost(most: int) -> None:
    few, more = MANY, or_(MANY, ge(count(eq(u, "c") for u in UNITS), 7))
    whole = SmtWriter()
    expected = whole.assertions([few]) + whole.assumption(more)[0] + whole.assertions([le(count([few]), 0)])
    writer, text = SmtWriter(), ""
    writes: list[Callable[[], str]] = [
        lambda: writer.assertions([few]),
        lambda: writer.assumption(more)[0],
        lambda: writer.assertions([le(count([few]), 0)]),
    ]
    for write in writes:
        with looks(most + 1), until(Deadline(100)):
            try:
                text += write()
                continue
            except TimeUp:
                pass
        text += write()
    assert text == expected
