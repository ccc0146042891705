"""Boards as graphs, by networkx, which is imported where one of these functions is called: this is its only door."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from vclogic.board.area import Touching
from vclogic.clock import check_deadline

if TYPE_CHECKING:
    from networkx import DiGraph as DiGraph
    from networkx import Graph
    from networkx import MultiDiGraph as MultiDiGraph

Point = tuple[float, float]
Part = tuple[str, ...]
"""Places of a board, in its order."""
_MOST_SPRUNG = 500  # places that networkx lays out by springs; for more it would need SciPy


@dataclass(frozen=True)
class Movement:
    """The places that something can enter, and the ways between them, whoever holds them.

    Attributes:
        of: What moves, as after `for`, such as `ships` or `heavy cavalry`.
        neighbours: The places that each place touches, both ways.
        cost: What it costs to enter each place, as `cheapest_ways` takes it; left out: it cannot be entered.
        starts: For each side the places where what it has of this starts; left out: that is not said.
    """

    of: str
    neighbours: Mapping[str, Iterable[str]]
    cost: Mapping[str, int]
    starts: Mapping[str, Collection[str]] = field(default_factory=dict)

    @property
    def around(self) -> Touching:
        """The places that can be entered, each with those of them that it touches."""
        return {p: tuple(n for n in self.neighbours[p] if n in self.cost) for p in self.cost}

    def reached(self, side: str) -> set[str]:
        """The places that what a side has of this gets to, its starts included."""
        found = set(self.starts.get(side, ()))
        left = list(found)
        while left:
            near = [n for n in self.neighbours[left.pop()] if n in self.cost and n not in found]
            found.update(near)
            left += near
        return found


def joined(movements: Iterable[Movement]) -> Touching:
    """The places that any of some movements can enter, each with those that one of them leads to."""
    found: dict[str, dict[str, None]] = {}
    for movement in movements:
        for place, near in movement.around.items():
            found.setdefault(place, {}).update(dict.fromkeys(near))
    return {place: tuple(near) for place, near in found.items()}


def parts(around: Touching) -> list[Part]:
    """The parts of a board between which no way leads, largest first."""
    import networkx

    return _sorted(around, networkx.connected_components(_graph(around)))


def choke_points(around: Touching) -> Iterator[tuple[str, list[Part]]]:
    """The places through which every way between others leads, each with the parts that it joins, largest first."""
    import networkx

    graph = _graph(around)
    points = set(networkx.articulation_points(graph))
    for place in around:
        if place in points:
            check_deadline()
            rest = graph.subgraph(networkx.node_connected_component(graph, place) - {place})
            yield place, _sorted(around, networkx.connected_components(rest))


def way_graph(movements: Sequence[Movement], about: Mapping[str, Mapping[str, Any]]) -> DiGraph[str]:
    """A board as a graph: each place as a node, each way as an edge with its costs, the least one as its weight.

    Args:
        movements: What moves on it.
        about: Attributes of places.
    """
    import networkx

    found = networkx.DiGraph()
    for movement in movements:
        found.add_nodes_from((place, about.get(place, {})) for place in movement.neighbours)
        for place, near in movement.around.items():
            for other in near:
                if not found.has_edge(place, other):
                    found.add_edge(place, other, costs={})
                found.edges[place, other]["costs"][movement.of] = movement.cost[other]
    for _, _, way in found.edges(data=True):
        way["weight"] = min(way["costs"].values())
    return found


def event_graph(
    nodes: Iterable[tuple[Any, Mapping[str, Any]]], edges: Iterable[tuple[Any, Any, Mapping[str, Any]]]
) -> MultiDiGraph[Any]:
    """A graph in which several edges may lead from one node to another, with attributes of each."""
    import networkx

    found = networkx.MultiDiGraph()
    found.add_nodes_from(nodes)
    found.add_edges_from(edges)
    return found


def layout(number: int, links: Iterable[tuple[int, int]]) -> Sequence[Point]:
    """Places for what is numbered from 0: without crossing links, or where that cannot be, as springs would hold it.

    They are the same in every process, since the nodes are numbers, and sets of these have one order.

    Args:
        number: How many there are.
        links: Pairs that are to be near each other.

    Returns:
        The places; none in the page that runs in a browser, which has no networkx, or where there are too many.
    """
    try:
        import networkx
    except ImportError:
        return ()
    graph = networkx.empty_graph(number)
    graph.add_edges_from(links)
    planar, embedding = networkx.check_planarity(graph)
    if planar:
        at = networkx.combinatorial_embedding_to_pos(embedding)
    elif number < _MOST_SPRUNG:
        at = networkx.spring_layout(graph, scale=number, seed=0)
    else:
        return ()
    return [(float(x), float(y)) for x, y in (at[i] for i in range(number))]


def _graph(around: Touching) -> Graph[str]:
    import networkx

    return networkx.Graph({place: list(near) for place, near in around.items()})


def _sorted(around: Touching, found: Iterable[Iterable[str]]) -> list[Part]:
    """Sets of places, largest first, then in the order of the board."""
    at = {place: i for i, place in enumerate(around)}
    in_order = (tuple(sorted(part, key=at.__getitem__)) for part in found)
    return sorted(in_order, key=lambda part: (-len(part), at[part[0]]))
