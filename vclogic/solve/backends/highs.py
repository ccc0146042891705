"""Minimize a mixed-integer program by HiGHS, in two processes that can be killed.

One searches for cheap solutions among columns of small reduced cost, the other proves bounds by branch and bound.
Each is told what the other finds. Solutions are checked here, exactly, against the terms that they must satisfy.
Bounds are computed in floating point; a finished tree is checked again in whole numbers (`certificate.py`).
"""

from __future__ import annotations

import json
import math
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import Literal
from weakref import WeakValueDictionary

from vclogic.clock import ANSWERING, TIME_UP, Deadline, TimeUp, grace_period
from vclogic.encode.linear.affine import Affine, Program
from vclogic.progress import Tell
from vclogic.solve import budgets
from vclogic.solve.backends.certificate import Certificate, is_model
from vclogic.solve.backends.claims import ProgramBound
from vclogic.solve.backends.kept import given_up, process_of
from vclogic.solve.backends.messages import SLACK, Json, of_highs
from vclogic.solve.backends.solvers import Process, Watch, new_number
from vclogic.terms.term import Term, variables

MODULE = "vclogic.solve.backends.highs_worker"
ENGINES = ("plans", "proof")
ENOUGH = "any solution is enough"
"""Why a minimization ended early, where that was asked for."""
_GRACE = 0.3  # seconds before the deadline in which HiGHS can still say how far it came
_CHECKING = 2e-5  # seconds for each row that are kept back for checking a solution
_LOOK = 0.1  # seconds after which it is looked at again whether to go on


@dataclass(frozen=True)
class Minimum:
    """The result of a minimization.

    Attributes:
        status: `optimal`, `infeasible` (no solution is cheap enough), or `unknown`.
        values: The best solution, checked exactly; None without one.
        cost: Its cost.
        lower_bound: No solution costs less.
        reason: For `unknown`: why.
        verified: Whether the bound has been checked in whole numbers.
        argued: The families of argued cuts that the proof uses; see `Cut`.
        nodes: How many nodes of a tree the proof has closed.
        bound: The proof, where it was checked in whole numbers.
    """

    status: Literal["optimal", "infeasible", "unknown"]
    values: Mapping[Term, int] = field(default_factory=dict)
    cost: int | None = None
    lower_bound: int | None = None
    reason: str = ""
    verified: bool = False
    argued: tuple[str, ...] = ()
    nodes: int = 0
    bound: ProgramBound | None = None


def ignored(solution: Mapping[Term, int]) -> None:
    """Do nothing with a solution."""


@dataclass(frozen=True)
class Minimization:
    """A program to minimize.

    Attributes:
        program: The program.
        claimed: The terms that it encodes; a solution is accepted only if all are true in it.
        first: Groups of variables to branch on first, each with its weight.
        most: The greatest cost of a solution; None: any.
        soon: Whether for a solution a proof in floating point is enough, so that no check in whole numbers is waited
            for.
        any: Whether a solution that cannot soon be improved is enough too; the result is then `unknown`, `ENOUGH`.
        better: Called with each better solution, as soon as it is checked.
    """

    program: Program
    claimed: Sequence[Term]
    first: Sequence[Mapping[Term, int]] = ()
    most: int | None = None
    soon: bool = False
    any: bool = False
    better: Callable[[Mapping[Term, int]], None] = ignored


