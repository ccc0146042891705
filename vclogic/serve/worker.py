"""The process that answers questions apart, one after the other; it is told of the games by those who asked."""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BufferedReader, FileIO
from typing import TYPE_CHECKING, Any

from vclogic.clock import Stop, TimeUp, stoppable
from vclogic.errors import InputError
from vclogic.model.latest import Latest
from vclogic.progress import Listener, Progress, silent
from vclogic.query.plan_file import plan_of
from vclogic.query.request import Patience
from vclogic.report.json import Document, document
from vclogic.report.text.of_kind import in_words
from vclogic.serve.answers import MadePlanner
from vclogic.serve.protocol import (
    Request,
    answer_line,
    better_line,
    error_document,
    progress_line,
    read_request,
    said,
)
from vclogic.serve.requests import KINDS, arguments, call
from vclogic.serve.schemas import schema_of
from vclogic.serve.tasks import unpacked
from vclogic.watchdog import Endless, endless_calls_ended

if TYPE_CHECKING:
    from vclogic.query.answers import Plan
    from vclogic.query.planner import Planner

ANSWER, PROGRESS = b"a", b"p"
"""The first byte of each line of a worker: whether it is the answer or comes before it."""
CANCEL, CANCELLED = "cancelled", "the request was cancelled"
"""The code of the error and what it says, where nothing is known of a question that was cancelled."""
_MOST_PLANNERS = 8
_LEAST = 1e-6  # seconds for a question whose time was up before it began: its answer says what is known at once


