"""The desks of a server: which one answers a question, how many wait, and when a desk is left for a fresh one."""

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
from vclogic.serve.web.desk import GONE, Desk, PageQuestion
from vclogic.serve.web.guard import Busy

MOST_QUICK, MOST_WAITING = 100, 8
"""So many quick questions may be open at once, and so many that ask solvers may wait for a desk."""
MOST_MEMORY = 1 << 30
"""Bytes of memory of a desk and all below it beyond which it is left for a fresh one, once it has answered."""
PATIENCE = 20.0
"""Seconds that a quick question may take in its turn; then its desk is ended, and the others are asked elsewhere."""
SECRET = 16
"""Letters of an id that no other client guesses."""


class Desks:
    """Hands questions to desks.

    A question that a desk could not answer, since another one held it up or ended it, is asked at another desk, once.

    Args:
        number: How many desks there are; so many questions that ask solvers are worked on at once.
        folder: The folder whose files they may read.
        patience: See `PATIENCE`.
    """

    def __init__(self, number: int, folder: str, patience: float = PATIENCE):
        self._number, self._folder, self._patience = number, folder, patience
        self._desks: list[Desk] = []
        self._left: dict[Desk, asyncio.Task[None]] = {}  # desks that were left, and what ends each
        self._renewing = asyncio.Lock()
        self._quick, self._searches = deque[PageQuestion](), deque[PageQuestion]()  # questions that wait for a desk
        self._open: set[PageQuestion] = set()
        self._names: dict[str, PageQuestion] = {}  # those that can be stopped, by their ids
        self._called = asyncio.Event()
        self._serving: asyncio.Task[None] | None = None
        self._closed = False

    async def start(self) -> None:
        """Start the desks."""
        await asyncio.gather(*(self._renew(i) for i in range(self._number)))
        self._serving = asyncio.create_task(self._serve())

    def close(self) -> None:
        """Answer all open questions at once, by an error, and all further ones."""
        self._closed = True
        for question in self._open:
            question.fail(CANCEL, "the server was ended", cancelled=True)

    async def end(self) -> None:
        """End all desks."""
        self.close()
        if self._serving is not None:
            self._serving.cancel()
        for ending in self._left.values():
            ending.cancel()
        await asyncio.gather(*(desk.end() for desk in (*self._desks, *self._left)), return_exceptions=True)

    async def renew(self) -> None:
        """Leave all desks for fresh ones, which read rules and files anew; what they were asked they still answer."""
        async with self._renewing:
            await asyncio.gather(*(self._renew(i) for i in range(len(self._desks))))
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
        """Let a question wait for a desk.

        Raises:
            Busy: Too many wait already.
        """
        if self._closed:
            raise Busy("questions")
        if not question.apart and sum(not q.apart for q in self._open) >= MOST_QUICK:
            raise Busy("questions")
        if question.apart and len(self._searches) + self._searching >= self._number + MOST_WAITING:
            raise Busy("questions")
        (self._searches if question.apart else self._quick).append(question)
        self._called.set()

    def _stop(self, id: object) -> bool:
        """Stop a question; returns whether it is open."""
        question = self._names.get(id) if isinstance(id, str) else None
        if question is None:
            return False
        if question.stop is not None and question.apart:
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
        if question.stop is not None and question.apart:
            question.stop()

    # ---- from the questions that wait to the desks

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
                if all(desk.over for desk in self._desks):
                    self._fail("shortage", no_process(error))
            self._hand_out([desk for desk in self._desks if not desk.over])

    def _hand_out(self, desks: Sequence[Desk]) -> None:
        """Hand out questions, as far as there are desks for them; no desk ends meanwhile."""
        while self._quick:
            min(desks, key=lambda d: (d.slow, d.load)).ask(self._quick.popleft())
        while self._searches and self._searching < self._number:
            min(desks, key=lambda d: (d.apart, d.slow, d.load)).ask(self._searches.popleft())

    def _fail(self, code: str, message: str) -> None:
        """Answer all questions that wait by an error."""
        for question in (*self._quick, *self._searches):
            question.fail(code, message)
            self._leave(question)

    @property
    def _searching(self) -> int:
        """The number of questions that ask solvers at all desks, those included for whose answer nobody waits."""
        return sum(desk.apart for desk in (*self._desks, *self._left))

    def _answered(self, desk: Desk) -> None:
        """A desk has answered a question, or has ended."""
        desk.retired = desk.retired or desk.memory > MOST_MEMORY
        self._called.set()

    def _lost(self, question: PageQuestion) -> None:
        """A desk has ended before it could answer a question, by no fault of that question."""
        if question.stopped:
            question.fail(CANCEL, CANCELLED, cancelled=True)
        elif question.tries > 1:
            question.fail("internal", GONE)
        elif not question.left:
            (self._searches if question.apart else self._quick).appendleft(question)

    async def _replace(self) -> None:
        """Replace desks that have ended by themselves, or have grown, until there is none.

        Raises:
            OSError: No process can be started.
        """
        async with self._renewing:
            while retired := [i for i, desk in enumerate(self._desks) if desk.retired or desk.over]:
                await self._renew(retired[0])

    async def _renew(self, i: int) -> None:
        fresh = Desk(self._folder, self._patience, self._answered, self._lost)
        await fresh.start()
        if i < len(self._desks):
            before, self._desks[i] = self._desks[i], fresh
            before.retired = True
            self._left[before] = asyncio.create_task(self._when_done(before))
        else:
            self._desks.append(fresh)

    async def _when_done(self, desk: Desk) -> None:
        """End a desk once it has answered what it was asked."""
        while desk.load:
            await asyncio.sleep(0.1)
        await desk.end()
        del self._left[desk]
