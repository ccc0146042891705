"""What a side can expect where a die decides, in plain Python: exactly where play cannot come back, else nearly.

The score of a game is 1 if the first side wins, -1 if the second does, and 0 if nobody ever does. The first side
plays for the largest expected score, the second for the smallest.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import Any, Generic, TypeVar

import numpy as np

from tests.oracles.best_play import Edge, Positions

P = TypeVar("P", bound=Hashable)
Weight = Callable[[P, Any], int]
"""How much an event weighs in a position, among those of which chance takes one."""
Array = Any  # of numpy
PATIENCE = 1 - 1e-9
"""What a result is worth after one event more, beside what it is worth at once: so nobody puts off a win for ever."""


class Chances(Generic[P]):
    """Expected scores of positions.

    Args:
        game: The positions; in each either one side decides, or nobody does and chance takes an event.
        first: The side that plays for the largest score.
        weight: The weights of events that nobody decides.
    """

    def __init__(self, game: Positions[P], first: str, weight: Weight[P]):
        self.game, self.first, self.weight = game, first, weight

    def result(self, at: P) -> int | None:
        """The score of a position where it is over."""
        result = self.game.result[at]
        if result is None:
            return None
        return {self.first: 1, "draw": 0}.get(result, -1)

    def shares(self, at: P) -> list[tuple[Fraction, Edge[P]]]:
        """The events of which chance takes one, with their probabilities."""
        edges = self.game.edges[at]
        weights = [self.weight(at, e.event) for e in edges]
        return [(Fraction(w, sum(weights)), e) for w, e in zip(weights, edges, strict=True)]

    # ---- exactly

    def exact(self) -> Mapping[P, Fraction] | None:
        """The expected score of every position; None where play can come back to one."""
        order = self._order()
        if order is None:
            return None
        score: dict[P, Fraction] = {}
        for at in order:
            result, edges = self.result(at), self.game.edges[at]
            if result is not None:
                score[at] = Fraction(result)
            elif edges[0].who is None:
                score[at] = sum((share * score[e.after] for share, e in self.shares(at)), Fraction(0))
            else:
                score[at] = (max if edges[0].who == self.first else min)(score[e.after] for e in edges)
        return score

    def _order(self) -> list[P] | None:
        """The positions, each after all that it leads to; None where there is no such order."""
        left = {at: len({e.after for e in edges}) for at, edges in self.game.edges.items()}
        before: dict[P, list[P]] = {at: [] for at in left}
        for at, edges in self.game.edges.items():
            for after in {e.after for e in edges}:
                before[after].append(at)
        order = [at for at, n in left.items() if not n]
        for at in order:
            for earlier in before[at]:
                left[earlier] -= 1
                if not left[earlier]:
                    order.append(earlier)
        return order if len(order) == len(left) else None

    # ---- nearly

    def nearly(self) -> Mapping[P, float]:
        """The expected score of every position, by improving how both sides play (Hoffman and Karp)."""
        number = {at: i for i, at in enumerate(self.game.edges)}
        plays = {
            who: {at: 0 for at, edges in self.game.edges.items() if edges and edges[0].who == who}
            for who in {e.who for edges in self.game.edges.values() for e in edges if e.who is not None}
        }
        score = self._scores(number, plays)
        while True:
            for who in plays:
                if who != self.first:
                    while self._better(number, plays[who], score, -1):
                        score = self._scores(number, plays)
            if self.first not in plays or not self._better(number, plays[self.first], score, 1):
                return {at: float(score[i]) for at, i in number.items()}
            score = self._scores(number, plays)

    def _better(self, number: Mapping[P, int], play: dict[P, int], score: Array, sign: int) -> bool:
        """Change what a side plays wherever that is better at once; whether anything is."""
        changed = False
        for at, chosen in play.items():
            values = [sign * float(score[number[e.after]]) for e in self.game.edges[at]]
            best = max(range(len(values)), key=values.__getitem__)
            if values[best] > values[chosen] + 1e-12:
                play[at], changed = best, True
        return changed

    def _scores(self, number: Mapping[P, int], plays: Mapping[str, Mapping[P, int]]) -> Array:
        """The scores if both sides play in a certain way."""
        matrix, given = np.eye(len(number)), np.zeros(len(number))
        for at, i in number.items():
            result, edges = self.result(at), self.game.edges[at]
            if result is not None:
                given[i] = result
            elif edges[0].who is None:
                for share, e in self.shares(at):
                    matrix[i, number[e.after]] -= PATIENCE * float(share)
            else:
                matrix[i, number[edges[plays[edges[0].who][at]].after]] -= PATIENCE
        found: Array = np.linalg.solve(matrix, given)
        return found
