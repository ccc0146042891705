"""Positions of a game that one side can force, and how fast: retrograde analysis over arrays.

Two ways: from the goals back along the events, for any graph; and where every event leads to the next layer of
positions, as in a game that counts its turns, layer by layer from the last, without a table of what leads where.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Protocol

import numpy as np

from vclogic.clock import look
from vclogic.explore.arena import LENGTHS, Arena, Array

NEVER = 1 << 62


class Forcing(Protocol):
    """Answers for a graph which nodes can be forced to lead to some others."""

    def lengths(self, goals: Array, chooses: Array) -> Array:
        """For each node how far the goals are, if whoever chooses hurries and all others delay.

        Args:
            goals: The numbers of the nodes to be reached; the play ends there.
            chooses: For each node whether its choice is made to get to the goals; else it is made against it, and a
                node without edges is never left.

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

    def lengths(self, goals: Array, chooses: Array) -> Array:
        """See `Forcing`."""
        game = self._arena
        found: Array = np.full(game.nodes, NEVER)
        found[goals] = 0
        sign = np.where(chooses, 1, -1)
        bounds = self._layers.tolist()
        for begin, end in zip(bounds[-2::-1], bounds[:0:-1], strict=True):
            look()
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

    def lengths(self, goals: Array, chooses: Array) -> Array:
        """See `Forcing`."""
        found: Array = np.full(self._arena.nodes, NEVER)
        left = self._degree.copy()
        worst: Array = np.zeros(self._arena.nodes, np.int64)
        waiting: dict[int, list[Array]] = {0: [np.asarray(goals)]}
        queue = [0]

        def wait(length: int, nodes: Array) -> None:
            if not len(nodes):
                return
            if length not in waiting:
                waiting[length] = []
                heappush(queue, length)
            waiting[length].append(nodes)

        while queue:
            look()
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
