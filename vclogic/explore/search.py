"""All positions that play can reach, breadth-first, over arrays of keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np

from vclogic.clock import TIME_UP, Deadline, TimeUp, look, until
from vclogic.explore.events import Possible, TooManyEvents, possible
from vclogic.explore.expansion import Expansion, Movers
from vclogic.explore.explored import UNSEEN, Explored
from vclogic.explore.keys import StateKeys
from vclogic.explore.seen import Collision, Seen
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.terms.atoms import FALSE
from vclogic.terms.term import Term

Array = Any
"""A NumPy array."""
MOST = 10_000_000
"""Positions."""
MEMORY = 2_000_000_000
"""Bytes."""


def explore(
    system: System,
    starts: Iterable[Sequence[int]],
    *,
    stop: Term = FALSE,
    most: int = MOST,
    memory: int = MEMORY,
    assumed: bool = False,
    deadline: Deadline | None = None,
) -> Explored:
    """All positions that play can reach from some starts, and the events between them.

    The order is the same in every run: the starts as given, then breadth-first. A search that is cut off, also by the
    deadline (`clock.until`), gives what there is by then.

    Args:
        starts: States: a row for each.
        stop: Bool, over fluents: positions in which nothing happens any more.
        most: About so many positions at the most.
        memory: About so many bytes at the most.
        assumed: Whether events also need what questions about the future assume (`Action.assumed`).
        deadline: When the search ends, so that time is left for what it found; None: with the question's time.

    Raises:
        TooManyEvents: The rules have too many events to look at each of them.
        TimeUp: The deadline passed before the search began, or the question's before what it found was told.
    """
    states = [tuple(int(x) for x in row) for row in starts]
    # Two keys with one hash would be taken for each other: another seed tells them apart.
    for seed in count():
        try:
            with nullcontext() if deadline is None else until(deadline):
                events = possible(system, states, assumed=assumed, unless=stop)
                search = _PositionSearch(system, states, events, most, memory, seed)
                reason = search.run()
            return search.explored(reason)
        except Collision:
            continue
    raise AssertionError("a count never ends")


@dataclass
class _Edges:
    """The events found so far, block by block."""

    numbers: list[Array] = field(default_factory=list)
    target: list[Array] = field(default_factory=list)
    event: list[Array] = field(default_factory=list)
    mover: list[Array] = field(default_factory=list)
    bytes: int = 0

    def add(self, counts: Array, target: Array, event: Array, mover: Array) -> None:
        for kept, more in (
            (self.numbers, counts.astype(np.int32)),
            (self.target, target.astype(np.int32)),
            (self.event, event.astype(np.int32)),
            (self.mover, mover),
        ):
            kept.append(more)
            self.bytes += int(more.nbytes)


class _PositionSearch:
    def __init__(
        self,
        system: System,
        starts: Sequence[State],
        events: Sequence[Possible],
        most: int,
        memory: int,
        seed: int,
    ):
        self._events = events
        self._most, self._memory = most, memory
        slot, fluents = system.layout.slot, system.layout.fluents
        changes = dict.fromkeys((slot[f], new) for p in events for f, new in p.effects)
        self._packing = StateKeys(fluents, starts, changes)
        self._expansion = Expansion(system.layout, events, self._packing, movers=Movers(system, events))
        self._seen = Seen(self._packing.words, seed)
        self._edges = _Edges()
        self._levels = [0]  # the first position of each depth
        array: Array = np.array(starts, np.int64).reshape(len(starts), len(fluents))
        for row in range(len(array)):
            self._seen.number(self._packing.keys(array[row : row + 1]))

    def run(self) -> str:
        """Searches, and says why it was cut off; empty if it was not."""
        first = 0
        while first < self._seen.size:
            last = self._seen.size
            self._levels.append(last)
            for begin, end in self._expansion.blocks(first, last):
                try:
                    look()
                    self._block(begin, end)
                except TimeUp:
                    return TIME_UP
                if self._seen.size > self._most:
                    return f"there are more than {self._most:,} positions"
                if self.bytes > self._memory:
                    return f"more than {self._memory / 1e6:,.0f} MB of memory would be needed"
            first = last
        return ""

    @property
    def bytes(self) -> int:
        """The memory that positions and events take, the states included."""
        width = self._packing.kind.itemsize * len(self._packing.digits)
        return self._seen.bytes + self._edges.bytes + self._seen.size * width

    def _block(self, begin: int, end: int) -> None:
        found, _ = self._expansion.successors(self._seen.keys(begin, end), in_order=True)
        look()
        target = self._seen.number(found.keys)
        self._edges.add(np.bincount(found.source, minlength=end - begin), target, found.event, found.mover)

    def explored(self, reason: str) -> Explored:
        """The result."""
        n = self._seen.size
        kept = self._edges
        counts: Array = np.zeros(n, np.int64)
        mover: Array = np.full(n, UNSEEN, np.int8)
        looked_at = sum(map(len, kept.mover))
        counts[:looked_at] = np.concatenate(kept.numbers) if kept.numbers else 0
        mover[:looked_at] = np.concatenate(kept.mover) if kept.mover else UNSEEN
        depth: Array = np.zeros(n, np.int32)
        for first in self._levels[1:]:
            depth[first:] += 1
        nothing: list[Array] = [np.zeros(0, np.int32)]
        return Explored(
            states=self._packing.states(self._seen.keys(0, n)),
            depth=depth,
            first=np.concatenate([[0], np.cumsum(counts)]),
            target=np.concatenate(kept.target or nothing),
            event=np.concatenate(kept.event or nothing),
            events=tuple(p.event for p in self._events),
            mover=mover,
            complete=not reason,
            reason=reason,
        )


__all__ = ["MEMORY", "MOST", "TooManyEvents", "explore"]
