"""Answers searches, one after the other, whoever hands them over."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from vclogic.choices import as_key, written_as
from vclogic.clock import Stopper, TimeUp, stoppable
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.model.memoized import Latest
from vclogic.progress import Listener, Progress, silent
from vclogic.query.plan.file import plan_of
from vclogic.report.json import Document, document
from vclogic.report.text.of_kind import in_words, verdict
from vclogic.serve.answers import MadePlanner
from vclogic.serve.protocol import (
    UncheckedRequest,
    answer_line,
    better_line,
    error_document,
    fault_document,
    progress_line,
)
from vclogic.serve.requests import KINDS, arguments, call
from vclogic.serve.schemas import schema_of
from vclogic.serve.session import PlannerMade
from vclogic.watchdog import Endless, endless_calls_ended

if TYPE_CHECKING:
    from vclogic.query.plan.answer import Plan
    from vclogic.query.planner.planner import Planner

CANCEL, CANCELLED = "cancelled", "the request was cancelled"
"""The code of the error and what it says, where nothing is known of a question that was cancelled."""
_MOST_PLANNERS = 8
_LEAST = 1e-6  # seconds for a question whose time was up before it began: its answer says what is known at once


@dataclass(frozen=True)
class UnopenedQuestion:
    """A question, before its moments are made.

    Attributes:
        number: Tells it from all others.
        request: The request.
        arrived: When it arrived, on the clock of `time.monotonic`.
        moments: Makes what it is asked of, by the keys that name it.
        planner: The number of the planner that it is asked of, and what gives what that is made of; None: of none.
    """

    number: int
    request: UncheckedRequest
    arrived: float
    moments: Callable[[], Mapping[str, Game]]
    planner: tuple[int, Callable[[], PlannerMade]] | None


class Stops:
    """A stop that another thread sends to the current question when it is cancelled."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stops: list[Callable[[], None]] = []
        self._number = 0  # of the question that is worked on,
        self._cancelled = -1  # and of the last one that was cancelled

    @property
    def cancelled(self) -> bool:
        """True if the current question was cancelled."""
        return self._cancelled == self._number

    def begin(self, number: int) -> None:
        """Work on a question begins."""
        with self._lock:
            self._number = number

    def cancel(self, number: int) -> None:
        """Cancel a question."""
        with self._lock:
            self._cancelled = number
            for stop in self._stops if self.cancelled else ():
                stop()

    @contextmanager
    def by(self, stop: Callable[[], None]) -> Iterator[None]:
        """Within the block, the question is ended by a function once it is cancelled."""
        with self._lock:
            self._stops.append(stop)
            if self.cancelled:
                stop()
        try:
            yield
        finally:
            with self._lock:
                self._stops.remove(stop)


@dataclass(frozen=True)
class _OpenQuestion:
    """A question that is worked on.

    Attributes:
        question: The question.
        request: Its request.
        keys: The keys of that.
        moments: What it is asked of, by the keys that name it.
    """

    question: UnopenedQuestion
    request: UncheckedRequest
    keys: Any
    moments: Mapping[str, Game]


