"""Who controls what: gains by Infantry, and the temporary Control of vehicles over them.

The fluents hold who controlled everything before the last events; what was gained since is a term over the position,
and every event writes it down for the places that it touches before it changes anything there. So conditions are
tested after every event, and what was gained stays when the position that gained it is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from vclogic_encodings.asl.board import INFANTRY, LANDED, MMC
from vclogic_encodings.asl.geometry import BESIDE, CELLAR, PILLBOX, ROOFTOP, level_of
from vclogic_encodings.asl.rules.unit_status import Standing
from vclogic_encodings.asl.state import BUILDING, HEX, LOCATION, Fluents

from vclogic.model.memoized import once
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import all_of, and_, any_of, eq, ite, not_, or_
from vclogic.terms.term import Term

GROUND_UNITS = frozenset((*INFANTRY, *LANDED))
Bar = Callable[[str, str, str], Term]
"""Whether a side (first) may not gain something (its kind, its name), since it forfeited it."""


# ---- which Locations count, whatever happens


@once
def counted(f: Fluents, kind: str, name: str) -> tuple[str, ...]:
    """The Locations of a hex or building in which enemies count."""
    skipped = {*BESIDE}
    if f.reads("cellar_enemy", "ignored"):
        skipped.add(CELLAR)
    if not (f.reads("rooftop_enemy", "blocks") or f.reads("rooftop_enemy", kind)):
        skipped.add(ROOFTOP)
    return tuple(x for x in f.parts(kind, name) if level_of(x) not in skipped)


@once
def stands(f: Fluents, kind: str, name: str) -> tuple[str, ...]:
    """The Locations in which a squad gains something."""
    g = f.geometry
    if kind == LOCATION:
        return (name,)
    if kind == HEX:
        inside = PILLBOX if f.reads("pillbox_squad", "enough") else None
        return (*g.ground(name), *(x for x in g.of_hex[name] if level_of(x) == inside))
    low = CELLAR if f.reads("cellar_squad", "building") else None
    return tuple(x for x in g.of_building[name] if level_of(x).isdigit() or level_of(x) == low)


@once
def pillboxes(f: Fluents, h: str) -> tuple[str, ...]:
    """The pillboxes of a hex."""
    return tuple(x for x in f.geometry.of_hex[h] if level_of(x) == PILLBOX)


@once
def only_location(f: Fluents, h: str) -> str | None:
    """The only Location of a hex, if it has no other."""
    every = f.geometry.of_hex[h]
    if f.reads("only_location", "above"):
        every = tuple(x for x in every if level_of(x) not in BESIDE)
    return every[0] if len(every) == 1 else None


# ---- Control


class Control:
    """Gains and holders, as terms over the fluents.

    Attributes:
        s: The units.
        bar: What a side may not gain.
    """

    def __init__(self, s: Standing, bar: Bar):
        self.s = s
        self.f: Fluents = s.f
        self.bar = bar

    # ---- who is where

    def _enemies(self, side: str, places: tuple[str, ...], *, building: bool = False) -> Term:
        """Whether an armed enemy ground unit in some Locations keeps a side from gaining."""
        units = self.f.board.units
        ground = (u for u in self.s.inside(places) if units[u].kind in GROUND_UNITS)
        return self._any(((u, self._blocks(u, side, building)) for u in ground), places)

    @once
    def _blocks(self, unit: str, side: str, building: bool) -> Term:
        """Whether a unit that is there keeps a side from gaining."""
        return and_(self.s.belongs(unit, self.f.board.enemy(side)), self.s.blocks(unit, building=building))

    def _squads(self, side: str, places: tuple[str, ...], *, seen: bool = False) -> Term:
        """Whether a unit that can gain Control is in some Locations, or one that is not concealed."""
        units = self.f.board.units
        own = (u for u in self.s.inside(places) if units[u].side == side and units[u].kind in MMC)
        return self._any(((u, self._gainer(u, seen)) for u in own), places)

    @once
    def _gainer(self, unit: str, seen: bool) -> Term:
        """Whether a squad that is there can gain, or does so for everybody to see."""
        return and_(self.s.able(unit), not_(self.s.unseen(unit)) if seen else TRUE)

    def _any(self, units: Iterable[tuple[str, Term]], places: tuple[str, ...]) -> Term:
        """Whether one of some units of which something is true is in some Locations."""
        return any_of(and_(self.s.here(u, places), what) for u, what in units if what is not FALSE)

    # ---- gains

    @once
    def gains(self, side: str, kind: str, name: str) -> Term:
        """Whether a side gains something by what stands there now."""
        if not self._anybody(kind, name):
            return FALSE
        make = {LOCATION: self._gains_location, HEX: self._gains_hex, BUILDING: self._gains_building}[kind]
        return and_(make(side, name), not_(self.bar(side, kind, name)))

    @once
    def _anybody(self, kind: str, name: str) -> bool:
        """Whether somebody may be there; where nobody is, nothing is gained."""
        return any(self.s.inside(self.f.parts(kind, name)))

    def _gains_location(self, side: str, name: str) -> Term:
        return and_(self._squads(side, (name,)), not_(self._enemies(side, (name,))))

    def _gains_hex(self, side: str, name: str) -> Term:
        inside = self._squads(side, stands(self.f, HEX, name))
        held = [eq(self.location(x), side) for x in pillboxes(self.f, name)]
        every = counted(self.f, HEX, name)
        if held and self.s.reads("tunnel_enemy", "blocks"):
            every = self.f.geometry.of_hex[name]
        return and_(inside, not_(self._enemies(side, every)), *held)

    def _gains_building(self, side: str, name: str) -> Term:
        inside = stands(self.f, BUILDING, name)
        enemies = self._enemies(side, counted(self.f, BUILDING, name), building=True)
        return and_(self._squads(side, inside), not_(enemies))

    @once
    def base(self, kind: str, name: str) -> Term:
        """Who controls something apart from vehicles that are there now."""
        held = self.s.now(self.f.stored(kind, name))
        if not self._anybody(kind, name):
            return held
        for side in reversed(self.f.board.sides):
            gained = self.gains(side, kind, name)
            if kind == LOCATION and self.s.reads("squad_with_vehicle", "reverts"):
                gained = and_(gained, not_(self._vehicles_hold(side, name)))
            held = ite(gained, self.f.side(side), held)
        if kind == HEX and self.s.reads("vehicle_hex", "kept"):
            for side in self.f.board.sides:
                held = ite(self._vehicles_hold(side, only_location(self.f, name)), self.f.side(side), held)
        return held

    @once
    def undeclared(self, kind: str, name: str) -> Term:
        """Whether only concealed or hidden units have gained something."""
        known = self.s.now(self.f.undeclared[f"{kind} {name}"])
        held = self.s.now(self.f.stored(kind, name))
        found = known
        for side in self.f.board.sides:
            if self.gains(side, kind, name) is FALSE:
                continue
            fresh = or_(not_(eq(held, side)), known)
            quiet = and_(fresh, not_(self._squads(side, stands(self.f, kind, name), seen=True)))
            found = ite(self.gains(side, kind, name), quiet, found)
        return and_(found, not_(self._verified(kind, name))) if found is not FALSE else FALSE

    def _verified(self, kind: str, name: str) -> Term:
        """Whether the opponent of who controls something is in all its Locations, and so knows."""
        places = self.f.parts(kind, name)
        found = []
        for side in self.f.board.sides:
            theirs = not_(eq(self.base(kind, name), side))
            found.append(and_(theirs, all_of(self._present(side, x) for x in places)))
        return or_(*found)

    def _present(self, side: str, place: str) -> Term:
        """Whether Infantry of a side is in a Location, prisoners left out."""
        units = self.f.board.units
        own = (u for u in self.s.inside((place,)) if units[u].side == side and units[u].kind in INFANTRY)
        return any_of(and_(self.s.here(u, (place,)), not_(self.s.captive(u))) for u in own)

    # ---- vehicles

    @once
    def holds_at(self, vehicle: str, location: str) -> Term:
        """Whether a vehicle that is in a Location controls it."""
        strong, held = self._strong(vehicle), self.s.now(self.f.holds[vehicle])
        found = []
        for side in self.f.board.sides:
            devoid = not_(self._enemies(side, (location,)))
            kept = strong
            if self.s.reads("vehicle_disarmed", "stays"):
                kept = not_(self.gains(self.f.board.enemy(side), LOCATION, location))
            found.append(and_(self.s.belongs(vehicle, side), or_(and_(held, kept), and_(strong, devoid))))
        return and_(self.s.here(vehicle, (location,)), not_(self.s.bypassing(vehicle)), or_(*found))

    @once
    def holds(self, vehicle: str) -> Term:
        """Whether a vehicle controls the Location that it is in."""
        return any_of(self.holds_at(vehicle, x) for x in self.s.haunts(vehicle))

    def _strong(self, vehicle: str) -> Term:
        """Whether a vehicle is armed, so that it can control a Location that it is not in bypass in."""
        s = self.s
        if s.reads("armed_passengers", "no"):
            return s.armed(vehicle)
        return or_(s.armed(vehicle), *(and_(s.goes_with(p, vehicle), s.armed(p)) for p in s.followers(vehicle)))

    def _vehicles_hold(self, side: str, location: str | None) -> Term:
        """Whether a vehicle of a side controls a Location."""
        if location is None:
            return FALSE
        landed = (v for v in self.s.inside((location,)) if self.f.board.units[v].kind in LANDED)
        return any_of(and_(self.s.belongs(v, side), self.holds_at(v, location)) for v in landed)

    @once
    def occupied(self, kind: str, name: str) -> Term:
        """Who controls something, vehicles included, fire left out."""
        held = self.base(kind, name)
        place = name if kind == LOCATION else only_location(self.f, name) if kind == HEX else None
        for side in reversed(self.f.board.sides):
            forfeit = self.bar(side, kind, name)
            held = ite(and_(self._vehicles_hold(side, place), not_(forfeit)), self.f.side(side), held)
        return held

    def location(self, name: str) -> Term:
        """Who controls a Location, fire left out."""
        return self.occupied(LOCATION, name)
