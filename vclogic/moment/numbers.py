"""States as moments keep them: in as few bytes as their numbers need."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from vclogic.model.fluents import State

Numbers = Sequence[int]
"""A state's numbers: bytes, or an array where one byte is too small for one of them."""


def small(state: Sequence[int]) -> Numbers:
    """A state in little memory; it has the same numbers in the same places."""
    try:
        return bytes(state)
    except ValueError:  # a number beyond a byte
        pass
    try:
        return array("i", state)
    except OverflowError:
        return array("q", state)


def full(numbers: Numbers) -> State:
    """The state with these numbers."""
    return tuple(numbers)
