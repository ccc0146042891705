"""Captures on a map of areas, in plain Python: what each area can be taken from, and whether captures can be played.

An area can be taken from a neighbour that is held, or from a held coast within some sea moves of one of its own;
passages between two sea zones may be open only while some areas are held. What is held is never lost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple


class Way(NamedTuple):
    """One way to take an area.

    Attributes:
        needs: Free areas that must all be held.
        sources: Free areas of which one must be held; None: one is held from the start.
    """

    needs: tuple[int, ...]
    sources: tuple[int, ...] | None


class Captures:
    """A question about captures: the fewest that bring some areas' values to a sum.

    Args:
        instance: As `instances.captures` writes it.

    Attributes:
        free: The areas that can be taken.
        value: What each free area counts.
        need: What the areas that are taken must come to.
    """

    def __init__(self, instance: Mapping[str, Any]):
        self._instance = instance
        self._held = frozenset(instance["held"])
        weights = instance["weights"]
        self.free = [area for area in instance["land"] if area not in self._held]
        self.value = [weights.get(area, 0) for area in self.free]
        self.need = instance["least"] - sum(weights.get(area, 0) for area in self._held)

    @cached_property
    def ways(self) -> list[list[Way] | None]:
        """The ways to take each free area, none of which asks for more than another one; None: at once."""
        number = {area: i for i, area in enumerate(self.free)}
        return [self._ways(number, by_needs) for by_needs in self._sources()]

    def _ways(
        self, number: Mapping[str, int], by_needs: Mapping[frozenset[str], Collection[str]]
    ) -> list[Way] | None:
        found: list[Way] = []
        always = by_needs.get(frozenset(), ())
        for needs, sources in by_needs.items():
            open_ = [s for s in sources if not needs or s not in always]
            at_once = any(s in self._held for s in open_)
            if not open_:
                continue
            if at_once and not needs:
                return None
            places = tuple(number[s] for s in open_ if s not in self._held)
            found.append(Way(tuple(sorted(number[t] for t in needs)), None if at_once else places))
        return found

    def _sources(self) -> list[dict[frozenset[str], dict[str, None]]]:
        """For each free area, where it can be taken from, by what must be held for it (beside what is held)."""
        instance = self._instance
        land, sea = set(instance["land"]), set(instance["sea"])
        near: dict[str, list[str]] = {area: [] for area in (*instance["land"], *instance["sea"])}
        for a, b in instance["connections"]:
            if a in near and b in near:
                near[a].append(b)
                near[b].append(a)
        gates: dict[frozenset[str], list[frozenset[str]]] = {}
        for canal in instance["canals"]:
            gates.setdefault(frozenset(canal["zones"]), []).append(frozenset(canal["land"]))
        found = []
        for area in self.free:
            by_needs: dict[frozenset[str], dict[str, None]] = {frozenset(): {}}
            by_needs[frozenset()].update(dict.fromkeys(u for u in near[area] if u in land))
            for zone, needs in _sailed([z for z in near[area] if z in sea], near, sea, gates, instance["sea_range"]):
                missing = needs - self._held
                if area not in missing:
                    shores = (u for u in near[zone] if u in land and u != area)
                    by_needs.setdefault(missing, {}).update(dict.fromkeys(shores))
            found.append(by_needs)
        return found

    def played(self, taken: Iterable[int]) -> bool:
        """Whether some free areas can be taken in some order, so that the sum is reached."""
        waiting, held = set(taken), set[int]()
        if sum(self.value[i] for i in waiting) < self.need:
            return False
        while waiting:
            now = {i for i in waiting if self.can_take(i, held)}
            if not now:
                return False
            held |= now
            waiting -= now
        return True

    def can_take(self, area: int, held: Collection[int]) -> bool:
        """Whether a free area can be taken when some others are held."""
        ways = self.ways[area]
        return ways is None or any(
            all(i in held for i in way.needs) and (way.sources is None or any(i in held for i in way.sources))
            for way in ways
        )

    @cached_property
    def soonest(self) -> list[int | None]:
        """The fewest rounds in which each area is taken if all that can be is taken in each; None: never."""
        found: list[int | None] = [None] * len(self.free)
        users: list[list[int]] = [[] for _ in self.free]
        for i, ways in enumerate(self.ways):
            for way in ways or ():
                for j in (*way.needs, *(way.sources or ())):
                    users[j].append(i)
        held: set[int] = set()
        edge = {i for i in range(len(self.free)) if self.can_take(i, held)}
        rounds = 0
        while edge:
            rounds += 1
            for i in edge:
                found[i] = rounds
            held |= edge
            touched = {j for i in edge for j in users[i] if found[j] is None}
            edge = {j for j in touched if self.can_take(j, held)}
        return found

    @property
    def supports(self) -> list[list[tuple[int, ...]] | None]:
        """For each free area the sets of others that let it be taken; None: it can be at once."""
        found: list[list[tuple[int, ...]] | None] = []
        for ways in self.ways:
            if ways is None:
                found.append(None)
                continue
            sets = dict.fromkeys(
                tuple(sorted({*way.needs, *source}))
                for way in ways
                for source in ([()] if way.sources is None else [(s,) for s in way.sources])
            )
            found.append(list(sets))
        return found


def _sailed(
    landings: Iterable[str],
    near: Mapping[str, list[str]],
    sea: Collection[str],
    gates: Mapping[frozenset[str], list[frozenset[str]]],
    most: int,
) -> Iterable[tuple[str, frozenset[str]]]:
    """The sea zones within some moves of landings, with the areas that must be held on the way."""
    seen = dict.fromkeys((zone, frozenset[str]()) for zone in landings)
    edge = list(seen)
    for _ in range(most):
        following = dict.fromkeys(
            (beyond, needs | areas)
            for zone, needs in edge
            for beyond in near[zone]
            if beyond in sea
            for areas in gates.get(frozenset((zone, beyond)), (frozenset[str](),))
        )
        edge = [place for place in following if place not in seen]
        seen |= dict.fromkeys(edge)
    return seen
