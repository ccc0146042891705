"""One solver, one question, one process: how long it takes, and what it says."""

from __future__ import annotations

import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_REPEATS = 3
_LONG = 3.0  # seconds after which a solver is not run again for the same row
_GRACE = 3.0  # seconds beyond the limit, for a solver that says itself how far it came


@dataclass(frozen=True)
class Run:
    """What came of a solver.

    Attributes:
        told: Its line of JSON; nothing if it gave none: it was killed, or failed.
        wall: Seconds of the process from start to end, the median; None: it was not run.
        trouble: Why there is no answer, if it failed.
        cpu: Seconds of processor time, of all processes that it started and waited for; the median.
    """

    told: Mapping[str, Any]
    wall: float | None
    trouble: str = ""
    cpu: float | None = None

    @property
    def proved(self) -> bool:
        """Whether it says that its answer is proved."""
        return bool(self.told.get("proved"))

    @property
    def cost(self) -> int | None:
        """The cost that it found."""
        cost: int | None = self.told.get("cost")
        return cost

    @property
    def inside(self) -> float | None:
        """Seconds of encoding and solving, where it was measured."""
        seconds: float | None = self.told.get("inside")
        return seconds


NOT_RUN = Run({}, None)
"""A solver that was not asked."""


def repeated(words: Sequence[str], limit: float, read: Callable[[str], Mapping[str, Any]] = json.loads) -> Run:
    """Runs a command up to three times, and takes the medians.

    Args:
        words: The command.
        limit: Seconds for one run.
        read: Reads what it prints.
    """
    runs = [_once(words, limit, read)]
    while len(runs) < _REPEATS and runs[-1].proved and sum(r.wall or 0.0 for r in runs) < _LONG:
        runs.append(_once(words, limit, read))
    told = dict(runs[-1].told)
    for key in ("inside", "again", "load", "memory"):
        seconds = [r.told[key] for r in runs if r.told.get(key) is not None]
        told[key] = statistics.median(seconds) if seconds else None
    walls, cpus = [r.wall or 0.0 for r in runs], [r.cpu or 0.0 for r in runs]
    return Run(told, statistics.median(walls), runs[-1].trouble, statistics.median(cpus))


def _once(words: Sequence[str], limit: float, read: Callable[[str], Mapping[str, Any]]) -> Run:
    """One run, in the project's folder; what is left of it is killed."""
    began, before = time.perf_counter(), _processor()
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdout=pipe, stderr=pipe, text=True, cwd=ROOT, start_new_session=True) as process:
        try:
            said, complaint = process.communicate(timeout=limit + _GRACE)
        except BaseException as error:  # nothing is left running, whatever ends the race
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            return Run({}, time.perf_counter() - began, cpu=_processor() - before)
    wall, cpu = time.perf_counter() - began, _processor() - before
    try:
        return Run(read(said.strip().splitlines()[-1] if read is json.loads else said), wall, cpu=cpu)
    except (ValueError, IndexError, KeyError):
        last = (complaint.strip().splitlines() or [f"exit code {process.returncode}"])[-1]
        return Run({}, wall, last[:200], cpu)


def _processor() -> float:
    """Seconds of processor time of all processes that were waited for so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def of_peer(python: str, module: str, file: Path, limit: float, variant: str) -> Run:
    """Runs a peer on an instance."""
    words = [python, "-m", f"benchmarks.race.peers.{module}", str(file), f"{limit:g}", variant]
    return repeated(words, limit)


def of_command(words: Sequence[str], limit: float) -> Run:
    """Runs the command `vclogic` as a user does."""
    command = str(Path(sys.executable).with_name("vclogic"))
    return repeated([command, *words, "--format", "json"], limit, read_answer)


def read_answer(said: str) -> Mapping[str, Any]:
    """What the command prints, as the others say it; a status has no cost.

    Raises:
        ValueError: It is an error.
    """
    answer = json.loads(said)
    if answer.get("status") == "error":
        raise ValueError(answer["errors"])
    if "steps" not in answer:
        return {"cost": None, "proved": True, "lower": None, "solution": None}
    return {
        "cost": answer["cost"],
        "proved": answer["status"] in ("optimal", "impossible"),
        "lower": answer["lower_bound"],
        "solution": [s["args"]["territory"] for s in answer["steps"] if s["action"] == "capture"],
        "bound_by": answer["bound_by"],
    }


def of_process(request: Path, limit: float) -> Run:
    """Asks vclogic twice in one Python process of its own."""
    return repeated([sys.executable, "-m", "benchmarks.race.ours", str(request)], 3 * limit + _LONG)
