"""Of many solutions the foremost one, by trying them all."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from tests.support.pace import examples
from tests.support.sessions import local_sessions
from vclogic.solve.foremost import foremost
from vclogic.solve.session import Answer, Deadline, Session
from vclogic.terms.atoms import var
from vclogic.terms.build import any_of, count, le, not_
from vclogic.terms.sorts import BOOL

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
            best = foremost(CHOICES, answer, lambda term, seconds: session.check(term, seconds=seconds))
            assert tuple(best.values.get(c, 0) for c in CHOICES) == good[0]


def test_without_time_the_solution_stays() -> None:
    answer = Answer("sat", {CHOICES[3]: 1})
    assert foremost(CHOICES, answer, lambda term, seconds: Answer("unknown")) is answer
