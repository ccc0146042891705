"""States as moments keep them: in as few bytes as their numbers need."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from vclogic.encode.evaluator import Prepared
from vclogic.model.fluents import State

Numbers = Sequence[int]
"""A state's numbers: bytes, or an array where one byte is too small for one of them."""


def small(state: State) -> Numbers:
    """A state in little memory; it has the same numbers in the same places."""
    try:
        return bytes(state)
    except ValueError:  # a number beyond a byte
        pass
    for kind in "Hi":
        try:
            return array(kind, state)
        except OverflowError:
            pass
    return array("q", state)


def changed(numbers: Numbers, action: Prepared) -> Numbers:
    """The state after an action, whether or not its requirements hold.

    Raises:
        OutOfBounds: An effect leaves its fluent's sort.
    """
    others = action.others(numbers)
    after: Any = bytearray(numbers) if isinstance(numbers, bytes) else numbers[:]
    try:
        for first, end, source, constants in action.blocks:
            if source is not None:
                after[first:end] = numbers[source : source + end - first]
            else:
                after[first:end] = constants if isinstance(numbers, bytes) else array(after.typecode, [*constants])
        for place, x in others.items():
            after[place] = x
    except (ValueError, OverflowError):  # a number that is too large
        state = list(numbers)
        for place, x in action.changes(numbers).items():
            state[place] = x
        return small(tuple(state))
    return bytes(after) if isinstance(numbers, bytes) else after


def full(numbers: Numbers) -> State:
    """The state with these numbers."""
    return tuple(numbers)
