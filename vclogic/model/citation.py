"""Citations of a rule text, and the functions of a game's code that encode its clauses."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Found = TypeVar("Found")


@dataclass(frozen=True)
class Citation:
    """A reference to a clause of a rule text.

    Attributes:
        source: The rule text.
        clause: Id of the sentence, exception or example in it.
    """

    source: str
    clause: str

    def __str__(self) -> str:
        return self.clause


Cites = tuple[Citation, ...]


@dataclass(frozen=True)
class CitedFunction:
    """A function of a game's code that encodes clauses.

    Attributes:
        name: Its name after that of its module, such as `points.Points.value`.
        text: The first line of its docstring.
        cites: The clauses.
        file: The path of its module.
        line: Its line there, counted from 1.
    """

    name: str
    text: str
    file: str
    line: int
    cites: Cites


Seen = Callable[[CitedFunction, Callable[[], Any]], Any]
"""A stand-in for a call of a function; mostly it makes the call and returns the result."""
_SEEN: ContextVar[Seen | None] = ContextVar("seen", default=None)


class RuleText:
    """A rule text.

    Attributes:
        source: Its short name, as citations have it.
        title: Its title.
        functions: The functions that encode its clauses, in the order in which Python read them.
    """

    def __init__(self, source: str, title: str):
        self.source = source
        self.title = title
        self.functions: list[CitedFunction] = []

    def cite(self, *clauses: str) -> Cites:
        """Citations of clauses of the text."""
        return tuple(Citation(self.source, clause) for clause in clauses)

    def encodes(self, *clauses: str) -> Callable[[Callable[Given, Found]], Callable[Given, Found]]:
        """Marks a function or method as what encodes clauses; what it computes stays the same.

        `vclogic rules` then shows it with its clauses, and the tests of `vclogic.conformance` change its result to
        see whether a ruling notices.

        Args:
            clauses: Ids of the clauses.
        """

        def mark(function: Callable[Given, Found]) -> Callable[Given, Found]:
            cited = _described(inspect.unwrap(function), self.cite(*clauses))
            self.functions.append(cited)

            @wraps(function)
            def marked(*args: Given.args, **named: Given.kwargs) -> Found:
                return said_by(cited, lambda: function(*args, **named))

            return marked

        return mark


def said_by(function: CitedFunction, call: Callable[[], Found]) -> Found:
    """The result of a call of a function, or of what is like one, such as a line of a text of rules.

    Args:
        function: What it encodes.
        call: Makes the call.
    """
    seen = _SEEN.get()
    if seen is None:
        return call()
    result: Found = seen(function, call)
    return result


def is_watched() -> bool:
    """True if somebody looks at the calls of marked functions."""
    return _SEEN.get() is not None


def _described(function: Callable[..., object], cites: Cites) -> CitedFunction:
    module = function.__module__
    name = f"{module.rpartition('.')[2]}.{function.__qualname__}"
    text = (function.__doc__ or "").strip().partition("\n")[0]
    file = f"{module.replace('.', '/')}.py"
    return CitedFunction(name, text, file, function.__code__.co_firstlineno, cites)


@contextmanager
def seen(by: Seen) -> Iterator[None]:
    """While this is open, somebody looks at the calls of all marked functions, and may change their results.

    Args:
        by: Takes each function with what makes the call; what it returns takes the place of the result.
    """
    token = _SEEN.set(by)
    try:
        yield
    finally:
        _SEEN.reset(token)


def changed(function: CitedFunction, change: Callable[[Any], Any]) -> AbstractContextManager[None]:
    """While this is open, a function's results are changed: so it shows whether anything notices.

    Args:
        change: Makes another result of the right one.
    """
    return seen(lambda cited, call: change(call()) if cited is function else call())


@contextmanager
def unseen() -> Iterator[None]:
    """While this is open, nobody looks at the calls of marked functions: their results are what they are."""
    before = _SEEN.set(None)
    try:
        yield
    finally:
        _SEEN.reset(before)
