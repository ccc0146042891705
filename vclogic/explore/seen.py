"""The positions that were seen, found by their keys."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, TypeVar

import numpy as np

Array = Any
"""A NumPy array."""
_ROOM = 1 << 12
_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93, 0xA24BAED4963EE407)
T = TypeVar("T")


def hashed(keys: Array, seed: int = 0) -> Array:
    """One word for each key: the key itself if it has one word; else different keys may have the same one.

    Saved tables stand in the order of these words.

    Args:
        keys: The keys, a row for each word.
        seed: Under another seed other keys have the same one.
    """
    if len(keys) == 1:
        return keys[0]
    found: Array = np.zeros(keys.shape[1], np.uint64)
    for i, word in enumerate(keys):
        found += word * np.uint64((_FACTORS[i % len(_FACTORS)] + 2 * (i + seed * len(keys))) % (1 << 64))
        found ^= found >> np.uint64(29)
    return found


class Collision(Exception):
    """Different positions have one hash."""


def told_apart(search: Callable[[int], T]) -> T:
    """The result of a search under the first seed with which all its positions have different hashes."""
    for seed in count():
        try:
            return search(seed)
        except Collision:
            continue
    raise AssertionError("a count never ends")


def in_order(keys: Array) -> tuple[int, Array]:
    """A seed under which different keys have different hashes, and the order of these hashes."""

    def order(seed: int) -> tuple[int, Array]:
        hashes = hashed(keys, seed)
        found = np.argsort(hashes, kind="stable")
        ordered = hashes[found]
        if np.any(ordered[1:] <= ordered[:-1]):
            raise Collision
        return seed, found

    return told_apart(order)


class Seen:
    """Positions in the order in which they were found.

    Their hashes stand in a few sorted runs, each at most half as long as the one before: new ones are a run of their
    own, merged with shorter ones.

    Attributes:
        size: The number of positions.

    Args:
        words: The words of a key.
        seed: Chooses the hash of keys of more than one word.
    """

    def __init__(self, words: int, seed: int = 0):
        self._seed = seed
        self._keys: Array = np.empty((words, _ROOM), np.uint64)
        self._runs: list[tuple[Array, Array]] = []
        self.size = 0

    @staticmethod
    def ordered(keys: Array, seed: int) -> Seen:
        """Positions that stand in the order of their hashes, no two of which are equal."""
        found = Seen(len(keys), seed)
        if keys.size:
            found._keys, found.size = keys, keys.shape[1]
            found._runs.append((found.hashes(keys), np.arange(found.size)))
        return found

    def keys(self, first: int, last: int) -> Array:
        """The keys of some positions, a row for each word."""
        return self._keys[:, first:last]

    def hashes(self, keys: Array) -> Array:
        """The hash of each key; positions that were seen have different ones."""
        return hashed(keys, self._seed)

    @property
    def bytes(self) -> int:
        """The memory that this takes."""
        return int(self._keys.nbytes + sum(h.nbytes + rows.nbytes for h, rows in self._runs))

    def number(self, keys: Array) -> Array:
        """The number of each key's position; new ones get the next numbers, in the order of their hashes.

        Raises:
            Collision: Different positions have one hash.
        """
        hashes = self.hashes(keys)
        order = np.argsort(hashes)
        in_order: Array = hashes[order]
        start: Array = np.empty(len(order), np.bool_)
        start[:1] = True
        np.not_equal(in_order[1:], in_order[:-1], out=start[1:])
        which = order[start]
        numbers = self._find(in_order[start])
        new = numbers < 0
        fresh = which[new]
        numbers[new] = np.arange(self.size, self.size + len(fresh))
        self._append(keys[:, fresh], in_order[start][new])
        group = np.cumsum(start) - 1
        found: Array = np.empty(len(order), np.int64)
        found[order] = numbers[group]
        if len(keys) > 1 and not np.array_equal(self._keys[:, found], keys):
            raise Collision
        return found

    def add(self, keys: Array) -> None:
        """As `number`, where only which positions there are is of interest: their numbers cannot be asked for later.

        Raises:
            Collision: Different positions have one hash.
        """
        if len(keys) > 1:
            self.number(keys)
            return
        in_order: Array = np.sort(keys[0])
        start: Array = np.empty(len(in_order), np.bool_)
        start[:1] = True
        np.not_equal(in_order[1:], in_order[:-1], out=start[1:])
        new = in_order[start]
        for run, _ in self._runs:
            at: Array = np.searchsorted(run, new)
            at[at == len(run)] = 0
            new = new[run[at] != new]
        self._append(new[None], new, numbered=False)

    def find(self, keys: Array) -> Array:
        """The number of each key's position; -1 where it was not seen."""
        found = self._find(self.hashes(keys))
        if len(keys) > 1 and self.size:
            found[(self._keys[:, found] != keys).any(axis=0)] = -1
        return found

    def number_of(self, key: tuple[int, ...]) -> int:
        """The number of one key's position; -1 where it was not seen."""
        if len(key) > 1:
            return int(self.find(np.array([key], np.uint64).T)[0])
        word = np.uint64(key[0])
        for run, rows in self._runs:
            at = int(run.searchsorted(word))
            if at < len(run) and run[at] == word:
                return int(rows[at])
        return -1

    def _find(self, hashes: Array) -> Array:
        """The numbers of sorted hashes; -1 where there is none."""
        found: Array = np.full(len(hashes), -1, np.int64)
        for run, rows in self._runs:
            at: Array = np.searchsorted(run, hashes)
            at[at == len(run)] = 0
            there = run[at] == hashes
            found[there] = rows[at[there]]
        return found

    def _append(self, keys: Array, hashes: Array, *, numbered: bool = True) -> None:
        n = keys.shape[1]
        if not n:
            return
        room = self._keys.shape[1]
        if self.size + n > room:
            larger: Array = np.empty((len(self._keys), max(2 * room, self.size + n)), np.uint64)
            larger[:, : self.size] = self._keys[:, : self.size]
            self._keys = larger
        self._keys[:, self.size : self.size + n] = keys
        rows: Array = np.arange(self.size, self.size + (n if numbered else 0))
        self.size += n
        self._runs.append((hashes, rows))
        while len(self._runs) > 1 and 2 * len(self._runs[-1][0]) > len(self._runs[-2][0]):
            (a, x), (b, y) = self._runs.pop(), self._runs.pop()
            both = np.concatenate([b, a])
            if numbered:
                order = np.argsort(both, kind="stable")
                self._runs.append((both[order], np.concatenate([y, x])[order]))
            else:
                both.sort(kind="stable")  # which merges what is sorted
                self._runs.append((both, rows))
