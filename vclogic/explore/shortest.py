"""The shortest record to a goal, or the proof by exhaustion that there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from vclogic.clock import TIME_UP, TimeUp, look
from vclogic.explore.events import Facts, Possible
from vclogic.explore.expansion import Expansion
from vclogic.explore.keys import StateKeys
from vclogic.explore.seen import Collision, Seen
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.terms.term import Term

Array = Any
"""A NumPy array."""
_CANDIDATES = 1 << 20  # successors that are looked up at once


@dataclass(frozen=True)
class Shortest:
    """The result of a search for a goal.

    Attributes:
        record: The events that lead to it, as few as possible; None: it was not found.
        positions: How many positions were seen.
        states: All that can be reached, a row for each, if they were seen and the goal holds nowhere; else None.
        depth: The goal does not hold after fewer events.
        reason: Why the search was cut off; empty if it was not, or only by the largest number of events.
    """

    record: tuple[Event, ...] | None
    positions: int
    states: Array | None
    depth: int
    reason: str

    @property
    def decided(self) -> bool:
        """True if the search was not cut off, or only by the largest number of events."""
        return not self.reason

    @property
    def exhausted(self) -> bool:
        """True if every reachable position was seen, and the goal holds nowhere."""
        return self.states is not None


def shortest(
    facts: Facts,
    start: State,
    goal: Term,
    events: Sequence[Possible],
    *,
    most: int,
    memory: int,
    within: int | None = None,
) -> Shortest:
    """Search breadth-first for a goal.

    Of several records of the fewest events it is the lexicographically first: it begins with the first event with
    which any of them begins, and so on.

    Args:
        start: The state to start from.
        goal: Bool, over fluents.
        events: The events that may happen.
        most: About so many positions at the most.
        memory: About so many bytes at the most.
        within: The largest number of events of a record; None: any.
    """
    for seed in count():
        try:
            return _ShortestSearch(facts, start, goal, events, seed).run(most, memory, within)
        except Collision:
            continue
    raise AssertionError("a count never ends")


def size_of(facts: Facts, start: State, events: Sequence[Possible]) -> int:
    """An upper bound on the positions that events could lead to: the product of the numbers of values of fluents."""
    return _packing(facts, start, events).size


def _packing(facts: Facts, start: State, events: Sequence[Possible]) -> StateKeys:
    changes = dict.fromkeys((facts.slot[f], new) for p in events for f, new in p.effects)
    return StateKeys(facts.fluents, [start], changes)


class _ShortestSearch:
    def __init__(self, facts: Facts, start: State, goal: Term, events: Sequence[Possible], seed: int):
        self._events = events
        self._packing = _packing(facts, start, events)
        self._expansion = Expansion(facts, events, self._packing, goal=goal)
        self._seen = Seen(self._packing.words, seed)
        self._seen.add(self._packing.keys(np.array([start], np.int64)))
        self._levels = [0]

    def run(self, most: int, memory: int, within: int | None) -> Shortest:
        """Search; arguments as in `shortest`."""
        first = 0
        while first < self._seen.size:
            last = self._seen.size
            self._levels.append(last)
            only_look = within is not None and self._depth >= within
            try:
                reached = self._level(first, last, only_look, most, memory)
                if isinstance(reached, str):
                    return self._result(None, reached)
                if reached is not None:
                    return self._result(self._way(first, last), "")
            except TimeUp:
                return self._result(None, TIME_UP)
            if only_look:
                return self._result(None, "")
            first = last
        return self._result(None, "", exhausted=True)

    @property
    def _depth(self) -> int:
        """The depth of the last level."""
        return len(self._levels) - 2

    def _level(self, first: int, last: int, only_look: bool, most: int, memory: int) -> int | str | None:
        """Expand a level: a position in which the goal holds, or why the search is cut off, or None."""
        waiting: list[Array] = []
        size = 0
        for begin, end in self._expansion.blocks(first, last):
            look()
            found, goal = self._expansion.successors(self._seen.keys(begin, end))
            if goal.any():
                return begin + int(goal.argmax())
            if only_look:
                continue
            waiting.append(found.keys)
            size += found.keys.shape[1]
            if size >= _CANDIDATES or end == last:
                self._seen.add(np.concatenate(waiting, axis=1))
                waiting, size = [], 0
            if self._seen.size > most:
                return f"there are more than {most:,} positions"
            if self._seen.bytes > memory:
                return f"more than {memory / 1e6:,.0f} MB of memory would be needed"
        return None

    def _way(self, first: int, last: int) -> tuple[Event, ...]:
        """The events that lead to the goal, which holds somewhere in the last level."""
        leads = [self._goals(first, last)]  # for each level, backwards, the hashes from which the goal is nearest
        for depth in range(self._depth - 1, 0, -1):
            leads.append(self._leading(self._levels[depth], self._levels[depth + 1], leads[-1]))
        way: list[Event] = []
        here = self._seen.keys(0, 1)
        for near in reversed(leads if self._depth else []):
            found, _ = self._expansion.successors(here, in_order=True)
            nearer = _among(self._seen.hashes(found.keys), near)
            number = int(nearer.argmax())
            way.append(self._events[found.event[number]].event)
            here = found.keys[:, number : number + 1]
        return tuple(way)

    def _goals(self, first: int, last: int) -> Array:
        """The sorted hashes of the positions of the last level in which the goal holds."""
        kept = []
        for begin, end in self._expansion.blocks(first, last):
            look()
            keys = self._seen.keys(begin, end)
            _, goal = self._expansion.successors(keys)
            kept.append(self._seen.hashes(keys[:, goal]))
        return np.sort(np.concatenate(kept))

    def _leading(self, first: int, last: int, near: Array) -> Array:
        """The sorted hashes of the positions of a level from which an event leads to one of some positions."""
        kept = []
        for begin, end in self._expansion.blocks(first, last):
            look()
            keys = self._seen.keys(begin, end)
            found, _ = self._expansion.successors(keys)
            sources: Array = np.zeros(end - begin, np.bool_)
            sources[found.source[_among(self._seen.hashes(found.keys), near)]] = True
            kept.append(self._seen.hashes(keys[:, sources]))
        return np.sort(np.concatenate(kept))

    def _result(self, record: tuple[Event, ...] | None, reason: str, *, exhausted: bool = False) -> Shortest:
        n = self._seen.size
        states = self._packing.states(self._seen.keys(0, n)) if exhausted else None
        return Shortest(record, n, states, self._depth, reason)


def _among(hashes: Array, some: Array) -> Array:
    """A mark for each hash that is among some sorted ones."""
    at: Array = np.searchsorted(some, hashes)
    at[at == len(some)] = 0
    found: Array = some[at] == hashes
    return found
