"""A question of a client of the page's server, until it has its answer."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Any

from vclogic.query.plan_request import DEFAULT_TIMEOUT
from vclogic.serve.protocol import answer_line, said
from vclogic.serve.requests import KINDS

_LEAST = 1e-6  # seconds for a question whose time was up before it began: its answer says what is known at once
_MOST_UNREAD = 100  # lines of progress that nobody has read, above which further ones are dropped


class PageQuestion:
    """A question.

    Args:
        request: The request; its replies bear its id.

    Attributes:
        apart: Whether it asks solvers.
        stop: Lets its desk answer it by what is known; None: it waits for a desk, or has its answer.
        tries: How many desks were asked.
        stopped: Whether it is to be answered by what is known.
        left: Whether nobody waits for its answer any more.
    """

    def __init__(self, request: Mapping[str, Any]):
        kind = KINDS.get(str(request["ask"]))
        self.apart = kind is not None and kind.apart
        self.stop: Callable[[], None] | None = None
        self.tries = 0
        self.stopped = self.left = False
        self._request, self._id = request, request.get("id")
        self._arrived = time.monotonic()
        self._lines: asyncio.Queue[tuple[bytes, bool]] = asyncio.Queue()

    def told(self) -> Mapping[str, Any]:
        """The request, with the time limit that is left of its own: it counts from the arrival."""
        timeout, waited = self._request.get("timeout", DEFAULT_TIMEOUT), round(time.monotonic() - self._arrived, 1)
        if not self.apart or not waited or not isinstance(timeout, int | float) or timeout <= 0:
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
        self._put(answer_line(self._id, said(code, message), cancelled=cancelled), True)

    async def replies(self) -> AsyncGenerator[bytes, None]:
        """The lines of its replies, as they come."""
        last = False
        while not last:
            line, last = await self._lines.get()
            yield line

    def _put(self, line: bytes, last: bool) -> None:
        if not self.left and (last or self._lines.qsize() < _MOST_UNREAD):
            self._lines.put_nowait((line, last))
