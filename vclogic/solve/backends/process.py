"""A solver process with non-blocking communication, isolated from the working directory of its owner."""

from __future__ import annotations

import contextlib
import json
import math
import os
import select
import selectors
import subprocess
import sys
import time
from collections.abc import Mapping
from io import FileIO
from typing import Any

from vclogic.shortage import shortage
from vclogic.solve.backends.messages import Form, Json, of_z3, read
from vclogic.solve.backends.watch import Watch

APART: bool = sys.platform != "emscripten" and hasattr(select, "poll")
"""True if there are processes that can be waited for: not in a browser, and not without POSIX (Windows)."""
WORKER = "vclogic.solve.backends.z3_worker"
ENDED = "the solver's process ended unexpectedly"
NO_SENSE = "the solver's process gave no sense"
_CHUNK = 1 << 16
_LONGEST = 1 << 26  # bytes of a line: no answer is as long
_START = "import sys; sys.path += sys.argv[3:]; from vclogic.solve.backends.serve import main; main()"


class Process:
    """A worker process with its unsent requests and the answers received so far.

    One that cannot be started, for lack of memory or file descriptors, behaves like one that ended at once.

    Args:
        engine: Name of its engine.
        module: The module that it runs.
        form: Tests whether a JSON object is an answer of that module.

    Attributes:
        engine: Name of its engine.
        alive: Whether it still answers.
        failure: Why it does not answer any more.
        told: The number of its session's texts that it has been sent.
    """

    _PATIENCE = 0.5  # seconds in which a cancelled check has to end

    def __init__(self, engine: str, module: str = WORKER, form: Form = of_z3):
        self.engine = engine
        self.alive = True
        self.failure = ENDED
        self.told = 0
        self._form = form
        self._unsent = bytearray()
        self._received = bytearray()
        self._sent = self._answered = 0  # the last question that was sent, and that has its answer
        self._cancelled: tuple[int, float] | None = None  # the last question that was taken back, and when
        self._popen: subprocess.Popen[bytes] | None = None
        try:
            self._popen, self._in, self._out = start(command(engine, module))
        except (OSError, MemoryError) as error:
            lack = shortage(error)
            self._lose(f"{lack} to start a solver" if lack else f"no solver can be started: {error}")

    @property
    def patience(self) -> float:
        """Seconds left in which it must confirm a cancellation; infinite if none was requested."""
        return self._cancelled[1] + self._PATIENCE - time.monotonic() if self._cancelled else math.inf

    @property
    def idle(self) -> bool:
        """True if it has answered all requests."""
        return self.alive and self._answered == self._sent

    def expect(self, form: Form) -> None:
        """Set the test for the form of answers from now on."""
        self._form = form

    def send(self, request: Mapping[str, Any]) -> None:
        """Send a request as far as the pipe accepts it; the rest is sent while waiting for answers."""
        if not self.alive:
            return
        if "cancel" in request:
            self._cancelled = (request["cancel"], time.monotonic())
            self.add(request)
        else:
            self.send_line(request["id"], json.dumps(request))

    def send_line(self, number: int, line: str) -> None:
        """Send a request that is already serialized.

        Args:
            number: Its `id`.
            line: The request as JSON.
        """
        if self.alive:
            self._sent = number
            self._unsent += line.encode() + b"\n"
            self._flush()

    def add(self, more: Mapping[str, Any]) -> None:
        """Send additional data for the current request."""
        if self.alive:
            self._unsent += json.dumps(more).encode() + b"\n"
            self._flush()

    def _flush(self) -> None:
        try:
            with contextlib.suppress(BlockingIOError):
                while self._unsent:
                    del self._unsent[: os.write(self._in.fileno(), self._unsent[:_CHUNK])]
        except BrokenPipeError:
            self.alive = False

    def register(self, watch: Watch, owner: object = None) -> None:
        """Let the process be watched.

        Args:
            watch: What watches it.
            owner: What is reported; None: the process itself.
        """
        if self.alive:
            watch.register(self._out, selectors.EVENT_READ, owner or self)
            if self._unsent:
                watch.register(self._in, selectors.EVENT_WRITE, owner or self)

    def unregister(self, watch: Watch) -> None:
        """Let the process be watched no more."""
        for pipe in (self._in, self._out) if self._popen else ():
            with contextlib.suppress(KeyError):
                watch.unregister(pipe)

    def handle(self, watch: Watch, events: int) -> list[Json]:
        """Transfer data after it was reported; an invalid answer ends the process.

        Returns:
            The complete answers.
        """
        if events & selectors.EVENT_WRITE:
            self._flush()
            if not self._unsent:
                watch.unregister(self._in)
        answers: list[Json] = []
        if events & selectors.EVENT_READ:
            for line in self._lines():
                answer = read(line)
                if answer is None or not self._fits(answer):
                    self._lose(NO_SENSE)
                    break
                answers.append(answer)
        if self._cancelled and self._answered >= self._cancelled[0]:
            self._cancelled = None
        return answers

    def _lines(self) -> list[bytes]:
        """The complete lines."""
        chunk = os.read(self._out.fileno(), _CHUNK)
        self.alive &= bool(chunk)
        self._received += chunk
        if b"\n" not in chunk:
            if len(self._received) > _LONGEST:
                self._lose(NO_SENSE)
            return []
        *lines, rest = bytes(self._received).split(b"\n")
        self._received = bytearray(rest)
        return lines

    def _fits(self, answer: Json) -> bool:
        """True if an answer belongs to a request that was sent and not yet answered."""
        if not self._answered < answer["id"] <= self._sent or not self._form(answer):
            return False
        if "status" in answer:
            self._answered = answer["id"]
        return True

    def _lose(self, why: str) -> None:
        self.alive = False
        self.failure = why

    def close(self) -> None:
        """Kill the process."""
        self.alive = False
        if self._popen is not None:
            self._popen.kill()
            self._in.close()
            self._out.close()
            self._popen.wait()
            self._popen = None


