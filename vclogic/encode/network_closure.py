"""Closures of a network: the reachable choices in an order, cheap ways to nodes, and loops."""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from vclogic.encode.network import ON, Network

Flags = bytearray
"""For each node 1 or 0."""


def flags(network: Network, nodes: Iterable[int]) -> Flags:
    """A set of nodes as one flag per node."""
    found = bytearray(network.size)
    for node in nodes:
        found[node] = 1
    return found


def founded(network: Network, allowed: Flags) -> dict[int, None]:
    """The closure under some allowed choices: the nodes that come on, in an order in which they do."""
    outputs, choices = network.outputs, network.choices.stop
    left = list(network.need)
    on: dict[int, None] = {ON: None}
    queue = [ON]
    for came in queue:
        for node, weight in outputs[came]:
            if node in on:
                continue
            if node < choices:
                if not allowed[node]:
                    continue
            else:
                left[node] -= weight
                if left[node] > 0:
                    continue
            on[node] = None
            queue.append(node)
    return on


@dataclass(frozen=True)
class CheapestWays:
    """A cheap way to turn on each node.

    Attributes:
        cost: Its cost; infinite if there is none.
        used: For each node with a way, the inputs that the way uses; for a choice, its condition.
    """

    cost: Sequence[float]
    used: Mapping[int, Sequence[int]]

    def to(self, node: int) -> set[int]:
        """The nodes on the way to a node, including that node."""
        seen, stack = {node}, [node]
        while stack:
            for before in self.used.get(stack.pop(), ()):
                if before not in seen:
                    seen.add(before)
                    stack.append(before)
        return seen


def ways(network: Network, prices: Sequence[float], allowed: Flags, *, add_up: bool) -> CheapestWays:
    """Cheap ways to all nodes, by Knuth's generalisation of Dijkstra's algorithm.

    Args:
        prices: The cost of each choice, by node, 0 or more.
        allowed: The choices that may be made.
        add_up: Whether a gate costs the sum of its inputs (the heuristic h-add, which overestimates where inputs
            share choices) or only the dearest one (h-max, which never overestimates).
    """
    outputs, choices = network.outputs, network.choices.stop
    left = list(network.need)
    cost = [math.inf] * network.size
    used: dict[int, list[int]] = {}
    sums = [0.0] * network.size
    done = bytearray(network.size)
    cost[ON] = 0.0
    heap = [(0.0, ON)]
    while heap:
        paid, node = heapq.heappop(heap)
        if done[node]:
            continue
        done[node] = 1
        for after, weight in outputs[node]:
            if done[after] or (left[after] <= 0 and after >= choices):
                continue
            used.setdefault(after, []).append(node)
            # A choice costs its price; any other node waits until enough of its inputs are there.
            if after < choices:
                if not allowed[after]:
                    continue
                price = paid + prices[after]
            else:
                left[after] -= weight
                sums[after] += paid
                if left[after] > 0:
                    continue
                price = sums[after] if add_up else paid
            cost[after] = price
            heapq.heappush(heap, (price, after))
    return CheapestWays(cost, used)


def loop(network: Network, inside: Flags, wanted: Collection[int]) -> list[int]:
    """The external support of a set of choices: those that can be made without any other choice of the set.

    Any plan that makes a choice of the set makes one of these first: the first choice of the set in its order needs
    no other (loop formulas: Lin and Zhao 2004; landmarks: Zhu and Givan 2003).

    Args:
        inside: Flags of the set; all choices outside it count as made.
        wanted: The same set without choices that are never made anyway.
    """
    conditions, stop = network.condition, network.choices.stop
    left: dict[int, int] = {}
    outputs: dict[int, list[tuple[int, int]]] = {}
    stack = [conditions[c] for c in wanted if conditions[c] >= stop]
    while stack:
        gate = stack.pop()
        if gate in left:
            continue
        left[gate] = network.need[gate]
        for node, weight in network.inputs[gate]:
            if node >= stop:
                outputs.setdefault(node, []).append((gate, weight))
                stack.append(node)
            elif not inside[node]:
                left[gate] -= weight
    # Choices outside the set count as made; only gates below the set are visited.
    stack = [gate for gate, missing in left.items() if missing <= 0]
    while stack:
        for gate, weight in outputs.pop(stack.pop(), ()):
            if left[gate] > 0:
                left[gate] -= weight
                if left[gate] <= 0:
                    stack.append(gate)

    def on(node: int) -> bool:
        return left[node] <= 0 if node >= stop else not inside[node]

    return [c for c in wanted if on(conditions[c])]
