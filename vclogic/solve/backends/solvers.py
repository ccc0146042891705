"""Solvers: each in a process of its own, or, where there are no processes, in this one; how they are waited for.

z3 in this process works in slices of its own unit of effort, since nothing here could interrupt it; each is twice as
long as the one before, so that a question that was begun anew costs each engine at most about twice what it costs in
one piece.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import selectors
import time
from collections.abc import Mapping
from typing import Any, Protocol

from vclogic.child_process import Child, isolated
from vclogic.clock import Deadline, patience
from vclogic.shortage import shortage
from vclogic.solve.backends import z3_engine
from vclogic.solve.backends.messages import Form, Json, of_z3, read
from vclogic.solve.backends.z3_engine import LIMIT, said

# ---- waiting for several solvers: processes work by themselves, and those in this process while it waits


Reported = list[tuple[selectors.SelectorKey, int]]


class WorkingSolver(Protocol):
    """A solver that works while it is waited for."""

    @property
    def busy(self) -> bool:
        """True if it has something to do."""

    @property
    def answered(self) -> bool:
        """True if it has an answer that was not taken yet, or never will have one."""

    def work(self, seconds: float) -> None:
        """Work for some time, at most about so many seconds."""


class Watch(getattr(selectors, "PollSelector", selectors.SelectSelector)):  # type: ignore[misc]
    """Waits for several solvers; unlike other selectors it needs no file descriptor of its own.

    Where the system cannot poll there are no processes to watch either, only solvers in this process.
    """

    def __init__(self) -> None:
        super().__init__()
        self._inside: dict[WorkingSolver, selectors.SelectorKey] = {}

    def attach(self, solver: WorkingSolver, owner: object) -> None:
        """Let a solver in this process work while others are waited for; its owner is reported."""
        self._inside[solver] = selectors.SelectorKey(-1, -1, selectors.EVENT_READ, owner)

    def detach(self, solver: WorkingSolver) -> None:
        """Let a solver in this process work no more."""
        self._inside.pop(solver, None)

    def select(self, timeout: float | None = None) -> Reported:
        """As `PollSelector.select`; it may return sooner with nothing, where another thread may stop this one.

        Where nothing is watched that could ever answer, it returns at once.
        """
        found: Reported
        if not self._inside:
            found = super().select(None if timeout is None else patience(timeout))
            return found
        deadline = Deadline(math.inf if timeout is None else timeout)
        while True:
            found = [(key, selectors.EVENT_READ) for solver, key in self._inside.items() if solver.answered]
            found += super().select(0) if self.get_map() else []
            busy = [solver for solver in self._inside if solver.busy]
            if found or not busy or deadline.left <= 0:
                return found
            for solver in busy:
                solver.work(deadline.left)
                if solver.answered:
                    break


# ---- a process


WORKER = "vclogic.solve.backends.z3_worker"
ENDED = "the solver's process ended unexpectedly"
NO_SENSE = "the solver's process gave no sense"
_LONGEST = 1 << 26  # bytes of a line: no answer is as long
_numbers = itertools.count(1)
_START = "from vclogic.solve.backends.messages import main; main()"


def new_number() -> int:
    """The number of a question: greater than that of any before it, whichever process was asked."""
    return next(_numbers)


class Process:
    """A worker process with its unsent requests and the answers received so far.

    One that cannot be started, for lack of memory or file descriptors, behaves like one that ended at once.

    Args:
        engine: Name of its engine.
        module: The module that it runs.
        form: Tests whether a JSON object is an answer of that module.

    Attributes:
        engine: Name of its engine.
        alive: Whether it still answers.
        failure: Why it does not answer any more.
        told: The number of its session's texts that it has been sent.
    """

    _PATIENCE = 0.5  # seconds in which a cancelled check has to end

    def __init__(self, engine: str, module: str = WORKER, form: Form = of_z3):
        self.engine = engine
        self.alive = True
        self.failure = ENDED
        self.told = 0
        self._form = form
        self._remembers = module == WORKER
        self._sent = self._answered = 0  # the last question that was sent, and that has its answer
        self._cancelled: tuple[int, float] | None = None  # the last question that was taken back, and when
        self._child: Child | None = None
        try:
            self._child = Child(isolated(_START, module, engine))
        except (OSError, MemoryError) as error:
            lack = shortage(error)
            self._lose(f"{lack} to start a solver" if lack else f"no solver can be started: {error}")

    @property
    def patience(self) -> float:
        """Seconds left in which it must confirm a cancellation; infinite if none was requested."""
        return self._cancelled[1] + self._PATIENCE - time.monotonic() if self._cancelled else math.inf

    @property
    def pid(self) -> int | None:
        """The number of the process; None: there is none."""
        return None if self._child is None else self._child.pid

    @property
    def idle(self) -> bool:
        """True if it has answered all requests."""
        return self.alive and self._answered == self._sent

    @property
    def may_stay(self) -> bool:
        """True if it can be asked something else: it has answered all requests, or will soon."""
        soon = self._cancelled is not None and self._cancelled[0] == self._sent and self.patience > 0
        return (self.idle or (self.alive and soon)) and self._child is not None and not self._child.unsent

    def forget(self) -> None:
        """Let it forget all that it was told, so that its next question is its first."""
        if self._remembers:
            self.add({"forget": True})

    def expect(self, form: Form) -> None:
        """Set the test for the form of answers from now on."""
        self._form = form

    def send(self, request: Mapping[str, Any]) -> None:
        """Send a request as far as the pipe accepts it; the rest is sent while waiting for answers."""
        if not self.alive:
            return
        if "cancel" in request:
            self._cancelled = (request["cancel"], time.monotonic())
            self.add(request)
        else:
            self.send_line(request["id"], json.dumps(request))

    def send_line(self, number: int, line: str) -> None:
        """Send a request that is already serialized.

        Args:
            number: Its `id`.
            line: The request as JSON.
        """
        if self.alive:
            self._sent = number
            self._tell(line)

    def add(self, more: Mapping[str, Any]) -> None:
        """Send additional data for the current request."""
        if self.alive:
            self._tell(json.dumps(more))

    def _tell(self, line: str) -> None:
        assert self._child is not None
        self._child.tell(line.encode() + b"\n")
        self.alive = not self._child.deaf

    def register(self, watch: Watch, owner: object = None) -> None:
        """Let the process be watched.

        Args:
            watch: What watches it.
            owner: What is reported; None: the process itself.
        """
        if self.alive and self._child is not None:
            watch.register(self._child.out, selectors.EVENT_READ, owner or self)
            if self._child.unsent:
                watch.register(self._child.into, selectors.EVENT_WRITE, owner or self)

    def unregister(self, watch: Watch) -> None:
        """Let the process be watched no more."""
        for pipe in (self._child.into, self._child.out) if self._child else ():
            with contextlib.suppress(KeyError):
                watch.unregister(pipe)

    def handle(self, watch: Watch, events: int) -> list[Json]:
        """Transfer data after it was reported; an invalid answer ends the process.

        Returns:
            The complete answers.
        """
        child = self._child
        assert child is not None
        if events & selectors.EVENT_WRITE:
            child.send()
            self.alive &= not child.deaf
            if not child.unsent:
                watch.unregister(child.into)
        answers: list[Json] = []
        if events & selectors.EVENT_READ:
            for line in self._lines(child):
                answer = read(line)
                if answer is None or not self._fits(answer):
                    self._lose(NO_SENSE)
                    break
                answers.append(answer)
        if self._cancelled and self._answered >= self._cancelled[0]:
            self._cancelled = None
        return answers

    def _lines(self, child: Child) -> list[bytes]:
        """The complete lines."""
        lines = child.lines()
        self.alive &= lines is not None
        if child.unfinished > _LONGEST:
            self._lose(NO_SENSE)
        return lines or []

    def _fits(self, answer: Json) -> bool:
        """True if an answer belongs to a request that was sent and not yet answered."""
        if not self._answered < answer["id"] <= self._sent or not self._form(answer):
            return False
        if "status" in answer:
            self._answered = answer["id"]
        return True

    def _lose(self, why: str) -> None:
        self.alive = False
        self.failure = why

    def close(self) -> None:
        """Kill the process."""
        self.alive = False
        if self._child is not None:
            self._child.end()
            self._child = None


# ---- where there are no processes


_FIRST = 0.25  # seconds that the first slice of a question may take, about
_RATE = 2_000_000  # units of effort in a second, before it is known how fast this machine is
_LEAST = 10_000  # units of a slice


class Inside:
    """z3 in this process, which works while it is waited for; see `Process`, in whose place it stands.

    Args:
        engine: Name of its engine.

    Attributes:
        engine: Name of its engine.
        alive: Whether it still answers.
        failure: Why it does not answer any more.
        told: The number of its session's texts that it has been sent.
        patience: Seconds in which it must confirm a cancellation: it does so at once.
    """

    patience = math.inf

    def __init__(self, engine: str):
        self.engine = engine
        self.alive = True
        self.failure = ""
        self.told = 0
        self._solver: z3_engine.Solver | None = None
        self._texts: list[str] = []
        self._request: Mapping[str, Any] | None = None
        self._answers: list[Json] = []
        self._rate = float(_RATE)
        self._slice = _FIRST

    @property
    def busy(self) -> bool:
        """True if there is a question to work on."""
        return self.alive and self._request is not None

    @property
    def answered(self) -> bool:
        """True if there is an answer to take, or never will be one."""
        return bool(self._answers or self.failure)

    def send(self, request: Mapping[str, Any]) -> None:
        """Take a request, or take the last one back."""
        if "cancel" in request:
            self._request = None
            self._answers.clear()
            return
        self._texts.append(request["text"])
        self._request = request
        self._slice = _FIRST

    def register(self, watch: Watch, owner: object = None) -> None:
        """Work while something waits.

        Args:
            watch: What waits.
            owner: What is reported; None: the solver itself.
        """
        if self.alive:
            watch.attach(self, owner or self)

    def unregister(self, watch: Watch) -> None:
        """Work no more."""
        watch.detach(self)

    def handle(self, watch: Watch, events: int) -> list[Json]:
        """Take the answers; a solver that has failed is found out here."""
        self.alive &= not self.failure
        answers, self._answers = self._answers, []
        return answers

    def work(self, seconds: float) -> None:
        """Work on the question for a slice of time, at most about so many seconds.

        A text that z3 cannot read ends the solver, since it must not be skipped.
        """
        request = self._request
        if request is None:
            return
        solver = self._solver = self._solver or z3_engine.Solver(self.engine)
        try:
            solver.add("".join(self._texts), request["assume"])
        except solver.failures as error:
            self.failure, self._request = said(error), None
            return
        self._texts.clear()
        try:
            answer = self._checked(solver, request, seconds)
        except solver.failures as error:
            answer = {"status": "unknown", "reason": said(error)}
        if answer is not None:
            self._answers.append({"id": request["id"], **answer})
            self._request = None

    def _checked(self, solver: z3_engine.Solver, request: Mapping[str, Any], seconds: float) -> Json | None:
        """The answer; None if the slice was too short for it."""
        most = request.get("effort", 0) or math.inf
        effort = int(min(max(min(self._slice, seconds) * self._rate, _LEAST), most))
        began = time.monotonic()
        solver.check(request["assume"], effort)
        answer = solver.answer()
        if answer.get("reason") != LIMIT or effort == most:
            return answer
        self._rate = max(effort / max(time.monotonic() - began, 0.001), _LEAST)
        self._slice *= 2
        return None

    def close(self) -> None:
        """Give it up."""
        self.alive = False
        self._solver = None


Solver = Process | Inside
