"""Reachability on a graph as a term: the least fixpoint that lines of communication and front lines need."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Op, Term, intern_term

N = TypeVar("N", bound=Hashable)
_KEPT = 64  # closures of a graph


@dataclass(frozen=True)
class Graph(Generic[N]):
    """A directed graph with a fixed order of nodes. For an undirected one give each edge both ways.

    Attributes:
        nodes: The nodes.
        edges: Pairs (from, to) of nodes.
    """

    nodes: tuple[N, ...]
    edges: tuple[tuple[N, N], ...]

    @staticmethod
    def undirected(nodes: Iterable[N], edges: Iterable[tuple[N, N]]) -> Graph[N]:
        """A graph that holds each given edge in both directions."""
        pairs = dict.fromkeys(e for a, b in edges for e in ((a, b), (b, a)))
        return Graph(tuple(nodes), tuple(pairs))

    @cached_property
    def index(self) -> dict[N, int]:
        """Number of each node."""
        return {n: i for i, n in enumerate(self.nodes)}

    @cached_property
    def successors(self) -> tuple[tuple[int, ...], ...]:
        """Numbers of the nodes that each node leads to."""
        out: list[list[int]] = [[] for _ in self.nodes]
        for a, b in self.edges:
            out[self.index[a]].append(self.index[b])
        return tuple(tuple(x) for x in out)

    @cached_property
    def predecessors(self) -> tuple[tuple[int, ...], ...]:
        """Numbers of the nodes that lead to each node."""
        out: list[list[int]] = [[] for _ in self.nodes]
        for a, b in self.edges:
            out[self.index[b]].append(self.index[a])
        return tuple(tuple(x) for x in out)

    @cached_property
    def _hash(self) -> int:
        return hash((self.nodes, self.edges))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return Graph, (self.nodes, self.edges)  # not the hash: another process hashes strings another way

    @cached_property
    def _known(self) -> dict[tuple[tuple[int, ...], bytes], bytes]:
        return {}

    def closure(self, sources: Iterable[int], passable: Iterable[bool]) -> bytes:
        """The reached nodes, one byte per node: the sources, and every passable node that a reached node leads to.

        Recent results are cached: consecutive states mostly have the same sources and passable nodes.
        """
        key = tuple(sources), bytes(map(bool, passable))
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _KEPT:
                self._known.clear()
            found = self._known[key] = self._reached(*key)
        return found

    def _reached(self, sources: Iterable[int], free: bytes) -> bytes:
        reached = bytearray(len(self.nodes))
        stack = list(sources)
        for s in stack:
            reached[s] = 1
        while stack:
            for v in self.successors[stack.pop()]:
                if free[v] and not reached[v]:
                    reached[v] = 1
                    stack.append(v)
        return bytes(reached)


def reach(graph: Graph[N], sources: Mapping[N, Term], passable: Mapping[N, Term]) -> dict[N, Term]:
    """For each node a Bool term: whether it is reached.

    A node is reached if it is a source (passable or not), or if it is passable and an edge leads to it from a
    reached node. Nodes missing from `sources` are none; nodes missing from `passable` are impassable.

    Raises:
        KeyError: A node that the graph does not have. TypeError: a term that is not Bool.
    """
    for name in [*sources, *passable]:
        graph.index[name]
    src = tuple(sources.get(n, FALSE) for n in graph.nodes)
    free = tuple(passable.get(n, FALSE) for n in graph.nodes)
    return dict(zip(graph.nodes, fixpoint(graph, src, free), strict=True))


def fixpoint(graph: Graph[N], src: tuple[Term, ...], free: tuple[Term, ...]) -> tuple[Term, ...]:
    """`reach` with terms in the order of the graph's nodes."""
    for t in (*src, *free):
        if not t.is_bool:
            raise TypeError(f"{t} is {t.sort}, not Bool")
    # What is certain, and what is possible, whatever the variables are: the rest is for the solver.
    surely = graph.closure([i for i, t in enumerate(src) if t is TRUE], [t is TRUE for t in free])
    maybe = graph.closure([i for i, t in enumerate(src) if t is not FALSE], [t is not FALSE for t in free])
    src = tuple(TRUE if sure else s for s, sure in zip(src, surely, strict=True))
    fix = intern_term(Op.FIX, src + free, graph, BOOL, 0, 1)
    return tuple(
        TRUE if surely[i] else FALSE if not maybe[i] else intern_term(Op.REACH, (fix,), i, BOOL, 0, 1)
        for i in range(len(graph.nodes))
    )
