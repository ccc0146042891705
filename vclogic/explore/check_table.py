"""A check of a table of best play, position by position against the positions that its events lead to.

It knows nothing of how the table was found: it works out every legal event of every position again
(`vclogic.explore.followed`) and looks up the claims of the positions that they lead to. The claims are such that this
is enough:

- A win has a length in turns and events, which must be what the claims of the next positions give: the least for the
  winner's events, the most for all others. It becomes less with every event, so a win that is claimed comes about.
  Where no win is claimed for a side, the others have an answer that keeps it that way, so none was forgotten.
- Who is claimed to be safe has an event to a position in which it is safe, and every other event leads to one.
- A game that a side can end, where neither wins, has a number of events that becomes less; one that it can keep going
  for ever has an event that keeps it so.
- A lower expected score holds if each event keeps it: some event of the first side leads to no smaller score, every
  other event does, and those among which chance decides do on average. With each such event a rank becomes less
  (where chance decides, with one of those that may come up), so that play comes to an end with probability 1, and the
  score that was kept is then the score of the end. Upper scores are lower scores of the other side. Exact
  probabilities are compared as fractions; a level becomes less with every event, so that there is only one solution.

Some positions are checked in plain Python, too: it shares neither the events over arrays nor the arithmetic of keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from vclogic.clock import check_deadline
from vclogic.encode.python.evaluator import OutOfBounds, apply, failed
from vclogic.explore.arena import SIDES, SITUATION
from vclogic.explore.events import every_event
from vclogic.explore.followed import Followed, PositionBlock
from vclogic.explore.table import BestPlayTable
from vclogic.model.actions import Event
from vclogic.model.fluents import State, value
from vclogic.model.system import System

Array = Any
"""A NumPy array."""
_TURN = 1 << 32
_NEVER = 1 << 62
_ASKED, _LEAST, _MOST = 25_000, 2, 200  # one position of so many is tried by the evaluator of records, within bounds
_OPEN, _DRAW, _ENDLESS, _ODDS = 0, 3, 4, 5
_ANOTHER = -2  # the row of a position that is taken for another one
Fault = tuple[str, Array]
"""A fault, and a mark for each position of a block that has it."""

_ENDS = {1: (Fraction(1), Fraction(0)), 2: (Fraction(0), Fraction(1))}
_NOBODY = (Fraction(0), Fraction(0))
Result = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Faults:
    """The faults that a check of a table found.

    Attributes:
        positions: How many positions were checked.
        events: How many legal events were followed.
        faults: What is wrong, at most one line for each kind, with a position.
    """

    positions: int
    events: int
    faults: tuple[str, ...]


def check_table(system: System, table: BestPlayTable, sample: int | None = None) -> Faults:
    """Check every claim of a table.

    Args:
        system: The rules that it is for.
        sample: In how many positions, spread evenly, the evaluator of records is asked for the legal events, too;
            None: in one of 25,000, at least 2 and at most 200.

    Raises:
        TimeUp: The deadline has passed.
    """
    n = len(table)
    asked = min(_MOST, max(_LEAST, n // _ASKED)) if sample is None else sample
    rows = np.unique(np.linspace(0, n - 1, min(asked, n)).astype(np.int64)) if n and asked else ()
    return _Check(system, table).run(set(map(int, rows)))


class _Check:
    def __init__(self, system: System, table: BestPlayTable):
        self.system, self.table = system, table
        self.followed = Followed(system, table)
        number = {event: i for i, event in enumerate(self.followed.events)}
        self.number: Array = np.array([*(number.get(e, -2) for e in table.events), -1])
        self.wins = (table.value == 1) | (table.value == 2)
        won = [table.value == 1 + side for side in range(SIDES)]
        length = table.turns.astype(np.int64) * _TURN + table.moves
        self.lengths = [_with_missing(np.where(w, length, _NEVER), _NEVER) for w in won]
        self.safe = [_with_missing(table.safe >> side & 1 == 1, False) for side in range(SIDES)]
        self.keeps = [_with_missing(table.keeps >> side & 1 == 1, False) for side in range(SIDES)]
        ends = [table.ends[side].astype(np.int64) for side in range(SIDES)]
        self.ends = [_with_missing(np.where(e >= 0, e, _NEVER), _NEVER) for e in ends]
        self.neither = _with_missing((table.safe == 3) & ~self.wins, False)
        self.mover = _with_missing(table.mover.astype(np.int8), -4)
        self.odds = OddsCheck(table)
        self.faults: dict[str, int] = {}

    def run(self, asked: set[int]) -> Faults:
        events = 0
        for block in self.followed.blocks():
            check_deadline()
            events += len(block.source)
            for what, wrong in self._wrong(block):
                if what not in self.faults and wrong.any():
                    self.faults[what] = block.first + int(np.argmax(wrong))
            for row in range(block.first, block.first + block.n) if asked else ():
                if row in asked:
                    self._ask_the_record(block, row)
        told = tuple(f"{what}: {self._shown(row)}" for what, row in self.faults.items())
        return Faults(len(self.table), events, told)

    def _wrong(self, block: PositionBlock) -> Iterator[Fault]:
        chosen = self._chosen(block)
        yield from self._result(block, chosen)
        for side in range(SIDES):
            yield from self._side(block, side, chosen)
        yield from self.odds.wrong(block, chosen)

    # ---- what the position is

    def _result(self, block: PositionBlock, chosen: Array) -> Iterator[Fault]:
        here, table = slice(block.first, block.first + block.n), self.table
        claim, best = table.value[here], table.best[here]
        a, b = block.won
        final, unclear = self._final(block)
        yield "another side decides", table.mover[here] != block.mover
        yield "who has won is not claimed so", (a & ~b & (claim != 1)) | (b & ~a & (claim != 2))
        yield "an end without a win is no draw", final & ~a & ~b & ~unclear & (claim != _DRAW)
        yield "a win of both is not open", a & b & (claim != _OPEN)
        yield "a final position has an event", final & (best >= 0)
        yield "the event is not legal", (best >= 0) & ~block.each(np.logical_or, chosen, False)
        quiet = np.where((table.ends[:, here] >= 0).all(axis=0), _DRAW, _OPEN)
        quiet = np.where(table.keeps[here] > 0, _ENDLESS, quiet)
        expected = np.where(table.safe[here] == 3, quiet, _OPEN)
        odds = (claim == _ODDS) & (table.safe[here] != 3) & (table.unit > 0)
        yield "the value does not follow", ~self.wins[here] & (claim != expected) & ~odds

    def _final(self, block: PositionBlock) -> tuple[Array, Array]:
        """A mark for each final position, and for each final one where only events that need both sides are legal."""
        stuck = ~block.over & (np.bincount(block.source, minlength=block.n) == 0)
        return block.over | stuck, stuck & block.joint

    def _chosen(self, block: PositionBlock) -> Array:
        """A mark for each event that the table chooses."""
        found: Array = block.event == self.number[self.table.best[block.first + block.source]]
        return found

    # ---- what it is worth to a side

    def _side(self, block: PositionBlock, side: int, chosen: Array) -> Iterator[Fault]:
        """The faults of what is claimed for one side."""
        n, after, row = block.n, block.after, block.first + block.source
        here = slice(block.first, block.first + n)
        mine = block.actor == side
        moves = block.each(np.logical_or, mine, False)
        final, unclear = self._final(block)
        a, b = block.won
        has_won, has_lost = (a, b) if side == 0 else (b, a)

        turn = (block.actor != SITUATION) & (self.mover[after] != block.actor)
        length = _longer(self.lengths[side][after], np.where(turn, _TURN + 1, 1))
        own = block.each(np.minimum, np.where(mine, length, _NEVER), 0)
        others = block.each(np.maximum, np.where(mine, 0, length), 0)
        found = np.where(final, np.where(has_won & ~has_lost, 0, _NEVER), np.maximum(np.where(moves, own, 0), others))
        yield "a win has another length", found != self.lengths[side][here]
        leads = length == self.lengths[side][row]
        claimed = chosen & (self.lengths[side][row] < _NEVER)
        yield "the event does not lead to the win claimed", block.each(np.logical_or, claimed & ~leads, False)

        safe = self.safe[side][after]
        found = ~moves | block.each(np.logical_or, mine & safe, False)
        found &= block.each(np.logical_and, mine | safe, True)
        found = np.where(final, ~(has_lost | unclear), found)
        yield "a side is not safe", self.safe[side][here] & ~found
        yield from self._quiet(block, side, chosen, mine, moves, final)

    def _quiet(
        self, block: PositionBlock, side: int, chosen: Array, mine: Array, moves: Array, final: Array
    ) -> Iterator[Fault]:
        """The faults where neither side need lose; of others only those events count that are safe for both."""
        after, row = block.after, block.first + block.source
        here = slice(block.first, block.first + block.n)
        both, quiet = self.neither[after], self.neither[here]
        end = np.where(both, _longer(self.ends[side][after], 1), _NEVER)
        own = block.each(np.minimum, np.where(mine, end, _NEVER), 0)
        others = block.each(np.maximum, np.where(mine | ~both, 0, end), 0)
        found = np.where(final, 0, np.maximum(np.where(moves, own, 0), others))
        claimed = self.ends[side][here]
        yield "the end cannot be brought about", (claimed < _NEVER) & ~(quiet & (found <= claimed))

        keeps = both & self.keeps[side][after]
        going = ~moves | block.each(np.logical_or, mine & keeps, False)
        going &= block.each(np.logical_and, mine | ~both | keeps, True)
        yield "the game cannot be kept going", self.keeps[side][here] & ~(quiet & going & ~final)

        best = chosen & mine & self.neither[row]
        drawn = best & (self.table.value[row] == _DRAW)
        wrong = (best & ~both) | (drawn & (end > self.ends[side][row])) | (best & self.keeps[side][row] & ~keeps)
        yield "the event gives something away", block.each(np.logical_or, wrong, False)

    # ---- the same by the evaluator of records

    def _ask_the_record(self, block: PositionBlock, row: int) -> None:
        """Compare the legal events of a position, and what they lead to, with the evaluator of records."""
        i = row - block.first
        at = np.flatnonzero(block.source == i)
        found = {self.followed.events[int(block.event[e])]: int(block.after[e]) for e in at}
        if not block.over[i] and found != self._legal(row, found):
            self.faults.setdefault("the evaluator of records has other events", row)

    def _legal(self, row: int, found: dict[Event, int]) -> dict[Event, int]:
        state = self._state(row)
        legal = {}
        for event in every_event(self.system):
            action = self.system.action(event)
            if action.agreed is not None and event not in found:
                continue
            try:
                if not failed(self.system, state, action):
                    after = apply(self.system, state, action)
                    at = self.table.row(after)
                    legal[event] = at if at < 0 or self._state(at) == after else _ANOTHER
            except OutOfBounds:
                continue
        return legal

    def _state(self, row: int) -> State:
        """The state of a row, by Python's own numbers."""
        packing, words = self.table.packing, self.table.words[:, row].tolist()
        state = list(packing.least)
        for i, d in packing.digits.items():
            state[i] += words[d.word] // d.stride % packing.span[i]
        return tuple(state)

    def _shown(self, row: int) -> str:
        named = zip(self.system.layout.fluents, self._state(row), strict=True)
        return ", ".join(f"{f.name} = {value(f.sort, x)}" for f, x in named)


