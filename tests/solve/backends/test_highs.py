"""HiGHS in a process of its own: what is believed, deadlines, lost processes, and what is left behind."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import pytest

from tests.fixtures import processes
from tests.fixtures.local_highs import local_highs
from tests.fixtures.pace import BUSY, HANGS, MORE
from tests.fixtures.processes import eventually, runs
from vclogic.clock import TIME_UP, Deadline, Stopper, stoppable
from vclogic.encode.linear.affine import LARGEST, Program, Unsupported
from vclogic.encode.linear.terms import compile_program
from vclogic.progress import untold
from vclogic.solve.backends import highs, highs_worker
from vclogic.solve.backends.certificate import Certificate, Closed
from vclogic.solve.backends.highs import MODULE, Minimization, Minimum, Race, minimize
from vclogic.solve.backends.highs_program import HighsProgram, LpRelaxation
from vclogic.solve.backends.messages import SCALE
from vclogic.terms.atoms import integer, var
from vclogic.terms.build import add, count, eq, ge, implies, le, linear, not_, or_, scale
from vclogic.terms.sorts import BOOL, IntSort
from vclogic.terms.term import Term

X, Y = (var(n, IntSort(0, 40)) for n in "XY")
P = var("P", BOOL)
pytestmark = pytest.mark.usefixtures("nothing_left")
COST = add(X, scale(Y, 2), 5)
EASY = [ge(add(X, Y), 7), le(X, 3)]  # best: X = 3, Y = 4


def hard() -> tuple[list[Term], Term]:
    """What HiGHS does not decide for minutes: few equations of many Booleans."""
    rng = Random(1)
    flags = [var(f"f{i}", BOOL) for i in range(50)]
    sums = [[rng.randint(1, 99) for _ in flags] for _ in range(5)]
    return [eq(linear(zip(ks, flags, strict=True)), sum(ks) // 2) for ks in sums], count(flags)


def solved(terms: list[Term], objective: Term = COST, seconds: float = 30) -> Minimum:
    return minimize(Minimization(compile_program(terms, objective), terms), Deadline(seconds), untold)


# ---- processes that are started ahead


def test_processes_that_wait_are_used_for_one_program_after_the_other() -> None:
    engines = highs.Engines()
    try:
        engines.start()
        ahead = set(workers())
        assert len(ahead) == len(highs.ENGINES)
        dearer = [ge(add(X, Y), 9), le(X, 2)]
        for terms, cost, most in ((EASY, 16, None), (dearer, 21, None), (EASY, None, 15), (EASY, 16, 16)):
            asked = Minimization(compile_program(terms, COST), terms, most=most)
            found = minimize(asked, Deadline(30 + BUSY), untold, engines)
            assert (found.cost, found.verified) == (cost, True)
            assert len(workers()) <= len(highs.ENGINES)
    finally:
        engines.close()
    assert eventually(lambda: not workers())


def test_a_process_that_is_still_at_work_gets_no_other_program() -> None:
    engines = highs.Engines()
    terms, objective = hard()
    try:
        engines.start()
        asked = Minimization(compile_program(terms, objective), terms)
        assert minimize(asked, Deadline(0.4), untold, engines).status == "unknown"
        began = time.monotonic()
        found = minimize(Minimization(compile_program(EASY, COST), EASY), Deadline(30 + BUSY), untold, engines)
        assert (found.status, found.cost) == ("optimal", 16)
        assert time.monotonic() - began < HANGS
    finally:
        engines.close()
    assert eventually(lambda: not workers())


# ---- the processes there are


def workers(module: str = MODULE, owner: int | None = None) -> list[int]:
    """The processes that run HiGHS for a process (this one by default)."""
    return list(processes.workers(module, owner))


# ---- answers


def test_answers_of_a_process() -> None:
    found = solved(EASY)
    assert (found.status, found.values, found.cost, found.lower_bound) == ("optimal", {X: 3, Y: 4}, 16, 16)
    assert solved([*EASY, le(Y, 3)]).status == "infeasible"
    assert solved([ge(X, 4), le(X, 3)]).status == "infeasible"  # seen without HiGHS


def test_the_time_is_up_in_the_middle() -> None:
    began = time.monotonic()
    terms, cost = hard()
    found = solved(terms, cost, 0.5)
    assert time.monotonic() - began < HANGS
    assert found.status == "unknown"
    assert "time" in found.reason.lower()
    assert found.lower_bound is None or 0 <= found.lower_bound <= 50
    assert solved(EASY, seconds=0).reason == TIME_UP


def test_a_process_that_is_killed() -> None:
    def kill() -> None:
        if eventually(lambda: bool(workers())):
            time.sleep(0.3)
            for worker in workers():
                os.kill(worker, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    terms, cost = hard()
    found = solved(terms, cost, 20)
    killer.join()
    assert found.status == "unknown"
    assert found.reason == "the solver's process ended unexpectedly"


def test_the_worker_ends_with_its_owner() -> None:
    """Also while HiGHS is at work."""
    script = "from tests.solve.backends import test_highs as t; t.solved(*t.hard(), 60)"
    owner = subprocess.Popen([sys.executable, "-c", script])
    try:
        assert eventually(lambda: len(workers(owner=owner.pid)) == 2, HANGS)
        both = workers(owner=owner.pid)
        time.sleep(0.2)
    finally:
        owner.kill()
        owner.wait()
    assert eventually(lambda: not any(map(runs, both)))


# ---- a worker that goes wrong


@pytest.mark.parametrize(
    ("how", "bound", "reason"),
    [
        ("crash", None, "the solver's process ended unexpectedly"),
        ("bound, then crash", 12, "the solver's process ended unexpectedly"),
        ("bound, then silence", 12, TIME_UP),
        ("nonsense", None, "the solver's process gave no sense"),
        ("no memory", None, "MemoryError"),
        ("false solution", None, "HiGHS gave a solution that is none"),
    ],
)
def test_what_goes_wrong_is_no_answer(
    monkeypatch: pytest.MonkeyPatch, how: str, bound: int | None, reason: str
) -> None:
    monkeypatch.setattr(highs, "MODULE", "tests.fixtures.broken_highs")
    monkeypatch.setenv("BROKEN", how)
    found = solved(EASY, seconds=1.5 if "silence" in how else 20)
    assert (found.status, found.cost, found.lower_bound, found.reason) == ("unknown", None, bound, reason)


def test_a_solution_outlives_the_process_that_found_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(highs, "MODULE", "tests.fixtures.broken_highs")
    monkeypatch.setenv("BROKEN", "solution, then crash")
    found = solved(EASY)
    assert (found.status, found.values, found.cost) == ("unknown", {X: 3, Y: 40}, 88)
    assert (found.lower_bound, found.reason) == (None, "the solver's process ended unexpectedly")


def test_what_is_known_before_the_end_is_told() -> None:
    told: list[int | None] = []
    stop = Stopper()

    def tell(phase: str, cost: int | None = None, bound: int | None = None) -> None:
        told.append(bound)
        if bound:
            stop.ask()

    terms, objective = hard()
    with stoppable(stop):
        found = minimize(Minimization(compile_program(terms, objective), terms), Deadline(4 + BUSY), tell)
    assert found.status == "unknown"
    assert found.lower_bound in told


def test_a_solution_of_another_process_ends_the_search_for_dearer_ones() -> None:
    """What may cost 15 at most has no solution; 16 has one."""
    program = compile_program(EASY, COST)
    with local_highs():
        assert minimize(Minimization(program, EASY, most=15), Deadline(30), untold).status == "infeasible"
        found = minimize(Minimization(program, EASY, most=16), Deadline(30), untold)
    assert (found.status, found.cost, found.verified) == ("optimal", 16, True)


def test_that_nothing_is_free_is_proved_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    """What may cost 0 at most: that all costs 1 and more is to be worked out, not that all costs 0 and more."""
    asked: list[float] = []
    proves = Certificate.proves

    def noted(certificate: Certificate, program: Program, least: float) -> bool:
        asked.append(least)
        return proves(certificate, program, least)

    monkeypatch.setattr(Certificate, "proves", noted)
    terms = [ge(add(X, Y), 1)]
    with local_highs():
        found = minimize(Minimization(compile_program(terms, add(X, Y)), terms, most=0), Deadline(30), untold)
    assert found.status == "infeasible"
    assert asked == [1]


# ---- what is closed is worked out again


def proof(terms: list[Term], objective: Term) -> tuple[Program, Certificate, int]:
    """A program, the tree that closes it, and the least cost."""
    program, certificate, costs = compile_program(terms, objective), Certificate(), []

    def tell(**line: Any) -> None:
        certificate.take(line)
        if "solution" in line:
            costs.append(program.cost(line["solution"]) - program.objective.constant)

    request = Race(Minimization(program, terms), untold).request(Deadline(30))
    assert highs_worker.solve("proof", request, tell)["status"] == "closed"
    return program, certificate, min(costs)


def knapsack() -> tuple[list[Term], Term]:
    """What takes some branching."""
    rng = Random(3)
    flags = [var(f"k{i}", BOOL) for i in range(12)]
    sums = [linear([(rng.randint(3, 17), f) for f in flags]) for _ in range(3)]
    return [ge(s, s.hi // 2) for s in sums], linear([(rng.randint(2, 9), f) for f in flags])


def test_a_tree_proves_the_least_cost_and_no_more() -> None:
    program, certificate, least = proof(*knapsack())
    assert certificate.splits
    assert certificate.proves(program, least)
    assert not certificate.proves(program, least + 1)


def test_a_tree_from_which_anything_is_missing_proves_nothing() -> None:
    program, certificate, least = proof(*knapsack())
    for node in list(certificate.closed):
        lacking = replace(certificate, closed={n: c for n, c in certificate.closed.items() if n != node})
        assert not lacking.proves(program, least)
    for node in list(certificate.splits):
        lacking = replace(certificate, splits={n: s for n, s in certificate.splits.items() if n != node})
        assert not lacking.proves(program, least)
    everything = (list(range(len(program.columns))), certificate.closed[min(certificate.closed)].parts)
    assert not replace(certificate, dropped=[everything]).proves(program, least)


def test_multipliers_that_are_changed_prove_no_more_than_is_so() -> None:
    """Whatever multipliers say, no bound above the least cost comes out."""
    program, certificate, least = proof(*knapsack())
    rng = Random(4)
    for _ in range(200):
        closed = {
            n: Closed([(r, m + rng.randint(-SCALE, SCALE)) for r, m in c.parts], rng.random() < 0.2)
            for n, c in certificate.closed.items()
        }
        assert not replace(certificate, closed=closed).proves(program, least + 1)


def test_that_there_is_no_solution_is_proved_by_rays() -> None:
    flags = [var(f"r{i}", BOOL) for i in range(5)]
    terms = [le(count(pair), 1) for pair in combinations(flags, 2)] + [ge(count(flags), 2)]
    program = compile_program(terms, count(flags))
    certificate = Certificate()
    request = Race(Minimization(program, terms), untold).request(Deadline(30))
    found = highs_worker.solve("proof", request, lambda **line: certificate.take(line))
    assert found == {"status": "closed"}
    assert certificate.splits
    assert certificate.proves(program, math.inf)


class Late(LpRelaxation):
    """A relaxation whose time is up right after its first run."""

    def _run(self, seconds: float) -> Any:
        status = super()._run(seconds)
        self._highs.setOptionValue("time_limit", 0.0)
        return status


@pytest.mark.parametrize("kind", [LpRelaxation, Late])
def test_why_there_is_no_solution_is_asked_with_time_of_its_own(kind: type[LpRelaxation]) -> None:
    """Presolve sees it without saying why; asked once more under the limit of the run before, HiGHS said nothing."""
    rows = [([(0, 1), (1, -1)], 0, 0), ([(0, 1), (1, -1), (2, 1)], None, 0), ([(2, 1), (0, 1)], 1, None)]
    rows.append(([(0, 1), (1, 1)], None, 0))
    program = HighsProgram({"columns": [(0, 5)] * 3, "rows": rows, "objective": [(0, 1)]})
    found = kind(program, program.open.nonzero()[0]).solve({}, 10.0)
    assert found is not None
    assert math.isinf(found.value)
    assert found.multipliers is not None


# ---- numbers on which floating point is tempted


@pytest.mark.parametrize("n", [1, 7, 999, 33_333])
def test_infeasible_by_one(n: int) -> None:
    """n flags' worth on one side and one more on the other: half a unit of slack would do, none is there."""
    even = [var(f"e{i}", IntSort(0, n)) for i in range(3)]
    with local_highs():
        assert solved([eq(linear([(2, v) for v in even]), 2 * n + 1)]).status == "infeasible"
        assert solved([eq(linear([(6, even[0]), (10, even[1]), (15, P)]), 29)], even[1]).status == "infeasible"


