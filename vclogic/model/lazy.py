"""Lazy collections, for parts of a rule set that few questions need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
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
    """

    def __init__(self, values: Mapping[str, str]):
        self._values = dict(values)
        self._looked_up: set[str] = set()
        self._counted: list[Noted] = []

    @property
    def looked_up(self) -> Set[str]:
        """The names that were looked up so far; all of them once somebody went through them."""
        return self._looked_up.union(*(other.looked_up for other in self._counted))

    def counts(self, other: Noted) -> None:
        """Let whatever is looked up in another one, sooner or later, count here, too."""
        self._counted.append(other)

    def others_than(self, other: Noted) -> frozenset[str]:
        """The names that have another value in another one; this is no look-up."""
        return frozenset(name for name, value in self._values.items() if other._values.get(name) != value)

    def __getitem__(self, name: str) -> str:
        value = self._values[name]
        self._looked_up.add(name)
        return value

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        self._looked_up.update(self._values)
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)
