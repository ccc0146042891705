"""Wording of test failures: a sentence, the place in the game's code, and a remedy."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NoReturn

import pytest

from vclogic.errors import shortened
from vclogic.model.actions import Schema
from vclogic.model.citation import CitedFunction
from vclogic.model.rules import Observable, Outcome, Reading, Rule

SHOWN = 6
"""So many names of a longer list are said."""


def fails(message: str) -> NoReturn:
    """End a test: what is wrong is said, and no line of the test is shown."""
    pytest.fail(message, pytrace=False)


def claim(holds: object, message: str) -> None:
    """End a test with a message unless something holds."""
    if not holds:
        fails(message)


def named(names: Iterable[object]) -> str:
    """Some names as in a sentence, the first few of many."""
    every = [shortened(str(n), 100) for n in names]
    more = len(every) - SHOWN
    return ", ".join(every[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def at(thing: object) -> str:
    """The place where the game's code makes something, such as ` (rules.py:57)`; empty where it is not known.

    Args:
        thing: A rule, outcome, Reading, kind of event, observable, or function that cites clauses.
    """
    place: tuple[str, int] | None = None
    if isinstance(thing, Rule | Outcome | Reading):
        place = (thing.made[0].file, thing.made[0].line) if thing.made else None
    elif isinstance(thing, CitedFunction):
        place = thing.file, thing.line
    elif isinstance(thing, Schema):
        place = _of_function(thing.instantiate)
    elif isinstance(thing, Observable):
        place = _of_function(thing.term)
    if place is None:
        return ""
    file = os.path.relpath(place[0])
    return f" ({place[0] if file.startswith('..') else file}:{place[1]})"


def _of_function(made: Callable[..., Any]) -> tuple[str, int] | None:
    """File and line of a function of a game; None for one of vclogic's own."""
    while isinstance(made, partial):
        made = made.func
    code = getattr(inspect.unwrap(made), "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code is not None else None
