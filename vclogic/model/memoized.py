"""Caches: of the latest values, and of the results of methods, such as those that build the term of a rule."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from threading import Lock
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

# ---- the latest values


K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


# ---- a cache of the latest values, up to a number


class Latest(Generic[K, V]):
    """A cache of the values for the latest few keys; several threads may ask.

    Args:
        most: How many are kept.
    """

    def __init__(self, most: int):
        self._most = most
        self._made: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    @property
    def kept(self) -> tuple[V, ...]:
        """All that is kept, what was asked for longest ago first."""
        return tuple(self._made.values())

    def find(self, key: K) -> V | None:
        """The cached value of a key."""
        with self._lock:
            found = self._made.get(key)
            if found is not None:
                self._made.move_to_end(key)
            return found

    def put(self, key: K, made: V) -> V:
        """Keep what was made for a key, instead of what was kept; what was not asked for longest is dropped."""
        with self._lock:
            return self._put(key, made)

    def add(self, key: K, made: V) -> V:
        """Keep what was made for a key unless something is kept for it already; returns what is kept."""
        with self._lock:
            return self._put(key, self._made.get(key, made))

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The value of a key; made where it is not cached. Of two threads that make it, one keeps its own."""
        found = self.find(key)
        return self.add(key, make()) if found is None else found

    def clear(self) -> None:
        """Keep nothing of what was made so far."""
        with self._lock:
            self._made.clear()

    def _put(self, key: K, made: V) -> V:
        self._made[key] = made
        self._made.move_to_end(key)
        if len(self._made) > self._most:
            self._made.popitem(last=False)
        return made


def keep(made: dict[K, V], key: K, value: V, most: int) -> None:
    """Keep a value, without a lock and without a look at what is asked for: for what is made in microseconds.

    Args:
        made: What is kept; once there is too much, the older half is dropped.
        key: What the value belongs to.
        most: How many are kept.
    """
    made[key] = value
    if len(made) > most:
        for old in list(made)[: most // 2]:  # a list, since other threads may keep something meanwhile
            made.pop(old, None)


# ---- all results of a method


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
