"""26.16 to 26.162: whose a Fire is, and what it makes unenterable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from vclogic_encodings.asl.citing import encodes
from vclogic_encodings.asl.fluents import Fluents
from vclogic_encodings.asl.geometry import GROUND, hex_of, level_of
from vclogic_encodings.asl.names import ACCIDENT, BLAZE, BOTH, NO_FIRE
from vclogic_encodings.asl.rules.unit_status import Units

from vclogic.model.memoized import memoized
from vclogic.model.view import View
from vclogic.terms.atoms import FALSE, boolean, member
from vclogic.terms.build import and_, any_of, eq, is_in, ite, not_, or_
from vclogic.terms.reach import Graph, reach
from vclogic.terms.term import Term

RUBBLE = "rubble"


@memoized
def fires_of(units: Units) -> Fires:
    """The fires of a board."""
    fluents = units.fluents
    return _fires(units.now.only(*fluents.of_fire), fluents)


@memoized
def _fires(now: View, fluents: Fluents) -> Fires:
    """The same; made once for a view, which stays one object as long as nothing burns otherwise."""
    return Fires(fluents, now)


class Fires:
    """Fires of a board, as terms over the fluents.

    Args:
        fluents: The fluents.
        now: How they are read.
        out: A Location whose Fire is thought away.
    """

    def __init__(self, fluents: Fluents, now: View, out: str | None = None):
        self.fluents = fluents
        self.now = now
        self._out = out
        self.geometry = fluents.geometry
        self._open: dict[tuple[str, frozenset[str]], Mapping[str, Term]] = {}

    # ---- whose fire it is

    def burns(self, location: str) -> Term:
        """True if there is Fire in a Location."""
        return not_(self._is(location, NO_FIRE))

    @encodes("26.161/2", "26.161/5")
    def shuts(self, side: str, location: str) -> Term:
        """A Blaze makes its Location unenterable, to both sides or to one of them; a Flame does not."""
        blaze, whom = self._is(location, BLAZE), self.fluents.shuts_out
        return blaze if whom.empty else and_(blaze, is_in(self.now(whom[location]), (BOTH, side)))

    def _is(self, location: str, state: str) -> Term:
        """True if the Fire in a Location is in a state."""
        return (
            boolean(state == NO_FIRE) if location == self._out else eq(self.now(self.fluents.fire[location]), state)
        )

    def without(self, location: str) -> Fires:
        """The same with the Fire in a Location thought away."""
        return Fires(self.fluents, self.now, location)

    @cached_property
    def _hexes(self) -> tuple[str, ...]:
        """The hexes that can burn."""
        return tuple(dict.fromkeys(hex_of(x) for x in self.fluents.board.flammable))

    @cached_property
    def _burning(self) -> Mapping[str, Term]:
        return {h: any_of(self.burns(x) for x in self.geometry.of_hex[h]) for h in self._hexes}

    @cached_property
    def _chains(self) -> Mapping[str, Mapping[str, Term]]:
        """For each cause of fire the hexes of chains in which there is Fire of that cause."""
        near = [(h, n) for h in self._hexes for n in self.geometry.neighbours[h] if n in self._burning]
        graph = Graph.undirected(self._hexes, near)
        found = {}
        for cause in self.fluents.causes.sort.members:
            started: dict[str, list[Term]] = {h: [] for h in self._hexes}
            for x in self.fluents.board.flammable:
                started[hex_of(x)].append(and_(self.burns(x), eq(self.now(self.fluents.cause[x]), cause)))
            found[cause] = reach(graph, {h: any_of(t) for h, t in started.items()}, self._burning)
        return found

    @memoized
    @encodes("26.161/1", "26.162/1", "26.162/2")
    def deliberate(self, side: str, location: str) -> Term:
        """A side answers for all Fire in a chain of hexes where it alone kindled any; other Fire is accidental."""
        h = hex_of(location)
        if h not in self._hexes:
            return FALSE
        ours, theirs = self._chains[side][h], self._chains[self.fluents.board.enemy(side)][h]
        return and_(self.burns(location), ours, not_(or_(theirs, self._split_off(h))))

    @encodes("26.162/1", "26.162/2")
    def _split_off(self, h: str) -> Term:
        """True if Fire that once hung together with Fire of both sides is in a chain: Reading `joined_again`."""
        return self._chains[BOTH][h] if self.fluents.reads("joined_again", "started") else FALSE

    def handed_on(self, location: str) -> Term:
        """Whose Fire comes from the Fire in a Location, or stays there when its chain splits, as a cause."""
        h = hex_of(location)
        if h not in self._hexes or not self.fluents.reads("joined_again", "started"):
            return self.considered(location)
        joined = or_(self._split_off(h), and_(*(self._chains[side][h] for side in self.fluents.board.sides)))
        return ite(joined, member(self.fluents.causes.sort, BOTH), self.considered(location))

    def accidental(self, location: str) -> Term:
        """True if the Fire in a Location is considered accidentally started."""
        sides = self.fluents.board.sides
        return and_(self.burns(location), *(not_(self.deliberate(side, location)) for side in sides))

    def considered(self, location: str) -> Term:
        """Whose the Fire in a Location is considered to be, as a cause."""
        found: Term = member(self.fluents.causes.sort, ACCIDENT)
        for side in self.fluents.board.sides:
            found = ite(self.deliberate(side, location), member(self.fluents.causes.sort, side), found)
        return found

    # ---- what can be entered

    def enterable(self, side: str, location: str, without: Iterable[str] = ()) -> Term:
        """True if ground units of a side can get to a Location from the edge of the map.

        Args:
            without: Causes whose Blazes are thought away; `rubble` for Rubble.
        """
        key = (self._like(side), frozenset(without))
        if key not in self._open:
            free = {x: self.passable(side, x, key[1]) for x in self.geometry.locations}
            self._open[key] = reach(self.geometry.graph, {x: free[x] for x in self.geometry.doors}, free)
        return self._open[key][location]

    def _like(self, side: str) -> str:
        """A side for which the same hexes are closed, and that the same Blazes shut out."""
        return self.fluents.board.sides[0] if self._alike else side

    @cached_property
    def _alike(self) -> bool:
        first, other = self.fluents.board.sides
        if not self.fluents.shuts_out.empty:
            return False
        return all((other in x.closed) == (first in x.closed) for x in self.fluents.board.hexes.values())

    def passable(self, side: str, location: str, without: frozenset[str] = frozenset()) -> Term:
        """True if nothing in a Location shuts a side out; causes as in `enterable`."""
        special = self.fluents.board.hexes.get(hex_of(location))
        if special and side in special.closed:
            return FALSE
        shut = [self._blocked(side, location, without)]
        if RUBBLE not in without:
            own = (location,) if level_of(location) != GROUND else ()
            shut += [self.now(self.fluents.rubble[x]) for x in (*own, *self.geometry.below(location))]
        return not_(any_of(shut))

    def _blocked(self, side: str, location: str, without: frozenset[str]) -> Term:
        """True if a Blaze of a cause that is not thought away is in a Location and shuts a side out."""
        blaze = self.shuts(side, location)
        if blaze is FALSE:
            return FALSE
        spared = [self.deliberate(s, location) for s in self.fluents.board.sides if s in without]
        if ACCIDENT in without:
            spared.append(self.accidental(location))
        return and_(blaze, not_(any_of(spared)))
