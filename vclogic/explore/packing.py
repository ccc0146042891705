"""Positions by number: states packed into a few words each, found again by their hash."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np

Array = Any  # of numpy
_WORD = 1 << 62  # different states of one word, at most
_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93, 0xA24BAED4963EE407)


@dataclass(frozen=True)
class Packing:
    """A mapping of states to words: numbers whose digits are the values of fluents.

    Attributes:
        least: For each fluent the smallest value that is packed.
        span: For each fluent how many values are packed.
    """

    least: Array
    span: Array

    @staticmethod
    def of(states: Array) -> Packing:
        """The packing of the values that occur in some states."""
        least = states.min(axis=0).astype(np.int64)
        return Packing(least, states.max(axis=0).astype(np.int64) - least + 1)

    @cached_property
    def _words(self) -> list[list[int]]:
        """The fluents that each word holds, those of one value left out."""
        words: list[list[int]] = [[]]
        size = 1
        for i, span in enumerate(self.span.tolist()):
            if span == 1:
                continue
            if size * span > _WORD:
                words.append([])
                size = 1
            words[-1].append(i)
            size *= span
        return words

    @cached_property
    def places(self) -> dict[int, tuple[int, int]]:
        """For each fluent the word that holds it, and by how much that grows where the fluent grows by 1."""
        found: dict[int, tuple[int, int]] = {}
        for word, fluents in enumerate(self._words):
            stride = 1
            for i in reversed(fluents):
                found[i] = word, stride
                stride *= int(self.span[i])
        return found

    def packed(self, states: Array) -> tuple[Array, Array]:
        """The words of some states, a column for each word; and which states have values that can be packed."""
        inside: Array = np.ones(len(states), bool)
        columns = []
        for i in np.flatnonzero(self.span == 1).tolist():
            inside &= states[:, i] == self.least[i]
        for fluents in self._words:
            word: Array = np.zeros(len(states), np.uint64)
            for i in fluents:
                digit = states[:, i].astype(np.int64) - self.least[i]
                inside &= (digit >= 0) & (digit < self.span[i])
                word *= np.uint64(self.span[i])
                word += digit.astype(np.uint64)
            columns.append(word)
        return np.stack(columns, axis=1), inside

    @cached_property
    def _digits(self) -> list[tuple[int, int, int, int]]:
        """For each fluent its least value, its span, and its place; see `places`."""
        bounds = zip(self.least.tolist(), self.span.tolist(), strict=True)
        return [(least, span, *self.places.get(i, (0, 0))) for i, (least, span) in enumerate(bounds)]

    def word_of(self, state: Sequence[int]) -> tuple[int, ...] | None:
        """The words of one state, without NumPy, which is slow for a single one; None where it cannot be packed."""
        words = [0] * len(self._words)
        for x, (least, span, word, stride) in zip(state, self._digits, strict=True):
            digit = x - least
            if not 0 <= digit < span:
                return None
            words[word] += digit * stride
        return tuple(words)

    def changed(self, words: Array, i: int, old: Array, new: Array) -> Array:
        """Give a fluent other values in packed states; says which of them can be packed.

        Args:
            words: The states, which are changed in place.
            i: The number of the fluent.
            old: Its value in each of them.
            new: Its value after.
        """
        digit = new.astype(np.int64) - self.least[i]
        place = self.places.get(i)
        if place is not None:
            more = new.astype(np.int64) - old
            more *= place[1]
            words[:, place[0]] += more.view(np.uint64)  # which wraps around
        found: Array = (digit >= 0) & (digit < self.span[i])
        return found

    def unpacked(self, words: Array) -> Array:
        """The states of some words; columns are contiguous."""
        most = int(np.abs(np.concatenate([self.least, self.least + self.span])).max(initial=0))
        kind = next(k for k in (np.int8, np.int16, np.int32, np.int64) if most <= np.iinfo(k).max)
        states: Array = np.empty((len(words), len(self.least)), kind, order="F")
        states[:] = self.least
        for column, fluents in enumerate(self._words):
            rest: Array = words[:, column].copy()
            for i in reversed(fluents):
                rest, digit = np.divmod(rest, np.uint64(self.span[i]))
                states[:, i] += digit.astype(kind)
        return states


def hashed(words: Array, seed: int = 0) -> Array:
    """One word for each row of words; equal for equal rows. Under another seed other rows may have the same one."""
    if words.shape[1] == 1:
        return words[:, 0]
    found: Array = np.zeros(len(words), np.uint64)
    for i in range(words.shape[1]):
        found += words[:, i] * np.uint64((_FACTORS[i % len(_FACTORS)] + 2 * (i + seed * words.shape[1])) % (1 << 64))
        found ^= found >> np.uint64(29)
    return found


def apart(words: Array) -> tuple[int, Array]:
    """A seed under which different states have different hashes, and the order of these hashes."""
    for seed in count():
        hashes = hashed(words, seed)
        order = np.argsort(hashes, kind="stable")
        in_order = hashes[order]
        if np.all(in_order[1:] > in_order[:-1]):
            return seed, order
    raise AssertionError("a count never ends")


class Index:
    """Finds rows of words.

    Args:
        words: The rows, in ascending order of their hashes, no two of which are equal.
        seed: The seed of the hashes.
    """

    def __init__(self, words: Array, seed: int):
        self._words, self._seed = words, seed
        self._hash = hashed(words, seed)

    def rows(self, words: Array) -> Array:
        """The number of each row; -1 where it is not there."""
        if not len(self._words):
            return np.full(len(words), -1, np.int64)
        at: Array = np.searchsorted(self._hash, hashed(words, self._seed))
        at[at == len(self._hash)] = 0
        return np.where((self._words[at] == words).all(axis=1), at, -1)

    def row(self, words: tuple[int, ...]) -> int:
        """The number of one row; -1 where it is not there."""
        if len(words) > 1:
            return int(self.rows(np.array([words], np.uint64))[0])
        key = np.uint64(words[0])
        at = int(self._hash.searchsorted(key))
        return at if at < len(self._hash) and self._hash[at] == key else -1
