"""The deletion filter: reduce a set to a minimal sufficient subset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def reduced(parts: list[T], enough: Callable[[Sequence[T]], bool]) -> list[T]:
    """Remove parts that are not needed: in large blocks first, one by one at last.

    If sufficiency is monotone, the result is minimal.

    Args:
        parts: Parts that suffice together.
        enough: Tests whether some of them suffice.
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
