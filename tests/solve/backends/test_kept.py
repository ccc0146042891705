"""Solver processes that stay for the next question: which do, what they still know, and when they end."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from random import Random
from unittest.mock import patch

import pytest

from tests.fixtures.pace import BUSY, seeds
from tests.fixtures.processes import children, workers
from tests.solve.backends.test_session import hard
from vclogic.clock import Deadline
from vclogic.solve.backends.claims import Claim, SecondOpinion
from vclogic.solve.backends.highs import MODULE, Engines
from vclogic.solve.backends.kept import KeptProcesses, kept, process_of
from vclogic.solve.backends.session import FAST, PLAIN, Answer, Session
from vclogic.solve.backends.solvers import WORKER
from vclogic.terms.atoms import var
from vclogic.terms.build import count, eq, ge, is_in, le, linear, not_, or_
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

pytestmark = pytest.mark.usefixtures("nothing_left")
P, Q = (var(n, BOOL) for n in "pq")
LONG = 20 * BUSY


def asked(terms: Sequence[Term], engines: Sequence[str] = PLAIN, *assumed: Term) -> Answer:
    """The answer of a session of its own."""
    with Session(Deadline(LONG), engines) as session:
        session.add(*terms)
        return session.check(*assumed)


def some_terms(rng: Random) -> list[Term]:
    """Constraints on Booleans, members and numbers, some of which contradict each other."""
    lots = [var(f"p{i}", BOOL) for i in range(12)]
    colours = [var(f"c{i}", EnumSort("colour", ("red", "green", "blue"))) for i in range(3)]
    numbers = [var(f"n{i}", IntSort(0, 9)) for i in range(2)]
    found: list[Term] = [ge(count(rng.sample(lots, 6)), rng.randint(1, 5)) for _ in range(3)]
    found += [le(count(rng.sample(lots, 6)), rng.randint(0, 4)) for _ in range(2)]
    found += [or_(is_in(c, rng.sample(("red", "green", "blue"), 2)), rng.choice(lots)) for c in colours]
    found.append(eq(linear([(rng.randint(1, 4), n) for n in numbers]), rng.randint(0, 60)))
    return found


def test_a_process_stays_for_the_next_session_and_ends_with_who_holds_it() -> None:
    with kept():
        assert asked([P]).verdict == "sat"
        (pid,) = workers(WORKER)
        with kept():
            assert asked([not_(P)]).verdict == "sat"
        assert set(workers(WORKER)) == {pid}
    assert not children()
    assert asked([P]).verdict == "sat"
    assert not children()


def test_it_knows_nothing_of_what_was_asked_before() -> None:
    with kept():
        for terms, verdict in (([P, not_(P)], "unsat"), ([or_(P, Q)], "sat"), ([not_(P), not_(Q)], "sat")):
            assert asked(terms).verdict == verdict
        assert asked([or_(P, Q)], PLAIN, not_(P), not_(Q)).verdict == "unsat"
        assert asked([or_(P, Q)], PLAIN, not_(P)).verdict == "sat"


@pytest.mark.parametrize("engine", ["merging", "cutting", "plain"])
def test_its_models_are_those_of_a_new_one(engine: str) -> None:
    """So a plan does not depend on what was asked before."""
    verdicts = set()
    with kept():
        for seed in seeds(range(15), range(300)):
            terms = some_terms(Random(seed))
            again = asked(terms, (engine,))
            with patch("vclogic.solve.backends.kept._kept", KeptProcesses()):
                new = asked(terms, (engine,))
            assert again == new
            verdicts.add(new.verdict)
        assert len(workers(WORKER)) == 1
    assert verdicts == {"sat", "unsat"}


def test_of_two_engines_the_slower_one_stays_too_once_it_has_ended_its_work() -> None:
    with kept():
        assert asked([or_(P, Q)], FAST).verdict == "sat"
        assert sorted(workers(WORKER).values()) == sorted(FAST)
        for _ in range(20):
            assert asked([or_(P, Q)], FAST).verdict == "sat"
        assert len(workers(WORKER)) <= 2 * len(FAST)


def test_one_that_is_still_at_work_ends() -> None:
    with kept():
        with Session(Deadline(0.5), PLAIN) as session:
            session.add(hard())
            assert session.check().verdict == "unknown"
        assert not children()


def test_one_that_was_killed_meanwhile_is_replaced() -> None:
    with kept():
        assert asked([P]).verdict == "sat"
        (pid,) = workers(WORKER)
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert asked([P]).verdict == "sat"
        assert pid not in workers(WORKER)


def test_the_solvers_of_programs_and_of_second_opinions_stay_too() -> None:
    pytest.importorskip("cvc5")
    claim = Claim("p and not p", (P, not_(Q), or_(not_(P), Q)))
    with kept():
        for _ in range(2):
            opinion = SecondOpinion(LONG)
            assert opinion.on((claim,), Deadline(LONG))
            opinion.close()
            engines = Engines()
            engines.start()
            engines.close()
            assert len(workers("vclogic.solve.backends.cvc5_worker")) == 1
            assert sorted(workers(MODULE).values()) == ["plans", "proof"]
    assert not children()


def test_a_process_that_was_forked_uses_none_of_its_owner() -> None:
    with kept():
        assert asked([P]).verdict == "sat"
        (pid,) = workers(WORKER)
        with patch("os.getpid", lambda: 1):
            other = process_of("plain")
        assert other.pid != pid
        other.close()
