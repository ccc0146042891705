"""The process that answers questions apart, one after the other; it is told of the games by those who asked."""

from __future__ import annotations

import json
import os
import queue
import threading
import time
from collections.abc import Mapping
from io import BufferedReader, FileIO
from typing import Any

from vclogic.serve.answering import Answering, UnopenedQuestion
from vclogic.serve.protocol import read_request
from vclogic.serve.tasks import unpacked
from vclogic.streams import own_input, own_output

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
    """The question in a worker's line, as `Task.told` writes it."""
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
    worker.work()
