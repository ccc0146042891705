"""Area maps: named regions, their connections, and straits that are open only on a condition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from vclogic.clock import look

if TYPE_CHECKING:
    import networkx


@dataclass(frozen=True)
class AreaMap:
    """Regions and which of them touch.

    Attributes:
        regions: Names.
        connections: Pairs of regions that touch.
    """

    regions: tuple[str, ...]
    connections: tuple[tuple[str, str], ...]

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[str, ...]]:
        """The regions that each region touches, in the order of the connections."""
        found: dict[str, dict[str, None]] = {r: {} for r in self.regions}
        for a, b in self.connections:
            found[a][b] = None
            found[b][a] = None
        return {r: tuple(n) for r, n in found.items()}

    def graph(self, regions: Iterable[str]) -> networkx.Graph[str]:
        """The part of the map that lies in `regions`, as an undirected graph."""
        import networkx

        graph: networkx.Graph[str] = networkx.Graph()
        graph.add_nodes_from(regions)
        graph.add_edges_from((a, b) for a, b in self.connections if a in graph and b in graph)
        return graph


Straits = frozenset[str]
"""Names of straits (canals) that must be open."""


def ways(
    graph: networkx.Graph[str], straits: Mapping[str, tuple[str, str]], start: str, moves: int
) -> dict[str, list[tuple[Straits, int]]]:
    """Which regions lie within some moves of a start, and what must be open for it.

    Args:
        graph: The regions that can be crossed.
        straits: For each strait the two regions whose connection it closes.
        start: The region to start from.
        moves: The most connections to cross.

    Returns:
        For each region within reach the smallest sets of straits that must be open, fewest first, each with the
        fewest moves; the empty set alone where it is always within reach.
    """
    from networkx import single_source_shortest_path_length

    look()
    near = set(single_source_shortest_path_length(graph, start, cutoff=moves))
    closed = graph.subgraph(near).copy()
    closed.remove_edges_from(edge for edge in straits.values() if closed.has_edge(*edge))
    usable = [s for s, edge in straits.items() if graph.has_edge(*edge) and near.issuperset(edge)]
    found: dict[str, list[tuple[Straits, int]]] = {}
    for opened in _subsets(usable):
        passage = closed.copy()
        passage.add_edges_from(straits[s] for s in opened)
        for region, away in single_source_shortest_path_length(passage, start, cutoff=moves).items():
            sets = found.setdefault(region, [])
            if not any(smaller <= opened for smaller, _ in sets):
                sets.append((opened, away))
    return found


def _subsets(names: list[str]) -> list[Straits]:
    subsets = [frozenset[str]()]
    for name in names:
        subsets += [s | {name} for s in subsets]
    return sorted(subsets, key=len)
