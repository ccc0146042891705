"""Takes the lines of a program and sees to it that each is answered: searches by others, the rest at once."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from vclogic.choices import as_key, written_as
from vclogic.errors import Diagnostic, InputError
from vclogic.report.json import Document, document
from vclogic.serve.answering import Answering, UnopenedQuestion
from vclogic.serve.answers import Cancelled, Ended, Together
from vclogic.serve.protocol import (
    NAME,
    BadRequest,
    Id,
    UncheckedRequest,
    answer_line,
    error_document,
    fault_document,
    part_line,
    read_request,
)
from vclogic.serve.requests import Kind
from vclogic.serve.session import ClientSession
from vclogic.serve.tasks import Reply, UnansweredQuestion, task_of
from vclogic.watchdog import Endless

MOST_WAITING, MOST_TOGETHER = 1_000, 20
"""So many questions may wait for their answers at once, and so many may be asked in one request."""
_ALONE = ("load", "apply", "at_state", "drop", "together", "cancel", "shutdown")  # they change what is held, or more


class Answerer(Protocol):
    """Answers the questions that take long: a pool of processes, or this process itself."""

    @property
    def tasks(self) -> Sequence[UnansweredQuestion]:
        """The questions that are not answered yet."""

    def add(self, task: UnansweredQuestion) -> None:
        """Take a question; its answer goes to its `reply`."""

    def cancel(self, id: Id) -> bool:
        """End a question; returns whether it was there, not answered yet."""

    def cancel_all(self) -> None:
        """End all questions at once."""


class Dispatcher:
    """Answers the requests of one program.

    Args:
        session: The games that it holds.
        searcher: Answers what takes long.
        reply: Takes each line of an answer.

    Attributes:
        ended: Whether the program has asked for the end.
    """

    def __init__(self, session: ClientSession, searcher: Answerer, reply: Reply):
        self._searcher = searcher
        self.ended = False
        self._session = session
        self._reply = reply
        self._parts: deque[Callable[[], bytes]] = deque()

    def receive(self, line: bytes) -> None:
        """Take a line; what is wrong with it, or goes wrong, is said in its answer."""
        with written_as(as_key):
            self._receive(line)

    def _receive(self, line: bytes) -> None:
        id: Id = None
        try:
            request = read_request(line)
            if request is None:
                return
            id = request.id
            answer = self._answer(request, line)
            if answer is not None:
                self._reply(answer_line(id, answer))
        except BadRequest as bad:
            self._reply(answer_line(bad.id, error_document(bad.error)))
        except (Exception, Endless) as error:
            self._reply(answer_line(id, error_document(error)))

    def go_on(self) -> bool:
        """Give the next reply to questions that were asked together; returns whether there was one to give."""
        if self._parts:
            with written_as(as_key):
                self._reply(self._parts.popleft()())
            return True
        return False

    @property
    def more(self) -> bool:
        """True if there are replies to give before the next line is taken."""
        return bool(self._parts)

    def _together(self, request: UncheckedRequest) -> None:
        """Plan a reply to each of several questions, and the answer to all of them."""
        id, moment = request.id, {key: x for key, x in request.plain.items() if key == "moment"}
        questions = request.plain["questions"] or ()
        if len(questions) > MOST_TOGETHER:
            raise InputError(Diagnostic("too-many", f"{MOST_TOGETHER} questions may be asked together", NAME))
        for n, question in enumerate(questions):
            self._parts.append(partial(self._part, id, n, moment, question))
        self._parts.append(lambda: answer_line(id, document("together", Together(len(questions)))))

    def _part(self, id: Id, n: int, moment: Mapping[str, Any], question: Any) -> bytes:
        """The reply to one of several questions, which does not rest on the others."""
        try:
            whole = {**moment, **question} if isinstance(question, dict) else question
            request = read_request(json.dumps(whole).encode())
            assert request is not None
            kind = self._session.kind(request)
            if kind.is_search or kind.name in _ALONE:
                message = f"{kind.name!r} cannot be asked together with other questions"
                raise InputError(Diagnostic("usage", message, NAME, help="ask it in a request of its own"))
            return part_line(id, n, self._session.answer(kind, kind.read(request), request))
        except BadRequest as bad:
            return part_line(id, n, error_document(bad.error))
        except (Exception, Endless) as error:
            return part_line(id, n, error_document(error))

    def refuse(self, message: str, help: str) -> None:
        """Answer a line that cannot be read at all."""
        self._reply(answer_line(None, fault_document("too-big", message, help)))

    def _answer(self, request: UncheckedRequest, line: bytes) -> Document | None:
        """The answer to a request; None if it comes later."""
        kind = self._session.kind(request)
        keys = kind.read(request)
        if kind.name == "cancel":
            return document("cancel", Cancelled(self._searcher.cancel(request.plain["request"])))
        if kind.name == "shutdown":
            self._searcher.cancel_all()
            self.ended = True
            return document("shutdown", Ended())
        if kind.name == "together":
            self._together(request)
            return None
        if not kind.is_search:
            return self._session.answer(kind, keys, request)
        self._search(kind, keys, request, line)
        return None

    def _search(self, kind: Kind, keys: object, request: UncheckedRequest, line: bytes) -> None:
        tasks = self._searcher.tasks
        if request.id is not None and any(task.request.id == request.id for task in tasks):
            help = "give each request an id of its own, or none"
            message = f"a request with the id {request.id!r} is not answered yet"
            raise InputError(Diagnostic("duplicate-id", message, NAME, help=help))
        if len(tasks) >= MOST_WAITING:
            raise InputError(Diagnostic("too-many", f"{MOST_WAITING:,} questions wait for their answers", NAME))
        self._searcher.add(task_of(kind, keys, request, line, self._session, self._reply))


MOST_MOMENTS = 1_000
"""So many moments are held."""


class InThisProcess:
    """Answers each question at once, before anything else is done; see `Pool`, in whose place it stands.

    Args:
        reply: Takes each line that comes before an answer.
    """

    def __init__(self, reply: Reply):
        self._answering = Answering(reply)
        self.tasks: Sequence[UnansweredQuestion] = ()

    def add(self, task: UnansweredQuestion) -> None:
        """Answer a question."""
        made = task.planner
        planner = (made.number, lambda: made) if made else None
        question = UnopenedQuestion(task.number, task.request, task.arrived, lambda: task.moments, planner)
        task.reply(self._answering.answer(question))

    def cancel(self, id: object) -> bool:
        """Nothing can be cancelled: whoever asks for it is not heard before the answer is given."""
        return False

    def cancel_all(self) -> None:
        """There is nothing to cancel."""


def alone(reply: Reply) -> Dispatcher:
    """A dispatcher that answers requests in this process.

    Args:
        reply: Takes each line of an answer.
    """
    return _AtOnce(ClientSession(MOST_MOMENTS), InThisProcess(reply), reply)


class _AtOnce(Dispatcher):
    """Gives all replies to a line before the next one comes."""

    def receive(self, line: bytes) -> None:
        """As in `Dispatcher`."""
        super().receive(line)
        while self.go_on():
            pass
