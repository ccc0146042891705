"""Worker processes: what they import, what is made of what they print, and what holds where none can be started."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.fixtures.bad_workers import Hostile, descriptors, few_descriptors, worker_that
from tests.fixtures.pace import HANGS, cases
from tests.fixtures.processes import children, workers
from tests.solve.backends import test_highs
from tests.toys.unreachable import ledger
from vclogic import child_process
from vclogic.clock import TIME_UP, Deadline
from vclogic.encode.linear.terms import compile_program
from vclogic.solve.backends.highs import ENGINES as ROLES
from vclogic.solve.backends.highs import MODULE
from vclogic.solve.backends.kept import process_of
from vclogic.solve.backends.messages import of_highs, of_z3
from vclogic.solve.backends.session import FAST, Session
from vclogic.solve.backends.solvers import ENDED, NO_SENSE, WORKER, Process, Watch
from vclogic.solve.backends.z3_engine import ENGINES, PROVERS
from vclogic.solve.proofs.race import spacer
from vclogic.solve.searches.milp_search import solution_by_z3
from vclogic.terms.atoms import var
from vclogic.terms.build import not_, or_
from vclogic.terms.sorts import BOOL

ROOT = Path(__file__).parents[3]
P, Q = var("p", BOOL), var("q", BOOL)
KINDS = [*((engine, WORKER) for engine in (*ENGINES, *PROVERS)), *((engine, MODULE) for engine in ROLES)]


pytestmark = pytest.mark.usefixtures("nothing_left")


@pytest.fixture(autouse=True)
def _no_descriptor_is_left() -> Iterator[None]:
    before = descriptors()
    yield
    assert descriptors() <= before  # some that tests before it have left may be gone


def answered(engine: str, module: str) -> str:
    """What a worker says to a question that has an answer; or why it says nothing."""
    request = {"id": 1, "text": "(declare-const a Bool)(assert a)", "assume": []}
    if module == MODULE:
        request |= {"columns": [[0, 9]], "rows": [[[[0, 1]], 4, None]], "objective": [[0, 1]]}
        request |= {"first": [], "best": None, "seconds": 20}
    worker = Process(engine, module, of_highs(1, 1) if module == MODULE else of_z3)
    try:
        worker.send(request)
        with Watch() as watch:
            worker.register(watch)
            while worker.alive:
                for _, events in watch.select(20):
                    for answer in worker.handle(watch, events):
                        if "status" in answer:
                            return str(answer["status"])
        return worker.failure
    finally:
        worker.close()


# ---- nothing foreign runs


@pytest.mark.parametrize(("engine", "module"), KINDS, ids=[engine for engine, _ in KINDS])
def test_a_worker_runs_nothing_of_the_folder_in_which_it_is_started(
    engine: str, module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = Hostile(tmp_path / "hostile")
    folder = str(hostile.folder)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", ["", ".", folder, *sys.path])
    for name in ("PYTHONPATH", "PYTHONHOME"):
        monkeypatch.setenv(name, folder)
    monkeypatch.setenv("PYTHONSTARTUP", str(hostile.startup))
    assert answered(engine, module) == {"plans": "optimal", "proof": "closed"}.get(engine, "sat")
    assert hostile.ran == ""


def test_the_folder_of_a_script_is_no_place_for_a_worker_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = Hostile(tmp_path / "hostile")
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(hostile.folder / "script.py"), raising=False)
    monkeypatch.setattr(sys, "path", [str(hostile.folder), *sys.path])
    assert answered("merging", WORKER) == "sat"
    assert hostile.ran == ""


@pytest.mark.parametrize(("engine", "module", "first"), [("plain", WORKER, "z3"), ("plans", MODULE, "highspy")])
def test_a_hostile_folder_would_be_noticed(engine: str, module: str, first: str, tmp_path: Path) -> None:
    hostile = Hostile(tmp_path / "hostile")
    with patch.object(child_process, "_folders", lambda: [str(ROOT), str(hostile.folder)]):
        assert answered(engine, module) in (ENDED, "unknown")
    assert hostile.ran == f"{first}\n"


def test_the_library_of_z3_is_not_taken_from_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Python part of z3 looks there first."""
    import z3

    for library in (Path(z3.__file__).parent / "lib").glob("libz3*"):
        shutil.copy(library, tmp_path)
    monkeypatch.chdir(tmp_path)
    with Session(Deadline(20), ("merging",)) as session:
        session.add(P)
        assert session.check().verdict == "sat"
        (pid,) = children()
        assert Path(f"/proc/{pid}/cwd").resolve() == Path("/")
        mapped = Path(f"/proc/{pid}/maps").read_text()
    assert "libz3" in mapped
    assert str(tmp_path) not in mapped


