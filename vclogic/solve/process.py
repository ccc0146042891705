"""One solver process, spoken to without ever blocking."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

_CHUNK = 1 << 16


class Process:
    """A worker with what is still to be sent to it and what has come back so far.

    Attributes:
        engine: Name of its engine.
        alive: Whether it still answers.
    """

    def __init__(self, engine: str):
        self.engine = engine
        self.alive = True
        self._popen = subprocess.Popen(
            [sys.executable, "-m", "vclogic.solve.worker", engine],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        assert self._popen.stdin
        assert self._popen.stdout
        self._in, self._out = self._popen.stdin, self._popen.stdout
        os.set_blocking(self._in.fileno(), False)
        self._unsent = bytearray()
        self._received = bytearray()

    def send(self, request: Mapping[str, object]) -> None:
        """Queue a request; it leaves while answers are waited for."""
        self._unsent += json.dumps(request).encode() + b"\n"

    def register(self, selector: selectors.BaseSelector) -> None:
        """Let a selector watch the process."""
        selector.register(self._out, selectors.EVENT_READ, self)
        if self._unsent:
            selector.register(self._in, selectors.EVENT_WRITE, self)

    def unregister(self, selector: selectors.BaseSelector) -> None:
        """Let a selector watch the process no longer."""
        for pipe in (self._in, self._out):
            with contextlib.suppress(KeyError):
                selector.unregister(pipe)

    def handle(self, selector: selectors.BaseSelector, events: int) -> list[dict[str, Any]]:
        """Move bytes after the selector reported the process.

        Returns:
            The answers that are complete by now.
        """
        try:
            if events & selectors.EVENT_WRITE:
                with contextlib.suppress(BlockingIOError):
                    del self._unsent[: os.write(self._in.fileno(), self._unsent[:_CHUNK])]
                if not self._unsent:
                    selector.unregister(self._in)
            if events & selectors.EVENT_READ:
                chunk = os.read(self._out.fileno(), _CHUNK)
                self.alive = bool(chunk)
                self._received += chunk
        except BrokenPipeError:
            self.alive = False
        *lines, rest = bytes(self._received).split(b"\n") if b"\n" in self._received else [bytes(self._received)]
        self._received = bytearray(rest)
        return [json.loads(line) for line in lines]

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self.alive = False
        self._popen.kill()
        for pipe in (self._in, self._out):
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
        self._popen.wait()
