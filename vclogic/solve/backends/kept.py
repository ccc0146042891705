"""Solver processes that stay for whoever asks next: to start one takes longer than most of what they are asked.

They stay as long as somebody holds them (`kept`): a question does until its answer, a worker of a server as long as
it runs. Then they end. One that is still at work, or has failed, never stays.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from vclogic.child_process import APART
from vclogic.clock import Deadline
from vclogic.solve.backends.messages import Form, of_z3
from vclogic.solve.backends.solvers import WORKER, Inside, Process, Solver, Watch

_MOST = 2
"""Processes of one engine that stay: a question seldom asks more of them at once."""

_SOON = 0.05
"""Seconds in which one has to say that it has nothing to do: a new one would not be there sooner."""


class KeptProcesses:
    """The processes that nobody uses at the moment, by engine, and how many hold them."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._idle: dict[str, list[Process]] = {}
        self._holders = 0
        self._lock = threading.RLock()  # what collects garbage may end engines, wherever this thread is

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes that stay."""
        with self._lock:
            return [p.pid for of in self._idle.values() for p in of if p.pid is not None]

    def hold(self) -> None:
        """Let processes stay until `release` is called as often."""
        with self._lock:
            self._holders += 1

    def release(self) -> None:
        """End all processes that stay, if nobody else holds them."""
        with self._lock:
            self._holders -= 1
            if self._holders:
                return
            idle, self._idle = self._idle, {}
        for processes in idle.values():
            for process in processes:
                process.close()

    def take(self, engine: str, form: Form) -> Process | None:
        """A process of an engine that has nothing to do; None: there is none.

        Args:
            engine: Name of the engine.
            form: The form of its answers from now on.
        """
        while True:
            with self._lock:
                process = next(iter(self._idle.get(engine, ())), None)
                if process is None:
                    return None
                self._idle[engine].remove(process)
            _hear_out(process)
            if process.idle:
                process.told = 0
                process.expect(form)
                return process
            process.close()

    def leave(self, process: Process) -> bool:
        """Let a process stay, if somebody holds it and it can be asked again; returns whether it does."""
        with self._lock:
            there = self._idle.setdefault(process.engine, [])
            if not self._holders or len(there) >= _MOST or not process.may_stay:
                return False
            process.forget()
            there.append(process)
            return True


_kept = KeptProcesses()


def _of_this_process() -> KeptProcesses:
    """Those that this process has started: one that was forked has none."""
    global _kept
    if _kept.owner != os.getpid():
        _kept = KeptProcesses()
    return _kept


def _hear_out(process: Process) -> None:
    """Discard the answer to the last question, if that was taken back, and find out whether it has ended."""
    deadline = Deadline(_SOON)
    with Watch() as watch:
        process.register(watch)
        while reported := watch.select(max(deadline.left, 0.0) if process.alive and not process.idle else 0.0):
            for _, events in reported:
                process.handle(watch, events)
            if not process.alive:
                return


@contextmanager
def kept() -> Iterator[None]:
    """Within the block, a solver that was started stays for the next question."""
    held = _of_this_process()
    held.hold()
    try:
        yield
    finally:
        held.release()


def process_of(engine: str, module: str = WORKER, form: Form = of_z3) -> Process:
    """A process with an engine that nobody else uses: one that has stayed, or a new one.

    Args:
        engine: Name of the engine.
        module: The module that it runs.
        form: Tests whether a JSON object is an answer of that module.
    """
    return _of_this_process().take(engine, form) or Process(engine, module, form)


def started(engine: str) -> Solver:
    """A solver with an engine of z3.

    Args:
        engine: Name of the engine, one of `z3_engine.ENGINES` or `z3_engine.PROVERS`.
    """
    return process_of(engine) if APART else Inside(engine)


def given_up(solver: Solver) -> None:
    """End a solver, or let it stay for whoever asks next."""
    if not (isinstance(solver, Process) and _of_this_process().leave(solver)):
        solver.close()
