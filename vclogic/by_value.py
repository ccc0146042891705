"""Frozen values that are hashed by what they hold, mappings and lists in them too."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from typing import Any


class ByValue:
    """A frozen dataclass that can be a key, though some fields are mappings; equal values have equal hashes."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # Of a class that has its own, `dataclass` makes no other.
        cls.__hash__ = ByValue.__hash__  # type: ignore[method-assign]

    def __hash__(self) -> int:
        return hash(_key(self))


def _key(value: Any) -> Hashable:
    """A key that equal values share."""
    if isinstance(value, str | int | float | None):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return (type(value).__name__, *(_key(getattr(value, f.name)) for f in fields(value) if f.compare))
    if isinstance(value, Mapping):
        return frozenset((key, _key(x)) for key, x in value.items())
    if isinstance(value, Set):
        return frozenset(value)
    if isinstance(value, Sequence):
        return tuple(map(_key, value))
    try:
        hash(value)
    except TypeError:
        return type(value).__name__  # such as an array
    found: Hashable = value
    return found
