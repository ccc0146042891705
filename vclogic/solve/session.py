"""Incremental z3 sessions in processes of their own, with a deadline that holds."""

from __future__ import annotations

import math
import selectors
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Protocol

from vclogic.encode.smt import Writer
from vclogic.encode.source import interpret as interpret_all
from vclogic.solve.process import Process
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.term import Term

Verdict = Literal["sat", "unsat", "unknown"]
Progress = Callable[[str], None]
FAST = ("merging", "cutting")
PLAIN = ("plain",)
GIVEN_UP = "the question was given up for another"


class TimeUp(Exception):
    """A deadline has passed while something was made ready for a solver."""


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

    def hold(self) -> None:
        """Go on only if there is time.

        Raises:
            TimeUp: There is none left.
        """
        if self.left <= 0:
            raise TimeUp


class Transcript:
    """Everything that was asked of solvers and what they said, as portable SMT-LIB for another solver to check.

    Attributes:
        file: Where it is to be written.
    """

    def __init__(self, file: str):
        self.file = file
        self._parts: list[str] = []
        self._writer = Writer(portable=True)

    def begin(self) -> None:
        """A new session begins."""
        self._parts.append("(reset)\n(set-logic QF_BV)\n" if self._parts else "(set-logic QF_BV)\n")
        self._writer = Writer(portable=True)

    def add(self, terms: Sequence[Term]) -> None:
        """Terms are asserted."""
        self._parts.append(self._writer.assertions(terms))

    def check(self, assumptions: Sequence[Term], verdict: Verdict) -> None:
        """A question is answered."""
        names = []
        for t in assumptions:
            text, name = self._writer.assumption(t)
            self._parts.append(text)
            names.append(name)
        asserted = "".join(f"(assert {n})\n" for n in names)
        self._parts.append(f"; vclogic was told: {verdict}\n(push 1)\n{asserted}(check-sat)\n(pop 1)\n")

    @property
    def text(self) -> str:
        """The script."""
        return "".join(self._parts)


@dataclass(frozen=True)
class Effort:
    """What may be spent on a question.

    Attributes:
        deadline: When it has to be answered.
        progress: Told how far it is.
        transcript: Takes down what is asked of solvers.
    """

    deadline: Deadline
    progress: Progress
    transcript: Transcript | None = None

    def session(self, engines: Sequence[str] = FAST, *, most: float = math.inf) -> Session:
        """A fresh session.

        Args:
            engines: Which engines to run.
            most: Seconds that it may take; a third of what is left at the most, where given.
        """
        if self.transcript:
            self.transcript.begin()
        deadline = self.deadline if most == math.inf else Deadline(min(self.deadline.left / 3, most))
        return Session(deadline, engines, self.transcript)


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


class Beside(Protocol):
    """A process at other work whose answer makes a question superfluous; see `Session.check`."""

    @property
    def done(self) -> bool:
        """Whether it has answered, or never will."""

    def register(self, selector: selectors.BaseSelector) -> None:
        """Let a selector watch it, with the process itself as the data."""

    def handle(self, selector: selectors.BaseSelector, events: int) -> object:
        """Move bytes after the selector reported it."""


def is_model(values: Mapping[Term, int], claimed: Sequence[Term]) -> bool:
    """Whether values lie within their variables' bounds and make Bool terms true, judged without a solver."""
    if not all(v.lo <= n <= v.hi for v, n in values.items()):
        return False
    return all(interpret_all(claimed, {v: i for i, v in enumerate(values)}, list(values.values())))


