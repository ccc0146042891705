"""The check of expected scores: each against those of the positions that the events lead to, in whole numbers.

A lower score holds if each event keeps it: some event of the first side leads to no smaller score, every other event
does, and those among which chance decides do on average. With each such event a rank becomes less (where chance
decides, with one of those that may come up), so that play comes to an end with probability 1, and the score that was
kept is then the score of the end. Upper scores are lower scores of the other side. Exact probabilities are compared
as fractions; a level becomes less with every event, so that there is only one solution.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from vclogic.explore.arena import SITUATION
from vclogic.explore.followed import PositionBlock
from vclogic.explore.table import BestPlayTable

Array = Any  # of numpy
_ODDS = 5
_ENDS = {1: (Fraction(1), Fraction(0)), 2: (Fraction(0), Fraction(1))}
_NOBODY = (Fraction(0), Fraction(0))
Result = tuple[Fraction, Fraction]


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
