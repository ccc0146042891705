"""The positions that play can reach, breadth-first, over arrays of keys.

`explore` keeps all of them with the events between them, for best play; `shortest` looks for a goal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vclogic.clock import TIME_UP, Deadline, TimeUp, check_deadline, until
from vclogic.encode.python.batch import batch_function
from vclogic.explore.events import FluentOrder, Possible, TooManyEvents, possible
from vclogic.explore.expansion import STUCK, UNSEEN, Expansion, Explored, Movers
from vclogic.explore.packing import Packing
from vclogic.explore.seen import Seen, told_apart
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.term import Term

Array = Any
"""A NumPy array."""
MOST = 10_000_000
"""Positions."""
MEMORY = 2_000_000_000
"""Bytes."""
_CANDIDATES = 1 << 20  # successors that are looked up at once
_NEARER = 200_000  # positions that are handed on one by one


class CutOff(Exception):
    """A search has no room for more positions; the text says which limit was met."""


class PositionSearch:
    """Positions level by level: `blocks` are expanded, and what is found is put into `seen`.

    Args:
        facts: The fluents.
        starts: States.
        events: The events that may happen.
        seed: Chooses the hash of keys of more than one word.
        movers: Finds out who decides, where that is asked for.
        goal: Bool, over fluents: see `Expansion.successors`.

    Attributes:
        levels: The first position of each depth that was begun, and the end of the last one.
        kept: Bytes that whoever searches keeps besides.
    """

    def __init__(
        self,
        facts: FluentOrder,
        starts: Sequence[State],
        events: Sequence[Possible],
        seed: int,
        *,
        movers: Movers | None = None,
        goal: Term = TRUE,
    ):
        self.packing = _packing(facts, starts, events)
        self.expansion = Expansion(facts, events, self.packing, movers=movers, goal=goal)
        self.seen = Seen(self.packing.words, seed)
        self.levels = [0]
        self.kept = 0
        keys, _ = self.packing.packed(np.array(starts, np.int64).reshape(len(starts), len(facts.fluents)))
        for i in range(len(starts)):  # one by one, so that they stand in their order
            self.seen.number(keys[:, i : i + 1])

    def blocks(self, most: int, memory: int, within: float = math.inf) -> Iterator[tuple[int, int]]:
        """The blocks of positions in their order, until no new ones were found.

        Args:
            most: About so many positions at the most.
            memory: About so many bytes at the most.
            within: Positions at this depth, and beyond it, are not looked at.

        Raises:
            CutOff: There are more of them.
            TimeUp: The deadline has passed.
        """
        first = 0
        while first < self.seen.size:
            last = self.seen.size
            self.levels.append(last)
            if self.depth >= within:
                raise CutOff(f"there are positions beyond {within:,} events")
            for block in self.expansion.blocks(first, last):
                check_deadline()
                yield block
                if self.seen.size > most:
                    raise CutOff(f"there are more than {most:,} positions")
                if self.seen.bytes + self.kept > memory:
                    raise CutOff(f"more than {memory / 1e6:,.0f} MB of memory would be needed")
            first = last

    @property
    def depth(self) -> int:
        """The depth of the last level."""
        return len(self.levels) - 2

    def states(self) -> Array:
        """The states of all positions, a row for each."""
        return self.packing.unpacked(self.seen.keys(0, self.seen.size))

    def nearer(self) -> tuple[Array, Array] | None:
        """The states before the last level, each with its depth; None where they are many."""
        end = self.levels[-2]
        if end > _NEARER:
            return None
        depth: Array = np.zeros(end, np.int32)
        for first in self.levels[1:-2]:
            depth[first:] += 1
        return self.packing.unpacked(self.seen.keys(0, end)), depth


def _packing(facts: FluentOrder, starts: Sequence[State], events: Sequence[Possible]) -> Packing:
    changes = dict.fromkeys((facts.slot[f], new) for p in events for f, new in p.effects)
    return Packing.reached(facts.fluents, starts, changes)


def size_of(facts: FluentOrder, start: State, events: Sequence[Possible]) -> int:
    """An upper bound on the positions that events could lead to: the product of the numbers of values of fluents."""
    return _packing(facts, [start], events).size


# ---- all positions, with the events between them


def explore(
    system: System,
    starts: Iterable[Sequence[int]],
    *,
    stop: Term = FALSE,
    most: int = MOST,
    memory: int = MEMORY,
    within: float = math.inf,
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
        within: Only positions that fewer events lead to are looked at.
        assumed: Whether events also need what questions about the future assume (`Action.assumed`).
        deadline: When the search ends, so that time is left for what it found; None: with the question's time.

    Raises:
        TooManyEvents: The rules have too many events to look at each of them.
        TimeUp: The deadline passed before the search began, or the question's before what it found was told.
    """
    states = [tuple(int(x) for x in row) for row in starts]

    def explored(seed: int) -> Explored:
        with nullcontext() if deadline is None else until(deadline):
            events = possible(system, states, assumed=assumed, unless=stop)
            search = PositionSearch(system.layout, states, events, seed, movers=Movers(system, events))
            found = _Edges(search)
            reason = found.collect(most, memory, within)
        return found.explored(events, reason, lambda states: batch_function([stop], system.layout.slot)(states)[0])

    return told_apart(explored)


