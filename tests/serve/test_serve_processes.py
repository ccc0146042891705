"""The processes of the page's server: what one question costs the others, and what is left of them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.loops import in_a_loop
from tests.fixtures.pace import BUSY, HANGS
from tests.fixtures.processes import below, children, eventually, runs
from tests.fixtures.serving import Json, codes
from tests.fixtures.web_server import LONG, Serving, all_of, serving, unchunked
from tests.toys.three_hills import ENDLESS, NAME, written
from vclogic import child_process
from vclogic.serve.web import serve_process as process_module
from vclogic.serve.web import serve_processes as processes_module
from vclogic.serve.web.guard import Busy
from vclogic.serve.web.serve_process import PageQuestion, ServeProcess
from vclogic.serve.web.serve_processes import ServeProcesses

PATIENCE = 5.0
AXIS = {"game": "axis_allies"}
QUICK = {"ask": "value", "moment": AXIS, "expressions": "vcp(Axis)"}
NEVER = {"ask": "legal", "moment": {"game": NAME}}
SEARCH = "a name that nobody guesses"


# ---- rules that do not return


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a game whose legal events are never told."""
    folder = tmp_path_factory.mktemp("packages")
    written(folder, ENDLESS)
    return folder


def serve_processes(server: Serving) -> dict[int, list[str]]:
    """The processes that a server has started."""
    return children(server.process.pid)


def sent(server: Serving, **question: Any) -> socket.socket:
    line = server.connect()
    line.sendall(server.post(json.dumps(question).encode()))
    return line


def searching(server: Serving) -> bool:
    """Whether a process has started what searches."""
    return any(below(process) for process in serve_processes(server))


def answer(line: socket.socket, before: bytes = b"") -> Json:
    """The answer, of whose replies something was read before."""
    head, _, body = (before + all_of(line)).partition(b"\r\n\r\n")
    found: Json = json.loads(unchunked(head, body).splitlines()[-1])
    return found


def stuck(pid: int) -> Callable[[], bool]:
    """Whether a process has worked for a second more since this was first asked."""
    before = _worked(pid)
    return lambda: _worked(pid) - before > os.sysconf("SC_CLK_TCK")


def _worked(pid: int) -> int:
    return sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]))


def test_a_rule_that_does_not_return_costs_its_own_question(tmp_path: Path, packages: Path) -> None:
    with serving(tmp_path, "--workers", "1", patience=PATIENCE, packages=packages) as server:
        search = sent(server, **LONG, id=SEARCH)
        begun = search.recv(1 << 12)
        assert eventually(lambda: searching(server))
        (process,) = serve_processes(server)
        never = sent(server, **NEVER, id="never")
        others = [sent(server, **QUICK, id=n) for n in range(3)]
        found = answer(never)
        assert (found["id"], codes(found["answer"])) == ("never", ["time-up"])
        assert found["answer"]["errors"][0]["message"] == "no answer within 5 s: the question was ended"
        assert [(a["id"], a["answer"]["values"]) for a in map(answer, others)] == [(n, [26]) for n in range(3)]
        assert eventually(lambda: not runs(process))
        assert eventually(lambda: searching(server))  # it has begun anew
        assert server.ask({"ask": "cancel", "request": SEARCH})[1][-1]["answer"]["cancelled"]
        last = answer(search, begun)
        assert (last["id"], last["cancelled"]) == (SEARCH, True)


def test_a_search_whose_moment_is_never_made_costs_itself(tmp_path: Path, packages: Path) -> None:
    with serving(tmp_path, "--workers", "1", patience=PATIENCE, packages=packages) as server:
        moment = {"game": NAME, "steps": ["end"]}
        first = sent(server, **QUICK)
        never = sent(server, ask="reach", moment=moment, goal="true", id="never")
        quick = sent(server, **QUICK)
        assert answer(first)["answer"]["values"] == [26]
        assert codes(answer(never)["answer"]) == ["time-up"]
        assert answer(quick)["answer"]["values"] == [26]


def test_a_process_that_ends_costs_the_question_that_it_works_on(tmp_path: Path, packages: Path) -> None:
    with serving(tmp_path, "--workers", "1", packages=packages) as server:
        search = sent(server, **LONG)
        assert eventually(lambda: searching(server))
        (process,) = serve_processes(server)
        never = sent(server, **NEVER)
        quick = sent(server, **QUICK)
        assert eventually(stuck(process))
        os.kill(process, signal.SIGKILL)
        assert "ended unexpectedly" in answer(never)["answer"]["errors"][0]["message"]
        assert answer(quick)["answer"]["values"] == [26]
        assert eventually(lambda: searching(server))  # it has begun anew
        (process,) = serve_processes(server)
        os.kill(process, signal.SIGKILL)
        assert b"ended unexpectedly" in all_of(search)


