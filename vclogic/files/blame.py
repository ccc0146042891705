"""Report faults of an encoding's code at its own line: exceptions, circular rules, endless loops."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from traceback import walk_tb
from types import FrameType
from typing import NamedTuple

from vclogic import watchdog
from vclogic.clock import TimeUp
from vclogic.errors import BROKEN_RULES, Diagnostic, InputError, RulesError
from vclogic.shortage import shortage
from vclogic.watchdog import Endless, their_frames

_HELP = "this is a mistake in the rules of the game, not in your files; look at that line of the encoding"
_SHOWN = 6


class CodeLine(NamedTuple):
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
    """The fault in an encoding's code that caused an error; None if the error came from vclogic itself.

    An error in a constructor of terms or of the model, or in a library, is attributed to the code that called it.

    Args:
        packages: The packages with the encodings' code; None: anything outside vclogic.
    """
    lines = [_line(frame, number) for frame, number in their_frames(walk_tb(error.__traceback__))]
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
    elif isinstance(error, Endless):
        help = "an endless loop? this line was running when the time was up"
    return Diagnostic(BROKEN_RULES, f"{message} (in {last.function})", last.file, last.line, help=help)


def failure(error: BaseException, packages: Collection[str]) -> RulesError | None:
    """The report for an error that came from a game's rules; None for any other error.

    Args:
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
    if isinstance(error, Endless):
        return f"still running after {watchdog.PATIENCE:g} s"
    if isinstance(error, AssertionError):
        return f"an assertion fails{': ' if said else ''}{said}"
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _line(frame: FrameType, number: int) -> CodeLine:
    code = frame.f_code
    return CodeLine(code.co_filename, number, code.co_name, str(frame.f_globals.get("__name__", "")))


def _circle(lines: Sequence[CodeLine]) -> list[CodeLine]:
    """The functions of an infinite recursion, from the one called first."""
    end = len(lines) - 1
    for start in range(end - 1, -1, -1):
        if _same(lines[start], lines[end]):
            inside = lines[start:end]
            first = next(i for i, line in enumerate(lines) if any(_same(line, other) for other in inside))
            return list(lines[first : first + end - start])
    return []


def _same(a: CodeLine, b: CodeLine) -> bool:
    """True if two lines are of one function."""
    return (a.file, a.function) == (b.file, b.function)


@contextmanager
def their_code(name: str, what: str, *, only_theirs: bool = True) -> Iterator[None]:
    """Run an encoding's code; an exception becomes a report at its line.

    Args:
        name: The encoding.
        what: What is being done, for the report, such as `built`.
        only_theirs: Whether any error is the encoding's fault, even if none of its lines is on the stack.

    Raises:
        RulesError: The code raised an exception, or did not end.
    """
    try:
        yield
    except (InputError, RulesError, KeyboardInterrupt, TimeUp):
        raise
    except BaseException as error:  # somebody else's code: whatever it does, the user gets a sentence
        if shortage(error) is not None or (not only_theirs and blamed(error) is None):
            raise
        help = "this is a mistake in the game's package, not in your files"
        found = blamed(error) or Diagnostic(BROKEN_RULES, _said(error), help=help)
        message = f"the encoding {name!r} is broken: it cannot be {what}: {found.message}"
        raise RulesError(replace(found, message=message)) from error
