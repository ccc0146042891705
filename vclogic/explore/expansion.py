"""One step of all events from a block of positions, as keys; and all positions that such steps reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from vclogic.clock import FEW, check_deadline
from vclogic.encode.python.batch import BatchFunction, batch_function
from vclogic.explore.events import FluentOrder, Possible
from vclogic.explore.packing import Array, Packing
from vclogic.model.actions import Event
from vclogic.model.system import System
from vclogic.terms.atoms import TRUE
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Op, Term, conjuncts

NOBODY, SEVERAL, STUCK, UNSEEN = -1, -2, -3, -4
"""The mover of a position without a single deciding side; see `Explored.mover`."""


@dataclass(frozen=True)
class Explored:
    """The positions that were reached and the events between them.

    Attributes:
        states: A row per position, a column per fluent; row 0 is the start, breadth-first.
        depth: Fewest events from a start.
        first: The events of position i are `first[i]` to `first[i + 1]`.
        target: For each of them the position that it leads to.
        event: For each of them its number in `events`.
        events: All events.
        mover: Who decides: the number of a side; -1: nobody, all legal events are forced; -2: more than one; -3: no
            event is legal; -4: its events were not looked at, since the search was cut off.
        complete: Whether all reachable positions are there.
        reason: Why not.
    """

    states: np.ndarray[Any, Any]
    depth: np.ndarray[Any, Any]
    first: np.ndarray[Any, Any]
    target: np.ndarray[Any, Any]
    event: np.ndarray[Any, Any]
    events: Sequence[Event]
    mover: np.ndarray[Any, Any]
    complete: bool
    reason: str

    def way(self, row: int) -> tuple[Event, ...]:
        """The fewest events from a start to a position."""
        events: list[Event] = []
        while self.depth[row]:
            into: Array = np.flatnonzero(self.target == row)
            source: Array = np.searchsorted(self.first, into, side="right") - 1
            check_deadline()
            nearest = int(np.argmin(self.depth[source]))
            events.append(self.events[int(self.event[into[nearest]])])
            row = int(source[nearest])
        return tuple(reversed(events))


BLOCK = 8192
"""Positions of a block."""
SUCCESSORS = 1 << 19
"""About so many successors of a block are found before the clock is looked at again."""
_WORD = 1 << 64


@dataclass(frozen=True)
class Successors:
    """The events of some positions and where they lead.

    Attributes:
        keys: For each event that happens the key of the position after it, a row for each word.
        source: For each the position, by its number in the block.
        event: For each the number of the event.
        mover: For each position who decides, as in `Explored`; None: that was not asked.
    """

    keys: Array
    source: Array
    event: Array
    mover: Array | None


@dataclass(frozen=True)
class _KeyEffect:
    """The change of keys by an event.

    Attributes:
        constant: What each word grows by, whatever the position is.
        others: Word and number of each column to add; see `_Columns`.
    """

    constant: tuple[int, ...]
    others: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class ExpandedBlock:
    """Some positions, and what may happen in them.

    Attributes:
        keys: Their keys, a row for each word.
        guards: For each event whether it may happen in each of them.
        goal: Whether the goal of the expansion holds in each.
        mover: Who decides in each, as in `Explored`; None: that was not asked.
    """

    keys: Array
    guards: Sequence[Array]
    goal: Array
    mover: Array | None
    _changes: Sequence[_KeyEffect]
    _growth: _Growth

    def after(self, number: int, rows: Array) -> Iterator[Array]:
        """The words of the keys that an event leads to from some of the positions, in which it may happen."""
        change = self._changes[number]
        for word, (key, constant) in enumerate(zip(self.keys, change.constant, strict=True)):
            reached = key.take(rows)
            if constant:
                reached += np.uint64(constant)
            for of, column in change.others:
                if of == word:
                    reached += self._growth(column).take(rows)
            yield reached


class Expansion:
    """Finds the successors of positions.

    Args:
        facts: The fluents.
        events: The events.
        packing: How positions are packed.
        movers: Finds out who decides, where that is asked for.
        goal: Bool, over fluents: what is told of each position; see `goals`.
    """

    def __init__(
        self,
        facts: FluentOrder,
        events: Sequence[Possible],
        packing: Packing,
        *,
        movers: Movers | None = None,
        goal: Term = TRUE,
    ):
        self._packing = packing
        self._slot = facts.slot
        self._columns = _Columns(packing, self._slot)
        self._changes = [self._change(p) for p in events]
        self._movers = movers
        self._guards = len(events)
        self._block = BLOCK
        self._values = len(self._columns.terms)
        terms = [*(p.guard for p in events), *self._columns.terms, goal]
        self._function: BatchFunction = batch_function(
            [*terms, *(self._movers.terms if self._movers else ())], self._slot
        )

    def _change(self, p: Possible) -> _KeyEffect:
        constant = [0] * self._packing.words
        others = []
        before = _known(p.guard)
        for fluent, new in p.effects:
            digit = self._packing.digits.get(self._slot[fluent])
            if digit is None:
                continue  # the value it has already
            grows = _growth(fluent, new, before.get(fluent))
            if grows is None:
                others.append((digit.word, self._columns.number(fluent, new)))
            else:
                constant[digit.word] += grows * digit.stride
        return _KeyEffect(tuple(x % _WORD for x in constant), tuple(others))

    def blocks(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """The numbers from `first` up to `last` in blocks, smaller ones where the last block had many successors."""
        while first < last:
            end = min(first + self._block, last)
            yield first, end
            first = end

    def successors(self, keys: Array, *, in_order: bool = False) -> tuple[Successors, Array]:
        """The successors of a block of positions, and in which of them the goal holds.

        Args:
            keys: The keys of at most 65,536 positions.
            in_order: Whether to sort events by position, then by number.

        Raises:
            TimeUp: The deadline has passed.
        """
        block, n = self.block(keys), keys.shape[1]
        sources: list[Array] = []
        events: list[int] = []
        after: list[list[Array]] = [[] for _ in keys]
        for number, guard in enumerate(block.guards):
            (rows,) = guard.nonzero()
            if not number & FEW:
                check_deadline()
            if not rows.size:
                continue
            sources.append(rows)
            events.append(number)
            for new, reached in zip(after, block.after(number, rows), strict=True):
                new.append(reached)
        # The next block is as large as memory for its successors allows, going by this one.
        self._block = min(max(SUCCESSORS * n // (sum(map(len, sources)) or 1), 1), BLOCK)
        return self._collected(after, sources, events, block.mover, in_order=in_order), block.goal

    def block(self, keys: Array) -> ExpandedBlock:
        """The events that may happen in some positions, by their keys."""
        n = keys.shape[1]
        columns = {i: self._packing.column(keys, i) for i in self._function.columns}
        found = self._function.of_columns(list(columns.values()), n)
        guards, values = found[: self._guards], found[self._guards : self._guards + self._values]
        goal, actors = found[self._guards + self._values], found[self._guards + self._values + 1 :]
        growth = self._columns.growth(keys, values, columns)
        mover = self._movers.of(guards, actors, n) if self._movers else None
        return ExpandedBlock(keys, guards, goal, mover, self._changes, growth)

    def _collected(
        self, after: list[list[Array]], sources: list[Array], events: list[int], mover: Array, *, in_order: bool
    ) -> Successors:
        if not sources:
            nothing: Array = np.zeros(0, np.int32)
            return Successors(np.zeros((len(after), 0), np.uint64), nothing, nothing, mover)
        words = [np.concatenate(new) for new in after]
        source = np.concatenate(sources).astype(np.uint16)
        event: Array = np.repeat(np.array(events, np.int32), [len(rows) for rows in sources])
        if in_order:
            order = np.argsort(source, kind="stable")
            source, event, words = source[order], event[order], [word[order] for word in words]
        return Successors(np.stack(words), source, event, mover)


def _known(guard: Term) -> dict[Term, int]:
    """The fluents whose values follow from a guard."""
    found: dict[Term, int] = {}
    lo: dict[Term, int] = {}
    hi: dict[Term, int] = {}
    for part in conjuncts(guard):
        denied = part.op is Op.NOT
        atom = part.args[0] if denied else part
        if atom.op is Op.VAR:
            found[atom] = 0 if denied else 1
        elif atom.op is Op.IN and atom.payload.bit_count() == 1:
            found[atom.args[0]] = atom.payload.bit_length() - 1
        elif atom.op is Op.GE and atom.args[0].op is Op.VAR:
            if denied:
                hi[atom.args[0]] = min(atom.payload - 1, hi.get(atom.args[0], atom.payload))
            else:
                lo[atom.args[0]] = max(atom.payload, lo.get(atom.args[0], atom.payload))
    for v in {**lo, **hi}:
        if lo.get(v, v.lo) == hi.get(v, v.hi):
            found[v] = lo.get(v, v.lo)
    return found


def _growth(fluent: Term, new: Term, before: int | None) -> int | None:
    """By how much an effect makes a fluent's number grow, where that is the same in all positions."""
    if new.is_const and before is not None:
        return int(new.payload) - before
    if new.op is Op.LIN and new.args == (fluent,) and new.payload[0] == (1,):
        return int(new.payload[1])
    return None


