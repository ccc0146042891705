"""Solver engines inside the test's own process: the same protocol, text and z3, without the start of processes."""

from __future__ import annotations

import math
import os
import selectors
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import z3

from vclogic.conformance.reading import model_of, solver_of
from vclogic.solve.backends import session


class LocalProcess:
    """Stands in for `vclogic.solve.backends.process.Process`: a request is answered at once, until `end`."""

    end = 0.0
    patience = math.inf

    def __init__(self, engine: str):
        self.alive = True
        self.failure = "ended"
        self.told = 0
        self._solver = solver_of(engine)
        self._answers: list[dict[str, Any]] = []
        self._bell, self._ring = os.pipe()

    def send(self, request: Mapping[str, Any]) -> None:
        left = LocalProcess.end - time.monotonic()
        if "cancel" in request or left <= 0:
            return
        if request["text"]:
            self._solver.from_string(request["text"])
        self._solver.set("timeout", max(int(left * 1000), 1))
        status = self._solver.check(*(z3.Bool(name, self._solver.ctx) for name in request["assume"]))
        answer = {"id": request["id"], "status": str(status), "reason": ""}
        if status == z3.sat:
            answer["model"] = model_of(self._solver)
        self._answers.append(answer)
        os.write(self._ring, b"!")

    def register(self, selector: selectors.BaseSelector) -> None:
        selector.register(self._bell, selectors.EVENT_READ, self)

    def unregister(self, selector: selectors.BaseSelector) -> None:
        selector.unregister(self._bell)

    def handle(self, selector: selectors.BaseSelector, events: int) -> list[dict[str, Any]]:
        os.read(self._bell, 1 << 16)
        answers, self._answers = self._answers, []
        return answers

    def close(self) -> None:
        if self.alive:
            os.close(self._bell)
            os.close(self._ring)
        self.alive = False


@contextmanager
def local_sessions(seconds: float) -> Iterator[None]:
    """Sessions run here, and give no more answers after some time."""
    LocalProcess.end = time.monotonic() + seconds
    with patch.object(session, "Process", LocalProcess):
        yield
