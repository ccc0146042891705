"""Lazy collections, for parts of a rule set that few questions need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Generic, TypeVar, overload

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


class LazySequence(Sequence[T], Generic[T]):
    """A sequence that is computed on first access.

    Args:
        make: Computes its items.
    """

    def __init__(self, make: Callable[[], Iterable[T]]):
        self._make = make

    @cached_property
    def _made(self) -> tuple[T, ...]:
        return tuple(self._make())

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...

    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self._made[index]

    def __len__(self) -> int:
        return len(self._made)

    def __iter__(self) -> Iterator[T]:
        return iter(self._made)


class LazyMapping(Mapping[K, V]):
    """A mapping that is computed on first access.

    Args:
        make: Computes its content.
    """

    def __init__(self, make: Callable[[], Mapping[K, V]]):
        self._make = make

    @cached_property
    def _made(self) -> Mapping[K, V]:
        return self._make()

    def __getitem__(self, key: K) -> V:
        return self._made[key]

    def __contains__(self, key: object) -> bool:
        return key in self._made

    def __iter__(self) -> Iterator[K]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)
