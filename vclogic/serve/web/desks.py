"""The desks of a server: which one answers a request, how many wait, and when a desk is left for a fresh one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Any

from vclogic.report.json import document
from vclogic.serve.answers import Cancelled
from vclogic.serve.protocol import answer_line
from vclogic.serve.requests import KINDS
from vclogic.serve.web.desk import Desk

MOST_QUICK, MOST_WAITING = 200, 8
"""So many quick questions may be open at once, and so many that ask solvers may wait for a desk."""
MOST_MEMORY = 1 << 30
"""Bytes of memory beyond which a desk is left for a fresh one, once it has answered what it was asked."""
SECRET = 16
"""Letters of an id that no other client guesses."""
_MOST_UNREAD = 100  # lines of progress that nobody has read, above which further ones are dropped


class Busy(Exception):
    """Too many questions are open."""


class Desks:
    """Hands requests to desks.

    Args:
        number: How many desks there are; each works on one question that asks solvers at a time.
        folder: The folder whose files they may read.
    """

    def __init__(self, number: int, folder: str):
        self._number, self._folder = number, folder
        self._desks: list[Desk] = []
        self._left: set[asyncio.Task[None]] = set()  # ends of desks that were left
        self._free = asyncio.Semaphore(number)
        self._renewing = asyncio.Lock()
        self._quick = self._waiting = 0
        self._open: dict[str, tuple[Desk, int]] = {}  # questions that can be stopped, by their ids

    async def start(self) -> None:
        """Start the desks."""
        await asyncio.gather(*(self._renew(i) for i in range(self._number)))

    async def end(self) -> None:
        """End all desks."""
        await asyncio.gather(*(d.end() for d in self._desks), *self._left, return_exceptions=True)

    async def renew(self) -> None:
        """Leave all desks for fresh ones, which read rules and files anew; what they were asked they still answer."""
        async with self._renewing:
            await asyncio.gather(*(self._renew(i) for i in range(len(self._desks))))

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
        kind = KINDS.get(str(request["ask"]))
        place = self._at_once() if kind is None or not kind.apart else self._in_turn()
        async with place as desk, aclosing(self._asked(request, desk)) as lines:
            async for line in lines:
                yield line

    @asynccontextmanager
    async def _at_once(self) -> AsyncIterator[Desk]:
        """A desk for a quick question."""
        if self._quick >= MOST_QUICK:
            raise Busy
        self._quick += 1
        try:
            yield await self._least_busy()
        finally:
            self._quick -= 1

    @asynccontextmanager
    async def _in_turn(self) -> AsyncIterator[Desk]:
        """A desk for a question that asks solvers; it waits until one has none."""
        if self._free.locked() and self._waiting >= MOST_WAITING:
            raise Busy
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1
        try:
            desk = await self._least_busy(apart=True)
            desk.apart += 1
            try:
                yield desk
            finally:
                desk.apart -= 1
        finally:
            self._free.release()

    async def _asked(self, request: Mapping[str, Any], desk: Desk) -> AsyncGenerator[bytes, None]:
        lines: asyncio.Queue[tuple[bytes, bool]] = asyncio.Queue()

        def take(line: bytes, last: bool) -> None:
            if last or lines.qsize() < _MOST_UNREAD:
                lines.put_nowait((line, last))

        number, last = desk.ask(request, take), False
        name = request.get("id")
        if isinstance(name, str) and len(name) >= SECRET:
            self._open[name] = desk, number
        try:
            while not last:
                line, last = await lines.get()
                yield line
        finally:
            if self._open.get(str(name)) == (desk, number):
                del self._open[str(name)]
            if not last:
                desk.take_back(number)
        if desk.memory > MOST_MEMORY:
            desk.retired = True  # the next question finds a fresh one

    def _stop(self, id: object) -> bool:
        """Stop a question; returns whether it is open."""
        found = self._open.get(id) if isinstance(id, str) else None
        if found is not None:
            desk, number = found
            desk.stop(number)
        return found is not None

    async def _least_busy(self, *, apart: bool = False) -> Desk:
        """The desk with the fewest open requests; one that has ended by itself is replaced."""
        async with self._renewing:
            for i, desk in enumerate(self._desks):
                if desk.retired:
                    await self._renew(i)
        return min(self._desks, key=lambda d: (d.apart if apart else 0, d.load))

    async def _renew(self, i: int) -> None:
        fresh = Desk(self._folder)
        await fresh.start()
        if i < len(self._desks):
            before, self._desks[i] = self._desks[i], fresh
            before.retired = True
            task = asyncio.create_task(_when_done(before))
            self._left.add(task)
            task.add_done_callback(self._left.discard)
        else:
            self._desks.append(fresh)


async def _when_done(desk: Desk) -> None:
    """End a desk once it has answered what it was asked."""
    while desk.load:
        await asyncio.sleep(0.1)
    await desk.end()
