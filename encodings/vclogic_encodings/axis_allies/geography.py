"""How control can spread: the planning assumption over land borders and by sea.

The rule text says who controls what and what that is worth; it does not say how territory is taken. Here a power
takes an enemy territory that borders territory it starts from, or that lies within some sea moves of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from vclogic_encodings.axis_allies.board import Board

from vclogic.board.area import Straits, ways
from vclogic.terms.build import all_of, and_, any_of
from vclogic.terms.term import Term

if TYPE_CHECKING:
    import networkx

Held = Callable[[str], Term]
"""Whether a territory is held by whoever wants to capture from it."""


class Geography:
    """Which territories can be taken from which.

    Attributes:
        board: The board.
        sea_range: The most sea moves between embarking and landing.
    """

    def __init__(self, board: Board, sea_range: int):
        self.board = board
        self.sea_range = sea_range
        self._flights: dict[tuple[str, int], Mapping[str, int]] = {}

    @cached_property
    def by_land(self) -> Mapping[str, tuple[str, ...]]:
        """The ownable territories that each ownable territory borders."""
        ownable = set(self.board.land)
        around = self.board.map.neighbours
        return {t: tuple(u for u in around[t] if u in ownable) for t in self.board.land}

    @cached_property
    def by_sea(self) -> Mapping[str, Mapping[str, list[Straits]]]:
        """For each target where it can be invaded from by sea, nearest first, and the canals that must be open."""
        board = self.board
        zones = set(board.sea)
        around = board.map.neighbours
        graph = board.map.graph(board.sea)
        canals = {name: c.zones for name, c in board.canals.items()}
        near = {z: ways(graph, canals, z, self.sea_range) for z in board.sea}
        found: dict[str, dict[str, list[Straits]]] = {}
        for target in board.land:
            landings = [z for z in around[target] if z in zones]
            passages = [(away, zone, way) for z in landings for zone, sets in near[z].items() for way, away in sets]
            sources: dict[str, list[Straits]] = {}
            for _, zone, straits in sorted(passages, key=lambda p: (p[0], len(p[2]))):
                for source in (t for t in around[zone] if t in self.by_land and t != target):
                    sources[source] = _smallest([*sources.get(source, []), straits])
            found[target] = sources
        return found

    def reaches(self, target: str, held: Held, opens: Held) -> Term:
        """Whether a territory can be taken from one that is held.

        Args:
            target: The territory to take.
            held: Whether a territory is held by the one who takes it.
            opens: Whether a territory is held by whoever the canals are open to.
        """
        by_straits: dict[Straits, list[str]] = {frozenset(): list(self.by_land[target])}
        for source, sets in self.by_sea[target].items():
            for straits in sets:
                by_straits.setdefault(straits, []).append(source)
        return any_of(
            and_(self._open(straits, opens), any_of(held(s) for s in dict.fromkeys(sources)))
            for straits, sources in by_straits.items()
        )

    @cached_property
    def _air(self) -> networkx.Graph[str]:
        return self.board.map.graph(self.board.regions)

    def flights(self, region: str, moves: int) -> Mapping[str, int]:
        """The regions within some moves of an aircraft, and how many that takes; impassable ones are flown around."""
        from networkx import single_source_shortest_path_length

        key = region, moves
        if key not in self._flights:
            self._flights[key] = single_source_shortest_path_length(self._air, region, cutoff=moves)
        return self._flights[key]

    def _open(self, straits: Straits, opens: Held) -> Term:
        canals = self.board.canals
        return all_of(opens(t) for s in sorted(straits) for t in canals[s].land)


def _smallest(sets: list[Straits]) -> list[Straits]:
    """The sets that contain no other."""
    ordered = sorted(set(sets), key=lambda s: (len(s), sorted(s)))
    return [s for i, s in enumerate(ordered) if not any(t <= s for t in ordered[:i])]
