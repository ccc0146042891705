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


class Noted(Mapping[str, str]):
    """A mapping that notes which names are looked up.

    What never looks up a name comes out the same whatever that name stands for.

    Args:
        values: The value of each name.

    Attributes:
        looked_up: The names that were looked up so far; all of them once somebody went through them.
    """

    def __init__(self, values: Mapping[str, str]):
        self._values = dict(values)
        self.looked_up: set[str] = set()

    def __getitem__(self, name: str) -> str:
        value = self._values[name]
        self.looked_up.add(name)
        return value

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        self.looked_up.update(self._values)
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)
