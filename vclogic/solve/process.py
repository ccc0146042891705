"""One solver process, spoken to without ever blocking."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import Any

_CHUNK = 1 << 16


class Process:
    """A worker with what is still to be sent to it and what has come back so far.

    Args:
        engine: Name of its engine.
        module: The module that it runs.

    Attributes:
        engine: Name of its engine.
        alive: Whether it still answers.
        told: How many of its session's texts it has been sent.
    """

    _PATIENCE = 0.5  # seconds in which a cancelled check has to end

    def __init__(self, engine: str, module: str = "vclogic.solve.worker"):
        self.engine = engine
        self.alive = True
        self.told = 0
        self._popen = subprocess.Popen(
            [sys.executable, "-m", module, engine],
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
        self._cancelled: tuple[int, float] | None = None  # the last question that was taken back, and when

    @property
    def deaf(self) -> bool:
        """Whether it was told to stop some time ago and has not answered since."""
        return self._cancelled is not None and time.monotonic() - self._cancelled[1] > self._PATIENCE

    def send(self, request: Mapping[str, Any]) -> None:
        """Send a request, as far as the pipe takes it; the rest leaves while answers are waited for."""
        if "cancel" in request:
            self._cancelled = (request["cancel"], time.monotonic())
        self._unsent += json.dumps(request).encode() + b"\n"
        self._flush()

    def _flush(self) -> None:
        try:
            with contextlib.suppress(BlockingIOError):
                while self._unsent:
                    del self._unsent[: os.write(self._in.fileno(), self._unsent[:_CHUNK])]
        except BrokenPipeError:
            self.alive = False

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
        if events & selectors.EVENT_WRITE:
            self._flush()
            if not self._unsent:
                selector.unregister(self._in)
        if events & selectors.EVENT_READ:
            chunk = os.read(self._out.fileno(), _CHUNK)
            self.alive &= bool(chunk)
            self._received += chunk
        *lines, rest = bytes(self._received).split(b"\n") if b"\n" in self._received else [bytes(self._received)]
        self._received = bytearray(rest)
        answers = [json.loads(line) for line in lines]
        if self._cancelled and any(a["id"] >= self._cancelled[0] for a in answers):
            self._cancelled = None
        return answers

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self.alive = False
        self._popen.kill()
        for pipe in (self._in, self._out):
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
        self._popen.wait()
