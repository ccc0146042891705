"""Calls of an encoding's code that do not return: a command ends them where they are at work."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType

PATIENCE = 60.0
"""Seconds that one call of an encoding's code may take, such as to build its rules."""
_DEAF = "_forget"  # Python calls it as a term goes, and ignores what it raises: the next ring of the timer is heard
_LOOKS = 20  # how often a command looks within that time whether the call still runs
_FOR_OTHERS = (
    *("vclogic.terms", "vclogic.model", "vclogic.board", "vclogic.errors", "vclogic.provenance"),
    *(__name__, "vclogic.files.blame"),
)
_LIBRARIES = sys.stdlib_module_names | {"networkx", "numpy", "pydantic", "pydantic_core", "yaml", "click", "rich"}


_long_until = 0.0  # on the clock of `time.monotonic`: a call may take long until then


class Endless(BaseException):
    """A call of an encoding's code does not return; no `Exception`, so that this code does not catch it."""


def in_words(error: BaseException) -> str:
    """The exception of somebody's code, in words."""
    said = " ".join(str(error).split())
    if isinstance(error, Endless):
        return f"still running after {PATIENCE:g} s"
    if isinstance(error, AssertionError):
        return f"an assertion fails{': ' if said else ''}{said}"
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


@contextmanager
def endless_calls_ended() -> Iterator[None]:
    """Raises `Endless` in a call of an encoding's code that has not returned after `PATIENCE`.

    A timer of the process rings several times in that time, and a call is ended where the same one is at work each
    time. It is raised in that code only, at a line of it as any error of its own would be, never in vclogic's. For
    the main thread of a command: elsewhere, or where the system has no such timer, it does nothing.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    call: FrameType | None = None
    looks = 0

    def look(number: int, frame: FrameType | None) -> None:
        nonlocal call, looks
        deaf = frame is not None and frame.f_code.co_name == _DEAF
        stack = []
        while frame is not None:
            stack.append((frame, frame.f_lineno))
            frame = frame.f_back
        at_work = their_frames(reversed(stack))
        before, call = call, at_work[0][0] if at_work else None
        # The same frame object at each look is one call that has not returned; `call` keeps it from being reused.
        looks = looks + 1 if call is before and time.monotonic() > _long_until else 0
        if call is not None and looks >= _LOOKS and not deaf:
            raise Endless

    handler = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE / _LOOKS, PATIENCE / _LOOKS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)


@contextmanager
def long_calls(seconds: float) -> Iterator[None]:
    """Within the block, calls of an encoding's code may take so many seconds before `PATIENCE` begins to count.

    For a call that has a time limit of its own, and keeps it.
    """
    global _long_until
    before, _long_until = _long_until, time.monotonic() + seconds
    try:
        yield
    finally:
        _long_until = before


def their_frames(stack: Iterable[tuple[FrameType, int]]) -> list[tuple[FrameType, int]]:
    """The frames of an encoding's code that vclogic called last, outermost first; none if vclogic is at work itself.

    Args:
        stack: Frames with the lines that they are at, outermost first.
    """
    found: list[tuple[FrameType, int]] = []
    for frame, number in stack:
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith(_FOR_OTHERS) or module.partition(".")[0] in _LIBRARIES:
            continue  # it acts for whoever called it
        if module.partition(".")[0] == "vclogic":
            found = []
        else:
            found.append((frame, number))
    return found
