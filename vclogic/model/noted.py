"""A mapping that notes what is looked up in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


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
