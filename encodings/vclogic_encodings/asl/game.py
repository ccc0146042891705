"""What every event is built from: the parts of a game, what it writes down, and what all events ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from vclogic_encodings.asl.board import EQUIPMENT, INFANTRY, LANDED
from vclogic_encodings.asl.fire import Fires
from vclogic_encodings.asl.geometry import hex_of
from vclogic_encodings.asl.holders import Holders
from vclogic_encodings.asl.moment import Moment
from vclogic_encodings.asl.names import ELIMINATED, EXITED, NONE
from vclogic_encodings.asl.points import Points
from vclogic_encodings.asl.standing import Standing
from vclogic_encodings.asl.state import BUILDING, HEX, LOCATION, Fluents

from vclogic.model.actions import Requirement
from vclogic.model.fluents import Family, Now, State
from vclogic.model.rules import Outcome
from vclogic.model.system import Settings
from vclogic.terms.atoms import FALSE, TRUE, constant
from vclogic.terms.build import and_, eq, is_in, ite, not_, or_
from vclogic.terms.term import Term

Changes = dict[Term, Term]
"""Fluents and their values after an event."""
Overlay = tuple[Term, Term, Term]
"""A fluent, when an event changes it beyond what it writes down, and its value then."""
Marks = dict[tuple[str, str], Term]
"""Kinds and names of what can be controlled, and when its controller is to be written down."""


class Game:
    """The parts of one game.

    Attributes:
        f: The fluents.
        settings: Options and readings.
        s: The units.
        holders: Who controls what.
        points: Who has how many points.
        outcomes: The victory conditions; set once they are built.

    Args:
        f: The fluents.
        settings: Options and readings.
        now: The state of which is spoken, if only one is.
        whole: The game for all states; what does not depend on where units are is taken from it.
    """

    def __init__(self, f: Fluents, settings: Settings, now: Now | None = None, whole: Game | None = None):
        self.f = f
        self.settings = settings
        self._last: Moment | None = None
        self._within: tuple[Now, Game] | None = None
        self.s = Standing(f, settings, Moment(f, now, whole._last if whole else None) if now else None)
        self.holders: Holders = Holders(self.s, whole._fires(self.s) if whole else None)
        self.points = Points(self.s)
        self.outcomes: tuple[Outcome, ...] = ()
        self._whole = whole
        self._leaving: dict[str, Marks] = {}
        self._last_fires: tuple[tuple[State, ...], Fires] | None = None

    def within(self, now: Now) -> Game:
        """The same game for one state only, in which events are built at a glance."""
        if self._within is None or self._within[0] is not now:
            found = Game(self.f, self.settings, now, self)
            self._last = found.s.moment
            self._within = now, found
        return self._within[1]

    def _fires(self, s: Standing) -> Fires:
        """The fires of one state; mostly nothing burns otherwise than in the last one that was asked for."""
        assert s.moment is not None
        if s.moment.quiet:
            return self.holders.fires
        if self._last_fires is None or self._last_fires[0] != s.moment.burning:
            self._last_fires = s.moment.burning, Fires(self.s, s.moment.now)
        return self._last_fires[1]

    @property
    def fires(self) -> Fires:
        """The fires of any state."""
        return (self._whole or self).holders.fires

    def reads(self, reading: str, value: str) -> bool:
        """Whether a reading has a value."""
        return self.s.reads(reading, value)

    # ---- what is written down

    def around(self, location: str) -> tuple[tuple[str, str], ...]:
        """A Location with its hex and buildings, as kinds and names."""
        h = hex_of(location)
        buildings = [b for b in self.f.geometry.buildings_of.get(h, ()) if location in self.f.geometry.of_building[b]]
        return ((LOCATION, location), (HEX, h), *((BUILDING, b) for b in buildings))

    def at(self, location: str) -> Marks:
        """Marks a Location, its hex and buildings."""
        return dict.fromkeys(self.around(location), TRUE)

    def where(self, unit: str) -> Marks:
        """Marks what a unit is in, wherever that is."""
        moment = self.s.moment
        if moment:
            return self.at(moment.place[unit]) if moment.on_map(unit) else {}
        if unit not in self._leaving:
            here = self.f.at[unit]
            self._leaving[unit] = {area: is_in(here, places) for area, places in self._areas.items()}
        return self._leaving[unit]

    @cached_property
    def _areas(self) -> Mapping[tuple[str, str], tuple[str, ...]]:
        """For everything that can be controlled the Locations in which units bear on it."""
        if self._whole:
            return self._whole._areas
        g = self.f.geometry
        found: dict[tuple[str, str], tuple[str, ...]] = {(LOCATION, x): (x,) for x in g.locations}
        found |= {(HEX, h): g.of_hex[h] for h in g.hexes}
        return {**found, **{(BUILDING, b): places for b, places in g.of_building.items()}}

    @cached_property
    def everywhere(self) -> Marks:
        """Marks everything; for events that can bear on Control anywhere."""
        moment = self.s.moment
        if moment:  # where nobody is, nothing was gained
            return {area: TRUE for place in moment.occupants for area in self.around(place)}
        return dict.fromkeys(self._areas, TRUE)

    def _written(self, marks: Iterable[Marks]) -> Changes:
        """Writes down who controls what is marked."""
        parts = list(marks)
        areas: Marks = {}
        for part in parts:
            for area, mark in part.items():
                areas[area] = or_(areas[area], mark) if area in areas else mark
        new: Changes = {}
        moment = self.s.moment
        for (kind, name), mark in areas.items():
            idle = moment is not None and not moment.occupied(self._areas[kind, name])
            if mark is not FALSE and not idle:
                held = self.f.stored(kind, name)
                new[held] = ite(mark, self.holders.lasting(kind, name), held)
                if (secret := self.secret(kind, name)) is not None and not self._open(kind, name, secret):
                    new[secret] = ite(mark, self.holders.control.undeclared(kind, name), secret)
        return new

    def _open(self, kind: str, name: str, secret: Term) -> bool:
        """Whether it is known that everybody knows who controls something, as nobody hides there."""
        moment = self.s.moment
        if moment is None or moment.now(secret):
            return False
        return all(self.s.unseen(u) is FALSE for u in moment.inside(self._areas[kind, name]))

    def secret(self, kind: str, name: str) -> Term | None:
        """The fluent that says whether Control need not be declared, or None where nobody hides."""
        return None if self.f.undeclared is None else self.f.undeclared[f"{kind} {name}"]

    def known(self, view: str, kind: str, name: str) -> Term:
        """Whether a side can know who controls something: it does so itself, or the Control has been declared."""
        if self.f.undeclared is None:
            return TRUE
        control, holder = self.holders.control, self.holders.holder(kind, name)
        by_fire = not_(eq(control.base(kind, name), holder))
        return or_(not_(control.undeclared(kind, name)), self.f.ended.fluent, eq(holder, view), by_fire)

    def hold_at(self, location: str) -> Changes:
        """Writes down which vehicles in a Location control it, before something comes there."""
        new: Changes = {}
        moment = self.s.moment
        if self.reads("vehicle_disarmed", "stays"):  # every event writes it down
            return new
        for v in self.f.board.of(*LANDED):
            if moment and moment.place[v] != location:
                continue
            assert self.f.holds is not None
            held = self.f.holds[v]
            new[held] = ite(self.s.here(v, (location,)), self.holders.control.holds_at(v, location), held)
        return new

    @cached_property
    def hold_all(self) -> Changes:
        """Writes down which vehicles control the Location that they are in, before something there is armed."""
        vehicles = self.f.board.of(*LANDED)
        return {self.f.holds[v]: self.holders.control.holds(v) for v in vehicles if self.f.holds}

    @cached_property
    def _by_fire(self) -> Changes:
        """Writes down what fire decides."""
        f = self.f
        new: Changes = {}
        for area in f.touched:
            kind, _, name = area.partition(" ")
            new[self.f.stored(kind, name)] = self.holders.lasting(kind, name)
            assert f.forfeited is not None
            if self.reads("extinguished", "all"):
                new[f.forfeited[area]] = self._loser(kind, name)
        return new

    def _loser(self, kind: str, name: str) -> Term:
        """Who has forfeited something."""
        lost: Term = self.f.none()
        for side in self.f.board.sides:
            lost = ite(self.holders.control.bar(side, kind, name), self.f.side(side), lost)
        return lost

    @cached_property
    def _winner(self) -> Changes:
        if self._whole:
            return self._whole._winner
        f = self.f
        won: Term = f.winner.fluent
        for o in self.outcomes:
            if o.timing is TRUE:
                won = ite(and_(eq(f.winner.fluent, NONE), o.condition.holds), f.side(o.side), won)
        return {} if won is f.winner.fluent else {f.winner.fluent: won}

    def after(
        self, marks: Iterable[Marks], changes: Mapping[Term, Term], over: Iterable[Overlay] = ()
    ) -> tuple[tuple[Term, Term], ...]:
        """The effects of an event: what was gained before it is written down, then it changes something.

        Args:
            marks: What is written down.
            changes: Fluents and their values after the event, whatever is written down for them.
            over: What it changes only if a condition holds, instead of what is written down.
        """
        new = self._written(marks)
        if self.reads("vehicle_disarmed", "stays"):
            new |= self.hold_all
        if self.f.touched:
            new |= self._by_fire
        for fluent, when, changed in over:
            new[fluent] = ite(when, changed, new.get(fluent, fluent))
        new |= self._winner
        new |= changes
        return tuple((x, t) for x, t in new.items() if t is not x)

    def word(self, family: Family, name: str) -> Term:
        """A member of a family's sort, as a term."""
        return constant(family.sort, name)

    def released(self, unit: str) -> Changes:
        """Ends every Melee that a unit is in."""
        new: Changes = {}
        melee = self.f.melee
        if melee is None or self.f.board.units[unit].kind not in (*INFANTRY, *LANDED):
            return new
        for p in self.s.held_by(unit):
            if (p,) not in melee.fluents:
                continue
            fights = melee[p]
            nobody = self.word(melee, NONE)
            new[fights] = nobody if p == unit else ite(eq(fights, unit), nobody, fights)
        return new

    # ---- what events ask

    @property
    def going_on(self) -> Requirement:
        """That the game is not over."""
        return Requirement(not_(self.f.ended.fluent), "the game is over")

    def alive(self, unit: str) -> Requirement:
        """That a unit is still in the game."""
        there = not_(is_in(self.f.at[unit], (ELIMINATED, EXITED)))
        kept = there if unit not in self.f.out else FALSE
        return Requirement(kept, f"{unit} is no longer in play")

    def mobile(self, unit: str) -> tuple[Requirement, ...]:
        """That a vehicle can move."""
        stuck = self.s.flag(self.f.immobile, unit)
        return () if stuck is FALSE else (Requirement(not_(stuck), f"{unit} is immobile"),)

    def on_map(self, unit: str) -> Requirement:
        """That a unit is on the map."""
        return Requirement(self.s.on_map(unit), f"{unit} is not on the map")

    def acts_for(self, unit: str) -> str | Term:
        """The side that decides what a unit does: its own, or the one that captured the vehicle or Gun."""
        side = self.f.board.units[unit].side
        own, enemy = self.f.side(side), self.f.side(self.f.board.enemy(side))
        found = ite(self.s.belongs(unit, side), own, enemy)
        return side if found is own else found

    def free(self, unit: str) -> tuple[Requirement, ...]:
        """That a unit moves on its own."""
        alone = Requirement(self.s.alone(unit), f"{unit} goes with the unit that carries or guards it")
        if self.f.board.units[unit].kind not in INFANTRY:
            return (alone,)
        found = [alone, Requirement(not_(self.s.captive(unit)), f"{unit} is a prisoner")]
        if unit in self._vehicle_of and self.f.crewed:
            vehicle = self._vehicle_of[unit]
            found.append(Requirement(not_(self.f.crewed[vehicle]), f"{unit} is in {vehicle}"))
        return tuple(found)

    @cached_property
    def _vehicle_of(self) -> Mapping[str, str]:
        """The vehicle of each unit that is an inherent crew at first."""
        if self._whole:
            return self._whole._vehicle_of
        return {u.crew: name for name, u in self.f.board.units.items() if u.crew is not None}

    def charges(self, bearer: str) -> Iterable[tuple[str, Term]]:
        """Prisoners whom a unit may guard and equipment that it may carry, and when it does."""
        side = self.f.board.units[bearer].side
        for p in self.s.followers(bearer):
            goes = self.s.goes_with(p, bearer)
            if goes is FALSE:
                continue
            if self.f.board.units[p].kind in EQUIPMENT:
                yield p, goes
            elif self.f.board.units[p].side != side:
                yield p, and_(goes, self.s.captive(p))

    def along(self, unit: str, place: Term, family: Family | None) -> Changes:
        """What goes along with a unit gets the same value in a family."""
        new: Changes = {}
        for p in self.s.followers(unit) if family else ():
            assert family is not None
            goes = self.s.goes_with(p, unit)
            if goes is not FALSE and (p,) in family.fluents:
                new[family[p]] = ite(goes, place, family[p])
        return new
