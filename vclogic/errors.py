"""Faults of an input, as data; layout and colour belong to `report`."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

BROKEN_RULES = "broken-rules"
"""Code of the diagnostics of a `RulesError`."""
SHOWN = 60
"""So many characters of a user's text are shown in a message."""
_MOST_SAID = 1_000
_NEAR = 3  # names that are offered
_MOST_PATH = 4_096


@dataclass(frozen=True)
class Diagnostic:
    """One fault of an input.

    Attributes:
        code: Stable short name of the kind of mistake, such as `unknown-name`.
        message: One sentence that says what is wrong.
        file: The file (or `<stdin>`) it stands in, or the choice (`goal`; as an option `--goal`), if any.
        line: Line in that file, counted from 1.
        column: Column in that line, counted from 1.
        help: What to do about it, such as a near name.
    """

    code: str
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    help: str | None = None

    def __post_init__(self) -> None:
        for name, most in (("message", _MOST_SAID), ("help", _MOST_SAID), ("file", _MOST_PATH)):
            said = getattr(self, name)
            if said is not None and len(said) > most:
                object.__setattr__(self, name, shortened(said, most))

    def __str__(self) -> str:
        """The place, the message, and the help in brackets, in one line."""
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return (f"{place}: " if place else "") + self.message + (f" ({self.help})" if self.help else "")

    def at(self, file: str | None, line: int | None = None, column: int | None = None) -> Diagnostic:
        """The same diagnostic with a place, unless it has one already: a line, or a file where no line is given."""
        if line is not None and self.line is None:
            return replace(self, file=file, line=line, column=column)
        return replace(
            self,
            file=self.file or file,
            line=self.line if self.line is not None else line,
            column=self.column if self.column is not None else column,
        )


class InputError(ValueError):
    """Bad input: everything that is wrong with it, at once; its text has all of it.

    Attributes:
        diagnostics: At least one, in the order of their places.
    """

    def __init__(self, diagnostics: Diagnostic | Iterable[Diagnostic]):
        self.diagnostics: tuple[Diagnostic, ...] = (
            (diagnostics,) if isinstance(diagnostics, Diagnostic) else tuple(diagnostics)
        )
        super().__init__("; ".join(map(str, self.diagnostics)))

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[Diagnostic, ...]]]:
        return type(self), (self.diagnostics,)

    def at(self, file: str | None, line: int | None = None, column: int | None = None) -> InputError:
        """The same error, with a place for each diagnostic that has none."""
        return InputError(d.at(file, line, column) for d in self.diagnostics)


class RulesError(RuntimeError):
    """A game's own code fails: a mistake in its encoding, not in the question.

    Attributes:
        diagnostic: What went wrong, at the line of the encoding where it is known.
    """

    def __init__(self, diagnostic: Diagnostic):
        self.diagnostic = diagnostic
        super().__init__(diagnostic.message)

    def __reduce__(self) -> tuple[type[RulesError], tuple[Diagnostic]]:
        return type(self), (self.diagnostic,)


def shortened(text: str, most: int = SHOWN) -> str:
    """A text, cut in the middle if it is longer than `most`."""
    end = most // 3
    return text if len(text) <= most else f"{text[: most - end - 3]}...{text[-end:]}"


def quoted(text: object, most: int = SHOWN) -> str:
    """A user's text as messages show it: in quotes, shortened, with escapes for unprintable characters."""
    return repr(shortened(str(text), most))


def shown(given: object) -> str:
    """A value of any kind, as messages show it."""
    if given is None or isinstance(given, bool | float | str):
        return shortened(repr(given))
    try:
        return shortened(repr(given)) if isinstance(given, int | list | tuple | dict | set | bytes) else _kind(given)
    except Exception:  # numbers of thousands of digits, lists within themselves, and what else has no text
        return _kind(given)


def _kind(given: object) -> str:
    return f"something of the type {type(given).__name__}"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """A help line with the known names nearest to `name`, or None where nothing is near; see `did_you_mean`."""
    by_fold: dict[str, str] = {}
    for n in known:
        by_fold.setdefault(n.casefold(), n)
    short = len(name) <= _MOST_SAID  # nothing that is longer is a slip of the hand
    near = difflib.get_close_matches(name.casefold(), list(by_fold), n=_NEAR, cutoff=0.6) if short else []
    return "did you mean " + " or ".join(quoted(by_fold[n]) for n in near) + "?" if near else None


def did_you_mean(
    name: str, known: Iterable[str], *, also: Iterable[str] = (), there: Collection[str] = ()
) -> str | None:
    """A help line with the known names nearest to `name`, or some of them where nothing is near; None without any.

    Args:
        name: The name that was not found.
        known: The names there are. If nothing is near, a short list (up to eight) is named whole, and of a long one
            the first few.
        also: Other names, which are offered only where they are near.
        there: Names that stand beside it already and cannot stand there twice: they are not offered.
    """
    names = [n for n in dict.fromkeys(known) if n not in there]
    near = nearest(name, (*names, *also))
    if near:
        return near
    if names and len(names) <= 8:
        return "known: " + ", ".join(map(_listed, names))
    return f"such as {', '.join(map(_listed, names[:4]))} ({len(names)} in all)" if names else None


def _listed(name: str) -> str:
    """A name as it stands in a list: in quotes if it holds a comma, as hexes do."""
    return quoted(name) if "," in name else shortened(name)


def calling(what: str, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """The result of a function of a game's code.

    Args:
        what: What it makes.

    Raises:
        RulesError: It takes other arguments than these; at the line where it begins.
    """
    try:
        return function(*arguments, **named)
    except TypeError as error:
        if error.__traceback__ is None or error.__traceback__.tb_next is not None:  # raised within it
            raise
        code = getattr(function, "__code__", None)
        file, line = (code.co_filename, code.co_firstlineno) if code else (None, None)
        message = f"the rules of the game fail: the function of {what} takes other arguments: {error}"
        help = "give it the names of the arguments that are declared, in their order"
        raise RulesError(Diagnostic(BROKEN_RULES, message, file, line, help=help)) from error
