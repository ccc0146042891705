"""The costs of what leads to a goal in the delete relaxation: of conditions, and of events that bring them about."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from vclogic.model.actions import Event, Schema
from vclogic.terms.term import Term

_DECIDED = 12


def price(schema: Schema) -> int:
    """The cost of an event: much if somebody decides it, little if it only moves the game on, such as a turn."""
    return 1 if schema.routine else _DECIDED


class NodeKind(Enum):
    """The parts that a node takes."""

    ANY = "one part"
    ALL = "all parts"
    SUM = "parts that fill a number up"
    EVENT = "all parts, then the event"
    RISING = "an event that raises a number"


@dataclass(eq=False, slots=True)
class CostNode:
    """A condition, or an event that brings one about.

    Attributes:
        term: The condition, a Bool term; None for one that is only made of its parts.
        kind: What it takes.
        parts: What it is made of, each with what it adds to a sum and whether it can do so again and again; None: not
            yet looked at.
        number: Of a sum the number that has to become 0 at least; of an event what it raises a number by; of a rise
            the fluent.
        event: The event that brings it about.
        price: What the event costs.
    """

    term: Term | None = None
    kind: NodeKind = NodeKind.ANY
    parts: Sequence[Part] | None = None
    number: Term | None = None
    event: Event | None = None
    price: int = 0


Part = tuple[CostNode, int, bool]
"""A part of a node, what it adds to a sum, and whether it can do so again and again."""


class RelaxedCosts:
    """The cost of each node that events lead to, the cheapest first (Knuth's form of Dijkstra's algorithm).

    Args:
        nodes: The nodes, none of which holds.
        holds: Whether each node is known to hold.
        numbers: The value of the number of each node that has one.

    Attributes:
        paid: The cost of each node that events lead to.
        used: The parts that this rests on, each with how often.
    """

    def __init__(self, nodes: Iterable[CostNode], holds: Mapping[CostNode, bool], numbers: Mapping[CostNode, int]):
        self.paid: dict[CostNode, float] = {}
        self.used: dict[CostNode, list[tuple[CostNode, int]]] = {}
        self._nodes = list(nodes)
        self._place = {n: i for i, n in enumerate(self._nodes)}
        self._numbers = numbers
        self._left: dict[CostNode, int] = {}
        self._spent: dict[CostNode, float] = {}
        self._step: dict[CostNode, int] = {}
        self._parents: dict[CostNode, list[tuple[CostNode, int, bool]]] = {}
        self._heap: list[tuple[float, int, int]] = []
        for n in self._nodes:
            self._wait(n, holds)
        while self._heap:
            paid, _, i = heapq.heappop(self._heap)
            if self._nodes[i] not in self.paid:
                self.paid[self._nodes[i]] = paid
                self._pass_on(self._nodes[i])

    def _wait(self, n: CostNode, holds: Mapping[CostNode, bool]) -> None:
        """Let a node wait for its parts."""
        open_ = [part for part in n.parts or () if not holds.get(part[0], False)]
        for part, weight, again in open_:
            self._parents.setdefault(part, []).append((n, weight, again))
        if n.kind is NodeKind.SUM:
            self._left[n] = max(1, -self._numbers[n])
        elif n.kind in (NodeKind.ALL, NodeKind.EVENT):
            self._left[n] = len(open_)
        else:
            self._left[n] = 1 if len(open_) == len(n.parts or ()) else 0
        if not self._left[n]:
            self._ready(n)

    def _pass_on(self, n: CostNode) -> None:
        """Tell those that wait for a node that it is there."""
        for parent, weight, again in self._parents.get(n, ()):
            if self._left[parent] <= 0:
                continue
            times = step = 1
            if parent.kind is NodeKind.SUM:
                step = weight * self._step.get(n, 1)
                times = -(-self._left[parent] // step) if again else 1
            elif parent.kind in (NodeKind.ANY, NodeKind.RISING):
                self._step[parent] = self._step.get(n, 1)
            self._left[parent] -= step * times
            self._spent[parent] = self._spent.get(parent, 0) + self.paid[n] * times
            self.used.setdefault(parent, []).append((n, times))
            if self._left[parent] <= 0:
                self._ready(parent)

    def _ready(self, n: CostNode) -> None:
        """A node has all that it takes; of events at one cost the one that raises most comes first."""
        rise = max(1, self._numbers.get(n, 1)) if n.kind is NodeKind.EVENT else 0
        if rise:
            self._step[n] = rise
        heapq.heappush(self._heap, (self._spent.get(n, 0) + n.price, -rise, self._place[n]))
