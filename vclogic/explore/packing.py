"""States as keys: a few 64-bit words each, whose digits are the values of the fluents that can change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from vclogic.clock import FEW, check_deadline
from vclogic.encode.python.batch import smallest_type
from vclogic.model.fluents import State
from vclogic.terms.term import Term

Array = Any
"""A NumPy array."""
_ROOM = 1 << 62  # keys of one word, unless a single fluent has more values


@dataclass(frozen=True)
class Digit:
    """The place of a fluent in a key.

    Attributes:
        word: The number of the word.
        stride: What the word grows by where the fluent grows by 1.
        highest: Whether no digit of the word stands above it.
    """

    word: int
    stride: int
    highest: bool


@dataclass(frozen=True)
class Packing:
    """A mapping of states to keys and back. Of the fluents of a word the first is the highest digit.

    Attributes:
        least: For each fluent the smallest value that is packed.
        span: For each fluent how many values are packed; one that has a single value stands in no word.
    """

    least: tuple[int, ...]
    span: tuple[int, ...]

    @staticmethod
    def of(states: Array) -> Packing:
        """The packing of the values that occur in some states."""
        return _packing(states.min(axis=0).tolist(), states.max(axis=0).tolist())

    @staticmethod
    def reached(fluents: Sequence[Term], starts: Sequence[State], changes: Iterable[tuple[int, Term]]) -> Packing:
        """A packing of all that play can reach, and of more values where that takes no more words.

        Args:
            fluents: All fluents.
            starts: The starts.
            changes: For each changed fluent (by number) its new values, as terms.
        """
        lo, hi = ([of(column) for column in zip(*starts, strict=True)] for of in (min, max))
        for i, new in changes:
            least, most = _bounds(new)
            lo[i], hi[i] = min(lo[i], max(least, fluents[i].lo)), max(hi[i], min(most, fluents[i].hi))
        exact = _packing(lo, hi)
        powers = (1 << (n - 1).bit_length() for n in exact.span)  # which are read faster
        fast = Packing(exact.least, tuple(powers))
        return fast if fast.words == exact.words else exact

    @cached_property
    def _groups(self) -> list[list[int]]:
        """The fluents of each word."""
        words: list[list[int]] = [[]]
        size = 1
        for i, n in enumerate(self.span):
            if n == 1:
                continue
            if size * n > _ROOM:
                words.append([])
                size = 1
            words[-1].append(i)
            size *= n
        return words

    @property
    def words(self) -> int:
        """The number of words of a key."""
        return len(self._groups)

    @property
    def size(self) -> int:
        """The number of keys there can be."""
        return prod(self.span)

    @cached_property
    def digits(self) -> dict[int, Digit]:
        """By the number of a fluent: its place in keys. Fluents that never change have none."""
        found: dict[int, Digit] = {}
        for word, fluents in enumerate(self._groups):
            stride = 1
            for i in reversed(fluents):
                found[i] = Digit(word, stride, i == fluents[0])
                stride *= self.span[i]
        return dict(sorted(found.items()))

    @cached_property
    def kind(self) -> np.dtype[Any]:
        """The type of the numbers in states."""
        most = (least + n - 1 for least, n in zip(self.least, self.span, strict=True))
        return smallest_type(min(self.least, default=0), max(most, default=0))

    # ---- states to keys

    def packed(self, states: Array) -> tuple[Array, Array]:
        """The keys of states, a row for each word; and which states have values that can be packed."""
        keys: Array = np.zeros((self.words, len(states)), np.uint64)
        inside: Array = np.ones(len(states), bool)
        for i, least in enumerate(self.least):
            inside &= self.holds(i, states[:, i])
            if d := self.digits.get(i):
                keys[d.word] += (states[:, i].astype(np.int64) - least).astype(np.uint64) * np.uint64(d.stride)
        return keys, inside

    def holds(self, i: int, values: Array) -> Array:
        """A mark for each value of a fluent that can be packed."""
        found: Array = (values >= self.least[i]) & (values <= self.least[i] + self.span[i] - 1)
        return found

    def growth(self, i: int, old: Array, new: Array) -> Array:
        """The number that the word of a fluent grows by where its value becomes another one; words wrap around."""
        if new.dtype.hasobject:  # too large for any fact: nothing is packed that `holds` not
            new = np.clip(new, self.least[i], self.least[i] + self.span[i] - 1)
        more: Array = (new.astype(np.int64) - old).view(np.uint64)
        more *= np.uint64(self.digits[i].stride)
        return more

    @cached_property
    def _places(self) -> list[tuple[int, int, int, int]]:
        """For each fluent its least value, its span, its word and stride."""
        none = Digit(0, 0, highest=False)
        places = (self.digits.get(i, none) for i in range(len(self.span)))
        return [(least, n, d.word, d.stride) for least, n, d in zip(self.least, self.span, places, strict=True)]

    def key_of(self, state: Sequence[int]) -> tuple[int, ...] | None:
        """The key of one state, without NumPy, which is slow for a single one; None where it cannot be packed."""
        words = [0] * self.words
        for x, (least, n, word, stride) in zip(state, self._places, strict=True):
            digit = x - least
            if not 0 <= digit < n:
                return None
            words[word] += digit * stride
        return tuple(words)

    # ---- keys to states

    def column(self, keys: Array, i: int) -> Array:
        """The values of a fluent in the states of some keys."""
        least, n = self.least[i], self.span[i]
        kind = smallest_type(least, least + n - 1)
        d = self.digits.get(i)
        if d is None:
            return np.full(keys.shape[1], least, kind)
        word = keys[d.word]
        if d.stride > 1:
            word = word >> np.uint64(_log2(d.stride)) if _is_power(d.stride) else word // np.uint64(d.stride)
        if not d.highest:
            # NumPy divides by one number much faster than it finds remainders.
            word = word & np.uint64(n - 1) if _is_power(n) else word - word // np.uint64(n) * np.uint64(n)
        column: Array = word.astype(kind)
        if least:
            column += kind.type(least)
        return column

    def unpacked(self, keys: Array) -> Array:
        """The states of some keys, a row for each; columns are contiguous."""
        found: Array = np.empty((keys.shape[1], len(self.least)), self.kind, order="F")
        for i in range(len(self.least)):
            if not i & FEW:
                check_deadline()
            found[:, i] = self.column(keys, i)
        return found


def _packing(least: Sequence[int], most: Sequence[int]) -> Packing:
    return Packing(tuple(least), tuple(hi - lo + 1 for lo, hi in zip(least, most, strict=True)))


def _bounds(t: Term) -> tuple[int, int]:
    if t.mask:
        return (t.mask & -t.mask).bit_length() - 1, t.mask.bit_length() - 1
    return t.lo, t.hi


def _is_power(x: int) -> bool:
    return not x & (x - 1)


def _log2(x: int) -> int:
    return x.bit_length() - 1
