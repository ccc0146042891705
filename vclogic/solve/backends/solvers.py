"""Starts solvers: each in a process of its own, or, where there are no processes, in this one.

z3 in this process works in slices of its own unit of effort, since nothing here could interrupt it; each is twice as
long as the one before, so that a question that was begun anew costs each engine at most about twice what it costs in
one piece.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any

from vclogic.child_process import APART
from vclogic.solve.backends import z3_engine
from vclogic.solve.backends.messages import Json
from vclogic.solve.backends.process import Process, Watch
from vclogic.solve.backends.z3_engine import LIMIT, said

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


def started(engine: str) -> Solver:
    """A solver with an engine of z3.

    Args:
        engine: Name of the engine, one of `z3_engine.ENGINES` or `z3_engine.PROVERS`.
    """
    return Process(engine) if APART else Inside(engine)
