"""What every peer does alike: read an instance, keep the time, say in one line of JSON what it found."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

Instance = Mapping[str, Any]
"""A question as `benchmarks/race/instances.py` writes it."""
MOST_MEMORY = 12 << 30  # bytes of address space


class Found(NamedTuple):
    """What a solver found.

    Attributes:
        cost: The cost of the best plan; None: there is none, or none was found.
        proved: Whether no plan costs less, or that there is none.
        lower: No plan costs less, as far as it is known.
        solution: What shows the cost: the areas taken in the order of their numbers, or the value of each column.
    """

    cost: int | None = None
    proved: bool = False
    lower: int | None = None
    solution: Sequence[Any] | None = None


class Timer:
    """The time that is left of a limit.

    Args:
        limit: Seconds from now on.
    """

    def __init__(self, limit: float):
        self._end = time.perf_counter() + limit

    @property
    def left(self) -> float:
        """Seconds, at least a tenth."""
        return max(0.1, self._end - time.perf_counter())

    @property
    def over(self) -> bool:
        """Whether nothing is left."""
        return time.perf_counter() > self._end


Solve = Callable[[Instance, Timer, str], Found]
"""Answers an instance within a time, in a variant of the solver."""


def cheapest(programs: Sequence[Instance], timer: Timer, solve: Callable[[Instance, Timer], Found]) -> Found:
    """The best of some programs, one after the other.

    Args:
        programs: The programs.
        timer: The time for all.
        solve: Answers one.

    Returns:
        The best, its solution with the number of its program; not proved as soon as one of them is not.
    """
    best = Found(proved=True)
    for n, program in enumerate(programs):
        found = solve(program, timer)
        if found.cost is not None and (best.cost is None or found.cost < best.cost):
            best = found._replace(solution=[n, found.solution], proved=best.proved)
        if not found.proved:
            return best._replace(proved=False, lower=found.lower if len(programs) == 1 else None)
    return best


def answer(solvers: Mapping[str, Solve]) -> None:
    """Answer what the command line asks: the file of an instance, a limit in seconds, and the variant.

    Args:
        solvers: How each kind of instance is answered.
    """
    file, limit, variant = sys.argv[1], float(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else ""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    began = time.perf_counter()
    instance = json.loads(Path(file).read_text(encoding="utf-8"))
    loaded = time.perf_counter()
    try:
        found = solvers[instance["kind"]](instance, Timer(limit), variant)
    except MemoryError:
        found = Found()
    seconds = time.perf_counter() - loaded
    told = {**found._asdict(), "inside": seconds, "load": loaded - began, "memory": memory()}
    print(json.dumps(told), flush=True)


def memory() -> float:
    """Megabytes of the largest of this process and those that it has waited for, at their peak."""
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    status = Path("/proc/self/status")
    if status.exists():  # what `getrusage` says begins with what the process was before it became Python
        lines = status.read_text(encoding="utf-8").splitlines()
        own = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    else:
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return max(largest, own) / 1024