def test_vclogic_may_stand_in_the_working_directory_with_all_that_it_needs(tmp_path: Path) -> None:
    """As it does where everything was installed into one folder: that is the place where its owner found it."""
    import z3

    for name, folder in (("vclogic", ROOT / "vclogic"), ("z3", Path(z3.__file__).parent)):
        (tmp_path / name).symlink_to(folder)
    code = (
        "from vclogic.clock import Deadline; from vclogic.solve.backends.session import Session\n"
        "from vclogic.terms import atoms, sorts\n"
        "with Session(Deadline(20)) as s: s.add(atoms.var('p', sorts.BOOL)); print(s.check().verdict)"
    )
    words = [sys.executable, "-S", "-c", code]
    found = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (found.stdout, found.stderr) == ("sat\n", "")


def test_a_working_directory_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    try:
        assert answered("merging", WORKER) == "sat"
    finally:
        os.chdir(tmp_path)


# ---- what is printed by accident


def test_what_a_worker_prints_by_accident_is_no_answer() -> None:
    """It would say `unsat` to what can be."""
    noisy = "tests.fixtures.noisy_worker"
    with patch.object(process_of, "__defaults__", (noisy, of_z3)), Session(Deadline(20)) as session:
        session.add(or_(P, Q))
        for _ in range(3):
            assert session.check().verdict == "sat"
        session.add(not_(P))
        assert session.check(not_(Q)).verdict == "unsat"
        assert set(workers(noisy).values()) == set(FAST)


WAITS = "; time.sleep(60)"
GARBAGE = {
    "a word": "print('Warning: not JSON', flush=True)",
    "an empty line": "print(flush=True)",
    "a list": "say([1, 2])",
    "a number": "say(3)",
    "null": "say(None)",
    "no id": "say({'status': 'unsat'})",
    "a flag for an id": "say({'id': True, 'status': 'unsat'})",
    "an id of the past": "say({'id': 0, 'status': 'unsat'})",
    "an id of the future": "say({'id': n + 1, 'status': 'unsat'})",
    "no status": "say({'id': n})",
    "another status": "say({'id': n, 'status': 'perhaps'})",
    "a list for a status": "say({'id': n, 'status': ['sat']})",
    "no reason": "say({'id': n, 'status': 'unknown'})",
    "a number for a reason": "say({'id': n, 'status': 'unknown', 'reason': 3})",
    "no model": "say({'id': n, 'status': 'sat'})",
    "a list for a model": "say({'id': n, 'status': 'sat', 'model': [1]})",
    "words for numbers": "say({'id': n, 'status': 'sat', 'model': {'p': 'x', 'q': '1'}})",
    "half a flag": "say({'id': n, 'status': 'sat', 'model': {'p': 0.5, 'q': None}})",
    "bytes": "os.write(1, b'\\xff\\xfe\\x00\\n')",
    "no number": 'print(\'{"id": %d, "bound": NaN}\' % n, flush=True)',
    "an infinite bound": 'print(\'{"id": %d, "bound": 1e999}\' % n, flush=True)',
    "a bound of many digits": "print('{\"id\": %d, \"bound\": 1%s}' % (n, '0' * 400), flush=True)",
    "a number of too many digits": "print('{\"id\": 1%s}' % ('0' * 9000), flush=True)",
    "a deep nest": "print('[' * 200_000, flush=True)",
    "a bound that is a word": "say({'id': n, 'bound': 'high'})",
    "a solution of too many": "say({'id': n, 'status': 'optimal', 'reason': '', 'solution': [0.0] * 99})",
    "a solution of words": "say({'id': n, 'solution': ['a', 'b', 'c']})",
    "optimal without a solution": "say({'id': n, 'status': 'optimal', 'bound': 1.0})",
    "without an end": "[os.write(1, b'x' * (1 << 16)) for _ in range(1200)]",
}
ENDINGS = {
    "half a line and out": 'os.write(1, b\'{"id": 1, "sta\'); os._exit(0)',
    "its output closed": "os.close(1)" + WAITS,
    "killed by itself": "os.kill(os.getpid(), 9)",
    "a fault": "os.kill(os.getpid(), 11)",
}
SILENCE = {
    "half a line": "os.write(1, b'{\"id\": 1')" + WAITS,
    "not a word": "time.sleep(60)",
    "bounds for ever": "\nwhile True: say({'id': n, 'bound': 0.5})",
}
Asked = tuple[str, str]