def command(engine: str, module: str) -> list[str]:
    """The command line of a worker: an isolated interpreter without site packages.

    Args:
        engine: Name of its engine.
        module: The module that it runs.
    """
    return [sys.executable, "-I", "-S", "-c", _START, module, engine, *_folders()]


def _folders() -> list[str]:
    """The import path of a worker, after the standard library: that of this process, as far as it is safe.

    The working directory and a script's folder are excluded, unless vclogic itself is there. The order is that of
    this process, so that a worker uses the same copy of vclogic as its owner.
    """
    own = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    left_out: set[str] = set()
    if script is not None:
        left_out.add(os.path.realpath(os.path.dirname(script)))
    with contextlib.suppress(FileNotFoundError):  # a working directory that is gone
        left_out.add(os.path.realpath(os.getcwd()))
    found = []
    for p in sys.path:
        with contextlib.suppress(FileNotFoundError):
            real = os.path.realpath(p)
            if real == os.path.realpath(own):
                found.append(own)
            elif os.path.isabs(p) and real not in left_out:
                found.append(p)
    return list(dict.fromkeys([*found, own]))


def own_command(code: str, *words: str) -> list[str]:
    """The command line of a process that is vclogic itself at work, with the import path of this process.

    Nothing that lies in its working directory is imported, nor comes the path from the environment, in which an empty
    entry stands for that directory.

    Args:
        code: What it runs; `sys.argv` holds the words, and behind them the path.
        words: What it is told.
    """
    path = []
    for entry in sys.path:
        with contextlib.suppress(FileNotFoundError):  # a working directory that is gone
            path.append(os.path.abspath(entry) if not entry or os.path.exists(entry) else entry)
    return [sys.executable, "-P", "-c", code, *words, *path]


def own_environment() -> dict[str, str]:
    """The environment of such a process."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def start(words: list[str], *, own: bool = False) -> tuple[subprocess.Popen[bytes], FileIO, FileIO]:
    """Start a process; returns it with the pipes to its standard input and from its standard output.

    Args:
        words: Its command line.
        own: Whether it is vclogic itself at work, see `own_command`: its working directory and standard error are
            those of this process, and it is in a process group with what it starts. Else its working directory is the
            root folder, since z3 looks for its library in the working directory first, and its standard error goes
            nowhere.

    Raises:
        OSError: It cannot be started.
    """
    if not APART:
        raise OSError("there are no processes here that can be waited for")
    pipes: list[int] = []
    try:
        pipes += os.pipe()
        pipes += os.pipe()
        its_in, ours, theirs, its_out = pipes
        os.set_blocking(ours, False)
        if own:
            popen = subprocess.Popen(words, stdin=its_in, stdout=its_out, env=own_environment(), process_group=0)
        else:
            popen = subprocess.Popen(words, stdin=its_in, stdout=its_out, stderr=subprocess.DEVNULL, cwd=os.sep)
    except BaseException:
        for pipe in pipes:
            os.close(pipe)
        raise
    os.close(its_in)
    os.close(its_out)
    return popen, FileIO(ours, "w"), FileIO(theirs)
