"""Memoization of methods, such as those that build the term of a rule."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

Self = TypeVar("Self")
Given = ParamSpec("Given")
Made = TypeVar("Made")
Watch = Callable[[dict[Any, Any], Hashable, Callable[[], Any]], Any]
"""A stand-in for a look into a memo: it gets the memo, the key, and a function that makes the result."""
_WATCH: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched(by: Watch) -> Iterator[None]:
    """While this is open, somebody looks at what is memoized, and returns the results.

    Args:
        by: As `Watch`.
    """
    token = _WATCH.set(by)
    try:
        yield
    finally:
        _WATCH.reset(token)


def memoized(make: Callable[Concatenate[Self, Given], Made]) -> Callable[Concatenate[Self, Given], Made]:
    """Memoize a method, or a function of an object; the object holds the results.

    `functools.cache` would keep every object of the class alive.

    Args:
        make: The method; its arguments are hashable, and its result depends only on them and the object.
    """
    place = f"_made_by_{make.__name__}"

    @wraps(make)
    def kept(self: Self, /, *args: Given.args, **named: Given.kwargs) -> Made:
        memo: dict[Any, Made] | None = self.__dict__.get(place)
        if memo is None:
            memo = self.__dict__[place] = {}
        key = (args, tuple(named.items())) if named else args
        watch = _WATCH.get()
        if watch is not None:
            found: Made = watch(memo, key, lambda: make(self, *args, **named))
            return found
        if key in memo:
            return memo[key]
        made = memo[key] = make(self, *args, **named)
        return made

    return kept
