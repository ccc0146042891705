"""Faults of somebody's encoding, reported at their line: whatever it raises, circles of rules, endless loops."""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

from vclogic.clock import TimeUp
from vclogic.errors import BROKEN_RULES, Diagnostic, InputError, RulesError
from vclogic.shortage import shortage

PATIENCE = 60.0
"""Seconds that an encoding may take to be imported or built."""
_LAYERS = ("vclogic.terms", "vclogic.model", "vclogic.board", "vclogic.errors", "vclogic.provenance")
_LIBRARIES = sys.stdlib_module_names | {"networkx", "numpy", "pydantic", "pydantic_core", "yaml", "click", "rich"}
_ON_ITS_WAY = 1.0  # seconds at the most until what an alarm raises has come
_HELP = "this is a mistake in the rules of the game, not in your files; look at that line of the encoding"
_SHOWN = 6


class TookTooLong(BaseException):
    """Somebody's code runs on and on; no `Exception`, so that it cannot be caught by the way."""


class Line(NamedTuple):
    """A line of somebody's code.

    Attributes:
        file: The file.
        line: The line, counted from 1.
        function: The function.
        module: The module.
    """

    file: str
    line: int
    function: str
    module: str


def blamed(error: BaseException, packages: Collection[str] | None = None) -> Diagnostic | None:
    """What is wrong with somebody's code, if an error came from there; None if it came from vclogic itself.

    Constructors of terms and of the model, and libraries, act for whoever called them.

    Args:
        error: The error.
        packages: Where their code is known to stand; None: anywhere outside vclogic.
    """
    lines = _lines(error)
    if packages is not None and not any(line.module.startswith(tuple(packages)) for line in lines):
        return None
    if isinstance(error, SyntaxError) and error.filename:
        return Diagnostic(BROKEN_RULES, f"syntax error: {error.msg}", error.filename, error.lineno, error.offset)
    if not lines:
        return None
    last = lines[-1]
    message, help = _said(error), _HELP
    if isinstance(error, RecursionError) and (circle := _circle(lines)):
        last = circle[0]
        names = [*(line.function for line in circle), circle[0].function]
        message = "rules refer to each other in a circle: " + " -> ".join(names[: _SHOWN + 1])
        help = "let one of them refer to fluents instead"
    elif isinstance(error, TookTooLong):
        help = "an endless loop? this line was at work when the time was up"
    return Diagnostic(BROKEN_RULES, f"{message} (in {last.function})", last.file, last.line, help=help)


def failure(error: Exception, packages: Collection[str]) -> RulesError | None:
    """An error that came from the rules of a game, as what a user is told; None for any other one.

    Args:
        error: The error.
        packages: The packages of the games.
    """
    if isinstance(error, RulesError):
        return error
    found = None if shortage(error) else blamed(error, packages)
    if found is None:
        return None
    return RulesError(replace(found, message=f"the rules of the game fail: {found.message}"))


def _said(error: BaseException) -> str:
    said = " ".join(str(error).split())
    if isinstance(error, TookTooLong):
        return said
    if isinstance(error, AssertionError):
        return f"what is taken for granted is not so{': ' if said else ''}{said}"
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _lines(error: BaseException) -> list[Line]:
    """The lines of somebody's code that led to an error, outermost first; none if vclogic itself went wrong."""
    found: list[tuple[bool, Line]] = []
    trace = error.__traceback__
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", ""))
        acts_for_others = module.startswith(_LAYERS) or module.partition(".")[0] in _LIBRARIES
        if not acts_for_others:
            code = trace.tb_frame.f_code
            theirs = module.partition(".")[0] != "vclogic"
            found.append((theirs, Line(code.co_filename, trace.tb_lineno, code.co_name, module)))
        trace = trace.tb_next
    engine = max((i for i, (theirs, _) in enumerate(found) if not theirs), default=-1)
    return [line for _, line in found[engine + 1 :]]


