"""Fire: whose it is, what it makes unenterable, and who controls what because of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from vclogic_encodings.asl.geometry import GROUND, hex_of, level_of
from vclogic_encodings.asl.names import ACCIDENT, BLAZE, NO_FIRE
from vclogic_encodings.asl.state import LOCATION, Fluents

from vclogic.model.memoized import once
from vclogic.model.view import View
from vclogic.terms.atoms import FALSE, boolean, integer, member
from vclogic.terms.build import all_of, and_, any_of, count, eq, gt, ite, not_, or_, scale
from vclogic.terms.reach import Graph, reach
from vclogic.terms.term import Term

RUBBLE = "rubble"


@once
def fires_of(now: View, f: Fluents) -> Fires:
    """The fires of a board; made once for a view, which is the same as long as nothing burns otherwise."""
    return Fires(f, now)


class Fires:
    """Fires of a board, as terms over the fluents.

    Args:
        f: The fluents.
        now: How they are read.
        out: A Location whose Fire is thought away.
    """

    def __init__(self, f: Fluents, now: View, out: str | None = None):
        self.f = f
        self.now = now
        self._out = out
        self.g = f.geometry
        self._open: dict[tuple[str, frozenset[str]], Mapping[str, Term]] = {}

    # ---- whose fire it is

    def burns(self, location: str) -> Term:
        """Whether there is Fire in a Location."""
        return not_(self._is(location, NO_FIRE))

    def _blazes(self, location: str) -> Term:
        return self._is(location, BLAZE)

    def _is(self, location: str, state: str) -> Term:
        """Whether the Fire in a Location is in a state."""
        return boolean(state == NO_FIRE) if location == self._out else eq(self.now(self.f.fire[location]), state)

    def without(self, location: str) -> Fires:
        """The same with the Fire in a Location thought away."""
        return Fires(self.f, self.now, location)

    @cached_property
    def _hexes(self) -> tuple[str, ...]:
        """The hexes that can burn."""
        return tuple(dict.fromkeys(hex_of(x) for x in self.f.board.flammable))

    @cached_property
    def _burning(self) -> Mapping[str, Term]:
        return {h: any_of(self.burns(x) for x in self.g.of_hex[h]) for h in self._hexes}

    @cached_property
    def _chains(self) -> Mapping[str, Mapping[str, Term]]:
        """For each cause of fire the hexes of chains in which there is Fire of that cause."""
        near = [(h, n) for h in self._hexes for n in self.g.neighbours[h] if n in self._burning]
        graph = Graph.undirected(self._hexes, near)
        found = {}
        for cause in self.f.causes.sort.members:
            started: dict[str, list[Term]] = {h: [] for h in self._hexes}
            for x in self.f.board.flammable:
                started[hex_of(x)].append(and_(self.burns(x), eq(self.now(self.f.cause[x]), cause)))
            found[cause] = reach(graph, {h: any_of(t) for h, t in started.items()}, self._burning)
        return found

    @once
    def deliberate(self, side: str, location: str) -> Term:
        """Whether the Fire in a Location is considered deliberately started by a side."""
        h = hex_of(location)
        if h not in self._hexes:
            return FALSE
        ours, theirs = self._chains[side][h], self._chains[self.f.board.enemy(side)][h]
        return and_(self.burns(location), ours, not_(theirs))

    def accidental(self, location: str) -> Term:
        """Whether the Fire in a Location is considered accidentally started."""
        sides = self.f.board.sides
        return and_(self.burns(location), *(not_(self.deliberate(side, location)) for side in sides))

    def considered(self, location: str) -> Term:
        """Whose the Fire in a Location is considered to be, as a cause."""
        found: Term = member(self.f.causes.sort, ACCIDENT)
        for side in self.f.board.sides:
            found = ite(self.deliberate(side, location), member(self.f.causes.sort, side), found)
        return found

    # ---- what can be entered

    def enterable(self, side: str, location: str, without: Iterable[str] = ()) -> Term:
        """Whether ground units of a side can get to a Location from the edge of the map.

        Args:
            side: The side.
            location: The Location.
            without: Causes whose Blazes are thought away; `rubble` for Rubble.
        """
        key = (self._like(side), frozenset(without))
        if key not in self._open:
            free = {x: self._passable(side, x, key[1]) for x in self.g.locations}
            self._open[key] = reach(self.g.graph, {x: free[x] for x in self.g.doors}, free)
        return self._open[key][location]

    def _like(self, side: str) -> str:
        """A side for which the same hexes are closed."""
        return self.f.board.sides[0] if self._alike else side

    @cached_property
    def _alike(self) -> bool:
        first, other = self.f.board.sides
        return all((other in x.closed) == (first in x.closed) for x in self.f.board.hexes.values())

    def _passable(self, side: str, location: str, without: frozenset[str]) -> Term:
        special = self.f.board.hexes.get(hex_of(location))
        if special and side in special.closed:
            return FALSE
        shut = [self._blocked(location, without)]
        if RUBBLE not in without:
            own = (location,) if level_of(location) != GROUND else ()
            shut += [self.now(self.f.rubble[x]) for x in (*own, *self.g.below(location))]
        return not_(any_of(shut))

    def _blocked(self, location: str, without: frozenset[str]) -> Term:
        """Whether a Blaze of a cause that is not thought away is in a Location."""
        blaze = self._blazes(location)
        if blaze is FALSE:
            return FALSE
        spared = [self.deliberate(side, location) for side in self.f.board.sides if side in without]
        if ACCIDENT in without:
            spared.append(self.accidental(location))
        return and_(blaze, not_(any_of(spared)))

    # ---- kindled by a side

    @once
    def barred(self, side: str, kind: str, name: str) -> Term:
        """Whether a side has forfeited something by its Fire, and cannot regain it as long as that burns."""
        if f"{kind} {name}" not in self.f.touched_set:
            return FALSE
        now = self._forfeits(side, kind, name)
        if self.f.reads("extinguished", "all"):
            burns = any_of(self.deliberate(side, x) for x in self.f.board.flammable)
            now = or_(now, and_(eq(self.now(self.f.forfeited[f"{kind} {name}"]), side), burns))
        return now

    def _forfeits(self, side: str, kind: str, name: str) -> Term:
        places = self.f.parts(kind, name)
        lit = any_of(self.deliberate(side, x) for x in places)
        foe = self.f.board.enemy(side)
        shut = all_of(not_(self.enterable(foe, x)) for x in places)
        return or_(lit, and_(shut, any_of(self._cut_off(side, x) for x in places)))

    @once
    def _cut_off(self, side: str, location: str) -> Term:
        """Whether a side's Fire keeps its opponent from a Location: he could get there without it, or it suffices."""
        foe = self.f.board.enemy(side)
        others = (foe, ACCIDENT, RUBBLE)
        needed = and_(not_(self.enterable(foe, location)), self.enterable(foe, location, (side,)))
        enough = and_(not_(self.enterable(foe, location, others)), self.enterable(foe, location, (side, *others)))
        return or_(needed, enough)

    # ---- by accident

    def _sealed(self, location: str, causes: tuple[str, ...]) -> Term:
        """Whether nobody can get to a Location, and somebody could but for some causes."""
        sides = self.f.board.sides
        shut = (not_(self.enterable(side, location)) for side in sides)
        return and_(*shut, or_(*(self.enterable(side, location, causes) for side in sides)))

    def _sealed_all(self, places: tuple[str, ...]) -> Term:
        """Whether nobody can get to any of some Locations, and to one of them because of accidental Blazes."""
        sides = self.f.board.sides
        shut = (not_(self.enterable(side, x)) for x in places for side in sides)
        return and_(any_of(self._sealed(x, (ACCIDENT,)) for x in places), *shut)

    @once
    def sealed(self, location: str) -> Term:
        """Whether no ground unit can get to a Location because of accidental Blazes or Rubble."""
        return or_(*(self._sealed(location, c) for c in ((ACCIDENT,), (RUBBLE,), (ACCIDENT, RUBBLE))))

    @once
    def sealed_hex(self, h: str) -> Term:
        """Whether no ground unit can get to the ground level of a hex because of accidental Blazes."""
        if h not in self._touched_hexes:
            return FALSE
        return self._sealed_all(self.g.ground(h))

    @once
    def sealed_building(self, name: str) -> Term:
        """Whether no ground unit can get to a building because of accidental Blazes."""
        return self._sealed_all(self.g.of_building[name])

    @cached_property
    def _touched_hexes(self) -> tuple[str, ...]:
        """Hexes whose ground level Fire may cut off."""
        shut = {x for x in self.f.touched if x.startswith(LOCATION)}
        return tuple(h for h in self.g.hexes if any(f"{LOCATION} {x}" in shut for x in self.g.ground(h)))

    @cached_property
    def _near_touched(self) -> tuple[str, ...]:
        """Hexes that touch one whose ground level Fire may cut off."""
        return tuple(dict.fromkeys(n for h in self._touched_hexes for n in self.g.neighbours[h]))

    @cached_property
    def _regions(self) -> Mapping[str, Mapping[str, Term]]:
        """For each hex that Fire may cut off: which of those hexes are in one area with it."""
        sealed = {h: self.sealed_hex(h) for h in self._touched_hexes}
        near = [(h, n) for h in sealed for n in self.g.neighbours[h] if n in sealed]
        graph = Graph.undirected(tuple(sealed), near)
        return {h: reach(graph, {h: sealed[h]}, sealed) for h in sealed}

    def majority(self, side: str, h: str, holds: Callable[[str], Term]) -> Term:
        """Whether a side controls most of the hexes adjacent to the sealed area that a hex is in.

        Args:
            side: The side.
            h: The hex, in a sealed area.
            holds: Who controls a hex.
        """
        area = self._regions[h]
        around, held = [], []
        for n in self._near_touched:
            touching = [area[m] for m in self.g.neighbours[n] if m in area]
            if touching:
                beside = and_(any_of(touching), not_(self.sealed_hex(n)))
                around.append(beside)
                held.append(and_(beside, eq(holds(n), side)))
        return gt(scale(count(held), 2), count(around)) if around else gt(integer(0), integer(0))
