"""All positions that play can reach, breadth-first over arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from vclogic.clock import TimeUp, look
from vclogic.explore.arena import SITUATION, columns_of, sides_of
from vclogic.explore.explored import NOBODY, SEVERAL, STUCK, UNSEEN, Explored
from vclogic.explore.fingerprint import every_event
from vclogic.model.actions import Action
from vclogic.model.system import System
from vclogic.terms.build import and_, ge, in_mask, le, not_
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

Array = Any  # of numpy
TIME = "the time is up"


def explore(system: System, starts: Array, *, stop: Term, most: int) -> Explored:
    """The positions from some starts on, with the events between them.

    Args:
        system: The rule set.
        starts: States, a row for each.
        stop: Where play is not followed further.
        most: At most about so many positions.
    """
    return _Search(system, stop, most).run(np.asarray(starts, np.int64))


class _Search:
    def __init__(self, system: System, stop: Term, most: int):
        self.system, self.stop, self.most = system, stop, most
        self.events = list(every_event(system))
        self.actions = [system.action(e) for e in self.events]
        self.guards = [_guard(a) for a in self.actions]
        self.number: dict[bytes, int] = {}
        self.states: list[Array] = []

    def run(self, starts: Array) -> Explored:
        level = self._new(starts)
        edges: list[tuple[Array, Array, Array, Array]] = []
        depths: list[Array]
        depths, base, depth, reason = [np.zeros(len(level), np.int64)], 0, 0, ""
        while len(level):
            try:
                look()
                found, after = self._level(level, base)
            except TimeUp:
                reason = TIME
                break
            edges.append(found)
            base += len(level)
            depth += 1
            level = after
            depths.append(np.full(len(level), depth))
            if len(self.number) > self.most and len(level):
                reason = f"there are more than {self.most:,} positions"
                break
        return self._explored(edges, np.concatenate(depths), base, reason)

    def _new(self, states: Array) -> Array:
        """Those of some states that were not there before, once each; they get the next numbers."""
        new = []
        for row in states:
            key = row.tobytes()
            if key not in self.number:
                self.number[key] = len(self.number)
                new.append(row)
        found = np.array(new, np.int64).reshape(len(new), states.shape[1])
        self.states.append(found)
        return found

    def _level(self, level: Array, base: int) -> tuple[tuple[Array, Array, Array, Array], Array]:
        slot, layout = self.system.layout.slot, self.system.layout
        going = np.flatnonzero(columns_of([not_(self.stop)], layout, level)[0])
        source, event, actor, after = [], [], [], []
        for i, (action, guard) in enumerate(zip(self.actions, self.guards, strict=True)):
            rows = going[columns_of([guard], layout, level[going])[0].astype(bool)]
            if not len(rows):
                continue
            new = level[rows].copy()
            columns = columns_of([t for _, t in action.effects], layout, level[rows])
            for (fluent, _), column in zip(action.effects, columns, strict=True):
                new[:, slot[fluent]] = column
            source.append(rows + base)
            event.append(np.full(len(rows), i))
            actor.append(sides_of(self.system, action.actor, level[rows]))
            after.append(new)
        if not after:
            empty: Array = np.zeros(0, np.int64)
            return (empty, empty, empty, empty), level[:0]
        every = np.concatenate(after)
        fresh = self._new(every)
        target = np.array([self.number[row.tobytes()] for row in every])
        return (np.concatenate(source), target, np.concatenate(event), np.concatenate(actor)), fresh

    def _explored(self, edges: list[Any], depth: Array, seen: int, reason: str) -> Explored:
        states = np.concatenate(self.states)
        n = len(states)
        source, target, event, actor = (np.concatenate([e[i] for e in edges]).astype(np.int64) for i in range(4))
        order = np.lexsort((event, source))
        source, target, event, actor = source[order], target[order], event[order], actor[order]
        first = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=n))])
        mover: Array = np.full(n, STUCK, np.int8)
        mover[source] = np.where(actor == SITUATION, NOBODY, actor)
        mover[source[mover[source] != np.where(actor == SITUATION, NOBODY, actor)]] = SEVERAL
        mover[seen:] = UNSEEN
        return Explored(states, depth, first, target, event, self.events, mover, not reason, reason)


def _guard(action: Action) -> Term:
    return and_(action.guard, *(_fits(fluent, new) for fluent, new in action.effects))


def _fits(fluent: Term, new: Term) -> Term:
    if isinstance(fluent.sort, EnumSort):
        return in_mask(new, fluent.mask)
    return and_() if fluent.is_bool else and_(ge(new, fluent.lo), le(new, fluent.hi))
