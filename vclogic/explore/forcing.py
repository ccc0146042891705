"""Which positions of a game one side can force, and how fast: retrograde analysis over arrays."""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np

from vclogic.clock import look
from vclogic.explore.arena import LENGTHS, Arena, Array

NEVER = np.iinfo(np.int64).max


class Forcing:
    """Answers for one graph which nodes can be forced to lead to some others.

    Args:
        arena: The graph.
        usable: Which edges count; None: all.
        length: For each edge which of `LENGTHS` it has; None: as in the graph.
    """

    def __init__(self, arena: Arena, usable: Array | None = None, length: Array | None = None):
        self._arena = arena
        source, target = arena.source, arena.target
        length = arena.length if length is None else length
        if usable is not None:
            source, target, length = source[usable], target[usable], length[usable]
        order = np.argsort(target, kind="stable")
        self._source, self._length = source[order], length[order]
        self._first = np.concatenate([[0], np.cumsum(np.bincount(target, minlength=arena.nodes))])
        self._degree = np.bincount(source, minlength=arena.nodes)

    def lengths(self, goals: Array, chooses: Array) -> Array:
        """For each node how far the goals are, if whoever chooses hurries and all others delay.

        Args:
            goals: The numbers of the nodes to be reached.
            chooses: For each node whether its choice is made to get to the goals; else it is made against it, and a
                node without edges is never left.

        Returns:
            The sum of lengths; `NEVER` where the goals cannot be forced.
        """
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
            nodes = np.unique(nodes[found[nodes] == NEVER])
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
            against, times = np.unique(before[~helps], return_counts=True)
            left[against] -= times
            done = against[left[against] == 0]
            for total in np.unique(worst[done]).tolist():
                wait(total, done[worst[done] == total])
        return found