class Session:
    """Engines side by side on one growing set of constraints; the first to decide answers.

    Use it as a context manager: leaving it ends its processes.

    Args:
        deadline: When it has to stop. What is still running then is killed; that check answers `unknown`, and so
            does every later one.
        engines: Which engines to run (names of `worker.ENGINES`).
        transcript: Takes down what is asked and answered.
    """

    def __init__(self, deadline: Deadline, engines: Sequence[str] = FAST, transcript: Transcript | None = None):
        self._deadline = deadline
        self._transcript = transcript
        self._writer = Writer()
        self._asserted: list[Term] = []
        self._pending: list[str] = []
        self._told: list[str] = []
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
        if self._transcript:
            self._transcript.add(terms)
        self._contradiction |= FALSE in terms
        kept = [t for t in terms if t is not TRUE and t is not FALSE]
        if kept:
            self._asserted += kept
            self._pending.append(self._writer.assertions(kept))

    def check(self, *assumptions: Term, seconds: float = math.inf, beside: Beside | None = None) -> Answer:
        """Whether all that was asserted can hold, together with some Bool terms for this call only.

        Args:
            assumptions: The terms.
            seconds: Give this question up after so long; the session stays usable.
            beside: Give it up once this is done, too.
        """
        if self._deadline.left <= 0:
            self._failure = "the time is up"
            self.close()
            return Answer("unknown", reason=self._failure)
        answer = self._check(assumptions, seconds, beside)
        if self._transcript:
            self._transcript.check(assumptions, answer.verdict)
        return answer

    def _check(self, assumptions: Sequence[Term], seconds: float, beside: Beside | None) -> Answer:
        if self._contradiction or FALSE in assumptions:
            return Answer("unsat")
        literals = []
        for t in assumptions:
            if t is not TRUE:
                text, name = self._writer.assumption(t)
                self._pending.append(text)
                literals.append(name)
        self._asked += 1
        self._told.append("".join(self._pending))
        self._pending.clear()
        self._revive()
        for process in self._processes:
            process.send({"id": self._asked, "text": "".join(self._told[process.told :]), "assume": literals})
            process.told = len(self._told)
        # A question that is over must not burden the next ones: with its literal false it falls away.
        self._pending += [f"(assert (not {name}))\n" for name in literals]
        return self._wait(Deadline(seconds), [*self._asserted, *assumptions], beside)

    def _revive(self) -> None:
        """Replace engines that were told to stop and do not: they would not hear the next question either."""
        with selectors.DefaultSelector() as selector:
            for process in self._processes:
                process.register(selector)
            for key, events in selector.select(0):
                key.data.handle(selector, events)
        for i, process in enumerate(self._processes):
            if process.deaf:
                process.close()
                self._processes[i] = Process(process.engine)

    def _wait(self, patience: Deadline, claimed: Sequence[Term], beside: Beside | None) -> Answer:
        """The first answer that decides, or `unknown` once there can be none.

        A model is believed only if everything that was claimed is true in it, by a look in Python.
        """
        waiting = list(self._processes)
        reason = self._failure
        with selectors.DefaultSelector() as selector:
            for process in waiting:
                process.register(selector)
            if beside and not beside.done:
                beside.register(selector)
            while waiting:
                ready = selector.select(max(min(self._deadline.left, patience.left), 0))
                if not ready and self._deadline.left <= 0:
                    self._failure = "the time is up"
                    self.close()
                    return Answer("unknown", reason=self._failure)
                for key, events in ready:
                    if key.data is beside and beside:
                        beside.handle(selector, events)
                if (not ready and patience.left <= 0) or (beside and beside.done):
                    self._cancel(waiting)
                    return Answer("unknown", reason=GIVEN_UP)
                for key, events in ready:
                    if key.data is beside:
                        continue
                    speaker: Process = key.data
                    for answer in self._answers(speaker, selector, events):
                        waiting.remove(speaker)
                        decided = self._decided(answer, claimed)
                        if decided:
                            self._cancel(waiting)
                            return decided
                        if answer["status"] == "unknown":
                            reason = reason or answer["reason"]
                        else:
                            speaker.alive = False
                            reason = "an engine gave a model that is none"
                    if not speaker.alive and speaker in self._processes:
                        self._lose(selector, speaker, waiting)
                        self._failure = reason = reason or "the solver's process ended unexpectedly"
        return Answer("unknown", reason=reason)

    def _decided(self, answer: Mapping[str, Any], claimed: Sequence[Term]) -> Answer | None:
        if answer["status"] == "unsat":
            return Answer("unsat")
        if answer["status"] != "sat":
            return None
        values = {v: self._writer.value(v, answer["model"]) for v in self._writer.variables}
        return Answer("sat", values) if is_model(values, claimed) else None

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