def session_says(seconds: float) -> Asked:
    """The verdict on what can be, and the reason."""
    with Session(Deadline(seconds)) as session:
        session.add(or_(P, Q))
        answer = session.check()
        again = session.check(P)
        assert (again.verdict, again.reason) == (answer.verdict, answer.reason)
    return answer.verdict, answer.reason


def exact_says(seconds: float) -> Asked:
    """The same of z3 on the rows of a program."""
    answer = solution_by_z3(compile_program(test_highs.EASY, test_highs.COST), 16, test_highs.EASY, Deadline(seconds))
    return answer.verdict, answer.reason


def highs_says(seconds: float) -> Asked:
    """The same of HiGHS."""
    found = test_highs.solved(test_highs.EASY, seconds=seconds)
    assert (found.cost is None) == (found.status == "unknown")
    return found.status, found.reason


def spacer_says(seconds: float) -> Asked:
    """Whether Spacer claims anything."""
    with spacer(ledger()) as prover:
        prover.wait(seconds)
        assert not prover.laws
        return "unknown", prover.failure or TIME_UP


ASKING = {"session": session_says, "exact": exact_says, "highs": highs_says, "spacer": spacer_says}


@pytest.mark.parametrize("ask", ASKING.values(), ids=ASKING)
@pytest.mark.parametrize("what", cases(GARBAGE, *list(GARBAGE)[::4]))
def test_what_is_no_answer_is_unknown(what: str, ask: Callable[[float], Asked]) -> None:
    with worker_that(GARBAGE[what] + WAITS):
        verdict, reason = ask(20)
    assert (verdict, reason) == ("unknown", NO_SENSE)


@pytest.mark.parametrize("ask", ASKING.values(), ids=ASKING)
@pytest.mark.parametrize("what", ENDINGS)
def test_a_worker_that_ends_is_unknown(what: str, ask: Callable[[float], Asked]) -> None:
    with worker_that(ENDINGS[what]):
        assert ask(20) == ("unknown", ENDED)


@pytest.mark.parametrize("ask", ASKING.values(), ids=ASKING)
@pytest.mark.parametrize("what", SILENCE)
def test_the_deadline_holds_whatever_a_worker_does(what: str, ask: Callable[[float], Asked]) -> None:
    began = time.monotonic()
    with worker_that(SILENCE[what]):
        verdict, reason = ask(0.7)
    assert time.monotonic() - began < HANGS
    assert (verdict, reason) in (("unknown", TIME_UP), ("unknown", NO_SENSE))


@pytest.mark.parametrize(
    "what", cases([*GARBAGE, *ENDINGS, *SILENCE], *list(GARBAGE)[::8], *list(ENDINGS)[:1], *list(SILENCE)[:1])
)
def test_another_engine_answers_where_one_has_gone_wrong(what: str) -> None:
    does = {**GARBAGE, **ENDINGS, **SILENCE}[what]
    with worker_that(does + WAITS, lambda engine: engine == "merging"), Session(Deadline(20)) as session:
        session.add(or_(P, Q))
        assert session.check().verdict == "sat"
        session.add(not_(P))
        assert session.check(not_(Q)).verdict == "unsat"


def test_an_answer_that_comes_twice_is_the_end_of_its_worker() -> None:
    answer = "{'id': n, 'status': 'sat', 'model': {'p': 1}}"
    with worker_that(f"say({answer}, {answer}){WAITS}"), Session(Deadline(20), ("merging",)) as session:
        session.add(P)
        assert session.check().verdict == "sat"  # the first is right
        assert session.check(P).reason == NO_SENSE


def test_an_answer_before_the_question_is_none() -> None:
    says = "say({'id': n, 'status': 'sat', 'model': {'p': 1}}, {'id': n + 1, 'status': 'unsat'})"
    with worker_that(says + WAITS), Session(Deadline(20), ("merging",)) as session:
        session.add(P)
        assert session.check().verdict == "sat"
        time.sleep(0.1)
        assert session.check(P).verdict == "unknown"


# ---- none can be started


@pytest.mark.parametrize("count", cases(range(9), 0, 3, 6))
def test_few_file_descriptors(count: int) -> None:
    """A solver that can be started answers; of others nothing is left, whatever step failed."""
    with few_descriptors(count):
        found = {name: ask(20) for name, ask in ASKING.items() if name != "spacer"}
        claims = spacer_says(0)
    lacking = "not enough file descriptors to start a solver"
    assert set(found.values()) <= {("unknown", lacking), ("sat", ""), ("optimal", "")}
    assert claims[1] in (lacking, TIME_UP)
