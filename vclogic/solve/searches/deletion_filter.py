"""Leaving out what is not needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def reduced(parts: list[T], enough: Callable[[Sequence[T]], bool]) -> list[T]:
    """The parts without those that are not needed: many at a time first, single ones last.

    Where more is enough whenever less is, none of those that are left can be spared.

    Args:
        parts: Parts that are enough together.
        enough: Whether some of them are.
    """
    size = len(parts)
    while size:
        place = 0
        while place < len(parts):
            without = parts[:place] + parts[place + size :]
            if enough(without):
                parts = without
            else:
                place += size
        size //= 2
    return parts