class Engines:
    """A pool of HiGHS processes: started early, while the program is still being built, and reused, by any thread.

    `close` ends them; so does the end of the pool.
    """

    def __init__(self) -> None:
        self._idle: dict[str, Process] = {}
        self._number = 0
        self._lock = threading.Lock()
        weakref.finalize(self, _close, self._idle)

    def start(self) -> None:
        """Start the processes that are not waiting for a program yet."""
        with self._lock:
            for engine in ENGINES:
                if engine not in self._idle:
                    self._idle[engine] = process_of(engine, MODULE, of_highs(0, 0))

    def again(self) -> None:
        """Start processes in place of those that the last question did not give back, if it took any."""
        if self._number:
            self.start()

    def take(self, columns: int, rows: int) -> tuple[int, dict[str, Process]]:
        """The processes for a program with this many columns and rows, and the number of its request."""
        self.start()
        with self._lock:
            taken = {engine: self._idle.pop(engine, None) for engine in ENGINES}
            number = self._number = new_number()
        found = {e: p or process_of(e, MODULE, of_highs(0, 0)) for e, p in taken.items()}
        for process in found.values():
            process.expect(of_highs(columns, rows))
        return number, found

    def give_back(self, processes: Iterable[Process]) -> None:
        """Keep idle processes, and end the others."""
        for process in processes:
            with self._lock:
                kept = process.idle and self._idle.setdefault(process.engine, process) is process
            if not kept:
                given_up(process)

    def close(self) -> None:
        """End all processes."""
        _close(self._idle)


def _close(processes: dict[str, Process]) -> None:
    while processes:
        given_up(processes.popitem()[1])


_SHARED: WeakValueDictionary[int, Engines] = WeakValueDictionary()


def shared_engines() -> Engines:
    """The pool of this process, for those who ask question after question; it lasts as long as one of them does."""
    found = _SHARED.get(os.getpid())  # a process that was forked has its own
    if found is None:
        found = _SHARED.setdefault(os.getpid(), Engines())
    return found


def minimize(asked: Minimization, deadline: Deadline, progress: Tell, engines: Engines | None = None) -> Minimum:
    """Minimize a program.

    Args:
        asked: The program.
        progress: Told about bounds and costs.
        engines: The processes to use; None: ones of its own.
    """
    if asked.program.impossible:
        return Minimum("infeasible", verified=True, argued=tuple(sorted(asked.program.argued)))
    if deadline.left <= 0:
        return Minimum("unknown", reason=TIME_UP)
    race = Race(asked, progress)
    seconds = deadline.left - min(_CHECKING * len(asked.program.rows), deadline.left / 2)
    with nullcontext(engines) if engines else closing(Engines()) as used:
        race.run(Deadline(seconds), used)
    return race.outcome()


