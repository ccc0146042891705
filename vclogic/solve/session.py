"""Incremental z3 sessions in processes of their own, with a deadline that holds."""

from __future__ import annotations

import math
import selectors
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal

from vclogic.encode.smt import Writer
from vclogic.solve.process import Process
from vclogic.terms.build import FALSE, TRUE
from vclogic.terms.term import Term

Verdict = Literal["sat", "unsat", "unknown"]
FAST = ("merging", "cutting")
PLAIN = ("plain",)
GIVEN_UP = "the question was given up for another"


class Deadline:
    """A moment after which no solver may go on.

    Args:
        seconds: How long from now.
    """

    def __init__(self, seconds: float):
        self.end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds left; zero or less when it is over."""
        return self.end - time.monotonic()


@dataclass(frozen=True)
class Answer:
    """What a session said.

    Attributes:
        verdict: `sat`, `unsat` or `unknown`.
        values: For `sat`: the number of each variable that the session knows.
        reason: For `unknown`: why.
    """

    verdict: Verdict
    values: Mapping[Term, int] = field(default_factory=dict)
    reason: str = ""


class Session:
    """Engines side by side on one growing set of constraints; the first to decide answers.

    Use it as a context manager: leaving it ends its processes.

    Args:
        deadline: When it has to stop. What is still running then is killed; that check answers `unknown`, and so
            does every later one.
        engines: Which engines to run (names of `worker.ENGINES`).
    """

    def __init__(self, deadline: Deadline, engines: Sequence[str] = FAST):
        self._deadline = deadline
        self._writer = Writer()
        self._pending: list[str] = []
        self._contradiction = False
        self._asked = 0
        self._failure = ""
        self._processes = [Process(e) for e in engines]

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the processes."""
        for process in self._processes:
            process.close()
        self._processes = []

    def add(self, *terms: Term) -> None:
        """Assert Bool terms for good."""
        self._contradiction |= FALSE in terms
        kept = [t for t in terms if t is not TRUE and t is not FALSE]
        if kept:
            self._pending.append(self._writer.assertions(kept))

    def check(self, *assumptions: Term, seconds: float = math.inf) -> Answer:
        """Whether all that was asserted can hold, together with some Bool terms for this call only.

        Args:
            assumptions: The terms.
            seconds: Give this question up after so long; the session stays usable.
        """
        if self._deadline.left <= 0:
            self._failure = "the time is up"
            self.close()
            return Answer("unknown", reason=self._failure)
        if self._contradiction or FALSE in assumptions:
            return Answer("unsat")
        literals = []
        for t in assumptions:
            if t is not TRUE:
                text, name = self._writer.assumption(t)
                self._pending.append(text)
                literals.append(name)
        self._asked += 1
        for process in self._processes:
            process.send({"id": self._asked, "text": "".join(self._pending), "assume": literals})
        self._pending.clear()
        reply = self._wait(Deadline(seconds))
        if reply["status"] != "sat":
            return Answer(reply["status"], reason=reply.get("reason", ""))
        return Answer("sat", {v: self._writer.value(v, reply["model"]) for v in self._writer.variables})

    def _wait(self, patience: Deadline) -> dict[str, Any]:
        """The first answer that decides, or `unknown` once there can be none."""
        waiting = list(self._processes)
        reason = self._failure
        with selectors.DefaultSelector() as selector:
            for process in waiting:
                process.register(selector)
            while waiting:
                ready = selector.select(max(min(self._deadline.left, patience.left), 0))
                if not ready and self._deadline.left <= 0:
                    self._failure = "the time is up"
                    self.close()
                    return {"status": "unknown", "reason": self._failure}
                if not ready and patience.left <= 0:
                    self._cancel(waiting)
                    return {"status": "unknown", "reason": GIVEN_UP}
                for key, events in ready:
                    speaker: Process = key.data
                    for answer in self._answers(speaker, selector, events):
                        waiting.remove(speaker)
                        if answer["status"] != "unknown":
                            self._cancel(waiting)
                            return answer
                        reason = reason or answer["reason"]
                    if not speaker.alive and speaker in self._processes:
                        self._lose(selector, speaker, waiting)
                        self._failure = reason = reason or "the solver's process ended unexpectedly"
        return {"status": "unknown", "reason": reason}

    def _answers(self, speaker: Process, selector: selectors.BaseSelector, events: int) -> list[dict[str, Any]]:
        """What a process has to say about the question that was asked last."""
        if not speaker.alive:
            return []
        return [a for a in speaker.handle(selector, events) if a["id"] == self._asked]

    def _cancel(self, waiting: list[Process]) -> None:
        for process in waiting:
            process.send({"cancel": self._asked})

    def _lose(self, selector: selectors.BaseSelector, process: Process, waiting: list[Process]) -> None:
        process.unregister(selector)
        process.close()
        self._processes.remove(process)
        if process in waiting:
            waiting.remove(process)
