"""A monotone network of threshold gates: which choices become possible after which others.

Making a choice never turns anything off. A condition becomes a gate that is on once the weight of its inputs that are
on reaches its threshold, and stays on. Whatever some choices lead to is therefore a closure, computed by counting; no
order of choices is encoded.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from vclogic.clock import OFTEN, check_deadline
from vclogic.encode.linear.affine import Unsupported
from vclogic.terms.reach import Graph
from vclogic.terms.term import Op, T, Term, Walk, each, run_walk

Flags = bytearray
"""For each node 1 or 0."""


# ---- closures of a network: the reachable choices in an order, cheap ways to nodes, and loops


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


Sum = tuple[int, list[tuple[int, int]]]
"""A number at least: a constant, and nodes each with what it adds once it is on (more than 0)."""
Levels = Sequence[tuple[int, Sequence[int]]]
"""The possible gains of a number, least first: an amount, and the choices any of which brings at least it."""
ON, OFF = 0, 1
"""The nodes that are always on, and never."""
_LARGEST = 20_000  # gates for one graph of which something must not be reached


class Network:
    """Threshold gates over choices.

    A node is a number: `ON`, `OFF`, then the choices, then the gates.

    Args:
        choices: The number of choices; the first is node 2.

    Attributes:
        size: The number of nodes.
        need: The threshold of each gate; meaningless for choices and constants.
        inputs: The inputs of each node, with weights.
        condition: For each choice, by its node, the node that must be on before it is made.
    """

    def __init__(self, choices: int):
        self.choices = range(2, 2 + choices)
        self.need = [0] * (2 + choices)
        self.inputs: list[Sequence[tuple[int, int]]] = [()] * (2 + choices)
        self.condition: dict[int, int] = dict.fromkeys(self.choices, ON)
        self._made: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.need)

    def gate(self, need: int, inputs: Iterable[tuple[int, int]]) -> int:
        """A node that is on once the total weight of its inputs that are on reaches a threshold.

        Args:
            need: The threshold.
            inputs: Nodes with their weights, each more than 0.
        """
        weights: dict[int, int] = {}
        for node, weight in inputs:
            if node == ON:
                need -= weight
            elif node != OFF:
                weights[node] = weights.get(node, 0) + weight
        if need <= 0:
            return ON
        if sum(weights.values()) < need:
            return OFF
        if len(weights) == 1:
            return next(iter(weights))
        key = need, tuple(sorted((node, min(weight, need)) for node, weight in weights.items()))
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = self._new(*key)
        return found

    def any_of(self, nodes: Iterable[int]) -> int:
        """The disjunction of some nodes."""
        return self.gate(1, ((node, 1) for node in dict.fromkeys(nodes)))

    def all_of(self, nodes: Iterable[int]) -> int:
        """The conjunction of some nodes."""
        distinct = dict.fromkeys(nodes)
        return self.gate(len(distinct), ((node, 1) for node in distinct))

    def _new(self, need: int, inputs: Sequence[tuple[int, int]]) -> int:
        self.__dict__.pop("outputs", None)
        self.need.append(need)
        self.inputs.append(inputs)
        return self.size - 1

    def open_gate(self) -> int:
        """A gate whose inputs are given later by `close`, for cycles."""
        return self._new(1, ())

    def close(self, gate: int, nodes: Iterable[int]) -> None:
        """Make an open gate the disjunction of some nodes."""
        self.inputs[gate] = [(node, 1) for node in dict.fromkeys(nodes) if node != OFF]

    @cached_property
    def outputs(self) -> list[list[tuple[int, int]]]:
        """For each node, the gates and choices of which it is an input, with weights (1 for choices).

        Call it only once the network is complete.
        """
        found: list[list[tuple[int, int]]] = [[] for _ in range(self.size)]
        for gate in range(self.choices.stop, self.size):
            for node, weight in self.inputs[gate]:
                found[node].append((gate, weight))
        for choice, node in self.condition.items():
            found[node].append((choice, 1))
        return found


class NetworkWriter:
    """Encodes terms as nodes of a network.

    Args:
        network: The network.
        atom: For an atom (a membership test or a Bool variable) and a polarity, the choices each of which makes it
            true (or false); True if it is so from the start, False if no choice makes it so.
        number: The choices that raise, or lower, an Int variable, and by how much.
    """

    def __init__(
        self,
        network: Network,
        atom: Callable[[Term, bool], Sequence[int] | bool],
        number: Callable[[Term, bool], Levels],
    ):
        self._network = network
        self._atom = atom
        self._number = number
        self._made: dict[tuple[Any, ...], Any] = {}
        self._losses: dict[tuple[Any, ...], frozenset[Term]] = {}
        self._lost: set[Term] = set()

    def node(self, t: Term, positive: bool = True) -> int:
        """The node that is on once a Bool term can be true (or false, if not `positive`).

        Raises:
            Unsupported: Part of the term cannot be encoded.
        """
        return run_walk(self._node(t, positive))

    def _node(self, t: Term, positive: bool = True) -> Walk[int]:
        return self._once((t, positive), self._of(t, positive))

    def _once(self, key: tuple[Any, ...], making: Walk[T]) -> Walk[T]:
        """Make something for a part of a term once, with the variables whose change can falsify that part."""
        if key not in self._made:
            if not len(self._made) & OFTEN:
                check_deadline()
            outside, self._lost = self._lost, set()
            self._made[key] = yield making
            self._losses[key], self._lost = frozenset(self._lost), outside
        self._lost |= self._losses[key]
        found: T = self._made[key]
        return found

    def losses(self, t: Term) -> frozenset[Term]:
        """The variables whose change can falsify a Bool term that was encoded."""
        return self._losses[t, True]

    def may_end(self, variable: Term) -> None:
        """Record, while an atom or number is encoded, that a change of this variable can falsify the term."""
        self._lost.add(variable)

    def _of(self, t: Term, positive: bool) -> Walk[int]:
        network = self._network
        node: int
        match t.op:
            case Op.CONST:
                node = ON if bool(t.payload) is positive else OFF
            case Op.NOT:
                node = yield self._node(t.args[0], not positive)
            case Op.AND | Op.OR:
                nodes = yield each(self._node(a, positive) for a in t.args)
                node = network.all_of(nodes) if (t.op is Op.AND) is positive else network.any_of(nodes)
            case Op.ITE:
                condition, then, otherwise = t.args
                node = yield self._either(condition, self._node(then, positive), self._node(otherwise, positive))
            case Op.GE:
                node = yield self._at_least(t.args[0], t.payload if positive else 1 - t.payload, positive)
            case Op.IN | Op.VAR:
                found = self._atom(t, positive)
                node = network.any_of(found) if not isinstance(found, bool) else ON if found else OFF
            case Op.REACH:
                fix, place = t.args[0], t.payload
                node = (yield self._once((fix, positive), self._reached(fix, positive)))[place]
            case _:
                raise Unsupported(f"the operator {t.op.value!r} of {t.sort} terms")
        return node

    def _either(self, condition: Term, then: Walk[int], otherwise: Walk[int]) -> Walk[int]:
        """The node of a choice between two, of which each is made for its branch."""
        yes = yield each((self._node(condition), then))
        no = yield each((self._node(condition, False), otherwise))
        return self._network.any_of([self._network.all_of(yes), self._network.all_of(no)])

    def _at_least(self, number: Term, least: int, up: bool) -> Walk[int]:
        """The node that is on once a number (or its negation) is at least `least`."""
        return self._once((number, least, up), self._bounded(number, least, up))

    def _bounded(self, number: Term, least: int, up: bool) -> Walk[int]:
        node: int
        if number.op is Op.DIV:
            k = number.payload
            node = yield self._at_least(number.args[0], least * k if up else 1 - k + least * k, up)
        elif number.op is Op.ITE:
            condition, *branches = number.args
            node = yield self._either(condition, *(self._at_least(branch, least, up) for branch in branches))
        else:
            constant, weights = yield self._sum(number, up)
            node = self._network.gate(least - constant, ((node, weight) for weight, node in weights))
        return node

    def _sum(self, t: Term, up: bool) -> Walk[Sum]:
        """A number (or its negation) as its least value and the nodes that add to it."""
        sign = 1 if up else -1
        if t.is_bool:
            node = yield self._node(t, up)
            return (0, [(1, node)]) if up else (-1, [(1, node)])
        match t.op:
            case Op.CONST:
                return sign * t.lo, []
            case Op.LIN:
                ks, constant = t.payload
                least, weights = sign * constant, []
                for k, a in zip(ks, t.args, strict=True):
                    start, more = yield self._sum(a, up is (k > 0))
                    least += abs(k) * start
                    weights += [(abs(k) * weight, node) for weight, node in more]
                return least, weights
            case Op.VAR:
                (start, _), *levels = self._number(t, up)
                weights, before = [], start
                for amount, choices in levels:
                    weights.append((amount - before, self._network.any_of(choices)))
                    before = amount
                return start, weights
        found: Sum = yield self._between(t, up)
        return found

    def _between(self, t: Term, up: bool) -> Walk[Sum]:
        """Any other number, in unary: one node for each unit above its least value."""
        least, most = (t.lo, t.hi) if up else (-t.hi, -t.lo)
        if most - least > _LARGEST:
            raise Unsupported(f"a number of {t.op.value!r} between {t.lo} and {t.hi}")
        nodes = yield each(self._at_least(t, n, up) for n in range(least + 1, most + 1))
        return least, [(1, node) for node in nodes]

    def _reached(self, fix: Term, positive: bool) -> Walk[Sequence[int]]:
        """For each node of a graph, the network node that is on once it is reached; or once it can be unreached."""
        graph: Graph[object] = fix.payload
        half = len(graph.nodes)
        if not positive and half * half > _LARGEST:
            raise Unsupported(f"a graph of {half} places, some of which must not be reached")
        sources = yield each(self._node(a, positive) for a in fix.args[:half])
        free = yield each(self._node(a, positive) for a in fix.args[half:])
        return self._flooded(graph, sources, free) if positive else self._cut_off(graph, sources, free)

    def _flooded(self, graph: Graph[object], sources: Sequence[int], free: Sequence[int]) -> Sequence[int]:
        gates = [self._network.open_gate() for _ in graph.nodes]
        for i, gate in enumerate(gates):
            entered = self._network.open_gate()
            self._network.close(entered, [gates[j] for j in graph.predecessors[i]])
            self._network.close(gate, [sources[i], self._network.all_of([free[i], entered])])
        return gates

    def _cut_off(self, graph: Graph[object], none: Sequence[int], shut: Sequence[int]) -> Sequence[int]:
        """Unreachability in rounds: not reached within n steps, for each n; so the gates have no cycle."""
        places, gates = range(len(graph.nodes)), none
        for _ in places:
            away = [self._network.all_of([gates[j] for j in graph.predecessors[i]]) for i in places]
            gates = [self._network.all_of([none[i], self._network.any_of([shut[i], away[i]])]) for i in places]
        return gates
