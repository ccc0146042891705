"""Sessions with real processes: deadlines, lost processes, what is left behind, and verdicts as constraints grow."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from random import Random
from types import FrameType

import pytest

from tests.fixtures import processes
from tests.fixtures.pace import BUSY, HANGS, cases
from tests.fixtures.processes import eventually, runs
from vclogic.clock import Deadline
from vclogic.encode.python.evaluator import compile_terms, interpret
from vclogic.encode.smt import SmtWriter
from vclogic.progress import Progress
from vclogic.solve.backends.session import FAST, GIVEN_UP, NO_MODEL, PLAIN, Effort, Session
from vclogic.solve.backends.solvers import WORKER, Process
from vclogic.solve.backends.z3_engine import LIMIT
from vclogic.terms.atoms import FALSE, TRUE, var
from vclogic.terms.build import (
    and_,
    count,
    eq,
    floordiv,
    ge,
    implies,
    is_in,
    ite,
    le,
    linear,
    not_,
    or_,
    xor,
)
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

ENGINE_SETS = [("merging",), ("cutting",), PLAIN, FAST]
P, Q, R = (var(n, BOOL) for n in "pqr")
pytestmark = pytest.mark.usefixtures("nothing_left")


def pigeons(holes: int) -> list[Term]:
    """One pigeon more than there are holes, each in a hole, none in one hole with another."""
    sits = {(i, j): var(f"pigeon {i} in {j}", BOOL) for i in range(holes + 1) for j in range(holes)}
    seats = [ge(count(sits[i, j] for j in range(holes)), 1) for i in range(holes + 1)]
    return [*seats, *(le(count(sits[i, j] for i in range(holes + 1)), 1) for j in range(holes))]


def hard() -> Term:
    """What no engine decides for minutes: 60 large numbers of which some have a given sum."""
    rng = Random(1)
    sum_ = linear((rng.randint(1, 10**9), var(f"s{i}", BOOL)) for i in range(60))
    return eq(sum_, 15 * 10**9 + 1)


# ---- the processes there are


def workers(owner: int | None = None) -> dict[str, int]:
    """The worker processes of a process (this one by default), by engine."""
    return {engine: pid for pid, engine in processes.workers(WORKER, owner).items()}


@contextmanager
def later(*what: tuple[float, int, int]) -> Iterator[None]:
    """Within the block, sends signals to processes, each after some seconds; they are this one's until it ends."""

    def send() -> None:
        for seconds, pid, number in sorted(what):
            if over.wait(seconds - (time.monotonic() - began)):
                return
            os.kill(pid, number)

    over, began = threading.Event(), time.monotonic()
    with ThreadPoolExecutor(1) as thread:
        sent = thread.submit(send)
        try:
            yield
        finally:
            over.set()
    sent.result()


def idle(session: Session) -> bool:
    """Whether no process is at work on an earlier question: one that does not end it in time would be replaced."""
    session._hear_out()
    return all(isinstance(p, Process) and p.idle for p in session._processes)


# ---- deadlines


@pytest.mark.parametrize(
    ("engines", "question"),
    [
        (FAST, [hard()]),
        pytest.param(PLAIN, pigeons(12), marks=pytest.mark.slow),
        pytest.param(("merging",), pigeons(12), marks=pytest.mark.slow),
    ],
)
def test_a_check_is_cut_off_at_the_deadline(engines: Sequence[str], question: Sequence[Term]) -> None:
    with Session(Deadline(0.6), engines) as session:
        session.add(*question)
        begin = time.monotonic()
        answer = session.check()
        assert 0.3 < time.monotonic() - begin < HANGS
        assert (answer.verdict, answer.reason) == ("unknown", "the time is up")
        assert not workers()  # even before the session is left
        again = session.check()
        assert (again.verdict, again.reason) == ("unknown", "the time is up")


def test_no_time_at_all() -> None:
    with Session(Deadline(0)) as session:
        session.add(P)
        assert session.check().reason == "the time is up"