@pytest.mark.parametrize("n", [10, 1000, 30_000])
def test_a_flag_cannot_be_a_little_true(n: int) -> None:
    """With a tolerance of 1e-6 and a large factor a flag that counts as 0 lets something through."""
    most = var("most", IntSort(0, n))
    with local_highs():
        found = solved([implies(not_(P), le(most, 0)), ge(most, 1)], linear([(n, P), (1, most)]))
    assert (found.status, found.cost, found.values) == ("optimal", n + 1, {P: 1, most: 1})


def test_near_ties() -> None:
    """Costs that differ by one in ten thousand, and an optimum that is no corner of the relaxation."""
    rng = Random(5)
    with local_highs():
        for _ in range(30 if MORE else 6):
            ks = [rng.randint(5_000, 9_999) for _ in range(8)]
            flags = [var(f"t{i}", BOOL) for i in range(8)]
            need = rng.randint(sum(ks) // 4, sum(ks) // 2)
            total = linear(zip(ks, flags, strict=True))
            sums = {sum(k for i, k in enumerate(ks) if chosen >> i & 1) for chosen in range(256)}
            found = solved([ge(total, need)], total)
            assert (found.status, found.cost) == ("optimal", min(s for s in sums if s >= need))


def test_large_numbers_are_right_or_refused() -> None:
    rng = Random(6)
    flags = [var(f"l{i}", BOOL) for i in range(6)]
    outcomes = set()
    with local_highs():
        for _ in range(40):
            size = 10 ** rng.randint(3, 7)
            ks = [rng.randint(size // 2, size) for _ in flags]
            total = linear(zip(ks, flags, strict=True))
            sums = {sum(k for i, k in enumerate(ks) if chosen >> i & 1) for chosen in range(64)}
            need = rng.choice(sorted(sums)) + rng.choice((-1, 0, 1))
            terms = [or_(eq(total, need), le(total, -1))]
            try:
                found = solved(terms, integer(0))
            except Unsupported:
                outcomes.add("refused")
                assert max(ks) > LARGEST or need > LARGEST
            else:
                outcomes.add(found.status)
                assert found.status in ("unknown", "optimal" if need in sums else "infeasible")
    assert {"refused", "optimal", "infeasible"} <= outcomes
