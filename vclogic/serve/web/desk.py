"""A desk: a process that answers requests, several at once, and can be left for a fresh one."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

from vclogic.serve.protocol import LONGEST, answer_line, said

_START = "import sys; sys.path[:] = sys.argv[1:]; from vclogic.serve.web.at_desk import main; main()"
_LINE = re.compile(rb'\{"id":(\d+),')
_ANSWER = b'"answer":'
_PAGE = 4096
_GONE = "the process that worked on this question ended unexpectedly"
Take = Callable[[bytes, bool], None]
"""Takes a line of a reply, and whether it is the last one."""


class Desk:
    """A process that answers requests.

    Args:
        folder: Its working directory, whose files it may read.

    Attributes:
        apart: How many questions that ask solvers it works on.
        retired: Whether it gets no more requests.
    """

    def __init__(self, folder: str):
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None
        self._asked: dict[int, tuple[Any, Take]] = {}
        self._numbers = count(1)
        self._reading: asyncio.Task[None] | None = None
        self.apart = 0
        self.retired = False

    @property
    def load(self) -> int:
        """How many requests it has not answered yet."""
        return len(self._asked)

    @property
    def memory(self) -> int:
        """The bytes of memory that its process uses; 0 where that cannot be told."""
        if self._process is None:
            return 0
        try:
            with open(f"/proc/{self._process.pid}/statm", "rb") as stream:
                return int(stream.read().split()[1]) * _PAGE
        except (OSError, ValueError, IndexError):
            return 0

    async def start(self) -> None:
        """Start its process.

        Raises:
            OSError: It cannot be started.
        """
        pipe = asyncio.subprocess.PIPE
        words = [sys.executable, "-c", _START, *sys.path]
        self._process = await asyncio.create_subprocess_exec(
            *words, stdin=pipe, stdout=pipe, cwd=self._folder, limit=8 * LONGEST, process_group=0
        )
        self._reading = asyncio.create_task(self._read())

    def ask(self, request: Mapping[str, Any], take: Take) -> int:
        """Hand a request on.

        Args:
            request: The request; its replies bear its own id.
            take: Takes the lines of its replies.

        Returns:
            Its number at this desk, by which it can be taken back.
        """
        number = next(self._numbers)
        self._asked[number] = request.get("id"), take
        self._tell({**request, "id": number})
        return number

    def stop(self, number: int) -> None:
        """End a question; its answer says what is known."""
        self._tell({"ask": "cancel", "request": number, "id": next(self._numbers)})

    def take_back(self, number: int) -> None:
        """End a question; nobody waits for its answer any more."""
        if self._asked.pop(number, None) is not None:
            self.stop(number)

    async def end(self) -> None:
        """End its process and all that it has started."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGTERM)
        try:
            await asyncio.wait_for(self._process.wait(), 2)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            await self._process.wait()

    def _tell(self, request: Mapping[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._process.stdin.write(json.dumps(request).encode() + b"\n")

    async def _read(self) -> None:
        """Hand out what the process says; where it ends, those who wait are told so."""
        assert self._process is not None
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError, OSError):  # a line that is far too long
            while line := await self._process.stdout.readline():
                self._hand_out(line)
        self.retired = True
        for id, take in list(self._asked.values()):
            take(answer_line(id, said("internal", _GONE)), True)
        self._asked.clear()

    def _hand_out(self, line: bytes) -> None:
        found = _LINE.match(line)
        number = int(found[1]) if found else 0
        if found is None or number not in self._asked:
            return  # the answer to a request that was taken back
        id, take = self._asked[number]
        last = line.startswith(_ANSWER, found.end())
        if last:
            del self._asked[number]
        take(b'{"id":' + json.dumps(id).encode() + b"," + line[found.end() :], last)
