"""What captures on a large board can come to, by brute force: all sets of territories that a side can take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from tests.oracles.objectives import NOTHING, Names, Plans, least
from tests.oracles.wide_captures import Wide


@dataclass(frozen=True)
class Conquest:
    """What a side can take, and for what.

    Attributes:
        wide: The board, with its lands as bits.
        held: The lands that the side controls at the start.
        met: Whether it has what it wants, given its lands.
        within: The most captures.
    """

    wide: Wide
    held: int
    met: Callable[[int], bool]
    within: int

    @staticmethod
    def points(wide: Wide, owned: dict[str, str], side: str, least_points: int, within: int) -> Conquest:
        """A side wants so many victory city points.

        Args:
            wide: The board.
            owned: The owner of each land.
            side: The side.
            least_points: The points.
            within: The most captures.
        """
        world = wide.world
        cities = [(wide.bit[t], n) for t, n in world.points.items() if n]
        held = wide.lands(t for t, power in owned.items() if world.side_of[power] == side)
        return Conquest(wide, held, lambda mine: sum(n for t, n in cities if mine & t) >= least_points, within)

    @cached_property
    def cities(self) -> int:
        """The lands with a city that the side does not have at the start."""
        return self.wide.lands(t for t, n in self.wide.world.points.items() if n) & ~self.held

    def targets(self, mine: int) -> Iterator[int]:
        """The lands that can be taken next."""
        banks = (self.wide.lands(land) for _, land in self.wide.world.canals)
        opened = sum(1 << i for i, land in enumerate(banks) if not land & ~mine)
        return (land for land, _, _ in self.wide._targets(mine, opened))

    def ends(self, layers: list[set[int]]) -> Iterator[int]:
        """What the side can have when it has what it wants.

        Args:
            layers: What it may have after so many captures at least, by their number; it goes on from there.
        """
        now: set[int] = set()
        for n in range(self.within + 1):
            now = {mine | t for mine in now for t in self.targets(mine)} | (layers[n] if n < len(layers) else set())
            yield from (mine for mine in now if self.met(mine))

    def plans(self) -> Plans:
        """All plans: lands are the objectives, those with a city the main ones; what is first is left open."""
        names = self.wide.names
        costs = {
            (frozenset(names(e & ~self.held)), NOTHING): (e & ~self.held).bit_count()
            for e in self.ends([{self.held}])
        }
        new = frozenset(names(sum(self.wide.bit.values()) & ~self.held))
        main = frozenset(names(self.cities))
        return Plans(costs, new, main, min(costs.values(), default=None))

    def first(self, city: str) -> int | None:
        """The fewest captures within the limit that take a city before any other."""
        layers: list[set[int]] = [set()]
        now = {self.held}
        for _ in range(self.within):
            layers.append({mine | t for mine in now for t in self.targets(mine) if t == self.wide.bit[city]})
            now = {mine | t for mine in now for t in self.targets(mine) if not t & self.cities}
        return min(((e & ~self.held).bit_count() for e in self.ends(layers)), default=None)


@dataclass
class Reach:
    """Whether a side can have so many points, from any lands.

    Attributes:
        conquest: What the side can take.
        points: The points of each city, by its bit.
        need: The points that it wants.
    """

    conquest: Conquest
    points: dict[int, int]
    need: int
    _known: dict[tuple[int, int], bool] = field(default_factory=dict)

    def can(self, mine: int, within: int) -> bool:
        """Whether it can from some lands, within so many captures: those of most points are tried first."""
        have = sum(n for city, n in self.points.items() if mine & city)
        if have >= self.need:
            return True
        if have + within * max(self.points.values()) < self.need:
            return False
        if (mine, within) not in self._known:
            targets = sorted(self.conquest.targets(mine), key=lambda t: -self.points.get(t, 0))
            self._known[mine, within] = any(self.can(mine | t, within - 1) for t in targets)
        return self._known[mine, within]


def dual(sets: Iterable[Names]) -> frozenset[Names]:
    """The smallest sets that have something in common with each of some sets, one set after the other (Berge)."""
    found = frozenset({NOTHING})
    for some in sorted(sets, key=sorted):
        missed = {d for d in found if not d & some}
        found = least((found - missed) | {d | {name} for d in missed for name in some})
    return found
