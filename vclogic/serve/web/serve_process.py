"""A process of the page's server: it answers requests, several at once, and can be left for a fresh one."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncGenerator, Callable, Collection, Mapping
from functools import partial
from itertools import count
from typing import Any

from vclogic.child_process import Child, at_work, memory
from vclogic.query.resolved_question import DEFAULT_TIMEOUT
from vclogic.serve.protocol import LONGEST, answer_line, fault_document, out_of_time
from vclogic.serve.requests import KINDS

GONE = "the process that worked on this question ended unexpectedly"
_START = "from vclogic.serve.stdio import serve_confined; serve_confined()"
_LEAST = 1e-6  # seconds for a question whose time was up before it began: its answer says what is known at once
_MOST_UNREAD = 100  # lines of progress that nobody has read, above which further ones are dropped

_LINE = re.compile(rb'\{"id":(\d+),')
_ANSWER = b'"answer":'
_BEGINNING = 60.0  # seconds in which its process has to be there
_SLOW = 1.0  # seconds after which a quick question holds up those behind it


class ServeProcess:
    """A process of `vclogic serve` for the page. Quick requests are answered in their order, searches beside them.

    Each request that asks solvers is followed by a quick one, whose answer tells that others get their turn again:
    what such a question is asked of is made in its turn, too.

    Args:
        folder: Its working directory, whose files it may read.
        patience: Seconds that one request may hold up those behind it, before the process is ended.
        answered: Takes this whenever it has answered a request, and at its end.
        lost: Takes each question that it cannot answer since the process has ended, by no fault of that question.

    Attributes:
        retired: Whether it gets no more requests once there is another one in its place.
    """

    def __init__(
        self,
        folder: str,
        patience: float,
        answered: Callable[[ServeProcess], None],
        lost: Callable[[PageQuestion], None],
    ):
        self._folder, self._patience = folder, patience
        self._answered, self._lost = answered, lost
        self._child: Child | None = None
        self._numbers = count()
        self._asked: dict[int, PageQuestion] = {}
        self._line: dict[int, int] = {}  # by the number of the answer that ends its turn: each question in its turn
        self._turn: int | None = None  # the first of them,
        self._since = 0.0  # and when it became that
        self._timer: asyncio.TimerHandle | None = None
        self._over = self.retired = False

    @property
    def load(self) -> int:
        """The number of unanswered requests."""
        return len(self._asked)

    @property
    def searching(self) -> int:
        """The number of its questions that ask solvers, those included for whose answer nobody waits any more."""
        return sum(question.is_search for question in self._asked.values())

    @property
    def slow(self) -> bool:
        """True if a request has been holding up those behind it for a while."""
        return self._turn is not None and asyncio.get_running_loop().time() - self._since > _SLOW

    @property
    def over(self) -> bool:
        """True if its process has ended, by request or not."""
        return self._over or self._child is None or self._child.over

    @property
    def memory(self) -> int:
        """The bytes of memory that its process and all below it use; 0 where that cannot be told."""
        return 0 if self._child is None or self._over else memory(self._child.pid)

    async def start(self) -> None:
        """Start its process.

        Raises:
            OSError: It cannot be started.
        """
        self._child = Child(at_work(_START, self._folder))
        asyncio.get_running_loop().add_reader(self._child.out, self._read)
        self._line[self._tell({"ask": "version"})] = -1
        self._look()

    def ask(self, question: PageQuestion) -> None:
        """Hand a question on."""
        question.tries += 1
        if self.over:
            self._lost(question)
            return
        number = self._tell(question.told())
        self._asked[number], question.stop = question, partial(self._stop, number)
        self._line[self._tell({"ask": "version"}) if question.is_search else number] = number
        self._look()

    async def end(self) -> None:
        """End its process and all that it has started."""
        if self._child is not None:
            self._leave()
            await asyncio.to_thread(self._child.end)

    def _stop(self, number: int) -> None:
        """End a question that asks solvers; its answer says what is known."""
        self._tell({"ask": "cancel", "request": number})

    def _tell(self, request: Mapping[str, Any]) -> int:
        """Hand a request on; returns its number for this process."""
        assert self._child is not None
        number = next(self._numbers)
        self._child.tell(json.dumps({**request, "id": number}).encode() + b"\n")
        if self._child.unsent:
            asyncio.get_running_loop().add_writer(self._child.into, self._send)
        return number

    def _send(self) -> None:
        """Tell its process more of the requests."""
        assert self._child is not None
        self._child.send()
        if not self._child.unsent:
            asyncio.get_running_loop().remove_writer(self._child.into)

    # ---- what its process says

    def _read(self) -> None:
        """Hand out what the process says."""
        assert self._child is not None
        lines = self._child.lines()
        for line in lines or ():
            self._hand_out(line + b"\n")
        if lines is None or self._child.unfinished > 8 * LONGEST:
            searches = [number for number, question in self._asked.items() if question.is_search]
            self._end_here(searches if self._turn is None else [self._line[self._turn]], "internal", GONE)

    def _hand_out(self, line: bytes) -> None:
        found = _LINE.match(line)
        if found is None:
            return
        number, last = int(found[1]), line.startswith(_ANSWER, found.end())
        question = self._asked.get(number)
        if last:
            self._line.pop(number, None)
            self._asked.pop(number, None)
        if question is not None:
            question.stop = None if last else question.stop
            question.take(line[found.end() :], last)
        self._look()
        if last:
            self._answered(self)

    # ---- what holds up the others

    def _look(self) -> None:
        """See whose turn it is, and how long that may take."""
        turn = next(iter(self._line), None)
        if turn == self._turn:
            return
        loop = asyncio.get_running_loop()
        self._turn, self._since = turn, loop.time()
        if self._timer is not None:
            self._timer.cancel()
        patience = max(self._patience, _BEGINNING) if turn == 0 else self._patience
        self._timer = None if turn is None else loop.call_later(patience, self._give_up)

    def _give_up(self) -> None:
        assert self._turn is not None
        self._end_here([self._line[self._turn]], "time-up", out_of_time(self._patience))

    def _end_here(self, at_fault: Collection[int], code: str, message: str) -> None:
        """Take leave of the process; only the questions at fault are told of it."""
        if self._over:
            return
        assert self._child is not None
        self._child.kill()
        asked = self._leave()
        for number, question in asked.items():
            question.stop = None
            if number in at_fault:
                question.fail(code, message)
            else:
                self._lost(question)
        self._answered(self)

    def _leave(self) -> dict[int, PageQuestion]:
        """Listen to the process no more; returns the questions that it has not answered."""
        assert self._child is not None
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._child.out)
        loop.remove_writer(self._child.into)
        self._over = self.retired = True
        asked, self._asked = self._asked, {}
        self._line.clear()
        self._look()
        return asked


class PageQuestion:
    """A question.

    Args:
        request: The request; its replies bear its id.

    Attributes:
        is_search: Whether it asks solvers.
        stop: Lets its process answer it by what is known; None: it waits for a process, or has its answer.
        tries: How many processes were asked.
        stopped: Whether it is to be answered by what is known.
        left: Whether nobody waits for its answer any more.
    """

    def __init__(self, request: Mapping[str, Any]):
        kind = KINDS.get(str(request["ask"]))
        self.is_search = kind is not None and kind.is_search
        self.stop: Callable[[], None] | None = None
        self.tries = 0
        self.stopped = self.left = False
        self._request, self._id = request, request.get("id")
        self._arrived = time.monotonic()
        self._lines: asyncio.Queue[tuple[bytes, bool]] = asyncio.Queue()

    def told(self) -> Mapping[str, Any]:
        """The request, with the time limit that is left of its own: it counts from the arrival."""
        timeout, waited = self._request.get("timeout", DEFAULT_TIMEOUT), round(time.monotonic() - self._arrived, 1)
        if not self.is_search or not waited or not isinstance(timeout, int | float) or timeout <= 0:
            return self._request
        return {**self._request, "timeout": max(timeout - waited, _LEAST)}

    def take(self, rest: bytes, last: bool) -> None:
        """Take a line of a reply.

        Args:
            rest: What stands in it behind the id.
            last: Whether it is the last one.
        """
        self._put(b'{"id":' + json.dumps(self._id).encode() + b"," + rest, last)

    def fail(self, code: str, message: str, *, cancelled: bool = False) -> None:
        """Answer it by an error that is no mistake in it."""
        self._put(answer_line(self._id, fault_document(code, message), cancelled=cancelled), True)

    async def replies(self) -> AsyncGenerator[bytes, None]:
        """The lines of its replies, as they come."""
        last = False
        while not last:
            line, last = await self._lines.get()
            yield line

    def _put(self, line: bytes, last: bool) -> None:
        if not self.left and (last or self._lines.qsize() < _MOST_UNREAD):
            self._lines.put_nowait((line, last))