class Race:
    """The processes that work on one program, and their results so far.

    Args:
        asked: The program.
        progress: Told about bounds and costs.
    """

    def __init__(self, asked: Minimization, progress: Tell):
        self._asked, self._progress = asked, progress
        self._program = asked.program
        self._constant = asked.program.objective.constant
        self._free = variables(*asked.claimed)
        self._values: Mapping[Term, int] = {}
        self._cost: int | None = None
        self._bound: int | None = None
        self._certificate = Certificate()
        self._processes: dict[str, Process] = {}
        self._ended: dict[str, Json] = {}
        self._lost: list[str] = []
        self._patience: float | None = None
        self._wrong = False
        self._found: float | None = None
        self._enough = False

    def request(self, deadline: Deadline, number: int = 1) -> Json:
        """The request to the processes."""
        program, most = self._program, self._asked.most
        return {
            "id": number,
            "columns": [list(c) for c in program.columns],
            "rows": [[row.weights, row.lo, row.hi] for row in program.rows],
            "objective": list(program.objective.weights.items()),
            "first": [_columns(program, group) for group in self._asked.first],
            "best": None if most is None else most + 1 - self._constant,
            "seconds": max(deadline.left - _GRACE, deadline.left / 2),
        }

    def run(self, deadline: Deadline, engines: Engines) -> None:
        """Run the processes until they are done or the deadline passes."""
        began = time.monotonic()
        number, self._processes = engines.take(len(self._program.columns), len(self._program.rows))
        try:
            with Watch() as watch:
                line = json.dumps(self.request(deadline, number))  # while the processes start
                for process in self._processes.values():
                    process.send_line(number, line)
                while not self._done(began) and deadline.left > 0:
                    for process in self._processes.values():
                        process.unregister(watch)
                        process.register(watch)
                    for key, events in watch.select(min(deadline.left, _LOOK)):
                        for line in key.data.handle(watch, events):
                            self.take(line, key.data.engine)
        finally:
            self._lost = [p.failure for e, p in self._processes.items() if not p.alive and e not in self._ended]
            engines.give_back(self._processes.values())

    def _done(self, began: float) -> bool:
        at_work = [e for e, p in self._processes.items() if p.alive and e not in self._ended]
        if not at_work or self._ended.get("proof", {}).get("status") == "closed":
            return True
        if self._asked.any and self._found is not None:
            patience = max((self._found - began) * budgets.ANY_SOLUTION_SHARE, budgets.ANY_SOLUTION)
            if time.monotonic() > self._found + patience:
                self._enough = True
                return True
        if "optimal" not in (line["status"] for line in self._ended.values()):
            return False
        if self._asked.soon and self._cost is not None:
            return True
        now = time.monotonic()  # it is proved in floating point: the other process may still check it
        if self._patience is None:
            self._patience = now + max((now - began) * budgets.WHOLE_NUMBERS_SHARE, budgets.WHOLE_NUMBERS)
        return now > self._patience

    def take(self, line: Json, engine: str) -> None:
        """Record what a process reports."""
        if "solution" in line:
            self._take_solution(line["solution"], engine)
        elif "bound" in line:
            bound = math.ceil(line["bound"] - SLACK) + self._constant
            if self._bound is None or bound > self._bound:
                self._bound = bound
                self._tell()
        elif "status" in line:
            self._ended[engine] = line
        else:
            self._certificate.take(line)

    def _tell(self) -> None:
        self._progress("HiGHS is looking for a cheaper plan", self._cost, self._known_bound)

    def _take_solution(self, solution: Sequence[int], finder: str) -> None:
        cost = self._program.cost(solution)
        if self._cost is not None and cost >= self._cost:
            return
        with grace_period(ANSWERING):
            values = self._program.values(solution, self._free)
            right = is_model(values, self._asked.claimed)
        if not right:
            self._wrong = True
            return
        self._values, self._cost = values, cost
        self._found = time.monotonic()
        self._tell()
        for engine, process in self._processes.items():
            if engine != finder:
                process.add({"best": cost - self._constant})
        self._asked.better(values)

    def outcome(self) -> Minimum:
        """The result so far."""
        most = self._asked.most
        least = self._cost if self._cost is not None else None if most is None else most + 1
        statuses = {line["status"] for line in self._ended.values()}
        if statuses.isdisjoint({"optimal", "closed"}) or self._wrong:
            return Minimum("unknown", self._values, self._cost, self._known_bound, self._reason())
        verified, argued, bound = False, tuple(sorted(self._program.families)), None
        if "closed" in statuses:
            price = math.inf if least is None else least - self._constant
            with suppress(TimeUp):
                verified = self._certificate.proves(self._program, price)
            argued = self._certificate.families(self._program) if verified else argued
            bound = ProgramBound(self._program, self._certificate, price) if verified else None
        status: Literal["optimal", "infeasible"] = "infeasible" if self._cost is None else "optimal"
        nodes = len(self._certificate.closed)
        found = Minimum(status, self._values, self._cost, self._cost, argued=argued, nodes=nodes)
        return replace(found, verified=verified, bound=bound)

    @property
    def _known_bound(self) -> int | None:
        if self._bound is None or self._cost is None:
            return self._bound
        return min(self._bound, self._cost)

    def _reason(self) -> str:
        if self._wrong:
            return "HiGHS gave a solution that is none"
        if self._enough:
            return ENOUGH
        told = [line["reason"] for line in self._ended.values() if line.get("reason")]
        return next(iter([*told, *self._lost]), TIME_UP)


def _columns(program: Program, group: Mapping[Term, int]) -> list[tuple[int, int]]:
    """The columns of some variables, each with the weight of its variable."""
    found: dict[int, int] = {}
    for v, weight in group.items():
        place = program.places.get(v, {})
        for sum_ in [place] if isinstance(place, Affine) else place.values():
            for c in sum_.weights:
                found[c] = max(weight, found.get(c, 0))
    return sorted(found.items())
