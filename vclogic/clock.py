"""The deadline of a question.

The deadline is ambient: the caller sets it once (`until`), and code that may take long checks it (`check_deadline`),
such as the constructor of terms. So a game's own code keeps the deadline without knowing about it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar

TIME_UP = "the time is up"
LONGEST = 1e6
"""Seconds of the longest time limit: some eleven days. Locks and polls of the operating system take no more than that
many, or not many more."""
ANSWERING = 0.3
"""Seconds of work in which results may still be made an answer once the time of a question is up, in all: a plan has
to be played."""
STOPPING = 2.0
"""The same where the work was told to stop: nothing was kept back for it then."""
_BUSY = 5  # times as long such work may take by the clock, where other processes keep the machine busy
OFTEN = 255
"""A mask for counters: what counts its work looks at the clock once in so many times, which costs about nothing."""
FEW = 15
"""The same for work of which each piece takes up to some milliseconds, such as an operation on a large array."""
_NONE = (-math.inf, -math.inf)
_worked = getattr(time, "thread_time", time.process_time)  # seconds of work of this thread; a browser has no other
_SLICE = 0.02  # seconds for which something waits before it looks whether it was told to stop


class _End:
    """A moment; one that can be brought forward from another thread.

    Attributes:
        at: The moment.
        question: The question whose work ends then; None: there is none.
    """

    def __init__(self, at: float, question: _Overtime | None = None):
        self.at = at
        self.question = question


class _Overtime:
    """The time that the work for a question may take beyond its limit, over all grants to its parts.

    Args:
        end: The end of its time.
    """

    def __init__(self, end: float):
        self._end = end
        self._last = math.inf

    def last(self) -> float:
        """The working time of this thread at which nothing more is granted."""
        self._last = min(self._last, _worked() + max(self._end - time.monotonic(), 0.0) + ANSWERING)
        return self._last


class Stopper:
    """Ends the work of another thread, as if its time were up; see `stoppable`.

    Attributes:
        asked: Whether it was told to end.
    """

    def __init__(self) -> None:
        self.asked = False
        self._ends: list[_End] = []
        self._parts: list[Stopper] = []

    def ask(self) -> None:
        """End the work at the next look at the clock."""
        self.asked = True
        for end in tuple(self._ends):
            end.at = -math.inf
        for part in tuple(self._parts):
            part.ask()

    def add(self, end: _End) -> None:
        """Bring a moment forward too, once the work is to end."""
        self._ends.append(end)
        if self.asked:
            end.at = -math.inf

    def remove(self, end: _End) -> None:
        """Forget a moment."""
        self._ends.remove(end)

    @contextmanager
    def around(self, part: Stopper) -> Iterator[None]:
        """Within the block, who ends this work ends a part of it, too."""
        self._parts.append(part)
        if self.asked:
            part.ask()
        try:
            yield
        finally:
            self._parts.remove(part)


_NEVER = _End(math.inf)
_end: ContextVar[_End] = ContextVar("end", default=_NEVER)
_granted: ContextVar[tuple[float, float]] = ContextVar("granted", default=_NONE)  # by the clock, and of work
_latest: ContextVar[float] = ContextVar("latest", default=math.inf)  # by the clock; no grant goes beyond it
_stop: ContextVar[Stopper | None] = ContextVar("stop", default=None)


class TimeUp(BaseException):
    """The deadline has passed during preparation; no `Exception`, so that no game's code catches it by accident."""


class Deadline:
    """A moment by which work must end.

    Args:
        seconds: How long from now.
        began: When work began, as of `time.monotonic`; None: now.

    Attributes:
        began: The same.
        end: The moment.
    """

    def __init__(self, seconds: float, began: float | None = None):
        now = time.monotonic()
        self.began = now if began is None else began
        self.end = now + seconds

    @property
    def elapsed(self) -> float:
        """Seconds since work began."""
        return time.monotonic() - self.began

    def part(self, share: float = 1.0, most: float = math.inf) -> Deadline:
        """An earlier deadline: after a share of the time left, and at most `most` seconds from now."""
        return Deadline(min(self.left * share, most), self.began)

    @property
    def left(self) -> float:
        """Seconds left; zero or less once it has passed, or once the work was told to stop."""
        left = self.end - time.monotonic()
        return min(left, 0.0) if stopped() else left


def check_deadline() -> None:
    """Check the deadline.

    Raises:
        TimeUp: It has passed.
    """
    now = time.monotonic()
    if now > _end.get().at:
        by_clock, of_work = _granted.get()
        if now > by_clock or _worked() > of_work:
            raise TimeUp


look = check_deadline  # as packages of games call it that were written before it had its name


@contextmanager
def until(deadline: Deadline) -> Iterator[None]:
    """Within the block, `check_deadline` raises `TimeUp` from a deadline on, or from an earlier one already set.

    Not for a generator that yields within: whoever takes what it yields would be held to the deadline, too.
    """
    outer, stop = _end.get(), _stop.get()
    end = _End(min(outer.at, deadline.end), outer.question or _Overtime(deadline.end))
    ends, grants = _end.set(end), _granted.set(_NONE)
    if stop is not None:
        stop.add(end)
    try:
        yield
    finally:
        _end.reset(ends)
        _granted.reset(grants)
        if stop is not None:
            stop.remove(end)


def grace() -> float:
    """Seconds of work that a result may still take to become an answer."""
    return STOPPING if stopped() else ANSWERING


@contextmanager
def grace_period(seconds: float = math.inf) -> Iterator[None]:
    """Within the block, the deadline is at least so many seconds away, even if it has passed.

    This is for turning a result into an answer, such as replaying a plan. All that is granted after the end of a
    question's time is `ANSWERING` seconds at most; but for what is granted without a number, which must be short, and
    where the work was told to stop.
    """
    question = _end.get().question
    by_work = _worked() + seconds
    if question is not None and seconds < math.inf and not stopped():
        by_work = min(by_work, question.last())
    by_clock = min(time.monotonic() + _BUSY * seconds, _latest.get())
    token = _granted.set((by_clock, by_work))
    try:
        yield
    finally:
        _granted.reset(token)


@contextmanager
def at_the_latest(end: float) -> Iterator[None]:
    """Within the block, nothing is granted beyond a moment on the clock of `time.monotonic`."""
    token = _latest.set(min(end, _latest.get()))
    try:
        yield
    finally:
        _latest.reset(token)


@contextmanager
def stoppable(stop: Stopper) -> Iterator[None]:
    """Within the block, deadlines pass at once when another thread asks for it by `stop`, or by one around it."""
    outer = _stop.get()
    token = _stop.set(stop)
    try:
        with nullcontext() if outer is None else outer.around(stop):
            yield
    finally:
        _stop.reset(token)


def stopped() -> bool:
    """True if this work was told to stop."""
    stop = _stop.get()
    return stop is not None and stop.asked


def patience(seconds: float) -> float:
    """The longest single wait, in seconds: all of it, or a slice where another thread may ask to stop."""
    return seconds if _stop.get() is None else min(seconds, _SLICE)