class _Columns:
    """By how much keys grow by effects that depend on the position; each is computed at most once for a block."""

    def __init__(self, packing: Packing, slot: Mapping[Term, int]):
        self._places: dict[Term, int] = {}
        self._packing = packing
        self._slot = slot
        self._numbers: dict[tuple[Term, Term], int] = {}
        self._of: list[tuple[int, int, int]] = []  # the fluent; the place of its value before, and of that after

    def number(self, fluent: Term, new: Term) -> int:
        """The number of the column of an effect."""
        key = fluent, new
        if key not in self._numbers:
            self._numbers[key] = len(self._of)
            self._of.append((self._slot[fluent], self._place(fluent), self._place(new)))
        return self._numbers[key]

    @property
    def terms(self) -> Sequence[Term]:
        """The terms that are read, in the order of their places."""
        return tuple(self._places)

    def _place(self, t: Term) -> int:
        return self._places.setdefault(t, len(self._places))

    def growth(self, keys: Array, values: Sequence[Array], columns: Mapping[int, Array]) -> _Growth:
        """The columns of a block."""
        return _Growth(self._packing, self._of, values)


class _Growth:
    """The columns of a block, by their numbers."""

    def __init__(self, packing: Packing, of: Sequence[tuple[int, int, int]], values: Sequence[Array]):
        self._packing, self._of, self._values = packing, of, values
        self._found: dict[int, Array] = {}

    def __call__(self, number: int) -> Array:
        found = self._found.get(number)
        if found is None:
            fluent, before, after = self._of[number]
            found = self._packing.growth(fluent, self._values[before], self._values[after])
            self._found[number] = found
        return found


