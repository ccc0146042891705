"""z3 in this process, in slices: the answers of processes, whatever is cut short, and within the time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from unittest.mock import patch

import pytest
import z3

from tests.fixtures.pace import BUSY, HANGS, MORE
from tests.solve.backends.test_engines import problems
from tests.solve.backends.test_session import pigeons
from vclogic.clock import TIME_UP, Deadline, Stopper, stoppable
from vclogic.solve.backends import kept, solvers
from vclogic.solve.backends.session import FAST, GIVEN_UP, Session
from vclogic.solve.backends.solvers import Inside, Watch
from vclogic.solve.backends.z3_engine import ENGINES, LIMIT, Solver
from vclogic.terms.atoms import var
from vclogic.terms.build import ge, le, not_, or_
from vclogic.terms.sorts import BOOL, IntSort

P, Q = var("p", BOOL), var("q", BOOL)
X = var("x", IntSort(0, 2))


@pytest.fixture
def here() -> Iterator[None]:
    """Sessions run in this process."""
    with patch.object(kept, "APART", False):
        yield


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("pure", [True, False])
def test_slices_that_are_too_short_change_no_answer(engine: str, pure: bool) -> None:
    """Each is begun anew: what z3 holds where its limit was reached may be half translated."""
    short = 0
    with patch.object(solvers, "_FIRST", 1e-9), patch.object(solvers, "_LEAST", 3):
        for problem in problems(pure, 6 if MORE else 2):
            solver = Inside(engine)
            for number, ((text, assume), right) in enumerate(zip(problem.asked, problem.right, strict=True), 1):
                solver.send({"id": number, "text": text, "assume": assume})
                while not solver.answered:
                    solver._slice = max(solver._slice, 1e-7)
                    solver.work(60.0)
                    short += not solver.answered
                with Watch() as watch:
                    (answer,) = solver.handle(watch, 0)
                assert (answer["id"], answer["status"]) == (number, "sat" if right else "unsat")
    assert short > (20 if MORE else 6)


@pytest.mark.usefixtures("here")
def test_a_session_is_as_with_processes() -> None:
    with Session(Deadline(30), FAST[:1]) as asked:
        asked.add(or_(P, Q), le(X, 1))
        for _ in range(2):
            given_up = asked.check(*pigeons(12), seconds=0.2)
            assert (given_up.verdict, given_up.reason) == ("unknown", GIVEN_UP)
        asked.add(not_(Q))
        answer = asked.check(ge(X, 1))
        assert answer.verdict == "sat"
        assert (answer.values[P], answer.values[Q], answer.values[X]) == (1, 0, 1)
        refuted = asked.check(P, ge(X, 2))
        assert (refuted.verdict, refuted.core) == ("unsat", (ge(X, 2),))
        assert [type(solver) for solver in asked._processes] == [Inside]


@pytest.mark.usefixtures("here")
def test_a_limit_of_effort_is_that_of_processes() -> None:
    with Session(Deadline(30), FAST[:1]) as asked:
        given_up = asked.check(*pigeons(12), effort=100_000)
        assert (given_up.verdict, given_up.reason) == ("unknown", LIMIT)
        assert asked.check(*pigeons(5), effort=100_000_000).verdict == "unsat"


@pytest.mark.usefixtures("here")
def test_the_deadline_holds() -> None:
    began = time.monotonic()
    with Session(Deadline(1.0), FAST[:1]) as asked:
        answer = asked.check(*pigeons(13))
    assert (answer.verdict, answer.reason) == ("unknown", TIME_UP)
    assert time.monotonic() - began < HANGS


@pytest.mark.usefixtures("here")
def test_work_that_can_be_stopped_is_not_cut_to_pieces() -> None:
    """Processes are waited for moment by moment then; a slice as short as that would never come to an end."""
    with stoppable(Stopper()), Session(Deadline(60 + BUSY)) as asked:
        assert asked.check(*pigeons(7)).verdict == "unsat"


@pytest.mark.parametrize("engine", ENGINES)
def test_a_solver_whose_check_ended_by_an_exception_is_made_anew(engine: str) -> None:
    solver = Solver(engine)
    solver.add("(declare-const p Bool)", ["p"])
    before = solver._solver
    with patch.object(before, "check", side_effect=z3.Z3Exception("out of memory")), pytest.raises(z3.Z3Exception):
        solver.check(["p"], 100_000)
    assert solver.broken
    solver.add("(assert (not p))", ["p"])
    solver.check(["p"], 100_000)
    assert (solver.answer()["status"], solver.broken) == ("unsat", False)
    assert solver._solver.ctx != before.ctx


@pytest.mark.usefixtures("here")
def test_what_z3_cannot_read_ends_the_solver() -> None:
    with Session(Deadline(20), ("merging",)) as asked:
        asked.add(P)
        asked._pending.append("(assert nothing-of-that-name)")
        answer = asked.check()
        assert (answer.verdict, asked._processes) == ("unknown", [])
        assert "unknown constant" in answer.reason
        assert asked.check().verdict == "unknown"
