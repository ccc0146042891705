"""Spread of control: the planning assumption over land borders and by sea.

The rule text says who controls what and what that is worth; it does not say how territory is taken. Here a power
takes an enemy territory that borders territory it starts from, or that lies within some sea moves of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from vclogic_encodings.axis_allies.board import Board

from vclogic.board.area import Straits, Touching, distances, ways
from vclogic.model.memoized import memoized
from vclogic.terms.build import all_of, and_, any_of
from vclogic.terms.term import Term

Held = Callable[[str], Term]
"""A test whether a territory is held by the power that captures from it."""
Owned = Callable[[str], bool]
"""The same in a known state."""


class Geography:
    """The territories that can be taken from each other.

    Attributes:
        board: The board.
        sea_range: The most sea moves between embarking and landing.
    """

    def __init__(self, board: Board, sea_range: int):
        self.board = board
        self.sea_range = sea_range

    @cached_property
    def by_land(self) -> Mapping[str, tuple[str, ...]]:
        """The ownable territories that each ownable territory borders."""
        ownable = set(self.board.land)
        around = self.board.map.neighbours
        return {t: tuple(u for u in around[t] if u in ownable) for t in self.board.land}

    @cached_property
    def by_sea(self) -> Mapping[str, Mapping[str, list[Straits]]]:
        """For each target where it can be invaded from by sea, nearest first, and the canals that must be open."""
        found = self.board.by_sea.get(self.sea_range)
        if found is None:
            found = {
                t: {s: sets for s, sets in self._sources(self.shores[t]).items() if s != t} for t in self.by_land
            }
            self.board.by_sea[self.sea_range] = found
        return found

    @cached_property
    def by_zone(self) -> Mapping[str, Mapping[str, list[Straits]]]:
        """For each sea zone beside land: where a landing from it can start, and the canals that must be open."""
        return {z: self._sources([z]) for z in dict.fromkeys(z for zones in self.shores.values() for z in zones)}

    @cached_property
    def shores(self) -> Mapping[str, tuple[str, ...]]:
        """The sea zones that each ownable territory touches."""
        zones = set(self.board.sea)
        around = self.board.map.neighbours
        return {t: tuple(z for z in around[t] if z in zones) for t in self.board.land}

    def _sources(self, landings: Iterable[str]) -> Mapping[str, list[Straits]]:
        passages = [(away, zone, way) for z in landings for zone, sets in self._near[z].items() for way, away in sets]
        sources: dict[str, list[Straits]] = {}
        for _, zone, straits in sorted(passages, key=lambda p: (p[0], len(p[2]))):
            for source in (t for t in self.board.map.neighbours[zone] if t in self.by_land):
                sources[source] = _smallest([*sources.get(source, []), straits])
        return sources

    @cached_property
    def _near(self) -> Mapping[str, Mapping[str, list[tuple[Straits, int]]]]:
        """The sea zones within reach of each, with the canals that must be open."""
        board = self.board
        waters = board.map.part(board.sea)
        canals = {name: c.zones for name, c in board.canals.items()}
        return {z: ways(waters, canals, z, self.sea_range) for z in board.sea}

    def reaches(self, target: str, held: Held, opens: Held) -> Term:
        """True if a territory can be taken from one that is held.

        Args:
            target: The territory to take.
            held: Whether a territory is held by the one who takes it.
            opens: Whether a territory is held by whoever the canals are open to.
        """
        return self._from_any({frozenset(): list(self.by_land[target])}, self.by_sea[target], held, opens)

    def lands(self, zone: str, held: Held, opens: Held) -> Term:
        """True if a landing from a sea zone can be made; see `reaches`."""
        return self._from_any({}, self.by_zone[zone], held, opens)

    def _from_any(
        self, by_straits: dict[Straits, list[str]], by_sea: Mapping[str, list[Straits]], held: Held, opens: Held
    ) -> Term:
        for source, sets in by_sea.items():
            for straits in sets:
                by_straits.setdefault(straits, []).append(source)
        found = []
        for straits, sources in by_straits.items():
            there = any_of(held(s) for s in dict.fromkeys(sources))
            found.append(and_(self._open(straits, opens), there) if straits else there)
        return found[0] if len(found) == 1 else any_of(found)

    def by_water(self, by_sea: Mapping[str, list[Straits]], own: Owned, opened: Owned) -> str:
        """A way by sea in words, from the first territory of one's own from which it is open.

        Args:
            by_sea: Where from, and the canals that must be open; an item of `by_sea` or `by_zone`.
            own: Whether it may start at a territory.
            opened: Whether a territory belongs to whoever the canals are open to.
        """
        for source, sets in by_sea.items():
            for straits in sets if own(source) else ():
                if all(opened(t) for s in straits for t in self.board.canals[s].land):
                    through = f" through the {' and the '.join(sorted(straits))}" if straits else ""
                    return f"by sea from {source}{through}"
        return "by sea"

    @cached_property
    def _air(self) -> Touching:
        return self.board.map.part(self.board.regions)

    @memoized
    def flights(self, region: str, moves: int) -> Mapping[str, int]:
        """The regions within some moves of an aircraft, and how many that takes; impassable ones are flown around."""
        return distances(self._air, region, moves)

    def _open(self, straits: Straits, opens: Held) -> Term:
        canals = self.board.canals
        return all_of(opens(t) for s in sorted(straits) for t in canals[s].land)


def _smallest(sets: list[Straits]) -> list[Straits]:
    """The inclusion-minimal sets."""
    ordered = sorted(set(sets), key=lambda s: (len(s), sorted(s)))
    return [s for i, s in enumerate(ordered) if not any(t <= s for t in ordered[:i])]