def _circle(lines: Sequence[Line]) -> list[Line]:
    """The functions that call each other, from the one that was called first; found where the stack was full."""
    end = len(lines) - 1
    for start in range(end - 1, -1, -1):
        if _same(lines[start], lines[end]):
            inside = lines[start:end]
            first = next(i for i, line in enumerate(lines) if any(_same(line, other) for other in inside))
            return list(lines[first : first + end - start])
    return []


def _same(a: Line, b: Line) -> bool:
    """Whether two lines are of one function."""
    return (a.file, a.function) == (b.file, b.function)


@contextmanager
def their_code(name: str, what: str, seconds: float | None = None, *, only_theirs: bool = True) -> Iterator[None]:
    """Runs somebody's encoding: what it raises becomes a report at their line.

    Args:
        name: The encoding.
        what: What is done, for the report, such as `built`.
        seconds: How long it may take; None: `PATIENCE`.
        only_theirs: Whether whatever goes wrong is their fault, even if no line of theirs took part.

    Raises:
        RulesError: It raised something, or took too long.
    """
    seconds = PATIENCE if seconds is None else seconds
    try:
        with _limited(seconds, f"the encoding cannot be {what} in {seconds:g} s"):
            yield
    except (InputError, RulesError, KeyboardInterrupt, TimeUp):
        raise
    except TookTooLong as error:
        if not error.args:  # the time of somebody further out is up
            raise
        raise _report(name, what, error) from error
    except BaseException as error:  # somebody else's code: whatever it does, the user gets a sentence
        if shortage(error) is not None or (not only_theirs and blamed(error) is None):
            raise
        raise _report(name, what, error) from error


def _report(name: str, what: str, error: BaseException) -> RulesError:
    help = "this is a mistake in the game's package, not in your files"
    found = blamed(error) or Diagnostic(BROKEN_RULES, _said(error), help=help)
    message = f"the encoding {name!r} is broken: it cannot be {what}: {found.message}"
    return RulesError(replace(found, message=message))


@contextmanager
def _limited(seconds: float, message: str) -> Iterator[None]:
    """Raises `TookTooLong` in this thread when the time is up, wherever Python code is at work then.

    Such blocks may stand in each other: the exception says which time was up by having a message or none yet.
    """
    alarm = _Alarm()
    timer = threading.Timer(seconds, alarm.ring)
    timer.daemon = True
    try:
        timer.start()
        yield
    except TookTooLong as error:
        if not alarm.rang:
            raise
        alarm.came = True
        raise TookTooLong(message).with_traceback(error.__traceback__) from None
    finally:
        while not alarm.is_off:
            try:  # nothing is called outside of it: the exception comes where something is
                alarm.switch_off()
            except TookTooLong:  # it came when all was done
                alarm.came = True
        timer.cancel()


class _Alarm:
    """Raises `TookTooLong` in the thread that made it.

    Attributes:
        rang: Whether it has.
        came: Whether what it raised has come.
        is_off: Whether it never will any more.
    """

    def __init__(self) -> None:
        self.rang = False
        self.came = False
        self._thread = ctypes.c_ulong(threading.get_ident())
        self.is_off = False
        self._lock = threading.Lock()

    def ring(self) -> None:
        """Raises it, unless the alarm is off."""
        with self._lock:
            if not self.is_off:
                self.rang = True
                ctypes.pythonapi.PyThreadState_SetAsyncExc(self._thread, ctypes.py_object(TookTooLong))

    def switch_off(self) -> None:
        """Sees to it that nothing is raised any more; what is on its way is waited for.

        Taken back it would leave a flag behind by which CPython 3.11 hangs as soon as code runs under a tracer.
        """
        with self._lock:
            self.is_off = not self.rang or self.came
        end = time.monotonic() + _ON_ITS_WAY
        while not self.is_off and time.monotonic() < end:
            pass
        self.is_off = True
