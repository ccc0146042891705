"""Searches that are not answered yet, what a process that answers them is told, and how that process works."""

from __future__ import annotations

import json
import os
import pickle
import queue
import threading
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from io import BufferedReader, FileIO
from itertools import count
from typing import Any

from vclogic.clock import LONGEST
from vclogic.game import Game
from vclogic.serve.answering import Answering, UnopenedQuestion
from vclogic.serve.protocol import UncheckedRequest, read_request
from vclogic.serve.requests import Kind
from vclogic.serve.session import ClientSession, PlannerMade
from vclogic.solve.backends.kept import kept
from vclogic.streams import own_input, own_output

Reply = Callable[[bytes], None]
"""Takes one line for the program that asked."""
_MAKING = 60.0  # seconds in which a planner can be made
_ERROR = b'"answer":{"schema":"vclogic/error/'  # how the answer of a line begins that is an error
_numbers = count(1)


@dataclass(frozen=True, eq=False)
class UnansweredQuestion:
    """A question that is not answered yet.

    Attributes:
        request: The request.
        line: The line that it stands in.
        moments: What it is asked of, by the keys that name it.
        planner: The planner that it is asked of, if it is.
        timeout: Seconds that it may take,
        waits: Whether they begin when it is worked on, not when it arrives.
        reply: Takes its lines.
        arrived: When it arrived, on the clock of `time.monotonic`.
        number: Tells it from all others.
    """

    request: UncheckedRequest
    line: bytes
    moments: Mapping[str, Game]
    planner: PlannerMade | None
    timeout: float
    waits: bool
    reply: Reply
    arrived: float = field(default_factory=time.monotonic)
    number: int = field(default_factory=lambda: next(_numbers))

    def told(self) -> bytes:
        """The two lines that a worker is told: what it needs to know, and the request."""
        made = self.planner
        known = {
            "task": self.number,
            "waited": time.monotonic() - self.arrived,
            "moments": {key: _packed(game) for key, game in self.moments.items()},
            "planner": made and [made.number, _packed(made)],
        }
        return json.dumps(known).encode() + b"\n" + self.line.strip() + b"\n"

    def taken_back(self) -> bytes:
        """The line by which a worker is told that the question is cancelled."""
        return json.dumps({"cancel": self.number}).encode() + b"\n"


def _packed(value: object) -> str:
    return b64encode(pickle.dumps(value)).decode()


def unpacked(text: str) -> Any:
    """An object out of the text that a worker was sent."""
    return pickle.loads(b64decode(text))


def task_of(
    kind: Kind, keys: Any, request: UncheckedRequest, line: bytes, session: ClientSession, reply: Reply
) -> UnansweredQuestion:
    """The task of a request that is a search.

    Args:
        line: The line that it stands in.
        session: The games that are held.
        reply: Takes its lines.

    Raises:
        InputError: Something that it names is not held.
    """
    named = {key: getattr(keys, key) for key in ("moment", "other") if hasattr(keys, key)}
    left_out = [key for key, name in named.items() if name is None and hasattr(type(keys), key)]  # it has a default
    moments = {key: session.held(request, name, key) for key, name in named.items() if key not in left_out}
    made = None
    waits = not hasattr(keys, "timeout")
    timeout: float = _MAKING + getattr(keys, "budget_s", 0) if waits else keys.timeout
    if kind.name == "planner":
        made = session.make_planner(keys, request)
        reply = _unless_refused(reply, made, session)
    elif hasattr(keys, "planner"):
        made = session.planner(request, keys.planner)
    return UnansweredQuestion(request, line, moments, made, min(timeout, LONGEST), waits, reply)


def _unless_refused(reply: Reply, made: PlannerMade, session: ClientSession) -> Reply:
    """Takes the answer to the request that makes a planner; one that cannot be made is forgotten."""

    def take(line: bytes) -> None:
        if _ERROR in line:
            session.forget(made)
        reply(line)

    return take


ANSWER, PROGRESS = b"a", b"p"
"""The first byte of each line of a worker: whether it is the answer or comes before it."""


class Worker:
    """Answers questions one after the other; another thread takes what comes in, and ends what is cancelled.

    Args:
        lines: What comes in.
        out: Takes the answers.
    """

    def __init__(self, lines: BufferedReader, out: FileIO):
        self._lines = lines
        self._out = out
        self._questions: queue.SimpleQueue[tuple[Mapping[str, Any], bytes]] = queue.SimpleQueue()
        self._answering = Answering(lambda line: self._write(PROGRESS + line))

    def listen(self) -> None:
        """Take what comes in; at its end the process ends at once, even while it works."""
        for line in self._lines:
            known = json.loads(line)
            if "cancel" in known:
                self._answering.stops.cancel(known["cancel"])
            else:
                self._questions.put((known, next(self._lines)))
        os._exit(0)

    def work(self) -> None:
        """Answer the questions in their order."""
        while True:
            known, line = self._questions.get()
            self._write(ANSWER + self._answering.answer(_question(known, line)))

    def _write(self, line: bytes) -> None:
        while line:
            line = line[self._out.write(line) :]


def _question(known: Mapping[str, Any], line: bytes) -> UnopenedQuestion:
    """The question in a worker's line, as `UnansweredQuestion.told` writes it."""
    request = read_request(line)
    assert request is not None
    number, packed = known["planner"] or (0, "")
    return UnopenedQuestion(
        known["task"],
        request,
        time.monotonic() - known["waited"],
        lambda: {key: unpacked(moment) for key, moment in known["moments"].items()},
        (number, lambda: unpacked(packed)) if number else None,
    )


def main() -> None:
    """Answer the questions on standard input."""
    worker = Worker(os.fdopen(own_input(), "rb"), FileIO(own_output(), "w"))
    threading.Thread(target=worker.listen, daemon=True).start()
    with kept():
        worker.work()
