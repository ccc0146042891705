"""The shortest record to a goal, or the proof by exhaustion that there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from vclogic.clock import TIME_UP, TimeUp, look
from vclogic.explore.events import Possible
from vclogic.explore.expansion import Expansion, blocks
from vclogic.explore.keys import Packing
from vclogic.explore.seen import Collision, Seen
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.terms.term import Term

Array = Any
"""A NumPy array."""
_CANDIDATES = 1 << 20  # successors that are looked up at once


@dataclass(frozen=True)
class Shortest:
    """What a search for a goal found.

    Attributes:
        record: The events that lead to it, as few as possible; None: it was not found.
        states: The positions that were seen, a row for each.
        depth: The goal does not hold after fewer events.
        exhausted: Whether all that can be reached was seen, and the goal holds nowhere.
        reason: Why the search was cut off; empty if it was not, or only by the largest number of events.
    """

    record: tuple[Event, ...] | None
    states: Array
    depth: int
    exhausted: bool
    reason: str


def shortest(
    system: System,
    start: State,
    goal: Term,
    events: Sequence[Possible],
    *,
    most: int,
    memory: int,
    within: int | None = None,
) -> Shortest:
    """Search breadth-first for a goal.

    Args:
        system: The rule set.
        start: The state to start from.
        goal: Bool, over fluents.
        events: The events that may happen.
        most: About so many positions at the most.
        memory: About so many bytes at the most.
        within: The largest number of events of a record; None: any.
    """
    for seed in count():
        try:
            return _Search(system, start, goal, events, seed).run(most, memory, within)
        except Collision:
            continue
    raise AssertionError("a count never ends")


def size_of(system: System, start: State, events: Sequence[Possible]) -> int:
    """How many positions events could lead to at the very most: the product of the values that fluents could have."""
    return _packing(system, start, events).size


def _packing(system: System, start: State, events: Sequence[Possible]) -> Packing:
    slot = system.layout.slot
    changes = dict.fromkeys((slot[f], new) for p in events for f, new in p.effects)
    return Packing(system.layout.fluents, [start], changes)


class _Search:
    def __init__(self, system: System, start: State, goal: Term, events: Sequence[Possible], seed: int):
        self._events = events
        self._packing = _packing(system, start, events)
        self._expansion = Expansion(system, events, self._packing, goal=goal)
        self._seen = Seen(self._packing.words, seed)
        self._seen.add(self._packing.keys(np.array([start], np.int64)))
        self._levels = [0]

    def run(self, most: int, memory: int, within: int | None) -> Shortest:
        """Search; arguments as in `shortest`."""
        first = 0
        while first < self._seen.size:
            last = self._seen.size
            self._levels.append(last)
            only_look = within is not None and len(self._levels) - 2 >= within
            try:
                reached = self._level(first, last, only_look, most, memory)
            except TimeUp:
                return self._result(None, TIME_UP)
            if isinstance(reached, str):
                return self._result(None, reached)
            if reached is not None:
                return self._result(self._way(reached), "")
            if only_look:
                return self._result(None, "")
            first = last
        return self._result(None, "", exhausted=True)

    def _level(self, first: int, last: int, only_look: bool, most: int, memory: int) -> int | str | None:
        """Expand a level: the first position in which the goal holds, or why the search is cut off, or None."""
        waiting: list[Array] = []
        size = 0
        for begin, end in blocks(first, last):
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

    def _way(self, position: int) -> tuple[Event, ...]:
        """The events that lead to a position: of several the one from the position that was found first."""
        way: list[Event] = []
        depth = next(d for d in range(len(self._levels) - 1) if position < self._levels[d + 1])
        while depth:
            depth -= 1
            wanted = self._seen.keys(position, position + 1)
            for begin, end in blocks(self._levels[depth], self._levels[depth + 1]):
                found, _ = self._expansion.successors(self._seen.keys(begin, end), in_order=True)
                (leads,) = np.all(found.keys == wanted, axis=0).nonzero()
                if len(leads):
                    way.append(self._events[found.event[leads[0]]].event)
                    position = begin + int(found.source[leads[0]])
                    break
        return tuple(reversed(way))

    def _result(self, record: tuple[Event, ...] | None, reason: str, *, exhausted: bool = False) -> Shortest:
        states = self._packing.states(self._seen.keys(0, self._seen.size))
        return Shortest(record, states, len(self._levels) - 2, exhausted, reason)
