"""Fixpoints on demand: a solver that is told why nodes are reached or not comes to what the formula for them says."""

from __future__ import annotations

from random import Random

import pytest

from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import cases
from vclogic.clock import Deadline
from vclogic.encode.python.codegen import interpret
from vclogic.solve.backends.session import Answer, Session
from vclogic.solve.searches.any_length import LazyReach
from vclogic.terms.atoms import TRUE, var
from vclogic.terms.build import and_, count, ge, iff, le, not_
from vclogic.terms.reach import Graph, reach
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Op, Term, postorder, variables

SECONDS = 60


def board(rng: Random) -> tuple[list[Term], list[Term], dict[int, Term]]:
    """Some sources and passable nodes of a random graph, and what is reached."""
    n = rng.randint(3, 7)
    edges = tuple((a, b) for a in range(n) for b in range(n) if a != b and rng.random() < 0.35)
    src = [var(f"source {i}", BOOL) if rng.random() < 0.4 else None for i in range(n)]
    free = [var(f"free {i}", BOOL) for i in range(n)]
    sources = {i: t for i, t in enumerate(src) if t is not None} or {0: TRUE}
    return [*sources.values()], free, reach(Graph(tuple(range(n)), edges), sources, dict(enumerate(free)))


def asked(rng: Random, free: list[Term], reached: dict[int, Term]) -> Term:
    """Something about what is reached, with so many passable nodes."""
    some = [t if rng.random() < 0.6 else not_(t) for t in rng.sample([*reached.values()], rng.randint(1, 3))]
    bound = rng.randint(0, len(free))
    return and_(*some, le(count(free), bound) if rng.random() < 0.5 else ge(count(free), bound))


def settled(session: Session, lazy: LazyReach, term: Term) -> Answer:
    """The answer to a term once no reason is missing."""
    free = lazy.free(term)
    while True:
        answer = session.check(free)
        reasons = [*lazy.reasons(term, answer)] if answer.verdict == "sat" else []
        if not reasons:
            return answer
        session.add(*reasons)


def true_in(term: Term, answer: Answer) -> bool:
    values = {v: answer.values.get(v, v.lo) for v in variables(term)}
    return bool(interpret([term], {v: i for i, v in enumerate(values)}, [*values.values()])[0])


@pytest.mark.parametrize("seed", cases(range(40), *range(8)))
def test_the_same_answers_as_with_the_formula(seed: int) -> None:
    rng = Random(seed)
    _, free, reached = board(rng)
    with local_sessions(SECONDS):
        lazy, session = LazyReach(), Session(Deadline(SECONDS), ("plain",))
        for _ in range(5):
            term = asked(rng, free, reached)
            found = settled(session, lazy, term)
            assert found.verdict == Session(Deadline(SECONDS), ("plain",)).check(term).verdict
            assert found.verdict == "unsat" or true_in(term, found)


@pytest.mark.parametrize("seed", cases(range(20), *range(5)))
def test_a_linked_term_means_what_it_meant(seed: int) -> None:
    rng = Random(seed)
    _, free, reached = board(rng)
    with local_sessions(SECONDS):
        lazy, session = LazyReach(), Session(Deadline(SECONDS), ("plain",))
        lazy.free(asked(rng, free, reached))
        for _ in range(4):
            term = asked(rng, free, reached)
            linked, laws = lazy.linked(term)
            session.add(*laws)
            found = session.check(linked)
            assert found.verdict == Session(Deadline(SECONDS), ("plain",)).check(term).verdict
            assert found.verdict == "unsat" or true_in(term, found)


def test_a_term_without_fixpoints_stays() -> None:
    a, b = var("a", BOOL), var("b", BOOL)
    term = iff(a, b)
    assert LazyReach().free(term) is term
    assert all(t.op is not Op.REACH for t in postorder([term]))
