"""The deadline of a question.

The deadline is ambient: the caller sets it once (`until`), and code that may take long checks it (`look`), such as
the constructor of terms. So a game's own code keeps the deadline without knowing about it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

TIME_UP = "the time is up"
ANSWERING = 0.3
"""Seconds of work in which a result may still be made an answer once the time is up: a plan has to be played."""
_BUSY = 5  # times as long such work may take by the clock, where other processes keep the machine busy
OFTEN = 255
"""A mask for counters: what counts its work looks at the clock once in so many times, which costs about nothing."""
_NONE = (-math.inf, -math.inf)
_end: ContextVar[float] = ContextVar("end", default=math.inf)
_granted: ContextVar[tuple[float, float]] = ContextVar("granted", default=_NONE)  # by the clock, and of work


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
        """Seconds left; zero or less once it has passed."""
        return self.end - time.monotonic()


def look() -> None:
    """Check the deadline.

    Raises:
        TimeUp: It has passed.
    """
    now = time.monotonic()
    if now > _end.get():
        by_clock, of_work = _granted.get()
        if now > by_clock or time.thread_time() > of_work:
            raise TimeUp


@contextmanager
def until(deadline: Deadline) -> Iterator[None]:
    """Within the block, `look` raises `TimeUp` from a deadline on, or from an earlier one that is already set.

    Not for a generator that yields within: whoever takes what it yields would be held to the deadline, too.
    """
    ends, grants = _end.set(min(_end.get(), deadline.end)), _granted.set(_NONE)
    try:
        yield
    finally:
        _end.reset(ends)
        _granted.reset(grants)


@contextmanager
def granted(seconds: float = math.inf) -> Iterator[None]:
    """Within the block, the deadline is at least so many seconds away, even if it has passed.

    This is for turning a result into an answer, such as replaying a plan.
    """
    token = _granted.set((time.monotonic() + _BUSY * seconds, time.thread_time() + seconds))
    try:
        yield
    finally:
        _granted.reset(token)