@pytest.mark.parametrize("engines", cases((("merging",), PLAIN, FAST), FAST))
@pytest.mark.parametrize("seconds", cases((0.0, 0.05, 0.8), 0.0, 0.05))
def test_a_question_that_is_given_up_leaves_the_session_usable(engines: Sequence[str], seconds: float) -> None:
    """Also one that is given up before a worker has begun with it, or has started at all."""
    with Session(Deadline(4 * BUSY), engines) as session:
        session.add(or_(P, Q))
        begin = time.monotonic()
        answer = session.check(hard(), seconds=seconds)
        assert time.monotonic() - begin < HANGS
        assert (answer.verdict, answer.reason) == ("unknown", GIVEN_UP)
        found = session.check(not_(P))
        assert found.verdict == "sat"
        assert (found.values[P], found.values[Q]) == (0, 1)
        session.add(not_(Q))
        assert session.check(not_(P)).verdict == "unsat"
        found = session.check(P)
        assert found.verdict == "sat"
        assert (found.values[P], found.values[Q]) == (1, 0)
        assert time.monotonic() - begin < HANGS


def test_values_that_are_no_model_are_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SmtWriter, "value", lambda writer, v, model: 0)
    with Session(Deadline(60), PLAIN) as asked:
        asked.add(or_(P, Q))
        answer = asked.check()
    assert (answer.verdict, answer.reason) == ("unknown", NO_MODEL)


# ---- processes that end


OWNER = """
from tests.solve.backends.test_session import hard
from vclogic.clock import Deadline
from vclogic.solve.backends.session import Session
with Session(Deadline(600)) as session:
    session.check()
    session.add(hard())
    print("ready", flush=True)
    session.check()
"""


@pytest.mark.parametrize(("engine", "larger"), [("merging", 8), ("plain", 6)])
def test_what_a_limit_of_effort_decides_is_the_same_in_every_session(engine: str, larger: int) -> None:
    """Also in one that has heard other questions before; and the session stays usable."""
    for before in ((), (or_(P, Q),)):
        with Session(Deadline(60), (engine,)) as asked:
            for t in before:
                assert asked.check(t, effort=10_000_000).verdict == "sat"
            given_up = asked.check(*pigeons(12), effort=100_000)
            assert (given_up.verdict, given_up.reason) == ("unknown", LIMIT)
            assert asked.check(*pigeons(5), effort=30_000).verdict == "unsat"
            assert asked.check(*pigeons(larger)).verdict == "unsat"  # and the limit is gone


def test_the_owner_is_killed_in_the_middle_of_a_question() -> None:
    folder = Path(__file__).parents[3]
    owner = subprocess.Popen([sys.executable, "-c", OWNER], stdout=subprocess.PIPE, cwd=folder, text=True)
    with owner:
        assert owner.stdout
        assert owner.stdout.readline() == "ready\n"
        time.sleep(0.5)
        found = workers(owner.pid)
        assert set(found) == set(FAST)
        owner.kill()
    assert eventually(lambda: not any(map(runs, found.values())), HANGS)


@pytest.mark.parametrize("lost", FAST)
def test_one_process_lost_in_the_middle_of_a_question(lost: str) -> None:
    (kept,) = set(FAST) - {lost}
    with Session(Deadline(2 * BUSY)) as session:
        session.add(or_(P, Q))
        assert session.check().verdict == "sat"
        assert eventually(lambda: idle(session))
        pids = workers()
        os.kill(pids[kept], signal.SIGSTOP)
        os.kill(pids[lost], signal.SIGSTOP)
        session.add(not_(P))
        with later((0.2, pids[lost], signal.SIGKILL), (0.5, pids[kept], signal.SIGCONT)):
            answer = session.check()
        assert answer.verdict == "sat"
        assert (answer.values[P], answer.values[Q]) == (0, 1)
        assert set(workers()) == {kept}
        assert session.check(not_(Q)).verdict == "unsat"


def test_a_process_lost_between_questions() -> None:
    with Session(Deadline(2 * BUSY)) as session:
        session.add(or_(P, Q))
        assert session.check().verdict == "sat"
        os.kill(workers()["merging"], signal.SIGKILL)
        session.add(not_(P))
        assert session.check(not_(Q)).verdict == "unsat"
        assert session.check().verdict == "sat"


def test_all_processes_lost() -> None:
    with Session(Deadline(4 * BUSY)) as session:
        session.add(hard())
        begin = time.monotonic()
        with later(*((0.6, pid, signal.SIGKILL) for pid in workers().values())):
            answer = session.check()
        assert time.monotonic() - begin < HANGS
        assert (answer.verdict, answer.values) == ("unknown", {})
        assert answer.reason == "the solver's process ended unexpectedly"
        session.add(P)
        for assumed in (P, not_(P), TRUE):
            again = session.check(assumed)
            assert (again.verdict, again.reason) == (answer.verdict, answer.reason)


