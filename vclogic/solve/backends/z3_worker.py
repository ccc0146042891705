"""The process that runs z3: reads requests from standard input, one JSON line each, and answers in the same form.

It is separate from vclogic so that it can be killed: z3 does not always obey its own time-out. When standard input
closes, because the session is over or its owner has died, the process ends at once, whatever z3 is doing.

A request is `{"id", "text", "assume", "effort"}`: SMT-LIB to add permanently, names of Booleans to assume for this
check, and its limit of effort in z3's unit, where it has one. A request `{"cancel"}` interrupts the running check;
after `{"forget"}` the solver is a new one.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
from typing import Any, TextIO

from vclogic.solve.backends.z3_engine import Solver, said


class Z3Worker:
    """A solver and its current check.

    Args:
        engine: Name of the engine.
    """

    def __init__(self, engine: str):
        self._engine = engine
        self._solver = Solver(engine)
        self._requests: queue.Queue[dict[str, Any]] = queue.Queue()
        self._lock = threading.Lock()
        self._checking: int | None = None
        self._cancelled = 0  # no answer is wanted to this request, or to any before it

    def read(self) -> None:
        """Read requests until standard input closes; then end the process."""
        try:
            for line in sys.stdin:
                request = json.loads(line)
                if "cancel" in request:
                    with self._lock:
                        self._cancelled = request["cancel"]
                    threading.Thread(target=self._interrupt, args=(self._cancelled,), daemon=True).start()
                else:
                    self._requests.put(request)
        finally:
            os._exit(0)  # also after half a line, when the owner died while it wrote

    def _interrupt(self, number: int) -> None:
        """Interrupt a check repeatedly until it has ended: z3 ignores an interrupt just before the check begins.

        Only checks may be interrupted: interrupting the parser could lose a constraint.
        """
        while True:
            with self._lock:
                if self._checking != number:
                    return
                self._solver.interrupt()
            time.sleep(0.02)

    def serve(self, answers: TextIO) -> None:
        """Answer requests forever. A text that cannot be parsed ends the process, since it must not be skipped."""
        while True:
            request = self._requests.get()
            if "forget" in request:
                with self._lock:
                    self._solver = Solver(self._engine)
                continue
            self._solver.add(request["text"], request["assume"])
            try:
                answer = self._check(request)
            except self._solver.failures as error:
                answer = {"status": "unknown", "reason": said(error)}
            answers.write(json.dumps({"id": request["id"], **answer}) + "\n")
            answers.flush()

    def _check(self, request: dict[str, Any]) -> dict[str, Any]:
        with self._lock:
            if request["id"] <= self._cancelled:
                return {"status": "unknown", "reason": "canceled"}
            self._checking = request["id"]
        try:
            self._solver.check(request["assume"], request.get("effort", 0))
        finally:
            with self._lock:
                self._checking = None
                self._solver.broken |= self._cancelled >= request["id"]
        return self._solver.answer()


def main(engine: str, answers: TextIO) -> None:
    """Answer requests from standard input.

    Args:
        engine: Name of the engine to run.
        answers: The stream for the answers.
    """
    worker = Z3Worker(engine)
    threading.Thread(target=worker.read, daemon=True).start()
    worker.serve(answers)
