"""The legal events of the positions of a table, and the positions that they lead to, worked out for its check."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from vclogic.clock import FEW, check_deadline
from vclogic.encode.python.batch import batch_function
from vclogic.explore.arena import SIDES, SITUATION
from vclogic.explore.endings import endings
from vclogic.explore.events import every_event
from vclogic.explore.table import BestPlayTable
from vclogic.model.actions import Action, Event
from vclogic.model.grounded import fits
from vclogic.model.system import System
from vclogic.terms.atoms import FALSE, integer
from vclogic.terms.build import and_
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

Array = Any  # of numpy
_BLOCK = 8192


@dataclass(frozen=True)
class PositionBlock:
    """Some positions of a table in a row, with the events that are legal in them.

    Attributes:
        first: The row of the first of them.
        n: How many they are.
        won: For each side which of them it has won.
        over: In which of them the game is over or a side has won.
        mover: Who decides, as in `Explored`.
        joint: In which of them an event is legal that needs the consent of both sides.
        source: For each event the position, by its number in the block, in ascending order; those that need both
            sides are left out, as they are from all that follows.
        event: For each event its number.
        after: For each event the row of the position that it leads to; -1: it is not in the table.
        actor: For each event the side that decides it, or `SITUATION`.
        weight: For each event its odds; 0 where it has none.
    """

    first: int
    n: int
    won: tuple[Array, Array]
    over: Array
    mover: Array
    joint: Array
    source: Array
    event: Array
    after: Array
    actor: Array
    weight: Array

    @cached_property
    def _groups(self) -> tuple[Array, Array]:
        number = np.bincount(self.source, minlength=self.n)
        at = np.flatnonzero(number)
        return at, (np.cumsum(number) - number)[at]

    def each(self, ufunc: Any, values: Array, otherwise: Any) -> Array:
        """For each position what a function makes of the values of its events; another value where it has none."""
        at, starts = self._groups
        found: Array = np.full(self.n, otherwise, values.dtype)
        if len(at):
            found[at] = ufunc.reduceat(values, starts)
        return found


class Followed:
    """Works out the events of a table's positions.

    Args:
        system: The rules.
        table: The table.

    Attributes:
        events: The events by their numbers.
    """

    def __init__(self, system: System, table: BestPlayTable):
        self._system, self._table = system, table
        self.events: list[Event] = []
        self._actions: list[Action] = []
        self._terms: list[Term] = []
        self._place: dict[Term, int] = {}
        ends = endings(system)
        self._ends = [self._put(t) for t in ends.rivals]
        self._guards: list[int] = []
        for event in every_event(system):
            action = system.action(event)
            guard = _guard(action)
            if guard is not FALSE:
                self.events.append(event)
                self._actions.append(action)
                self._guards.append(self._put(guard))
        self._effects = [
            [(system.layout.slot[f], self._put(new)) for f, new in dict(a.effects).items()] for a in self._actions
        ]
        self._who = [self._someone(a.actor) for a in self._actions]
        self._agreed = [None if a.agreed is None else self._someone(a.agreed) for a in self._actions]
        self._odds = [None if a.odds is None else self._put(_number(a.odds)) for a in self._actions]
        self._function = batch_function(self._terms, system.layout.slot)

    def _put(self, t: Term) -> int:
        if t not in self._place:
            self._place[t] = len(self._terms)
            self._terms.append(t)
        return self._place[t]

    def _someone(self, who: str | Term | None) -> tuple[int | None, Array]:
        """The place of the term that says who it is, and the side of each member; or no place, and the one side."""
        number = {side: i for i, side in enumerate(self._system.sides)}

        def of(name: str | None) -> int:
            side = None if name is None else self._system.side_of(name)
            return SITUATION if side is None else number[side]

        if not isinstance(who, Term):
            return None, np.array([of(who)], np.int8)
        assert isinstance(who.sort, EnumSort)
        return self._put(who), np.array([of(m) for m in who.sort.members], np.int8)

    def blocks(self) -> Iterator[PositionBlock]:
        """All positions of the table."""
        for first in range(0, len(self._table), _BLOCK):
            yield self._block(first, self._table.words[:, first : first + _BLOCK])

    def _block(self, first: int, words: Array) -> PositionBlock:
        packing = self._table.packing
        states = packing.unpacked(words)
        n, values = len(states), self._function(states)
        a, b, over = (values[i].astype(bool) for i in self._ends)
        over = a | b | over
        acts: Array = np.zeros((SIDES + 1, n), bool)
        joint: Array = np.zeros(n, bool)
        sources, events, actors, weights, after, there = [], [], [], [], [], []
        for number, guard in enumerate(self._guards):
            if not number & FEW:
                check_deadline()
            (rows,) = (values[guard] & ~over).nonzero()
            if not len(rows):
                continue
            actor = self._sides(self._who[number], values, rows)
            for side in range(SIDES + 1):
                acts[side, rows] |= actor == side
            rows, actor = self._alone(number, values, rows, actor, joint)
            odds = self._odds[number]
            weight = np.zeros(len(rows), np.int64) if odds is None else np.maximum(values[odds][rows], 0)
            reached = words[:, rows]
            inside: Array = np.ones(len(rows), bool)
            for slot, new in self._effects[number]:
                value = values[new][rows]
                inside &= packing.holds(slot, value)
                if digit := packing.digits.get(slot):
                    reached[digit.word] += packing.growth(slot, states[rows, slot], value)
            sources.append(rows)
            events.append(np.full(len(rows), number))
            actors.append(actor)
            weights.append(np.where(actor == SITUATION, weight, 0).astype(np.int64))
            after.append(reached)
            there.append(inside)
        number_of = acts.sum(axis=0)
        mover = acts.argmax(axis=0).astype(np.int8)
        mover[mover == SITUATION] = -1
        mover[number_of == 0], mover[number_of > 1] = -3, -2
        if not sources:
            nothing: Array = np.zeros(0, np.int64)
            return PositionBlock(first, n, (a, b), over, mover, joint, nothing, nothing, nothing, nothing, nothing)
        # The successors come event by event; the check wants them position by position. A block has fewer than 65,536
        # positions, and of numbers that short numpy makes a stable order in linear time.
        source = np.concatenate(sources)
        order = np.argsort(source.astype(np.uint16), kind="stable")
        event, actor, weight = (np.concatenate(x)[order] for x in (events, actors, weights))
        rows = self._table.rows_of(np.concatenate(after, axis=1), np.concatenate(there))[order]
        return PositionBlock(first, n, (a, b), over, mover, joint, source[order], event, rows, actor, weight)

    def _sides(self, who: tuple[int | None, Array], values: list[Array], rows: Array) -> Array:
        place, sides = who
        return np.full(len(rows), sides[0]) if place is None else sides[values[place][rows]]

    def _alone(
        self, number: int, values: list[Array], rows: Array, actor: Array, joint: Array
    ) -> tuple[Array, Array]:
        """The positions in which an event needs nobody's consent; the others are noted."""
        who = self._agreed[number]
        if who is None:
            return rows, actor
        agreed = self._sides(who, values, rows)
        alone = (agreed >= SIDES) | (agreed == actor)
        joint[rows[~alone]] = True
        return rows[alone], actor[alone]


def _number(odds: int | Term) -> Term:
    return odds if isinstance(odds, Term) else integer(odds)


def _guard(action: Action) -> Term:
    """The guard of an event, and that its effects stay within their fluents' sorts."""
    return and_(action.guard, *(fits(fluent, new) for fluent, new in dict(action.effects).items()))
