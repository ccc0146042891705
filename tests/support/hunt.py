"""Questions as processes whose solvers are killed at random moments, and what is left of them afterwards."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from tests.support.pace import BUSY
from tests.support.processes import children, eventually

ROOT = Path(__file__).parents[2]
_MARK = "VCLOGIC_HUNT"
_TIMEOUT = 8.0  # seconds for a question, of which a stopped worker takes all
_SLACK = 2 * BUSY  # for a busy machine
_FIRST = "first_turn_done(Germans) and not first_turn_done(Russians)"
_SMALL = str(ROOT / "examples" / "two_islands.yaml")
_ARMIES = ("--set", "level=armies", "--side", "Axis", "--minimize", "moves", "--within", "1")


@dataclass(frozen=True)
class Question:
    """A question with its right answer.

    Attributes:
        words: The command.
        code: The right exit code.
        right: What the answer says.
        weaker: What it may say where a solver was lost, beside `unknown`.
    """

    words: tuple[str, ...]
    code: int
    right: dict[str, Any]
    weaker: dict[str, int] = field(default_factory=dict)


_PLANNED = {"feasible": 0}
_CAPTURES = ("--by", "captures")
QUESTIONS = {
    "z3": Question(
        ("plan", "axis_allies", "--goal", "vcp(Axis) >= 40"), 0, {"status": "optimal", "cost": 3}, _PLANNED
    ),
    "HiGHS": Question(
        ("plan", "axis_allies", *_ARMIES, "--goal", "vcp(Axis) >= 33"), 0, {"status": "optimal", "cost": 9}, _PLANNED
    ),
    "turns": Question(
        ("plan", "napoleonics", "--goal", "banners(French) >= 2", "--side", "French", "--minimize", "turns"),
        0, {"status": "optimal", "cost": 2}, _PLANNED,
    ),
    "Spacer": Question(
        ("reach", "axis_allies", *_CAPTURES, "--opponent", "any", "--goal", _FIRST), 1, {"status": "unreachable"}
    ),
    "reachable": Question(
        ("reach", "axis_allies", *_CAPTURES, "--goal", "vcp(Axis) >= 50"), 0, {"status": "reachable"}
    ),
    "missing": Question(("missing", "axis_allies", "--goal", "vcp(Axis) >= 40"), 0, {"status": "possible"}),
    "forbidden": Question(
        ("missing", "axis_allies", "--goal", "complex(Germany) == none and round == 1"), 1, {"status": "impossible"}
    ),
    "differ": Question(
        ("compare", _SMALL, "--set-b", "second_complex=allowed"), 1, {"status": "differ"}
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Hunted:
    """What a question came to whose solver was killed.

    Attributes:
        killed: The engine that was hit and by what; nothing where the answer was there before.
        faults: What must not be, in words; none where all is well.
    """

    killed: str
    faults: list[str]


def hunt(question: Question, rng: Random, longest: float = 0.5) -> Hunted:
    """Ask a question in a process of its own, and hit one of its solvers at a random moment."""
    mark = f"{os.getpid()}-{rng.random()}"
    words = [sys.executable, "-m", "vclogic", *question.words, "--format", "json", "--timeout", str(_TIMEOUT)]
    began = time.monotonic()
    asked = subprocess.Popen(
        words, cwd=ROOT, env={**os.environ, _MARK: mark}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        killed = _hit(asked, rng, rng.uniform(0, longest))
        out, err = asked.communicate(timeout=_TIMEOUT + _SLACK)
    finally:
        asked.kill()
    faults = list(_faults(question, bool(killed), asked.returncode, out, err))
    if time.monotonic() - began > _TIMEOUT + _SLACK / 2:
        faults.append("the time-out does not hold")
    if not eventually(lambda: not left(mark), BUSY):
        faults.append(f"processes are left: {left(mark)}")
        for pid in left(mark):
            os.kill(pid, signal.SIGKILL)
    return Hunted(killed, [f"{fault} ({killed}; {' '.join(question.words)})" for fault in faults])


def _hit(asked: subprocess.Popen[str], rng: Random, delay: float) -> str:
    """Wait for a solver, wait a while more, and send one that is there then what ends or stops it."""
    eventually(lambda: asked.poll() is not None or children(asked.pid), BUSY)
    end = time.monotonic() + delay
    while asked.poll() is None:
        solvers = {pid: words for pid, words in children(asked.pid).items() if "-S" in words}
        if time.monotonic() >= end and solvers:
            pid = rng.choice(sorted(solvers))
            number = rng.choices((signal.SIGKILL, signal.SIGSEGV, signal.SIGSTOP), (6, 3, 1))[0]
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue
            return f"{solvers[pid][6]} {number.name} after {delay:.2f} s"
        time.sleep(0.005)
    return ""


def _faults(question: Question, killed: bool, code: int, out: str, err: str) -> Iterator[str]:
    if err or code not in (0, 1, 3):
        yield f"exit code {code}, standard error {err!r}"
        return
    answer = json.loads(out)
    found = {name: answer[name] for name in question.right}
    if found == question.right and code == question.code:
        return
    allowed = {"unknown": 3, **question.weaker} if killed else {}
    if allowed.get(answer["status"]) != code:
        yield f"{found} with {code} instead of {question.right} with {question.code}"
    elif answer["status"] == "feasible" and answer["cost"] < question.right["cost"]:
        yield f"a plan that costs {answer['cost']}, less than is possible"
    elif (answer.get("lower_bound") or 0) > question.right.get("cost", 0):
        yield f"a lower bound of {answer['lower_bound']}, more than is so"


def left(mark: str) -> list[int]:
    """The processes that carry a mark in their environment and have not ended."""
    entry = f"{_MARK}={mark}".encode()
    found = []
    for path in Path("/proc").iterdir():
        try:
            if path.name.isdigit() and entry in (path / "environ").read_bytes().split(b"\0"):
                found.append(int(path.name))
        except OSError:  # it has ended, or is somebody else's
            continue
    return found