class Movers:
    """The deciders of positions.

    Attributes:
        terms: The actors that depend on the position.
    """

    def __init__(self, system: System, events: Sequence[Possible]):
        self._sides = len(system.sides)
        of = partial(system.decider, nobody=self._sides)  # nobody stands after the sides
        self._fixed: list[tuple[int, list[int]]] = []
        self.terms: list[Term] = []
        self._varying: list[tuple[Array, list[int]]] = []
        by_actor: dict[str | Term | None, list[int]] = {}
        for i, p in enumerate(events):
            by_actor.setdefault(p.actor, []).append(i)
        for actor, members in by_actor.items():
            if isinstance(actor, Term):
                assert isinstance(actor.sort, EnumSort)
                self.terms.append(actor)
                self._varying.append((np.array([of(m) for m in actor.sort.members], np.int8), members))
            else:
                self._fixed.append((of(actor), members))

    def of(self, guards: Sequence[Array], actors: Sequence[Array], n: int) -> Array:
        """The decider of each of n positions."""
        acts: Array = np.zeros((self._sides + 1, n), np.bool_)
        for side, members in self._fixed:
            acts[side] |= _any(guards, members)
        for (sides, members), who in zip(self._varying, actors, strict=True):
            happens, side_of = _any(guards, members), sides.take(who)
            for side in range(self._sides + 1):
                acts[side] |= happens & (side_of == side)
        number = acts.sum(axis=0, dtype=np.int8)
        found = acts.argmax(axis=0).astype(np.int8)
        found[found == self._sides] = NOBODY
        found[number == 0], found[number > 1] = STUCK, SEVERAL
        return found


def _any(guards: Sequence[Array], members: Sequence[int]) -> Array:
    found: Array = guards[members[0]].copy()
    for i in members[1:]:
        found |= guards[i]
    return found
