"""Child processes: lines both ways without waiting, and an end that leaves nothing behind."""

from __future__ import annotations

import os
import select
import signal
import sys
from dataclasses import replace

import pytest

from tests.fixtures.pace import BUSY
from tests.fixtures.processes import below, eventually, nothing_left, runs
from vclogic.child_process import Child, StartMethod, at_work, isolated, memory

SAYS = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)"
SLEEPS = "import time; time.sleep(600)"
STARTS = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {SLEEPS!r}], stdout=-3)"
STUCK = "from vclogic.child_process import end_with_owner; end_with_owner(0); print(flush=True)\nwhile True: pass"


def said(child: Child) -> list[bytes] | None:
    """What it says next; None: nothing more."""
    while not (lines := child.lines()) and lines is not None:
        poll = select.poll()
        poll.register(child.out, select.POLLIN)
        if child.unsent:
            poll.register(child.into, select.POLLOUT)
        assert poll.poll(1000 * BUSY)
        child.send()
    return lines


@pytest.mark.parametrize("start", [at_work, isolated])
def test_lines_both_ways(start: object) -> None:
    with nothing_left():
        child = Child(at_work(SAYS) if start is at_work else isolated(SAYS))
        assert child.lines() == []
        child.tell(b"abc\nde")
        assert said(child) == [b"cba"]
        child.tell(b"f\n")
        assert said(child) == [b"fed"]
        assert not child.over
        assert child.end() == -signal.SIGKILL
        assert child.end() == -signal.SIGKILL


def test_who_does_not_read_holds_up_nobody() -> None:
    child = Child(at_work("import sys; sys.stdin.readline(); print(len(sys.stdin.read(1 << 20)))"))
    child.tell(b"\n" + b"x" * (1 << 20))
    assert child.unsent
    assert said(child) == [str(1 << 20).encode()]
    assert child.end() is not None


def test_half_a_line_and_an_end() -> None:
    child = Child(at_work("print('whole'); print('half', end='')"))
    assert said(child) == [b"whole"]
    assert said(child) is None
    assert child.unfinished == len("half")
    assert eventually(lambda: child.over)
    child.tell(b"nobody hears it\n")
    assert child.deaf
    assert child.end() == 0


@pytest.mark.parametrize(("group", "killed"), [(True, False), (True, True), (False, False)])
def test_all_that_it_started_ends_with_it(group: bool, killed: bool) -> None:
    child = Child(replace(at_work(STARTS), group=group))
    assert eventually(lambda: below(child.pid))
    started = below(child.pid)
    assert memory(child.pid) > memory(next(iter(started))) > 0
    if killed:  # by somebody else
        os.kill(child.pid, signal.SIGKILL)
        assert said(child) is None
    child.end()
    assert eventually(lambda: not any(map(runs, (child.pid, *started))))


def test_it_ends_with_its_owner_even_while_it_is_stuck() -> None:
    owner = Child(
        at_work(f"from vclogic.child_process import Child, at_work; c = Child(at_work({STUCK!r})); input()")
    )
    assert eventually(lambda: below(owner.pid))
    stuck = below(owner.pid)
    os.kill(owner.pid, signal.SIGKILL)
    assert eventually(lambda: not any(map(runs, stuck)))
    owner.end()


def test_one_that_cannot_start_leaves_no_descriptor_open() -> None:
    before = len(os.listdir("/dev/fd"))
    with pytest.raises(OSError, match="No such file"):
        Child(StartMethod(["/no such program"]))
    assert len(os.listdir("/dev/fd")) == before


def test_how_it_starts_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/inherited")
    child = Child(at_work("import os, sys; print(os.environ.get('PYTHONPATH'), os.getcwd(), '' in sys.path)", "/"))
    assert said(child) == [b"None / False"]
    child.end()
    assert isolated("x").folder == "/"
    assert sys.executable == isolated("x").words[0]