@dataclass
class _Edges:
    """The events found so far, block by block."""

    search: PositionSearch
    numbers: list[Array] = field(default_factory=list)
    target: list[Array] = field(default_factory=list)
    event: list[Array] = field(default_factory=list)
    mover: list[Array] = field(default_factory=list)

    def collect(self, most: int, memory: int, within: float) -> str:
        """Search, and say why the search was cut off; empty if it was not."""
        search, n = self.search, 0
        width = search.packing.kind.itemsize * len(search.packing.digits)
        try:
            for begin, end in search.blocks(most, memory, within):
                found, _ = search.expansion.successors(search.seen.keys(begin, end), in_order=True)
                check_deadline()
                target = search.seen.number(found.keys)
                counts = np.bincount(found.source, minlength=end - begin)
                n += self._add(counts, target, found.event, found.mover)
                search.kept = n + search.seen.size * width
        except TimeUp:
            return TIME_UP
        except CutOff as limit:
            return str(limit)
        return ""

    def _add(self, counts: Array, target: Array, event: Array, mover: Array) -> int:
        """The bytes that the events of a block take."""
        size = 0
        for kept, more in (
            (self.numbers, counts.astype(np.int32)),
            (self.target, target.astype(np.int32)),
            (self.event, event.astype(np.int32)),
            (self.mover, mover),
        ):
            kept.append(more)
            size += int(more.nbytes)
        return size

    def explored(self, events: Sequence[Possible], reason: str, stops: Callable[[Array], Array]) -> Explored:
        """The result.

        Args:
            events: The events that may happen.
            reason: Why the search was cut off, if it was.
            stops: Tells in which of some states nothing happens any more: these need not be looked at.
        """
        n, states = self.search.seen.size, self.search.states()
        counts: Array = np.zeros(n, np.int64)
        mover: Array = np.full(n, UNSEEN, np.int8)
        looked_at = sum(map(len, self.mover))
        counts[:looked_at] = np.concatenate(self.numbers) if self.numbers else 0
        mover[:looked_at] = np.concatenate(self.mover) if self.mover else UNSEEN
        if looked_at < n:
            mover[looked_at:][stops(states[looked_at:]).astype(bool)] = STUCK
            reason = reason if (mover == UNSEEN).any() else ""
        depth: Array = np.zeros(n, np.int32)
        for first in self.search.levels[1:]:
            depth[first:] += 1
        nothing: list[Array] = [np.zeros(0, np.int32)]
        return Explored(
            states=states,
            depth=depth,
            first=np.concatenate([[0], np.cumsum(counts)]),
            target=np.concatenate(self.target or nothing),
            event=np.concatenate(self.event or nothing),
            events=tuple(p.event for p in events),
            mover=mover,
            complete=not reason,
            reason=reason,
        )


# ---- the shortest record to a goal