def _with_missing(values: Array, missing: Any) -> Array:
    """The values with that of a position that is not in the table at the end, where the row -1 finds it."""
    return np.append(values, np.array([missing], values.dtype))


def _longer(length: Array, more: Any) -> Array:
    return np.minimum(length + more, _NEVER)


class OddsCheck:
    """Checks the scores of a table.

    Args:
        table: The table.
    """

    def __init__(self, table: BestPlayTable):
        self._table = table
        unit = self._unit = table.unit
        if not unit:
            return
        value = table.value
        known = np.where(value == 1, unit, np.where(value == 2, -unit, 0))
        worst = (value != 1) & (value != 2) & (table.safe != 3)
        odds = value == _ODDS
        lower = np.where(odds, table.lower, np.where(worst, -unit, known))
        upper = np.where(odds, table.upper, np.where(worst, unit, known))
        # For the second side all is turned round: what it is sure of is less the upper score.
        self._score: list[Array] = [np.append(lower, -unit), np.append(-upper, -unit)]
        ranks = (table.lower_rank, table.upper_rank)
        sure = [odds & (s[:-1] > -unit) for s in self._score]
        self._rank: list[Array] = [np.append(np.where(s, r, 0), 0) for s, r in zip(sure, ranks, strict=True)]
        self._exact: dict[int, Result | None] = {}

    def wrong(self, block: PositionBlock, chosen: Array) -> Iterator[tuple[str, Array]]:
        """The faults of some positions; see `Faults`."""
        if not self._unit:
            return
        here = slice(block.first, block.first + block.n)
        odds = self._table.value[here] == _ODDS
        exact = self._table.exact[here] != ""
        forced = block.actor == SITUATION
        without = block.each(np.logical_or, forced & (block.weight == 0), False)
        chance = block.each(np.logical_or, forced, False) & ~without
        for side in (0, 1):
            yield "a score is not sure", odds & ~self._kept(block, side, chance)
            good = self._good(block, side) | (self._score[side][block.first + block.source] == -self._unit)
            bad = chosen & (block.actor == side) & ~good
            yield "the event does not keep the score", odds & ~exact & block.each(np.logical_or, bad, False)
        for i in np.flatnonzero(odds & exact).tolist():
            if not self._exact_holds(block, i, chosen, chance=bool(chance[i])):
                yield "a probability is not exact", np.arange(block.n) == i

    def _good(self, block: PositionBlock, side: int) -> Array:
        """A mark for each event that keeps the score of a side and lowers its rank."""
        score, rank, row = self._score[side], self._rank[side], block.first + block.source
        found: Array = (score[block.after] >= score[row]) & (rank[block.after] < rank[row])
        return found

    def _kept(self, block: PositionBlock, side: int, chance: Array) -> Array:
        score, rank, row = self._score[side], self._rank[side], block.first + block.source
        here = score[block.first : block.first + block.n]
        good, mine = self._good(block, side), block.actor == side
        dice = (block.actor == SITUATION) & chance[block.source]
        kept = ~block.each(np.logical_or, mine, False) | block.each(np.logical_or, mine & good, False)
        kept &= block.each(np.logical_and, mine | dice | good, True)
        weight = np.where(dice, block.weight, 0)
        total = block.each(np.add, weight, 0)
        less = block.each(np.logical_or, dice & (rank[block.after] < rank[row]), False)
        average = block.each(np.add, weight * score[block.after], 0) >= here * total
        kept &= ~chance | (less & average)
        return kept | (here == -self._unit)

    # ---- exact probabilities

    def _exact_holds(self, block: PositionBlock, i: int, chosen: Array, *, chance: bool) -> bool:
        row, table = block.first + i, self._table
        edges = np.flatnonzero(block.source == i).tolist()
        after = [int(block.after[e]) for e in edges]
        claimed, found = self._result(row), [self._result(r) for r in after]
        if claimed is None or not edges or any(r < 0 for r in after):
            return False
        results = [r for r in found if r is not None]
        if len(results) < len(found) or any(int(table.level[r]) >= int(table.level[row]) for r in after):
            return False
        actors = {int(block.actor[e]) for e in edges}
        if len(actors) > 1:
            return False
        if chance:
            weights = [int(block.weight[e]) for e in edges]
            pairs = list(zip(weights, results, strict=True))
            return all(claimed[s] * sum(weights) == sum(w * r[s] for w, r in pairs) for s in (0, 1))
        side = actors.pop()
        if side == SITUATION:
            return all(r == claimed for r in results)
        best = max((r[side] - r[1 - side], r[side]) for r in results)
        picked = [r for e, r in zip(edges, results, strict=True) if chosen[e]]
        return picked == [claimed] and (claimed[side] - claimed[1 - side], claimed[side]) == best

    def _result(self, row: int) -> Result | None:
        """The probabilities that are claimed for a position."""
        if row not in self._exact:
            value, told = int(self._table.value[row]), str(self._table.exact[row])
            if value == _ODDS:
                parts = told.split()
                found = (Fraction(parts[0]), Fraction(parts[1])) if told else None
            else:
                found = _ENDS.get(value, _NOBODY if int(self._table.safe[row]) == 3 else None)
            self._exact[row] = found
        return self._exact[row]