def test_a_process_that_is_stuck_ends_with_its_server(tmp_path: Path, packages: Path) -> None:
    with serving(tmp_path, "--workers", "1", packages=packages) as server:
        search = sent(server, **LONG)
        assert eventually(lambda: searching(server))
        (process,) = serve_processes(server)
        never = sent(server, **NEVER)
        assert eventually(stuck(process))
        its_own = below(server.process.pid)
        assert len(its_own) >= 2
        server.process.kill()
        server.process.wait(HANGS)
        assert eventually(lambda: not any(map(runs, its_own)))
        for line in (search, never):
            line.close()


# ---- what a process imports


def test_no_code_of_the_folder_runs(tmp_path: Path, packages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where an empty entry of the environment's path stands for it; games on that path are found."""
    ran = tmp_path / "ran"
    for name in ("sitecustomize", "usercustomize", "yaml", "z3", "json", "signal", "numpy", "vclogic_encodings"):
        (tmp_path / f"{name}.py").write_text(f"open({str(ran)!r}, 'a').write('{name} ')\n")
    path = os.pathsep.join(("", os.environ.get("PYTHONPATH", "")))
    monkeypatch.setenv("PYTHONPATH", path)
    with serving(tmp_path, "--workers", "1", packages=packages) as server:
        assert server.ask(QUICK)[1][-1]["answer"]["values"] == [26]
        own = {"ask": "value", "moment": {"game": NAME}, "expressions": "1 + 1"}
        assert server.ask(own)[1][-1]["answer"]["values"] == [2]
        search = {"ask": "plan", "moment": AXIS, "goal": "vcp(Axis) >= 33"}
        assert server.ask(search)[1][-1]["answer"]["status"] == "optimal"
        assert not ran.exists(), ran.read_text()


# ---- processes in this process


@asynccontextmanager
async def open_processes(number: int, folder: Path) -> AsyncIterator[ServeProcesses]:
    processes = ServeProcesses(number, str(folder))
    await processes.start()
    try:
        yield processes
    finally:
        await processes.end()


def run(talk: Coroutine[Any, Any, None]) -> None:
    in_a_loop(talk, 60 + 2 * BUSY)


async def asked(processes: ServeProcesses, **question: Any) -> Json:
    """The answer to a question."""
    async with aclosing(processes.ask(question)) as lines:
        *_, last = [line async for line in lines]
    found: Json = json.loads(last)
    return found


async def begun(processes: ServeProcesses, **question: Any) -> Any:
    """The replies to a question whose first one has come."""
    lines = processes.ask(question)
    await anext(lines)
    return lines


async def waits(processes: ServeProcesses, **question: Any) -> asyncio.Task[Json]:
    """A question that is asked, and waits."""
    task = asyncio.create_task(asked(processes, **question))
    await asyncio.sleep(0)
    return task


def test_a_question_that_waits_can_be_cancelled(tmp_path: Path) -> None:
    async def talk() -> None:
        async with open_processes(1, tmp_path) as processes:
            first = await begun(processes, **LONG)
            task = await waits(processes, **LONG, id=SEARCH)
            assert (await asked(processes, ask="cancel", request=SEARCH))["answer"]["cancelled"]
            found = await task
            assert (found["id"], codes(found["answer"]), found["cancelled"]) == (SEARCH, ["cancelled"], True)
            assert not (await asked(processes, ask="cancel", request=SEARCH))["answer"]["cancelled"]
            await first.aclose()

    run(talk())


def test_a_limit_of_time_counts_from_the_arrival(monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.monotonic()
    questions = [PageQuestion({"ask": ask, "timeout": 30}) for ask in ("plan", "status", "plan")]
    usual, wrong = PageQuestion({"ask": "reach"}), PageQuestion({"ask": "reach", "timeout": "30"})
    assert questions[0].told() == {"ask": "plan", "timeout": 30}
    monkeypatch.setattr(time, "monotonic", lambda: now + 12)
    assert questions[0].told()["timeout"] == pytest.approx(18, abs=0.2)
    assert questions[1].told()["timeout"] == 30
    assert usual.told()["timeout"] == pytest.approx(48, abs=0.2)
    assert wrong.told()["timeout"] == "30"
    monkeypatch.setattr(time, "monotonic", lambda: now + 50)
    assert 0 < questions[2].told()["timeout"] < 0.001


def test_processes_that_have_all_died_are_replaced(tmp_path: Path) -> None:
    async def talk() -> None:
        async with open_processes(2, tmp_path) as processes:
            for _ in range(3):
                assert (await asked(processes, **QUICK))["answer"]["values"] == [26]
                kill_processes()
            assert (await asked(processes, **QUICK))["answer"]["values"] == [26]

    run(talk())


def kill_processes() -> None:
    """Kills them; this process has not been told of their ends yet."""
    assert eventually(children_serving)  # one that has just been started is not called so yet
    for pid in (processes := children_serving()):
        os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: all(map(ended, processes)))


def ended(pid: int) -> bool:
    """Whether a process has ended with all its threads, so that its pipes are closed."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state == "Z" and len(os.listdir(f"/proc/{pid}/task")) == 1
    except (FileNotFoundError, ProcessLookupError):
        return True


def children_serving() -> list[int]:
    return [pid for pid, words in children().items() if any("serve_confined" in w for w in words)]


def test_a_process_that_has_ended_says_so_at_once(tmp_path: Path) -> None:
    async def talk() -> None:
        lost: list[PageQuestion] = []
        process = ServeProcess(str(tmp_path), PATIENCE, lambda process: None, lost.append)
        await process.start()
        await process.end()
        while not process.over:
            await asyncio.sleep(0.01)
        question = PageQuestion(QUICK)
        process.ask(question)
        assert lost == [question]
        assert (question.tries, process.load) == (1, 0)

    run(talk())


def test_half_a_line_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    half = "import sys; [sys.stdin.readline() for _ in '12']; print('{\"id\":1,\"answer\":{\"a\"', end='')"
    monkeypatch.setattr(process_module, "_START", half)

    async def talk() -> None:
        async with open_processes(1, tmp_path) as processes:
            found = await asked(processes, **QUICK, id=7)
            assert (found["id"], codes(found["answer"])) == (7, ["internal"])

    run(talk())


def test_without_processes_questions_are_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def talk() -> None:
        async with open_processes(1, tmp_path) as processes:
            monkeypatch.setattr(ServeProcess, "start", none_can_be_started)
            kill_processes()
            assert codes((await asked(processes, **QUICK))["answer"]) == ["shortage"]
            assert codes((await asked(processes, **LONG))["answer"]) == ["shortage"]
            monkeypatch.undo()
            assert (await asked(processes, **QUICK))["answer"]["values"] == [26]

    async def none_can_be_started(process: ServeProcess) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    run(talk())


def test_the_memory_of_workers_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    below = "held = b'x' * (200 << 20); print(flush=True); input()"
    owner = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {below!r}])"
    with subprocess.Popen([sys.executable, "-c", owner], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert 190 << 20 < child_process.memory(process.pid) < 400 << 20
        child_process.kill(process.pid)
    assert child_process.memory(process.pid) == 0

    async def talk() -> None:
        async with open_processes(1, tmp_path) as processes:
            await asked(processes, **QUICK)
            (pid,) = children_serving()
            monkeypatch.setattr(processes_module, "MOST_MEMORY", 1)
            await asked(processes, **QUICK)
            monkeypatch.undo()
            await asked(processes, **QUICK)
            assert pid not in children_serving()

    run(talk())


def test_a_search_does_not_wait_for_one_that_nobody_waits_for(tmp_path: Path) -> None:
    """It gets the idle process, however long the other one takes to end."""

    async def talk() -> None:
        async with open_processes(2, tmp_path) as processes:
            first = await begun(processes, **LONG)
            (busy,) = [pid for pid in children_serving() if below(pid)]
            os.kill(busy, signal.SIGSTOP)
            await first.aclose()
            found = await asked(processes, ask="reach", moment=AXIS, goal="vcp(Axis) >= 70")
            assert found["answer"]["status"] == "unreachable"

    run(talk())


def test_so_many_quick_questions_may_be_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes_module, "MOST_QUICK", 3)

    async def talk() -> None:
        async with open_processes(1, tmp_path) as processes:
            tasks = [await waits(processes, **QUICK) for _ in range(3)]
            with pytest.raises(Busy):
                await asked(processes, **QUICK)
            assert [(await task)["answer"]["values"] for task in tasks] == [[26]] * 3
            assert (await asked(processes, **QUICK))["answer"]["values"] == [26]

    run(talk())