@dataclass(frozen=True)
class Shortest:
    """The result of a search for a goal.

    Attributes:
        record: The events that lead to it, as few as possible; None: it was not found.
        positions: How many positions were seen.
        states: All that can be reached, a row for each, if they were seen and the goal holds nowhere; else None.
        depth: The goal does not hold after fewer events.
        nearer: Where there is a record and few positions are nearer: those that fewer events lead to, a row for each,
            and how many events lead to each; else None.
        reason: Why the search was cut off; empty if it was not, or only by the largest number of events.
    """

    record: tuple[Event, ...] | None
    positions: int
    states: Array | None
    depth: int
    reason: str
    nearer: tuple[Array, Array] | None = None

    @property
    def decided(self) -> bool:
        """True if the search was not cut off, or only by the largest number of events."""
        return not self.reason

    @property
    def exhausted(self) -> bool:
        """True if every reachable position was seen, and the goal holds nowhere."""
        return self.states is not None


def shortest(
    facts: FluentOrder,
    start: State,
    goal: Term,
    events: Sequence[Possible],
    *,
    most: int,
    memory: int,
    within: int | None = None,
) -> Shortest:
    """The record of the fewest events that leads to a goal, or all positions, none of which does; breadth-first.

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

    def found(seed: int) -> Shortest:
        search = PositionSearch(facts, [start], events, seed, goal=goal)
        record, states, nearer, reason = None, None, None, ""
        try:
            if _reached(search, most, memory, within):
                record = tuple(events[number].event for number in _way(search))
                nearer = search.nearer()
            elif within is None or search.depth < within:
                states = search.states()
        except TimeUp:
            reason = TIME_UP
        except CutOff as limit:
            reason = str(limit)
        return Shortest(record, search.seen.size, states, search.depth, reason, nearer)

    return told_apart(found)


def _reached(search: PositionSearch, most: int, memory: int, within: int | None) -> bool:
    """Search until the goal holds somewhere in the last level; False if it holds nowhere."""
    waiting: list[Array] = []
    size = 0
    for begin, end in search.blocks(most, memory):
        found, goal = search.expansion.successors(search.seen.keys(begin, end))
        if goal.any():
            return True
        only_look = within is not None and search.depth >= within
        if only_look:
            continue
        waiting.append(found.keys)
        size += found.keys.shape[1]
        if size >= _CANDIDATES or end == search.levels[-1]:
            search.seen.add(np.concatenate(waiting, axis=1))
            waiting, size = [], 0
    return False


def _way(search: PositionSearch) -> Iterator[int]:
    """The numbers of the events that lead to the goal, which holds somewhere in the last level."""
    # For each level but the first, backwards, the sorted hashes of the positions from which the goal is nearest.
    leads = [_hashes(search, search.depth, None)]
    for depth in range(search.depth - 1, 0, -1):
        leads.append(_hashes(search, depth, leads[-1]))
    here = search.seen.keys(0, 1)
    for near in reversed(leads if search.depth else []):
        found, _ = search.expansion.successors(here, in_order=True)
        number = int(_among(search.seen.hashes(found.keys), near).argmax())
        yield int(found.event[number])
        here = found.keys[:, number : number + 1]


def _hashes(search: PositionSearch, depth: int, near: Array | None) -> Array:
    """The sorted hashes of a level's positions from which an event leads to some others, or where the goal holds.

    Args:
        near: The sorted hashes of the others; None: the goal.
    """
    kept = []
    for begin, end in search.expansion.blocks(search.levels[depth], search.levels[depth + 1]):
        check_deadline()
        keys = search.seen.keys(begin, end)
        found, marked = search.expansion.successors(keys)
        if near is not None:
            marked = np.zeros(end - begin, np.bool_)
            marked[found.source[_among(search.seen.hashes(found.keys), near)]] = True
        kept.append(search.seen.hashes(keys[:, marked]))
    return np.sort(np.concatenate(kept))


def _among(hashes: Array, some: Array) -> Array:
    """A mark for each hash that is among some sorted ones."""
    at: Array = np.searchsorted(some, hashes)
    at[at == len(some)] = 0
    found: Array = some[at] == hashes
    return found


__all__ = ["MEMORY", "MOST", "Shortest", "TooManyEvents", "explore", "shortest", "size_of"]
