"""The processes of the page's server: which one answers a question, how many wait, and when one is replaced."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from vclogic.report.json import document
from vclogic.serve.answering import CANCEL, CANCELLED
from vclogic.serve.answers import Cancelled
from vclogic.serve.protocol import answer_line, no_process
from vclogic.serve.web.guard import Busy
from vclogic.serve.web.serve_process import GONE, PageQuestion, ServeProcess

MOST_QUICK, MOST_WAITING = 100, 8
"""So many quick questions may be open at once, and so many that ask solvers may wait for a process."""
MOST_MEMORY = 1 << 30
"""Bytes of memory of a process and all below it beyond which it is left for a fresh one, once it has answered."""
PATIENCE = 20.0
"""Seconds that a quick question may take in its turn; then its process is ended, the others are asked elsewhere."""
SECRET = 16
"""Letters of an id that no other client guesses."""


class ServeProcesses:
    """Hands questions to processes.

    A question that a process could not answer, since another one held it up or ended it, is asked at another, once.

    Args:
        number: How many processes there are; so many questions that ask solvers are worked on at once.
        folder: The folder whose files they may read.
        patience: See `PATIENCE`.
    """

    def __init__(self, number: int, folder: str, patience: float = PATIENCE):
        self._number, self._folder, self._patience = number, folder, patience
        self._processes: list[ServeProcess] = []
        self._left: dict[ServeProcess, asyncio.Task[None]] = {}  # processes that were left, and what ends each
        self._renewing = asyncio.Lock()
        self._quick, self._searches = (
            deque[PageQuestion](),
            deque[PageQuestion](),
        )  # questions that wait
        self._open: set[PageQuestion] = set()
        self._names: dict[str, PageQuestion] = {}  # those that can be stopped, by their ids
        self._called = asyncio.Event()
        self._serving: asyncio.Task[None] | None = None
        self._closed = False

    async def start(self) -> None:
        """Start the processes."""
        await asyncio.gather(*(self._renew(i) for i in range(self._number)))
        self._serving = asyncio.create_task(self._serve())

    def close(self) -> None:
        """Answer all open questions at once, by an error, and all further ones."""
        self._closed = True
        for question in self._open:
            question.fail(CANCEL, "the server was ended", cancelled=True)

    async def end(self) -> None:
        """End all processes."""
        self.close()
        if self._serving is not None:
            self._serving.cancel()
        for ending in self._left.values():
            ending.cancel()
        await asyncio.gather(*(process.end() for process in (*self._processes, *self._left)), return_exceptions=True)

    async def renew(self) -> None:
        """Replace all processes by fresh ones, which read files anew; the old ones still answer their questions."""
        async with self._renewing:
            await asyncio.gather(*(self._renew(i) for i in range(len(self._processes))))
        self._called.set()

    async def ask(self, request: Mapping[str, Any]) -> AsyncGenerator[bytes, None]:
        """The lines of the replies to a request. Who stops listening ends the question.

        A question whose id is a text of `SECRET` letters or more can also be stopped by another request, `cancel`;
        then its answer says what is known.

        Raises:
            Busy: Too many questions are open.
        """
        if request["ask"] == "cancel":
            yield answer_line(request.get("id"), document("cancel", Cancelled(self._stop(request.get("request")))))
            return
        question = PageQuestion(request)
        self._admit(question)
        name = request.get("id")
        self._open.add(question)
        if isinstance(name, str) and len(name) >= SECRET:
            self._names[name] = question
        try:
            async with aclosing(question.replies()) as replies:
                async for line in replies:
                    yield line
        finally:
            self._open.discard(question)
            if self._names.get(str(name)) is question:
                del self._names[str(name)]
            self._leave(question)

    def _admit(self, question: PageQuestion) -> None:
        """Let a question wait for a process.

        Raises:
            Busy: Too many wait already.
        """
        if self._closed:
            raise Busy("questions")
        if not question.is_search and sum(not q.is_search for q in self._open) >= MOST_QUICK:
            raise Busy("questions")
        if question.is_search and len(self._searches) + self._searching >= self._number + MOST_WAITING:
            raise Busy("questions")
        (self._searches if question.is_search else self._quick).append(question)
        self._called.set()

    def _stop(self, id: object) -> bool:
        """Stop a question; returns whether it is open."""
        question = self._names.get(id) if isinstance(id, str) else None
        if question is None:
            return False
        if question.stop is not None and question.is_search:
            question.stopped = True
            question.stop()
        else:  # nothing is known of it
            question.fail(CANCEL, CANCELLED, cancelled=True)
            self._leave(question)
        return True

    def _leave(self, question: PageQuestion) -> None:
        """Nobody waits for the answer to a question any more."""
        question.left = True
        for waiting in (self._quick, self._searches):
            with contextlib.suppress(ValueError):
                waiting.remove(question)
        if question.stop is not None and question.is_search:
            question.stop()

    # ---- from the questions that wait to the processes

    async def _serve(self) -> None:
        """Hand out questions whenever something has changed."""
        while True:
            await self._called.wait()
            self._called.clear()
            if not self._quick and not self._searches:
                continue
            try:
                await self._replace()
            except OSError as error:
                if all(process.over for process in self._processes):
                    self._fail("shortage", no_process(error))
            self._hand_out([process for process in self._processes if not process.over])

    def _hand_out(self, processes: Sequence[ServeProcess]) -> None:
        """Hand out questions, as far as there are processes for them; no process ends meanwhile."""
        while self._quick:
            min(processes, key=lambda p: (p.slow, p.load)).ask(self._quick.popleft())
        while self._searches and self._searching < self._number:
            min(processes, key=lambda p: (p.searching, p.slow, p.load)).ask(self._searches.popleft())

    def _fail(self, code: str, message: str) -> None:
        """Answer all questions that wait by an error."""
        for question in (*self._quick, *self._searches):
            question.fail(code, message)
            self._leave(question)

    @property
    def _searching(self) -> int:
        """The number of questions that ask solvers of all processes, those included for whose answer nobody waits."""
        return sum(process.searching for process in (*self._processes, *self._left))

    def _answered(self, process: ServeProcess) -> None:
        """A process has answered a question, or has ended."""
        process.retired = process.retired or process.memory > MOST_MEMORY
        self._called.set()

    def _lost(self, question: PageQuestion) -> None:
        """A process has ended before it could answer a question, by no fault of that question."""
        if question.stopped:
            question.fail(CANCEL, CANCELLED, cancelled=True)
        elif question.tries > 1:
            question.fail("internal", GONE)
        elif not question.left:
            (self._searches if question.is_search else self._quick).appendleft(question)

    async def _replace(self) -> None:
        """Replace processes that have ended by themselves, or have grown, until there is none.

        Raises:
            OSError: No process can be started.
        """
        async with self._renewing:
            while retired := [i for i, process in enumerate(self._processes) if process.retired or process.over]:
                await self._renew(retired[0])

    async def _renew(self, i: int) -> None:
        fresh = ServeProcess(self._folder, self._patience, self._answered, self._lost)
        await fresh.start()
        if i < len(self._processes):
            before, self._processes[i] = self._processes[i], fresh
            before.retired = True
            self._left[before] = asyncio.create_task(self._when_done(before))
        else:
            self._processes.append(fresh)

    async def _when_done(self, process: ServeProcess) -> None:
        """End a process once it has answered what it was asked."""
        while process.load:
            await asyncio.sleep(0.1)
        await process.end()
        del self._left[process]
