"""The engine set-ups of vclogic's sessions, each alone and in the race, on questions without deletes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from benchmarks.plans import found
from benchmarks.questions import problem
from benchmarks.runner import Answer, Comparison, within
from vclogic.clock import Deadline
from vclogic.encode.deletefree import delete_free
from vclogic.progress import untold
from vclogic.solve.fewest import fewest
from vclogic.solve.problem import Problem
from vclogic.solve.session import FAST, Session
from vclogic.solve.worker import ENGINES

AIM = "the race is never far behind the best engine of each question"
LIMIT = 20.0
GOALS = (
    ("vcp(Axis) >= 50", "Axis"),
    ("vcp(Axis) >= 60", "Axis"),
    ("ipc(Germans) >= 100", "Axis"),
    ("ipc(Germans) >= 80 and territories(Axis) >= 40 and vcp(Axis) >= 50", "Axis"),
    ("territories(Axis) >= 45", "Axis"),
    ("vcp(Allies) >= 65", "Allies"),
)


def run() -> Iterator[Comparison]:
    """One comparison per goal."""
    for goal, side in GOALS:
        ready = problem(goal, side)
        calls: dict[str, Callable[[float], Answer]] = {
            f"the race of {' and '.join(FAST)}": partial(_solve, ready, FAST)
        }
        calls |= {f"{engine} alone": partial(_solve, ready, [engine]) for engine in ENGINES}
        yield Comparison(f"fewest captures to {goal}", within(LIMIT, calls))


def _solve(problem: Problem, engines: Sequence[str], limit: float) -> Answer:
    free = delete_free(problem.transition.actions, problem.start, problem.metric)
    assert free is not None, "captures of one side are delete-free"
    with Session(Deadline(limit), engines) as session:
        return found(fewest(problem, free, session, untold))
