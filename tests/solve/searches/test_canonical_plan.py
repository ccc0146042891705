"""Of many solutions the lexicographically first one, by trying them all."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import examples
from vclogic.clock import Deadline
from vclogic.solve.backends.session import Answer, Session
from vclogic.solve.searches.cost_bounds import lexicographically_first
from vclogic.terms.atoms import var
from vclogic.terms.build import and_, any_of, count, in_mask, le, not_
from vclogic.terms.sorts import BOOL, EnumSort

CHOICES = tuple(var(f"c{i}", BOOL) for i in range(6))
Clause = tuple[tuple[int, bool], ...]
CLAUSES = st.lists(
    st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=3).map(tuple), min_size=1, max_size=6
)


@examples(40)
@given(CLAUSES, st.integers(1, 4))
def test_the_foremost_of_all_solutions(clauses: list[Clause], most: int) -> None:
    good = [
        taken
        for taken in product((1, 0), repeat=len(CHOICES))
        if sum(taken) <= most and all(any(taken[i] == sign for i, sign in clause) for clause in clauses)
    ]
    with local_sessions(10), Session(Deadline(10)) as session:
        session.add(le(count(CHOICES), most))
        session.add(*(any_of(CHOICES[i] if sign else not_(CHOICES[i]) for i, sign in clause) for clause in clauses))
        answer = session.check()
        assert (answer.verdict == "sat") == bool(good)
        if good:
            best = lexicographically_first(
                CHOICES, answer, lambda term, seconds: session.check(term, seconds=seconds), 10
            )
            assert tuple(best.values.get(c, 0) for c in CHOICES) == good[0]


def test_without_time_the_solution_stays() -> None:
    answer = Answer("sat", {CHOICES[3]: 1})
    assert lexicographically_first(CHOICES, answer, lambda term, seconds: Answer("unknown"), 10) is answer


PLACES = EnumSort("place", ("stays", "a", "b", "c"))
GOING = tuple(var(f"u{i}", PLACES) for i in range(3))
PAIRS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 2), st.integers(0, 3)), max_size=8)


@examples(40)
@given(PAIRS)
def test_the_foremost_of_choices_among_names(closed: list[tuple[int, int, int, int]]) -> None:
    """Going to an earlier place comes before going to a later one, and that before staying."""
    good = [
        at
        for at in product((1, 2, 3, 0), repeat=len(GOING))
        if not any(at[u] == x and at[v] == y for u, x, v, y in closed)
    ]
    with local_sessions(10), Session(Deadline(10)) as session:
        session.add(*(not_(and_(in_mask(GOING[u], 1 << x), in_mask(GOING[v], 1 << y))) for u, x, v, y in closed))
        answer = session.check()
        assert (answer.verdict == "sat") == bool(good)
        if good:
            best = lexicographically_first(
                GOING, answer, lambda term, seconds: session.check(term, seconds=seconds), 10
            )
            assert tuple(best.values.get(u, 0) for u in GOING) == good[0]
