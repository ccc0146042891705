"""What every event is built from: the parts of a game, what it writes down, and what all events ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from vclogic_encodings.asl.board import EQUIPMENT, INFANTRY, LANDED
from vclogic_encodings.asl.geometry import hex_of
from vclogic_encodings.asl.names import ELIMINATED, EXITED, NONE
from vclogic_encodings.asl.rules.control import Holders
from vclogic_encodings.asl.rules.unit_status import Standing
from vclogic_encodings.asl.rules.values import Points
from vclogic_encodings.asl.state import BUILDING, HEX, LOCATION, Fluents

from vclogic.model.actions import Requirement
from vclogic.model.fluents import Family
from vclogic.model.memoized import once
from vclogic.model.rules import Outcome
from vclogic.model.view import View
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
        now: How they are read.
        s: The units.
        holders: Who controls what.
        points: Who has how many points.
        outcomes: The victory conditions; set once they are built.
    """

    def __init__(self, f: Fluents, now: View, outcomes: tuple[Outcome, ...] = ()):
        self.f = f
        self.now = now
        self.s = Standing(f, now)
        self.holders = Holders(self.s)
        self.points = Points(self.s)
        self.outcomes = outcomes
        self._last: Game | None = None  # the same in a known state: many events are judged in each

    def seen(self, view: View) -> Game:
        """The same game with the fluents read by a view."""
        if not view.known:
            return self
        found = self._last
        if found is None or found.now is not view:
            found = self._last = Game(self.f, view, self.outcomes)
        return found

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

    @once
    def where(self, unit: str) -> Marks:
        """Marks what a unit is in, wherever that is."""
        here = self.now(self.f.at[unit])
        return {area: is_in(here, self.f.parts(*area)) for area in self._near(self.s.haunts(unit))}

    @cached_property
    def everywhere(self) -> Marks:
        """Marks everything that somebody may be in; for events that can bear on Control anywhere."""
        return dict.fromkeys(self._near(self.now.taken(self.f.at)), TRUE)

    def _near(self, places: Iterable[str]) -> Iterable[tuple[str, str]]:
        """What can be controlled in some places, in the order of the board."""
        found = {area for x in places if x in self.f.geometry.hex_at for area in self.around(x)}
        return sorted(found, key=self.f.areas.__getitem__)

    def _written(self, marks: Iterable[Marks]) -> Changes:
        """Writes down who controls what is marked."""
        parts = list(marks)
        areas: Marks = {}
        for part in parts:
            for area, mark in part.items():
                areas[area] = or_(areas[area], mark) if area in areas else mark
        new: Changes = {}
        for (kind, name), mark in areas.items():
            if mark is not FALSE:
                held = self.f.stored(kind, name)
                new[held] = ite(mark, self.holders.lasting(kind, name), self.now(held))
                secret = self.secret(kind, name)
                if not secret.is_const:
                    new[secret] = ite(mark, self.holders.control.undeclared(kind, name), self.now(secret))
        return new

    def secret(self, kind: str, name: str) -> Term:
        """The fluent that says whether Control need not be declared; a constant where nobody hides."""
        return self.f.undeclared[f"{kind} {name}"]

    def known(self, view: str, kind: str, name: str) -> Term:
        """Whether a side can know who controls something: it does so itself, or the Control has been declared."""
        if self.f.undeclared.empty:
            return TRUE
        control, holder = self.holders.control, self.holders.holder(kind, name)
        by_fire = not_(eq(control.base(kind, name), holder))
        return or_(not_(control.undeclared(kind, name)), self.now(self.f.ended.fluent), eq(holder, view), by_fire)

    def hold_at(self, location: str) -> Changes:
        """Writes down which vehicles in a Location control it, before something comes there."""
        new: Changes = {}
        if self.reads("vehicle_disarmed", "stays"):  # every event writes it down
            return new
        for v in self.s.inside((location,)):
            if self.f.board.units[v].kind in LANDED:
                held, here = self.f.holds[v], self.s.here(v, (location,))
                new |= self.when(here, {held: self.holders.control.holds_at(v, location)})
        return new

    @cached_property
    def hold_all(self) -> Changes:
        """Writes down which vehicles control the Location that they are in, before something there is armed."""
        return {self.f.holds[v]: self.holders.control.holds(v) for v in self.f.board.of(*LANDED)}

    @cached_property
    def _by_fire(self) -> Changes:
        """Writes down what fire decides."""
        f = self.f
        new: Changes = {}
        for area in f.touched:
            kind, _, name = area.partition(" ")
            new[self.f.stored(kind, name)] = self.holders.lasting(kind, name)
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
        winner = self.f.winner.fluent
        won = before = self.now(winner)
        for o in self.outcomes:
            if o.timing is TRUE:
                won = ite(and_(eq(before, NONE), o.condition.holds), self.f.side(o.side), won)
        return {winner: won}

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
            new[fluent] = ite(when, changed, new.get(fluent, self.now(fluent)))
        new |= self._winner
        new |= changes
        # What a unit has not, such as a gun its bypass, is a constant: it does not change.
        return tuple((x, t) for x, t in new.items() if t is not self.now(x) and not x.is_const)

    def when(self, condition: Term, changes: Changes, otherwise: Mapping[Term, Term] | None = None) -> Changes:
        """Changes that an event makes only if a condition holds.

        Args:
            condition: The condition.
            changes: The changes.
            otherwise: What it changes in any case, unless these do.
        """
        kept = otherwise or {}
        return {x: ite(condition, t, kept.get(x, self.now(x))) for x, t in changes.items() if not x.is_const}

    def word(self, family: Family, name: str) -> Term:
        """A member of a family's sort, as a term."""
        return constant(family.sort, name)

    def released(self, unit: str) -> Changes:
        """Ends every Melee that a unit is in."""
        new: Changes = {}
        if self.f.board.units[unit].kind not in (*INFANTRY, *LANDED):
            return new
        melee = self.f.melee
        for p in self.s.held_by(unit):
            fights = self.now(melee[p])
            nobody = self.word(melee, NONE)
            new[melee[p]] = nobody if p == unit else ite(eq(fights, unit), nobody, fights)
        return new

    # ---- what events ask

    @property
    def going_on(self) -> Requirement:
        """That the game is not over."""
        return Requirement(not_(self.now(self.f.ended.fluent)), "the game is over")

    def alive(self, unit: str) -> Requirement:
        """That a unit is still in the game."""
        there = not_(is_in(self.now(self.f.at[unit]), (ELIMINATED, EXITED)))
        kept = there if unit not in self.f.out else FALSE
        return Requirement(kept, f"{unit} is no longer in play")

    def mobile(self, unit: str) -> tuple[Requirement, ...]:
        """That a vehicle can move."""
        stuck = self.now(self.f.immobile[unit])
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
        vehicle = self.f.vehicle_of.get(unit)
        if vehicle is not None:
            found.append(Requirement(not_(self.now(self.f.crewed[vehicle])), f"{unit} is in {vehicle}"))
        return tuple(found)

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

    def along(self, unit: str, value: Term, family: Family) -> Changes:
        """What goes along with a unit gets the same value in a family."""
        new: Changes = {}
        for p in self.s.followers(unit):
            goes = self.s.goes_with(p, unit)
            if goes is not FALSE:
                new[family[p]] = ite(goes, value, self.now(family[p]))
        return new