@dataclass(frozen=True)
class _Asked:
    """A question.

    Attributes:
        request: The request.
        keys: Its keys.
        known: What it is asked of, as `Task.told` says it.
        arrived: When it arrived, on the clock of `time.monotonic`.
        moments: What it is asked of, by the keys that name it.
    """

    request: Request
    keys: Any
    known: Mapping[str, Any]
    arrived: float
    moments: dict[str, Any]


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
        self._planners: Latest[int, Planner] = Latest(_MOST_PLANNERS)
        self._lock = threading.Lock()
        self._stops: list[Callable[[], None]] = []
        self._task = 0  # the number of the question that is worked on,
        self._cancelled = -1  # and of the last one that was cancelled

    def listen(self) -> None:
        """Take what comes in; at its end the process ends at once, even while it works."""
        for line in self._lines:
            known = json.loads(line)
            if "cancel" in known:
                self._cancel(known["cancel"])
            else:
                self._questions.put((known, next(self._lines)))
        os._exit(0)

    def work(self) -> None:
        """Answer the questions in their order."""
        while True:
            known, line = self._questions.get()
            request = read_request(line)
            assert request is not None
            with self._lock:
                self._task = known["task"]
            answer = self._answer(known, request)
            self._write(ANSWER + answer_line(request.id, answer, cancelled=self._is_cancelled))

    # ---- cancelling

    def _cancel(self, task: int) -> None:
        with self._lock:
            self._cancelled = task
            for stop in self._stops if self._is_cancelled else ():
                stop()

    @property
    def _is_cancelled(self) -> bool:
        """Whether the question that is worked on was cancelled."""
        return self._cancelled == self._task

    @contextmanager
    def _stopped_by(self, stop: Callable[[], None]) -> Iterator[None]:
        """Within the block, the question is ended by a function once it is cancelled."""
        with self._lock:
            self._stops.append(stop)
            if self._cancelled == self._task:
                stop()
        try:
            yield
        finally:
            with self._lock:
                self._stops.remove(stop)

    # ---- answers

    def _answer(self, known: Mapping[str, Any], request: Request) -> Document:
        kind = KINDS[request.ask]
        own = {
            "schema": self._schema,
            "survives": self._survives,
            "planner": self._made,
            "planner_plan": self._planned,
            "planner_objectives": self._briefed,
        }
        stop = Stop()
        try:
            with endless_calls_ended(), stoppable(stop), self._stopped_by(stop.ask):
                arrived = time.monotonic() - known["waited"]
                moments = {key: unpacked(moment) for key, moment in known["moments"].items()}
                asked = _Asked(request, kind.read(request), known, arrived, moments)
                return own.get(kind.name, self._called)(asked)
        except TimeUp:  # before anything could be said
            return said(CANCEL, CANCELLED) if self._is_cancelled else said("time-up", "the time is up")
        except (Exception, Endless) as error:
            return error_document(error)

    def _called(self, asked: _Asked) -> Document:
        """The answer of a method of `Game`."""
        kind, keys = KINDS[asked.request.ask], asked.keys
        others = dict(asked.moments)
        game = others.pop("moment")

        answer = call(kind, game, asked.request, keys, **self._spending(asked), **others)
        found = self._said(kind.document, answer)
        return found | {"report": in_words(kind.name, answer)} if keys.report else found

    def _spending(self, asked: _Asked) -> Patience:
        """The time that is left for a question, and what takes its progress."""
        timeout = asked.keys.timeout
        if timeout > 0:
            timeout = max(timeout - (time.monotonic() - asked.arrived), _LEAST)
        return {"timeout": timeout, "progress": self._told(asked, wanted=asked.keys.progress)}

    def _told(self, asked: _Asked, *, wanted: bool) -> Listener:
        """What takes the progress of a question."""

        def tell(progress: Progress) -> None:
            self._write(PROGRESS + progress_line(asked.request.id, progress))

        return tell if wanted else silent

    def _survives(self, asked: _Asked) -> Document:
        game, keys = asked.moments["moment"], asked.keys
        plan = plan_of(asked.request.plain["plan"], keys.goal, game.setup.game, "plan")
        return self._said("survives", game.survives(plan, keys.side, within=keys.within, **self._spending(asked)))

    def _said(self, kind: str, answer: Any) -> Document:
        """The document of an answer; that of a cancelled question says so where something is left open."""
        if self._is_cancelled and getattr(answer, "reason", None):
            answer = replace(answer, reason=CANCELLED)
        return document(kind, answer)

    def _schema(self, asked: _Asked) -> Document:
        return document("schema", schema_of(asked.keys.kind, asked.keys.game))

    def _made(self, asked: _Asked) -> Document:
        self._planner(asked)
        return document("planner", MadePlanner(asked.known["planner"][1], asked.moments["moment"].setup.game))

    def _planned(self, asked: _Asked) -> Document:
        planner, keys = self._planner(asked), asked.keys

        def tell(plan: Plan, bound: int | None) -> None:
            self._write(PROGRESS + better_line(asked.request.id, document("plan", plan), bound))

        given = arguments(asked.request, keys)
        better = tell if given.pop("progress") else None
        with self._stopped_by(planner.cancel):
            plan = planner.plan(**given, state=_start(asked), on_better=better)
        return self._said("plan", plan)

    def _briefed(self, asked: _Asked) -> Document:
        planner, given = self._planner(asked), arguments(asked.request, asked.keys)
        progress = self._told(asked, wanted=given.pop("progress"))
        with self._stopped_by(planner.cancel):
            briefing = planner.objectives(**given, state=_start(asked), progress=progress)
        return document("objectives", briefing)

    def _planner(self, asked: _Asked) -> Planner:
        """The planner of a question; it is made unless it is one of the latest few."""
        number, _, packed = asked.known["planner"]

        def made() -> Planner:
            game, given = unpacked(packed)
            planner: Planner = game.planner(**given)
            return planner

        return self._planners.get(number, made)

    def _write(self, line: bytes) -> None:
        while line:
            line = line[self._out.write(line) :]


def _start(asked: _Asked) -> Any:
    """What a planner is to plan from: a moment, a state, or a moment with another state; None: its own game."""
    moment, state = asked.moments.get("moment"), asked.request.plain.get("state")
    if state is not None and not isinstance(state, dict):
        raise InputError(asked.request.node.section("state").diagnostic("wrong-value", "'state': expected a mapping"))
    return moment if state is None else state if moment is None else moment.at_state(state)


def main() -> None:
    """Answer the questions on standard input. What a game or a library prints goes to standard error."""
    out = FileIO(os.dup(1), "w")
    lines = os.fdopen(os.dup(0), "rb")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdout = sys.stderr
    worker = Worker(lines, out)
    threading.Thread(target=worker.listen, daemon=True).start()
    worker.work()
