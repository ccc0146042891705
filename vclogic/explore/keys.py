"""States as keys: a few 64-bit words each, whose digits are the values of the fluents that can change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from vclogic.clock import FEW, look
from vclogic.encode.batch import smallest_type
from vclogic.model.fluents import State
from vclogic.terms.term import Term

Array = Any
"""A NumPy array."""
_SIZE = 1 << 64
_FACTOR = 0x9E3779B97F4A7C15


@dataclass(frozen=True)
class Digit:
    """The place of a fluent in a key.

    Attributes:
        word: The number of the word.
        stride: What the word grows by where the fluent grows by 1.
        radix: How many values the fluent can have.
        least: The smallest of them.
    """

    word: int
    stride: int
    radix: int
    least: int


class StateKeys:
    """A mapping of states to keys and back.

    Attributes:
        digits: By the number of a fluent: its place in keys. Fluents that never change have none.
        words: The number of words of a key.

    Args:
        fluents: All fluents.
        starts: The starts; a fluent that does not change is as in the first.
        changes: For each changed fluent (by number) its new values, as terms.
    """

    def __init__(self, fluents: Sequence[Term], starts: Sequence[State], changes: Iterable[tuple[int, Term]]):
        self._fluents = fluents
        self._base = starts[0]
        bounds = {i: (min(s[i] for s in starts), max(s[i] for s in starts)) for i in range(len(fluents))}
        for i, new in changes:
            lo, hi = _bounds(new)
            bounds[i] = min(bounds[i][0], max(lo, fluents[i].lo)), max(bounds[i][1], min(hi, fluents[i].hi))
        radix = {i: hi - lo + 1 for i, (lo, hi) in bounds.items() if hi > lo}
        rounded = {i: 1 << (r - 1).bit_length() for i, r in radix.items()}  # powers of two are read faster
        plain, fast = _words(radix), _words(rounded)
        of, sizes = (fast, rounded) if len(fast) == len(plain) else (plain, radix)
        self.words = max(len(of), 1)
        self.digits: dict[int, Digit] = {}
        for word, members in enumerate(of):
            stride = 1
            for i in members:
                self.digits[i] = Digit(word, stride, sizes[i], bounds[i][0])
                stride *= sizes[i]
        self.kind = smallest_type(min((f.lo for f in fluents), default=0), max((f.hi for f in fluents), default=0))

    @cached_property
    def size(self) -> int:
        """The number of keys there can be."""
        found = 1
        for d in self.digits.values():
            found *= d.radix
        return found

    def keys(self, states: Array) -> Array:
        """The keys of states, a row for each word."""
        found: Array = np.zeros((self.words, len(states)), np.uint64)
        for i, d in self.digits.items():
            digit = (states[:, i].astype(np.int64) - d.least).astype(np.uint64)
            found[d.word] += digit * np.uint64(d.stride)
        return found

    def column(self, keys: Array, i: int) -> Array:
        """The values of a fluent in the states of some keys."""
        kind = smallest_type(self._fluents[i].lo, self._fluents[i].hi)
        d = self.digits.get(i)
        if d is None:
            return np.full(keys.shape[1], self._base[i], kind)
        word = keys[d.word]
        if d.stride > 1:
            shift = np.uint64(d.stride.bit_length() - 1)
            word = word >> shift if _is_power(d.stride) else word // np.uint64(d.stride)
        if d.stride * d.radix < _SIZE:
            word = word & np.uint64(d.radix - 1) if _is_power(d.radix) else word % np.uint64(d.radix)
        column = word.astype(kind)
        if d.least:
            column += kind.type(d.least)
        return column

    def states(self, keys: Array) -> Array:
        """The states of some keys, a row for each; columns are contiguous."""
        found: Array = np.empty((keys.shape[1], len(self._fluents)), self.kind, order="F")
        for i in range(len(self._fluents)):
            if not i & FEW:
                look()
            found[:, i] = self.column(keys, i)
        return found


def _bounds(t: Term) -> tuple[int, int]:
    if t.mask:
        return (t.mask & -t.mask).bit_length() - 1, t.mask.bit_length() - 1
    return t.lo, t.hi


def _words(radix: dict[int, int]) -> list[list[int]]:
    """The fluents of each word."""
    words: list[list[int]] = []
    room = 0
    for i, r in radix.items():
        if r > room:
            words.append([])
            room = _SIZE
        words[-1].append(i)
        room //= r
    return words


def _is_power(x: int) -> bool:
    return not x & (x - 1)


def hashed(keys: Array, seed: int = 0) -> Array:
    """One word for each key: the key itself if it has one word; else different keys may have the same one.

    Args:
        keys: The keys, a row for each word.
        seed: Under another seed other keys have the same one.
    """
    if len(keys) == 1:
        return keys[0]
    found: Array = np.zeros(keys.shape[1], np.uint64)
    for i, word in enumerate(keys):
        odd = np.uint64((_FACTOR * (2 * (i + len(keys) * seed) + 1)) % _SIZE)
        found += (word ^ (word >> np.uint64(31))) * odd
        found ^= found >> np.uint64(29)
    return found * np.uint64(_FACTOR)