def test_interrupted_by_the_keyboard() -> None:
    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    pids: list[int] = []
    try:
        with pytest.raises(KeyboardInterrupt), Session(Deadline(2 * BUSY)) as session:  # noqa: PT012
            session.add(hard())
            pids += workers().values()
            signal.setitimer(signal.ITIMER_REAL, 0.6)
            session.check()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(pids) == len(FAST)
    assert not any(map(runs, pids))


# ---- what needs no solver


def test_what_is_false_is_not_asked() -> None:
    with Session(Deadline(20), ()) as session:  # nobody could answer
        assert session.check(FALSE).verdict == "unsat"
        assert session.check(P, FALSE).verdict == "unsat"
        session.add(P, FALSE)
        assert session.check().verdict == "unsat"
        assert session.check(Q).verdict == "unsat"


def test_an_assumed_contradiction_is_for_one_question_only() -> None:
    with Session(Deadline(2 * BUSY)) as session:
        session.add(TRUE, or_(P, Q))
        assert session.check(FALSE).verdict == "unsat"
        assert session.check(TRUE).verdict == "sat"
        session.add(FALSE)
        assert session.check().verdict == "unsat"


# ---- growing


HUE = EnumSort("hue", ("red", "green", "blue"))
H, X, Y = var("h", HUE), var("x", IntSort(-2, 3)), var("y", IntSort(1, 5))
VARIABLES = (P, Q, R, H, X, Y)
SLOT = {v: i for i, v in enumerate(VARIABLES)}
STATES = list(product((0, 1), (0, 1), (0, 1), (0, 1, 2), range(-2, 4), range(1, 6)))


def _condition(rng: Random, depth: int = 2) -> Term:
    """A random Bool term."""
    if depth:
        a, b, c = (_condition(rng, depth - 1) for _ in range(3))
        return rng.choice((and_(a, b), or_(a, b), not_(a), xor(a, b), ite(a, b, c), implies(a, b)))
    weights = [rng.randint(-4, 6) for _ in range(5)]
    hue = rng.choice(HUE.members)
    number = linear(zip(weights, (P, Q, R, eq(H, hue), X), strict=True))
    other = rng.choice((Y, floordiv(Y, 2), ite(P, X, Y), floordiv(X, 3)))
    k = rng.randint(-3, 6)
    return rng.choice((ge(number, other), le(number, k), ge(number, k), eq(other, k), is_in(H, [hue, "red"]), R))


@pytest.mark.parametrize("engines", cases(ENGINE_SETS, ("merging",), FAST))
def test_verdicts_and_models_as_constraints_grow(engines: Sequence[str]) -> None:
    seen: list[str] = []
    for seed in range(3):
        rng = Random(seed)
        left = STATES
        hidden = rng.choice(STATES)
        with Session(Deadline(30), engines) as session:
            while len(seen) < 20 * (seed + 1):
                if rng.random() < 0.4:
                    law = _condition(rng)
                    if rng.random() < 0.9 and not interpret(law, SLOT, hidden):
                        law = not_(law)
                    session.add(law)
                    holds = compile_terms([law], SLOT)
                    left = [s for s in left if holds(s)[0]]
                assumed = [_condition(rng, 1) for _ in range(rng.randrange(4))]
                all_hold = compile_terms(assumed, SLOT)
                right = {s for s in left if all(all_hold(s))}
                answer = session.check(*assumed)
                assert answer.verdict == ("sat" if right else "unsat")
                seen.append(answer.verdict)
                if right:
                    assert tuple(answer.values.get(v, v.lo) for v in VARIABLES) in right
    assert 5 < seen.count("sat") < 55


# ---- progress


def test_what_was_known_before_is_told_with_what_is_new() -> None:
    told: list[Progress] = []
    effort = Effort(Deadline(BUSY), told.append, cost=9, bound=4)
    effort.progress("building")
    effort.progress("searching", 7, 3)
    effort.part(0.5).progress("searching", 12, 5)
    assert told == [Progress("building", 9, 4), Progress("searching", 7, 4), Progress("searching", 9, 5)]
