"""The time that a question may take: a deadline that whatever works for the question looks at.

The deadline is ambient: who asks sets it once (`until`), and what takes long looks at it (`look`), such as the
constructor of terms. So a game's own code keeps to it without knowing of it.
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
    """The time is up while something is made ready; no `Exception`, so that no game's code catches it by the way."""


class Deadline:
    """A moment at which work has to end.

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
        """An earlier one: after a share of what is left, and at most so many seconds from now."""
        return Deadline(min(self.left * share, most), self.began)

    @property
    def left(self) -> float:
        """Seconds left; zero or less when it is over."""
        return self.end - time.monotonic()


def look() -> None:
    """Goes on only if there is time.

    Raises:
        TimeUp: There is none left.
    """
    now = time.monotonic()
    if now > _end.get():
        by_clock, of_work = _granted.get()
        if now > by_clock or time.thread_time() > of_work:
            raise TimeUp


@contextmanager
def until(deadline: Deadline) -> Iterator[None]:
    """What is done within has to end at a deadline, or sooner where it had to anyway: then `look` raises `TimeUp`.

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
    """What is done within has so many seconds of work from now at the least, even if the time is up.

    It is for what turns a result into an answer, such as a plan that has to be played.
    """
    token = _granted.set((time.monotonic() + _BUSY * seconds, time.thread_time() + seconds))
    try:
        yield
    finally:
        _granted.reset(token)
