"""The spelling of a choice at each door: a keyword of Python, an option, or a key of a request.

Where it comes in is ambient, as a deadline is: whoever takes questions from elsewhere than Python says so once
(`written_as`), and messages name a choice by `choice`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Way = Callable[[str, str | None], str]
"""Writes a choice by its name in Python, with a value or without one."""


def as_keyword(name: str, value: str | None) -> str:
    """As in a call: `side='Axis'`."""
    return name if value is None else f"{name}={value!r}"


def as_key(name: str, value: str | None) -> str:
    """As in a request of `serve`, such as `"side": "Axis"`."""
    return name if value is None else f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"


_way: ContextVar[Way] = ContextVar("way", default=as_keyword)


def choice(name: str, value: str | None = None) -> str:
    """A choice as it is written where the question came in.

    Args:
        name: Its name in Python.
        value: A value that it may have.
    """
    return _way.get()(name, value)


@contextmanager
def written_as(way: Way) -> Iterator[None]:
    """Within the block, choices are written in this way."""
    token = _way.set(way)
    try:
        yield
    finally:
        _way.reset(token)


def by_command(hint: str, elsewhere: str = "") -> str:
    """A remark for those who can type a command; what is served says something else instead, or nothing."""
    return elsewhere if _way.get() is as_key else hint
