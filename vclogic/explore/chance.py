"""Best play where chance decides: the score that a side can expect.

The *score* of a game is 1 if the first side wins, -1 if the second does, and 0 for a draw and for play without end.
The first side plays for the largest expected score, the second for the smallest: each for its probability to win less
that to lose. Of events with the same expected score a side prefers the one by which it wins more often.

Scores are worked out in whole numbers, as multiples of 1 / `Scores.unit`, once rounded down and once rounded up, so
that the true score lies between the two. Where play cannot come back to a position, that is one look at each. Where
it can, scores are improved step by step from both ends, play that has not ended counting as lost for the side whose
score is bounded; what has been reached when the time is up still holds. Exact fractions are worked out besides where
play cannot come back and there are not too many positions.

What the rules leave open is counted against the first side in the lower score, and against the second in the upper.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from typing import Protocol

import numpy as np

from vclogic.clock import check_deadline
from vclogic.explore.arena import CHANCE, FINAL, LENGTHS, SITUATION, TURN, Arena, Array

NEVER = 1 << 62
NONE: Array = np.zeros(0, np.int64)
"""No nodes."""


# ---- positions of a game that one side can force, and how fast: retrograde analysis over arrays
#
# Two ways: from the goals back along the events, for any graph; and where every event leads to the next layer of
# positions, as in a game that counts its turns, layer by layer from the last, without a table of what leads where.


class Forcing(Protocol):
    """Answers for a graph which nodes can be forced to lead to some others."""

    def lengths(self, goals: Array, chooses: Array, beyond: Array = NONE) -> Array:
        """For each node how far the goals are, if whoever chooses hurries and all others delay.

        Args:
            goals: The numbers of the nodes to be reached; the play ends there.
            chooses: For each node whether its choice is made to get to the goals; else it is made against it, and a
                node without edges is never left.
            beyond: The numbers of other nodes, without edges, from which the goals are a turn away.

        Returns:
            The sum of lengths; `NEVER` where the goals cannot be forced.
        """

    def restricted(self, usable: Array, length: Array) -> Forcing:
        """The same for some of the edges, with other lengths (`LENGTHS`)."""


def forcing(arena: Arena) -> Forcing:
    """The way that is faster for a graph."""
    return Layers(arena, arena.layers, arena.length) if arena.layers is not None else Backwards.of(arena)


class Layers:
    """Layer by layer.

    Args:
        arena: The graph.
        layers: The first node of each layer, and the number of nodes.
        length: The length of each edge.
        usable: Which edges count; None: all.
    """

    def __init__(self, arena: Arena, layers: Array, length: Array, usable: Array | None = None):
        self._arena, self._layers, self._length, self._usable = arena, layers, length, usable

    def restricted(self, usable: Array, length: Array) -> Layers:
        """See `Forcing`."""
        return Layers(self._arena, self._layers, length, usable)

    def lengths(self, goals: Array, chooses: Array, beyond: Array = NONE) -> Array:
        """See `Forcing`."""
        game = self._arena
        found: Array = np.full(game.nodes, NEVER)
        found[goals], found[beyond] = 0, TURN
        sign = np.where(chooses, 1, -1)
        bounds = self._layers.tolist()
        for begin, end in zip(bounds[-2::-1], bounds[:0:-1], strict=True):
            check_deadline()
            edges = slice(int(game.first[begin]), int(game.first[end]))
            starts: Array = game.first[begin:end] - edges.start
            going = np.flatnonzero(np.diff(game.first[begin : end + 1]))
            if not len(going):
                continue
            nodes = begin + going
            value = np.minimum(found[game.target[edges]] + LENGTHS[self._length[edges]], NEVER)
            value *= sign[game.source[edges]]
            if self._usable is not None:
                value[~self._usable[edges]] = NEVER + 1
            best = np.minimum.reduceat(value, starts[going])
            best = np.where(best > NEVER, NEVER, best * sign[nodes])
            found[nodes] = np.where(found[nodes] == 0, 0, best)
        return found


class Backwards:
    """From the goals back along the edges.

    Args:
        arena: The graph.
        order: The edges by the nodes that they lead to.
        length: The length of each edge.
        usable: Which edges count; None: all.
    """

    def __init__(self, arena: Arena, order: Array, length: Array, usable: Array | None = None):
        self._arena, self._order = arena, order
        edges = order if usable is None else order[usable[order]]
        self._source, self._length = arena.source[edges], length[edges]
        self._first = np.concatenate([[0], np.cumsum(np.bincount(arena.target[edges], minlength=arena.nodes))])
        self._degree = np.bincount(self._source, minlength=arena.nodes)

    @staticmethod
    def of(arena: Arena) -> Backwards:
        """For all edges of a graph."""
        return Backwards(arena, np.argsort(arena.target, kind="stable").astype(np.int32), arena.length)

    def restricted(self, usable: Array, length: Array) -> Backwards:
        """See `Forcing`."""
        return Backwards(self._arena, self._order, length, usable)

    def lengths(self, goals: Array, chooses: Array, beyond: Array = NONE) -> Array:
        """See `Forcing`."""
        found: Array = np.full(self._arena.nodes, NEVER)
        left = self._degree.copy()
        worst: Array = np.zeros(self._arena.nodes, np.int64)
        waiting: dict[int, list[Array]] = {0: [np.asarray(goals)], TURN: [beyond]}
        queue = [0, TURN]

        def wait(length: int, nodes: Array) -> None:
            if not len(nodes):
                return
            if length not in waiting:
                waiting[length] = []
                heappush(queue, length)
            waiting[length].append(nodes)

        while queue:
            check_deadline()
            length = heappop(queue)
            nodes = np.concatenate(waiting.pop(length))
            nodes = _distinct(nodes[found[nodes] == NEVER])
            found[nodes] = length
            edges = self._arena.edges(self._first, nodes)
            edges = edges[found[self._source[edges]] == NEVER]
            before, longer = self._source[edges], self._length[edges]
            helps = chooses[before]
            for code, more in enumerate(LENGTHS.tolist()):
                which = longer == code
                if not which.any():
                    continue
                wait(length + more, before[which & helps])
                against = before[which & ~helps]
                worst[against] = np.maximum(worst[against], length + more)
            # A node that the choosing side does not own counts once all its ways lead to a goal, as far as the worst.
            against = before[~helps]
            np.subtract.at(left, against, 1)
            done = _distinct(against[left[against] == 0])
            for total in np.unique(worst[done]).tolist():
                wait(total, done[worst[done] == total])
        return found


def _distinct(nodes: Array) -> Array:
    """The nodes in ascending order, each once."""
    nodes = np.sort(nodes)
    new: Array = np.ones(len(nodes), bool)
    np.not_equal(nodes[1:], nodes[:-1], out=new[1:])
    return nodes[new]


_BITS = 60  # of products of a score and a sum of weights
_MOST_BITS = 50  # of a score
_MOST_EXACT = 300_000  # edges over which exact fractions are worked out
_CLOSE = 40  # bits: scores that change by less are left as they are
Result = tuple[Fraction, Fraction]
"""Probabilities that the first side wins and that the second does."""


@dataclass(frozen=True)
class Scores:
    """Expected scores of the nodes of a graph.

    Attributes:
        unit: What a score of 1 is in `lower` and `upper`.
        lower: The score is at least so many units.
        upper: It is at most so many.
        lower_rank: A number that makes sure that the lower score comes about: it becomes less with every event that
            the second side chooses and with the one that the first does, and with one of those among which chance
            decides. 0 where the score is known, or -1.
        upper_rank: The same for the upper score.
        best: For each node of a side the edge that it should take; -1 for others.
        exact: For each node the exact probabilities with which the sides win; None where they are not known.
        level: Where they are, but not because the node is decided: a number that becomes less with every event; 0
            elsewhere.
    """

    unit: int
    lower: Array
    upper: Array
    lower_rank: Array
    upper_rank: Array
    best: Array
    exact: list[Result | None]
    level: Array


def scores(game: Arena, known: Array, seconds: float = math.inf) -> Scores:
    """The expected score of every node.

    Args:
        known: For each node its score where it is decided: 1, 0 or -1; 2 elsewhere.
        seconds: For how long scores of nodes to which play can come back are improved.
    """
    return _Scoring(game, known, seconds).scores()


class _NodeGroup:
    """Some nodes with their edges, by who chooses; for a new value of each from the values of the next nodes."""

    def __init__(self, game: Arena, nodes: Array):
        self.nodes = nodes
        self._groups: list[tuple[int, Array, Array, Array, Array, Array]] = []
        for owner in np.unique(game.owner[nodes]).tolist():
            here = nodes[game.owner[nodes] == owner]
            edges = game.edges(game.first, here)
            number = game.first[here + 1] - game.first[here]
            starts = np.cumsum(number) - number
            weight = game.weight[edges]
            total = np.add.reduceat(weight, starts)
            self._groups.append((owner, here, edges, starts, weight, total))
        self._game = game

    def step(self, score: Array, *, upper: bool) -> None:
        """Replace the scores of the nodes by what the next nodes give; all are read before any is written."""
        found = []
        for owner, here, edges, starts, weight, total in self._groups:
            after = score[self._game.target[edges]]
            if owner == CHANCE:
                products = np.add.reduceat(after * weight, starts)
                new = -(-products // total) if upper else products // total
            elif owner == 0 or (owner == SITUATION and upper):
                new = np.maximum.reduceat(after, starts)
            else:
                new = np.minimum.reduceat(after, starts)
            found.append((here, new))
        for here, new in found:
            score[here] = new

    def chosen(self, side: int, score: Array, wanted: Array, best: Array) -> None:
        """Note for nodes of a side the first edge to a node of the wanted score; `wanted` is by node."""
        for owner, here, edges, starts, _, _ in self._groups:
            if owner != side:
                continue
            number: Array = np.diff(np.append(starts, len(edges)))
            source: Array = np.repeat(here, number)
            hit = np.flatnonzero(score[self._game.target[edges]] == wanted[source])[::-1]
            best[source[hit]] = edges[hit]


class _Scoring:
    def __init__(self, game: Arena, known: Array, seconds: float):
        self.game, self.known, self.seconds = game, known, seconds
        self.open = known == 2
        self.backwards = Backwards.of(game)
        total = np.bincount(game.source, weights=game.weight, minlength=game.nodes).max(initial=1)
        self.unit = 1 << min(_MOST_BITS, _BITS - int(total).bit_length())
        self.going = np.flatnonzero(self.open & (game.owner != FINAL))

    def scores(self) -> Scores:
        game = self.game
        levels, rest = self._levels()
        best: Array = np.full((2, game.nodes), -1, np.int64)
        ends = [self._bound(levels, rest, best[0], upper=False), self._bound(levels, rest, best[1], upper=True)]
        ranks = [self._rank(ends[i], best[i], i) for i in (0, 1)]
        exact, chosen = self._exact(levels)
        play = np.where(game.owner == 0, best[0], np.where(game.owner == 1, best[1], -1))
        play = np.where(chosen >= 0, chosen, play)
        level: Array = np.zeros(game.nodes, np.int32)
        for number, nodes in enumerate(levels, 1):
            level[nodes] = number
        level[[r is None for r in exact]] = 0
        return Scores(self.unit, ends[0], ends[1], ranks[0], ranks[1], play, exact, level)

    def _levels(self) -> tuple[list[Array], Array]:
        """The nodes in an order in which each comes after all that it leads to; and those that have no such order."""
        game = self.game
        inside: Array = np.zeros(game.nodes, bool)
        inside[self.going] = True
        edges = np.flatnonzero(inside[game.source] & inside[game.target])
        order = edges[np.argsort(game.target[edges], kind="stable")]
        before = game.source[order]
        first = np.concatenate([[0], np.cumsum(np.bincount(game.target[order], minlength=game.nodes))])
        left = np.bincount(before, minlength=game.nodes)
        levels = []
        level = self.going[left[self.going] == 0]
        while len(level):
            check_deadline()
            levels.append(level)
            inside[level] = False
            sources, times = np.unique(before[game.edges(first, level)], return_counts=True)
            left[sources] -= times
            level = sources[left[sources] == 0]
        return levels, np.flatnonzero(inside)

    def _bound(self, levels: list[Array], rest: Array, best: Array, *, upper: bool) -> Array:
        """Lower or upper scores, with the edges by which the side whose scores they are gets them."""
        game, side = self.game, int(upper)
        worst = self.unit if upper else -self.unit
        score = np.where(self.open, worst, self.known * self.unit).astype(np.int64)
        for level in levels:
            part = _NodeGroup(game, level)
            part.step(score, upper=upper)
            part.chosen(side, score, score, best)
        if len(rest):
            self._improve(_NodeGroup(game, rest), score, best, upper=upper)
        return score

    def _improve(self, part: _NodeGroup, score: Array, best: Array, *, upper: bool) -> None:
        """Improve the scores of nodes to which play can come back, until they hardly change or the time is up."""
        side, end = int(upper), time.monotonic() + self.seconds / 2
        while time.monotonic() < end:
            check_deadline()
            old = score.copy()
            part.step(score, upper=upper)
            change = np.abs(score[part.nodes] - old[part.nodes])
            if not change.any():
                return
            wanted = np.full(len(score), 2 * self.unit)
            changed = part.nodes[change > 0]
            wanted[changed] = score[changed]
            part.chosen(side, old, wanted, best)
            if change.max() <= self.unit >> _CLOSE:
                return

    def _rank(self, score: Array, best: Array, side: int) -> Array:
        """See `Scores.lower_rank`."""
        game = self.game
        worst = -self.unit if side == 0 else self.unit
        done = ~self.open | (score == worst) | (game.owner == FINAL)
        usable = ~done[game.source]
        mine = game.owner[game.source] == side
        usable &= ~mine | (best[game.source] == np.arange(len(game.source)))
        forced = self.backwards.restricted(usable, np.ones(len(game.source), np.int8))
        found = forced.lengths(np.flatnonzero(done), (game.owner == side) | (game.owner == CHANCE))
        if (found == NEVER).any():
            raise AssertionError("a score that is not sure to come about")
        return found.astype(np.int32)

    # ---- exact fractions

    def _exact(self, levels: list[Array]) -> tuple[list[Result | None], Array]:
        """Exact probabilities, and the best edges by them, where play cannot come back and nothing is left open."""
        game = self.game
        results: dict[int, Result] = {1: (_ONE, _ZERO), 0: (_ZERO, _ZERO), -1: (_ZERO, _ONE)}
        exact: list[Result | None] = [results.get(k) for k in self.known.tolist()]
        best: Array = np.full(game.nodes, -1, np.int64)
        nodes = np.concatenate(levels) if levels else self.going[:0]
        if int((game.first[nodes + 1] - game.first[nodes]).sum()) > _MOST_EXACT:
            return [None] * game.nodes, best
        for i in nodes.tolist():
            if not i & 1023:
                check_deadline()
            self._exact_at(i, exact, best)
        return exact, best

    def _exact_at(self, i: int, exact: list[Result | None], best: Array) -> None:
        game = self.game
        edges = range(int(game.first[i]), int(game.first[i + 1]))
        after = [exact[int(game.target[e])] for e in edges]
        found = [r for r in after if r is not None]
        owner = int(game.owner[i])
        if len(found) < len(after):
            return
        if owner == SITUATION:
            exact[i] = found[0] if all(r == found[0] for r in found) else None
            return
        if owner == CHANCE:
            weights = [int(game.weight[e]) for e in edges]
            total = sum(weights)
            first, second = (
                sum((w * r[side] for w, r in zip(weights, found, strict=True)), _ZERO) / total for side in (0, 1)
            )
            exact[i] = first, second
            return
        ranked = [((r[owner] - r[1 - owner], r[owner]), -e, r) for e, r in zip(edges, found, strict=True)]
        _, edge, exact[i] = max(ranked)
        best[i] = -edge


_ZERO, _ONE = Fraction(0), Fraction(1)