class Answering:
    """Answers questions one after the other.

    Args:
        tell: Takes each line that comes before an answer.

    Attributes:
        stops: Ends the question that is worked on.
    """

    def __init__(self, tell: Callable[[bytes], None]):
        self.stops = Stops()
        self._tell = tell
        self._planners: Latest[int, Planner] = Latest(_MOST_PLANNERS)

    def answer(self, question: UnopenedQuestion) -> bytes:
        """The line of the answer to a question."""
        self.stops.begin(question.number)
        answer = self._answer(question)
        return answer_line(question.request.id, answer, cancelled=self.stops.cancelled)

    def _answer(self, question: UnopenedQuestion) -> Document:
        request = question.request
        kind = KINDS[request.ask]
        own = {
            "schema": self._schema,
            "survives": self._survives,
            "planner": self._made,
            "planner_plan": self._planned,
            "planner_objectives": self._briefed,
        }
        stop = Stopper()
        try:
            with written_as(as_key), endless_calls_ended(), stoppable(stop), self.stops.by(stop.ask):
                asked = _OpenQuestion(question, request, kind.read(request), question.moments())
                return own.get(kind.name, self._called)(asked)
        except TimeUp:  # before anything could be said
            return (
                fault_document(CANCEL, CANCELLED)
                if self.stops.cancelled
                else fault_document("time-up", "the time is up")
            )
        except (Exception, Endless) as error:
            return error_document(error)

    def _called(self, asked: _OpenQuestion) -> Document:
        """The answer of a method of `Game`."""
        kind, keys = KINDS[asked.request.ask], asked.keys
        others: dict[str, Any] = dict(asked.moments)
        game = others.pop("moment")
        if getattr(keys, "better", False):
            others["on_better"] = lambda plan: self._better(asked, plan, plan.lower_bound)
        answer = self._known(call(kind, game, asked.request, keys, **self._spending(asked), **others))
        return _document(asked, kind.document, answer)

    def _spending(self, asked: _OpenQuestion) -> dict[str, Any]:
        """The time that is left for a question, and what takes its progress."""
        timeout = asked.keys.timeout
        if timeout > 0:
            timeout = max(timeout - (time.monotonic() - asked.question.arrived), _LEAST)
        return {"timeout": timeout, "progress": self._told(asked, wanted=asked.keys.progress)}

    def _told(self, asked: _OpenQuestion, *, wanted: bool) -> Listener:
        """A listener to the progress of a question."""

        def tell(progress: Progress) -> None:
            self._tell(progress_line(asked.request.id, progress))

        return tell if wanted else silent

    def _better(self, asked: _OpenQuestion, plan: Plan, bound: int | None) -> None:
        """Tell of a better plan while the search goes on."""
        self._tell(better_line(asked.request.id, _document(asked, "plan", plan), bound))

    def _survives(self, asked: _OpenQuestion) -> Document:
        game, keys = asked.moments["moment"], asked.keys
        plan = plan_of(asked.request.plain["plan"], keys.goal, game.loaded.setup.game, "plan")
        found = game.survives(plan, keys.side, within=keys.within, **self._spending(asked))
        return _document(asked, "survives", self._known(found))

    def _known(self, answer: Any) -> Any:
        """An answer; that of a cancelled question says so where something is left open."""
        if self.stops.cancelled and getattr(answer, "reason", None):
            return replace(answer, reason=CANCELLED)
        return answer

    def _schema(self, asked: _OpenQuestion) -> Document:
        return document("schema", schema_of(asked.keys.kind, asked.keys.game))

    def _made(self, asked: _OpenQuestion) -> Document:
        self._planner(asked)
        assert asked.question.planner is not None
        _, made = asked.question.planner
        return document("planner", MadePlanner(made().name, asked.moments["moment"].loaded.setup.game))

    def _planned(self, asked: _OpenQuestion) -> Document:
        planner, given = self._planner(asked), arguments(asked.request, asked.keys)
        better = partial(self._better, asked) if given.pop("progress") else None
        with self.stops.by(planner.cancel):
            plan = planner.plan(**given, state=_start(asked), on_better=better)
        return document("plan", self._known(plan))

    def _briefed(self, asked: _OpenQuestion) -> Document:
        planner, given = self._planner(asked), arguments(asked.request, asked.keys)
        progress = self._told(asked, wanted=given.pop("progress"))
        with self.stops.by(planner.cancel):
            briefing = planner.objectives(**given, state=_start(asked), progress=progress)
        return document("objectives", briefing)

    def _planner(self, asked: _OpenQuestion) -> Planner:
        """The planner of a question; it is made unless it is one of the latest few."""
        assert asked.question.planner is not None
        number, of = asked.question.planner

        def made() -> Planner:
            what = of()
            planner: Planner = what.game.planner(**what.arguments)
            return planner

        return self._planners.get(number, made)


def _document(asked: _OpenQuestion, kind: str, answer: Any) -> Document:
    """The document of an answer; where words are wanted, with the report, and its line that says the most."""
    found, ask = document(kind, answer), asked.request.ask
    if getattr(asked.keys, "report", False):
        found["report"], line = in_words(ask, answer, asked.keys.columns), verdict(ask, answer)
        found |= {} if line is None else {"verdict": line}
    return found


def _start(asked: _OpenQuestion) -> Any:
    """The start of a planner's question: a moment, a state, or a moment with another state; None: its own game."""
    moment, state = asked.moments.get("moment"), asked.request.plain.get("state")
    if state is not None and not isinstance(state, dict):
        raise InputError(asked.request.node.section("state").diagnostic("wrong-value", "'state': expected a mapping"))
    return moment if state is None else state if moment is None else moment.at_state(state)
