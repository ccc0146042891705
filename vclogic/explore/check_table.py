"""A check of a table of best play, position by position against the positions that its events lead to.

It knows nothing of how the table was found: it evaluates every event in every position again and looks up the claims
of the positions that they lead to. The claims are such that this is enough:

- A win has a length in turns and events, which must be what the claims of the next positions give: the least for the
  winner's events, the most for all others. It becomes less with every event, so a win that is claimed comes about.
  Where no win is claimed for a side, the others have an answer that keeps it that way, so none was forgotten.
- Who is claimed to be safe has an event to a position in which it is safe, and every other event leads to one.
- A game that a side can end, where neither wins, has a number of events that becomes less; one that it can keep going
  for ever has an event that keeps it so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from vclogic.encode.evaluator import OutOfBounds, apply, failed
from vclogic.explore.arena import SIDES, SITUATION, columns_of, sides_of
from vclogic.explore.endings import endings
from vclogic.explore.events import every_event
from vclogic.explore.table import Table
from vclogic.model.actions import Action, Event
from vclogic.model.fluents import value
from vclogic.model.system import System
from vclogic.terms.build import all_of, and_, ge, in_mask, le
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

Array = Any  # of numpy
_TURN = 1 << 32
_NEVER = np.iinfo(np.int64).max
_SAMPLE = 200  # positions whose events the evaluator of records is asked for, too


@dataclass(frozen=True)
class Faults:
    """What a check of a table found.

    Attributes:
        positions: How many positions were checked.
        events: How many legal events were followed.
        faults: What is wrong, at most one line for each kind, with a position.
    """

    positions: int
    events: int
    faults: tuple[str, ...]


@dataclass(frozen=True)
class _Moves:
    """The positions in which one event is legal.

    Attributes:
        event: The event.
        rows: Their rows, without those in which it needs both sides.
        after: The row of the position that it leads to; -1: it is not in the table.
        actor: The side that decides it, or `SITUATION`.
    """

    event: Event
    rows: Array
    after: Array
    actor: Array


def check_table(system: System, table: Table, sample: int = _SAMPLE) -> Faults:
    """Check every claim of a table.

    Args:
        system: The rules that it is for.
        table: The table.
        sample: In how many positions, spread evenly, the evaluator of records is asked for the legal events, too.
    """
    return _Check(system, table).run(sample)


class _Side:
    """What the next positions say of one side: for its own events the best, for all others the worst."""

    def __init__(self, n: int):
        self.moves: Array = np.zeros(n, bool)  # whether it has an event
        self.own: Array = np.full(n, _NEVER)
        self.others: Array = np.zeros(n, np.int64)
        self.own_safe: Array = np.zeros(n, bool)
        self.others_safe: Array = np.ones(n, bool)
        self.own_end: Array = np.full(n, _NEVER)
        self.others_end: Array = np.zeros(n, np.int64)
        self.own_keeps: Array = np.zeros(n, bool)
        self.others_keep: Array = np.ones(n, bool)


class _Check:
    def __init__(self, system: System, table: Table):
        self.system, self.table = system, table
        self.n = len(table)
        self.states = table.packing.unpacked(table.words)
        self.faults: dict[str, int] = {}
        won = [table.value == 1 + side for side in range(SIDES)]
        self.wins = won[0] | won[1]
        length = table.turns.astype(np.int64) * _TURN + table.moves
        self.lengths = [_with_missing(np.where(w, length, _NEVER), _NEVER) for w in won]
        self.safe = [_with_missing(table.safe >> side & 1 == 1, False) for side in range(SIDES)]
        self.keeps = [_with_missing(table.keeps >> side & 1 == 1, False) for side in range(SIDES)]
        ends = [table.ends[side].astype(np.int64) for side in range(SIDES)]
        self.ends = [_with_missing(np.where(e >= 0, e, _NEVER), _NEVER) for e in ends]
        both = (table.safe == 3) & ~self.wins
        self.neither = _with_missing(both, False)
        self.number = {event: i for i, event in enumerate(table.events)}
        self.legal: Array = np.zeros(self.n, np.int64)
        self.joint: Array = np.zeros(self.n, bool)
        self.mover: Array = np.full(self.n, -1, np.int8)
        self.several: Array = np.zeros(self.n, bool)
        self.chosen: Array = np.zeros(self.n, bool)
        self.sides = [_Side(self.n) for _ in range(SIDES)]

    def run(self, sample: int) -> Faults:
        self._finals()
        moves = list(self._moves())
        for m in moves:
            self._follow(m)
        self._compare()
        self._ask_the_record(moves, sample)
        total = int(self.legal.sum())
        return Faults(self.n, total, tuple(f"{what}: {self._shown(row)}" for what, row in self.faults.items()))

    # ---- the events

    def _finals(self) -> None:
        ends = endings(self.system)
        terms = (*ends.won, ends.over)
        a, b, over = (c.astype(bool) for c in columns_of(terms, self.system.layout, self.states))
        self.won, self.over = (a, b), a | b | over

    def _moves(self) -> Iterator[_Moves]:
        going = np.flatnonzero(~self.over)
        for event in every_event(self.system):
            action = self.system.action(event)
            guard = all_of([_guard(action)])
            met = columns_of([guard], self.system.layout, self.states[going])[0].astype(bool)
            rows = going[met]
            if not len(rows):
                continue
            here = self.states[rows]
            actor = sides_of(self.system, action.actor, here)
            self._who(rows, actor)
            if action.agreed is not None:
                agreed = sides_of(self.system, action.agreed, here)
                alone = (agreed >= SIDES) | (agreed == actor)
                self.joint[rows[~alone]] = True
                rows, here, actor = rows[alone], here[alone], actor[alone]
            after = here.copy()
            new = columns_of([t for _, t in action.effects], self.system.layout, here)
            for (fluent, _), column in zip(action.effects, new, strict=True):
                after[:, self.system.layout.slot[fluent]] = column
            self.legal[rows] += 1
            yield _Moves(event, rows, self.table.rows(after), actor)

    def _who(self, rows: Array, actor: Array) -> None:
        """Note who decides in some positions."""
        first = self.mover[rows] < 0
        self.several[rows] |= ~first & (self.mover[rows] != actor)
        self.mover[rows] = actor

    def _follow(self, m: _Moves) -> None:
        """Take down what the next positions claim."""
        alone: Array = np.append(np.where(self.several | (self.legal == 0), -1, self.mover), -1)
        turn = (m.actor != SITUATION) & (alone[m.after] != m.actor)
        more = np.where(turn, _TURN + 1, 1)
        best = np.flatnonzero(self._best_is(m))
        self.chosen[m.rows[best]] = True
        for side, found in enumerate(self.sides):
            length = _longer(self.lengths[side][m.after], more)
            safe = self.safe[side][m.after]
            quiet = self.neither[m.after]
            end = np.where(quiet, _longer(self.ends[side][m.after], 1), _NEVER)
            keeps = quiet & self.keeps[side][m.after]
            mine = m.actor == side
            own, other = m.rows[mine], m.rows[~mine]
            found.moves[own] = True
            found.own[own] = np.minimum(found.own[own], length[mine])
            found.own_safe[own] |= safe[mine]
            found.own_end[own] = np.minimum(found.own_end[own], end[mine])
            found.own_keeps[own] |= keeps[mine]
            found.others[other] = np.maximum(found.others[other], length[~mine])
            found.others_safe[other] &= safe[~mine]
            counts = ~mine & quiet  # others only make events that are safe for both
            rows = m.rows[counts]
            found.others_end[rows] = np.maximum(found.others_end[rows], end[counts])
            found.others_keep[rows] &= keeps[counts]
            self._choice(m, best, side, length, end, keeps)

    def _best_is(self, m: _Moves) -> Array:
        """In which positions the event is the one that the table chooses."""
        number = self.number.get(m.event)
        return np.zeros(len(m.rows), bool) if number is None else self.table.best[m.rows] == number

    def _choice(self, m: _Moves, best: Array, side: int, length: Array, end: Array, keeps: Array) -> None:
        """Check the chosen event as far as one side is concerned."""
        rows = m.rows[best]
        won = self.lengths[side][rows] < _NEVER
        self._fault(
            "the event does not lead to the win claimed", rows[won & (length[best] != self.lengths[side][rows])]
        )
        mine = (m.actor[best] == side) & self.neither[rows]
        self._fault("the event is not safe", rows[mine & ~self.neither[m.after[best]]])
        drawn = mine & (self.table.value[rows] == 3)
        self._fault("the event does not lead to the end", rows[drawn & (end[best] > self.ends[side][rows])])
        going = mine & self.keeps[side][rows]
        self._fault("the event does not keep the game going", rows[going & ~keeps[best]])

    # ---- the claims

    def _compare(self) -> None:
        table = self.table
        final = self.over | (self.legal == 0)
        unclear = ~self.over & (self.legal == 0) & self.joint
        a, b = self.won
        self._fault("who has won is not claimed so", np.flatnonzero(a & ~b & (table.value != 1)))
        self._fault("who has won is not claimed so", np.flatnonzero(b & ~a & (table.value != 2)))
        draw = final & ~a & ~b & ~unclear
        self._fault("an end without a win is no draw", np.flatnonzero(draw & (table.value != 3)))
        self._fault("a win of both is not open", np.flatnonzero(a & b & (table.value != 0)))
        self._fault("a final position has an event", np.flatnonzero(final & (table.best >= 0)))
        self._fault("the event is not legal", np.flatnonzero((table.best >= 0) & ~self.chosen))
        quiet = np.where((table.ends >= 0).all(axis=0), 3, 0)
        quiet = np.where(table.keeps > 0, 4, quiet)
        claimed = np.where(table.safe == 3, quiet, 0)
        self._fault("the value does not follow", np.flatnonzero(~self.wins & (table.value != claimed)))
        for side in range(SIDES):
            self._compare_side(side, final, a & ~b if side == 0 else b & ~a, (a, b)[1 - side] | unclear)

    def _compare_side(self, side: int, final: Array, won: Array, may_lose: Array) -> None:
        """Check the claims of one side.

        Args:
            side: Its number.
            final: Which positions are final.
            won: Where of these the side, and only it, has won.
            may_lose: Where of these it has not for certain avoided to lose.
        """
        found, n = self.sides[side], self.n
        length = np.maximum(np.where(found.moves, found.own, 0), found.others)
        length[final] = np.where(won, 0, _NEVER)[final]
        self._fault("a win has another length", np.flatnonzero(length != self.lengths[side][:n]))
        safe = np.where(found.moves, found.own_safe, True) & found.others_safe
        safe[final] = ~may_lose[final]
        self._fault("a side is not safe", np.flatnonzero(self.safe[side][:n] & ~safe))
        quiet = self.neither[:n]
        end = np.maximum(np.where(found.moves, found.own_end, 0), found.others_end)
        end[final] = 0
        known = self.ends[side][:n] < _NEVER
        self._fault(
            "the end cannot be brought about", np.flatnonzero(known & ~(quiet & (end <= self.ends[side][:n])))
        )
        keeps = np.where(found.moves, found.own_keeps, True) & found.others_keep & ~final
        self._fault("the game cannot be kept going", np.flatnonzero(self.keeps[side][:n] & ~(quiet & keeps)))

    def _fault(self, what: str, rows: Array) -> None:
        if len(rows) and what not in self.faults:
            self.faults[what] = int(rows[0])

    def _shown(self, row: int) -> str:
        layout = self.system.layout
        state = self.states[row].tolist()
        return ", ".join(f"{f.name} = {value(f.sort, x)}" for f, x in zip(layout.fluents, state, strict=True))

    # ---- the same by the evaluator of records

    def _ask_the_record(self, moves: list[_Moves], sample: int) -> None:
        """Compare the legal events of some positions, and what they lead to, with the evaluator of records."""
        if not self.n or not sample:
            return
        rows = np.unique(np.linspace(0, self.n - 1, min(sample, self.n)).astype(np.int64))
        found: dict[int, dict[Event, int]] = {row: {} for row in rows.tolist()}
        for m in moves:
            for i in np.flatnonzero(np.isin(m.rows, rows)).tolist():
                found[int(m.rows[i])][m.event] = int(m.after[i])
        for row, legal in found.items():
            if not self.over[row] and legal != self._legal(row, legal):
                self._fault("the record evaluator has other events", np.array([row]))

    def _legal(self, row: int, batch: dict[Event, int]) -> dict[Event, int]:
        state = tuple(self.states[row].tolist())
        found = {}
        for event in every_event(self.system):
            action = self.system.action(event)
            if action.agreed is not None and event not in batch:
                continue
            try:
                if failed(self.system, state, action):
                    continue
                after = apply(self.system, state, action)
            except OutOfBounds:
                continue
            found[event] = int(self.table.rows(np.array([after], np.int64))[0])
        return found


def _with_missing(values: Array, missing: Any) -> Array:
    """The values with that of a position that is not in the table at the end, where the row -1 finds it."""
    return np.append(values, np.array([missing], values.dtype))


def _longer(length: Array, more: Any) -> Array:
    return np.where(length < _NEVER, length + np.where(length < _NEVER, more, 0), _NEVER)


def _guard(action: Action) -> Term:
    """What an event asks, and that its effects stay within their fluents' sorts."""
    return and_(action.guard, *(_fits(fluent, new) for fluent, new in action.effects))


def _fits(fluent: Term, new: Term) -> Term:
    if isinstance(fluent.sort, EnumSort):
        return in_mask(new, fluent.mask)
    return and_() if fluent.is_bool else and_(ge(new, fluent.lo), le(new, fluent.hi))
