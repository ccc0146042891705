"""Requests on one file descriptor, answers on another, a line each."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import NoReturn

from vclogic.child_process import end_with_owner
from vclogic.errors import Diagnostic, InputError
from vclogic.files.source import confine
from vclogic.serve.dispatch import Dispatcher
from vclogic.serve.pool import Pool
from vclogic.serve.protocol import LONGEST
from vclogic.serve.session import MOST_MOMENTS, ClientSession
from vclogic.streams import own_input, own_output

INTERRUPTED, TERMINATED = 130, 143
MOST_UNREAD = 1 << 24
"""Bytes of answers that the program may leave unread, unless another number is asked for."""
_CHUNK = 1 << 16
_PIECE = 4096  # bytes that a pipe takes at once where it takes any
_MOMENT = 0.002  # seconds in which lines are taken before other things are seen to
_GONE = select.POLLERR | select.POLLHUP | select.POLLNVAL


def serve(
    incoming: int, outgoing: int, workers: int, most: int = MOST_MOMENTS, most_unread: int = MOST_UNREAD
) -> int:
    """Answer requests until there are no more of them, and all have their answers.

    Args:
        incoming: The file descriptor of the requests.
        outgoing: That of the answers.
        workers: How many questions are worked on at once.
        most: How many moments may be held.
        most_unread: So many bytes of answers may lie unread; while there are as many, no further request is taken.

    Returns:
        An exit code.

    Raises:
        InputError: The answers cannot be written, for example because the disk is full.
    """
    pool = Pool(workers)
    stop = _SignalStop()
    try:
        with stop.listening():
            _LinePump(incoming, outgoing, ClientSession(most), pool, most_unread).run()
        return 0
    except BrokenPipeError:
        return 0  # nobody reads the answers
    except KeyboardInterrupt:
        return stop.code
    finally:
        pool.end()


SEARCHES_AT_ONCE = 1
"""So many questions that ask solvers are worked on at once by a process of the page's server."""


def serve_confined() -> NoReturn:
    """Answer the requests on standard input until it ends, and read the files of this folder alone.

    Once nobody can write there any more, this process ends with all that it has started, even while a rule does not
    return.
    """
    told = own_input()
    end_with_owner(told)
    confine()
    # What is answered is told before the next one's turn.
    sys.exit(serve(told, own_output(), SEARCHES_AT_ONCE, most_unread=1))


class _SignalStop:
    """Ends the process on request by a signal, as the keyboard does; its processes end with it.

    Attributes:
        code: The exit code.
    """

    def __init__(self) -> None:
        self.code = INTERRUPTED

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Listens within the block; not outside of the main thread, which alone gets signals."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGTERM, self._stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGTERM, before)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.code = TERMINATED
        raise KeyboardInterrupt


class _LinePump:
    """Moves lines in and out, without waiting for either while there is something to do."""

    def __init__(self, incoming: int, outgoing: int, session: ClientSession, pool: Pool, most_unread: int):
        self._in, self._out, self._most_unread = incoming, outgoing, most_unread
        self._pool = pool
        self._dispatcher = Dispatcher(session, pool, self._say)
        self._read = bytearray()
        self._begin = 0  # where the first line in it begins that is not taken yet
        self._seen = 0  # how far it was searched for the end of that line
        self._unsent = bytearray()
        self._open = True
        self._skipping = False

    def run(self) -> None:
        """Answer requests until the input has ended and all are answered.

        Raises:
            BrokenPipeError: Nobody reads the answers any more.
            InputError: They cannot be written.
        """
        pool = self._pool
        while not self._dispatcher.ended and (self._open or pool.tasks or self._something_there()):
            self._wait()
            self._receive()
        while self._unsent:
            self._wait(sending=True)

    def _receive(self) -> None:
        """Take the lines that are there, for a moment."""
        end = time.monotonic() + _MOMENT
        while not self._dispatcher.ended and len(self._unsent) < self._most_unread:
            if not self._dispatcher.go_on():
                if (line := self._line()) is None:
                    break
                self._dispatcher.receive(line)
            if time.monotonic() > end:
                break

    def _wait(self, *, sending: bool = False) -> None:
        """Wait until there is something to do, and move what can be moved."""
        pool = self._pool
        poll = select.poll()
        poll.register(self._out, select.POLLOUT if self._unsent else 0)
        busy = len(self._unsent) >= self._most_unread
        if self._open and not busy and not sending:
            poll.register(self._in, select.POLLIN)
        for pipe, events in pool.watched.items():
            poll.register(pipe, events)
        patience = 0.0 if self._something_there() and not busy and not sending else pool.patience
        ready = dict(poll.poll(None if patience is None else 1000 * patience + (patience > 0)))
        mask = ready.pop(self._out, 0)
        if mask & select.POLLOUT:
            self._send()
        elif mask & _GONE:
            raise BrokenPipeError
        if ready.pop(self._in, 0):
            self._take_in()
        pool.handle(ready)

    def _send(self) -> None:
        try:
            del self._unsent[: os.write(self._out, self._unsent[:_PIECE])]
        except BrokenPipeError:
            raise
        except OSError as error:
            raise InputError(Diagnostic("cannot-write", error.strerror or str(error), "<stdout>")) from error

    def _say(self, line: bytes) -> None:
        self._unsent += line

    # ---- lines

    def _take_in(self) -> None:
        chunk = os.read(self._in, _CHUNK)
        if not chunk:
            self._open = False
            self._read += b"\n"  # the last line may have no end
        del self._read[: self._begin]
        self._seen -= self._begin
        self._begin = 0
        self._read += chunk

    def _something_there(self) -> bool:
        return self._dispatcher.more or self._read.find(b"\n", self._seen) >= 0

    def _line(self) -> bytes | None:
        """The next complete line."""
        end = self._read.find(b"\n", self._seen)
        if end < 0:
            self._seen = len(self._read)
            if self._seen - self._begin > LONGEST:
                self._skipping = True
                self._begin = self._seen
            return None
        line = bytes(self._read[self._begin : end])
        self._begin = self._seen = end + 1
        if self._skipping or len(line) > LONGEST:
            self._skipping = False
            self._dispatcher.refuse(
                f"the request is longer than {LONGEST // 1_000_000} MB", "a position is far smaller"
            )
            return None
        return line
