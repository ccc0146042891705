"""Area maps: named regions, their connections, and straits that are open only on a condition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from vclogic.clock import check_deadline

Touching = Mapping[str, tuple[str, ...]]
"""The regions that each region touches."""


@dataclass(frozen=True)
class AreaMap:
    """An area map: regions and their connections.

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

    def part(self, regions: Iterable[str]) -> Touching:
        """The neighbours of each region, restricted to `regions`."""
        inside = dict.fromkeys(regions)
        return {r: tuple(n for n in self.neighbours[r] if n in inside) for r in inside}


def distances(around: Touching, start: str, moves: int) -> dict[str, int]:
    """The regions within a number of moves, nearest first, with the moves each takes."""
    found = {start: 0}
    edge = [start]
    for away in range(1, moves + 1):
        edge = list(dict.fromkeys(n for r in edge for n in around[r] if n not in found))
        if not edge:
            break
        found |= dict.fromkeys(edge, away)
    return found


Straits = frozenset[str]
"""Names of straits (canals) that must be open."""


def ways(
    around: Touching, straits: Mapping[str, tuple[str, str]], start: str, moves: int
) -> dict[str, list[tuple[Straits, int]]]:
    """The regions within a number of moves of a start, each with the straits that must be open.

    Args:
        around: The regions that can be crossed, and which of them touch.
        straits: For each strait the two regions whose connection it closes.
        start: The region to start from.
        moves: The most connections to cross.

    Returns:
        For each region within reach the smallest sets of straits that must be open, fewest first, each with the
        fewest moves; the empty set alone where it is always within reach.
    """
    check_deadline()
    near = distances(around, start, moves)
    usable = [s for s, (a, b) in straits.items() if a in near and b in near and b in around[a]]
    found: dict[str, list[tuple[Straits, int]]] = {}
    for opened in _subsets(usable):
        passages = {frozenset(straits[s]) for s in opened}
        shut = {frozenset(edge) for edge in straits.values()} - passages
        open_ = (
            {r: tuple(n for n in touched if {r, n} not in shut) for r, touched in around.items()} if shut else around
        )
        for region, away in distances(open_, start, moves).items():
            sets = found.setdefault(region, [])
            if not any(smaller <= opened for smaller, _ in sets):
                sets.append((opened, away))
    return found


def _subsets(names: list[str]) -> list[Straits]:
    subsets = [frozenset[str]()]
    for name in names:
        subsets += [s | {name} for s in subsets]
    return sorted(subsets, key=len)
