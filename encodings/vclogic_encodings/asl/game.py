"""Parts of every event: the parts of a game, its memory, and the common requirements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from vclogic_encodings.asl.board import EQUIPMENT, INFANTRY, LANDED
from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.fluents import Changes, Fluents
from vclogic_encodings.asl.geometry import hex_of
from vclogic_encodings.asl.names import ELIMINATED, EXITED, NO_FIRE, NONE, Area
from vclogic_encodings.asl.rules.casualties import captured_no_longer, taken
from vclogic_encodings.asl.rules.concealment import recorded_concealment
from vclogic_encodings.asl.rules.controllers import gained_in_movement, lasting_controller
from vclogic_encodings.asl.rules.exits import by_own_exit, exit_value, lost_by_leaving
from vclogic_encodings.asl.rules.fire import fires_of
from vclogic_encodings.asl.rules.forfeiture import is_to_blame
from vclogic_encodings.asl.rules.unit_status import Units
from vclogic_encodings.asl.rules.vehicles import controls_its_location, controls_where_it_is

from vclogic.model.actions import Requirement
from vclogic.model.fluents import Family
from vclogic.model.memoized import memoized
from vclogic.model.rules import Outcome
from vclogic.model.view import View
from vclogic.terms.atoms import FALSE, TRUE, constant, integer
from vclogic.terms.build import and_, eq, is_in, ite, not_, or_
from vclogic.terms.term import Term

Overlay = tuple[Term, Term, Term]
"""A fluent, when an event changes it beyond what it records, and its value then."""
Touched = dict[Area, Term]
"""The areas whose Control an event can change, and when it does."""


class Rules:
    """The parts of one game.

    Attributes:
        fluents: The fluents.
        board: The board.
        geometry: Its map.
        now: How fluents are read.
        units: The units, over which the rules are written.
        outcomes: The victory conditions; set once they are built.
    """

    def __init__(self, fluents: Fluents, now: View, outcomes: tuple[Outcome, ...] = ()):
        self.fluents = fluents
        self.board = fluents.board
        self.geometry = fluents.geometry
        self.now = now
        self.units = Units(fluents, now)
        self.outcomes = outcomes
        self._last: Rules | None = None  # the same in a known state: many events are judged in each

    def seen(self, view: View) -> Rules:
        """The same game with the fluents read by a view."""
        if not view.known:
            return self
        found = self._last
        if found is None or found.now is not view:
            found = self._last = Rules(self.fluents, view, self.outcomes)
        return found

    def reads(self, reading: str, value: str) -> bool:
        """True if a reading has a value."""
        return self.fluents.reads(reading, value)

    def kind(self, unit: str) -> str:
        """The kind of a unit."""
        return self.board.units[unit].kind

    def side(self, unit: str) -> str:
        """The side that a unit belongs to."""
        return self.board.units[unit].side

    # ---- what is recorded

    def at(self, location: str) -> Touched:
        """An event in a Location touches that, its hex and its buildings."""
        return dict.fromkeys(self.fluents.around(location), TRUE)

    @memoized
    def where(self, unit: str) -> Touched:
        """An event of a unit touches what the unit is in, wherever that is."""
        here = self.now(self.fluents.at[unit])
        return {area: is_in(here, self.fluents.parts(*area)) for area in self._near(self.units.haunts(unit))}

    @cached_property
    def everywhere(self) -> Touched:
        """An event that can bear on Control anywhere touches all that somebody may be in."""
        return dict.fromkeys(self._near(self.now.taken(self.fluents.at)), TRUE)

    def _near(self, places: Iterable[str]) -> Iterable[Area]:
        """The areas that can be controlled in some places, in the order of the board."""
        found = {area for x in places if hex_of(x) in self.geometry.of_hex for area in self.fluents.around(x)}
        return sorted(found, key=self.fluents.areas.__getitem__)

    def _recorded(self, parts: Iterable[Touched]) -> Changes:
        """The gains from an event's touched areas, before it changes anything there."""
        touched: Touched = {}
        for part in parts:
            for area, when in part.items():
                if when is not FALSE:
                    touched[area] = or_(touched[area], when) if area in touched else when
        return gained_in_movement(self.units, touched) | recorded_concealment(self.units, touched)

    def hold_at(self, location: str) -> Changes:
        """Records which vehicles in a Location control it, before something comes there."""
        new: Changes = {}
        if self.reads("vehicle_disarmed", "stays"):  # every event records it
            return new
        for v in self.units.inside((location,)):
            if self.kind(v) in LANDED:
                held, here = self.fluents.holds[v], self.units.here(v, (location,))
                new |= self.units.when(here, {held: controls_its_location(self.units, v, location)})
        return new

    @cached_property
    def hold_all(self) -> Changes:
        """Records which vehicles control the Location that they are in, before something there is armed."""
        return {self.fluents.holds[v]: controls_where_it_is(self.units, v) for v in self.board.of(*LANDED)}

    @cached_property
    def _by_fire(self) -> Changes:
        """Records who controls what Fire decides, and which Fire is to blame for what was forfeited."""
        new: Changes = {}
        fires, sides = fires_of(self.units), self.board.sides
        kindled = {x for x in self.board.flammable if any(fires.deliberate(s, x) is not FALSE for s in sides)}
        for text in self.fluents.touched:
            kind, _, name = text.partition(" ")
            new[self.fluents.stored(kind, name)] = lasting_controller(self.units, kind, name)
            for location, fluent in self.fluents.blamed.get(text, {}).items():
                new[fluent] = is_to_blame(fires, kind, name, location) if location in kindled else FALSE
        return new

    def forgotten(self, location: str) -> Changes:
        """Of a Fire that is out nothing is on record any more."""
        return {fires[location]: FALSE for fires in self.fluents.blamed.values() if location in fires}

    @cached_property
    def _winner(self) -> Changes:
        winner = self.fluents.winner.fluent
        won = before = self.now(winner)
        for o in self.outcomes:
            if o.timing is TRUE:
                won = ite(and_(eq(before, NONE), o.condition.holds), self.fluents.side(o.side), won)
        return {winner: won}

    def after(
        self, touched: Iterable[Touched], changes: Mapping[Term, Term], over: Iterable[Overlay] = ()
    ) -> tuple[tuple[Term, Term], ...]:
        """The effects of an event: what was gained before it is recorded, then it changes something.

        Args:
            touched: What it can change Control of.
            changes: Fluents and their values after the event, whatever is recorded for them.
            over: What it changes only if a condition holds, instead of what is recorded.
        """
        new = self._recorded(touched)
        if self.reads("vehicle_disarmed", "stays"):
            new |= self.hold_all
        if self.fluents.touched:
            new |= self._by_fire
        for fluent, when, changed in over:
            new[fluent] = ite(when, changed, new.get(fluent, self.now(fluent)))
        new |= self._winner
        new |= changes
        # What a unit has not, such as a gun its bypass, is a constant: it does not change.
        return tuple((x, t) for x, t in new.items() if t is not self.now(x) and not x.is_const)

    def by_hand(self, fluent: Term, new: Term) -> tuple[tuple[Term, Term], ...]:
        """The effects where a fact is given another value by hand: what units had gained before is recorded."""
        whole = fluent in self.fluents.at.fluents.values()  # a unit that comes may end what others would gain
        family, about = next(
            (f, i) for f in self.fluents.families for i, known in f.fluents.items() if known is fluent
        )
        touched = [self.everywhere] if whole else [self.where(n) for n in about if n in self.board.units]
        out = fluent in self.fluents.fire.fluents.values() and eq(new, NO_FIRE) is TRUE
        follows = self._follows(family, str(about[0]), new) if about and about[0] in self.board.units else {}
        forgotten = self.forgotten(about[0]) if out else {}
        return self.after(touched, {**self.hold_all, **follows, fluent: new, **forgotten})

    def _follows(self, family: Family, unit: str, new: Term) -> Changes:
        """The consequences for a unit, and for those that go with it, of a fact that is changed by hand."""
        fluents, units = self.fluents, self.units
        if family is fluents.captured:
            return taken(units, unit, TRUE) if new is TRUE else captured_no_longer(units, unit)
        if family is fluents.bypass and self.kind(unit) in LANDED:
            return {**self.along(unit, new, fluents.bypass), fluents.holds[unit]: FALSE}
        if family is fluents.left_by:
            points = exit_value(units, unit, str(new.value))
            own = by_own_exit(units, unit, str(new.value))
            return {fluents.exit_points[unit]: points, fluents.scored[unit]: lost_by_leaving(units, unit, own)}
        return self._put(unit, new) if family is fluents.at else {}

    def _put(self, unit: str, place: Term) -> Changes:
        """The consequences of putting a unit somewhere by hand: it fights and rides no more, and brings points."""
        fluents, units, nobody = self.fluents, self.units, self.word(self.fluents.with_, NONE)
        gone, zero = place.value == ELIMINATED, integer(0)
        lost = gone or place.value == EXITED
        new: Changes = {**self.released(unit), fluents.bypass[unit]: FALSE, fluents.holds[unit]: FALSE}
        new |= {fluents.with_[unit]: nobody, fluents.led_off[unit]: FALSE, fluents.exit_points[unit]: zero}
        new[fluents.left_by[unit]] = self.word(fluents.left_by, NONE)
        spared = FALSE if gone else units.captured(unit) if lost else TRUE
        new[fluents.scored[unit]] = lost_by_leaving(units, unit, spared)
        new |= captured_no_longer(units, unit) if gone else {}
        for p, goes in units.followers(unit):
            followed = {fluents.with_[p]: nobody} if lost else {fluents.at[p]: place}
            new |= units.when(goes, {**followed, fluents.bypass[p]: FALSE})
        return new

    def word(self, family: Family, name: str) -> Term:
        """A member of a family's sort, as a term."""
        return constant(family.sort, name)

    def released(self, unit: str) -> Changes:
        """Ends every Melee that a unit is in."""
        new: Changes = {}
        if self.kind(unit) not in (*INFANTRY, *LANDED):
            return new
        melee = self.fluents.melee
        nobody = self.word(melee, NONE)
        for p in self.units.held_by(unit):
            fights = self.now(melee[p])
            new[melee[p]] = nobody if p == unit else ite(eq(fights, unit), nobody, fights)
        return new

    # ---- what events ask

    @property
    def going_on(self) -> Requirement:
        """The requirement that the game is not over."""
        return Requirement(not_(self.now(self.fluents.ended.fluent)), "the game is over")

    def alive(self, unit: str) -> Requirement:
        """The requirement that a unit is still in the game."""
        there = not_(is_in(self.now(self.fluents.at[unit]), (ELIMINATED, EXITED)))
        text, out = f"{unit} is no longer in play", unit in self.fluents.out
        return Requirement(FALSE, text, cite("26.4/1")) if out else Requirement(there, text, cite("26.22/1"))

    def mobile(self, unit: str) -> tuple[Requirement, ...]:
        """The requirement that a vehicle can move."""
        stuck = self.now(self.fluents.immobile[unit])
        return () if stuck is FALSE else (Requirement(not_(stuck), f"{unit} is immobile", cite("26.221/3")),)

    def on_map(self, unit: str) -> Requirement:
        """The requirement that a unit is on the map."""
        return Requirement(self.units.on_map(unit), f"{unit} is not on the map")

    def unguarded(self, unit: str) -> Requirement:
        """The requirement that a unit is no prisoner."""
        return Requirement(not_(self.units.captured(unit)), f"{unit} is a prisoner", cite("26.222/1"))

    def acts_for(self, unit: str) -> str | Term:
        """The side that decides what a unit does: its own, or the one that captured the vehicle or Gun."""
        side = self.side(unit)
        own, enemy = self.fluents.side(side), self.fluents.side(self.board.enemy(side))
        found = ite(self.units.belongs(unit, side), own, enemy)
        return side if found is own else found

    def free(self, unit: str) -> tuple[Requirement, ...]:
        """The requirements for a unit to move on its own."""
        alone = Requirement(self.units.alone(unit), f"{unit} goes with the unit that carries or guards it")
        if self.kind(unit) not in INFANTRY:
            return (alone,)
        found = [alone, self.unguarded(unit)]
        vehicle = self.fluents.vehicle_of.get(unit)
        if vehicle is not None:
            inside = self.now(self.fluents.crewed[vehicle])
            found.append(Requirement(not_(inside), f"{unit} is in {vehicle}", cite("26.213/1")))
        return tuple(found)

    def charges(self, bearer: str) -> Iterable[tuple[str, Term]]:
        """Prisoners whom a unit may guard and equipment that it may carry, and when it does."""
        side = self.side(bearer)
        for p, goes in self.units.followers(bearer):
            if self.kind(p) in EQUIPMENT:
                yield p, goes
            elif self.side(p) != side:
                yield p, and_(goes, self.units.captured(p))

    def along(self, unit: str, value: Term, family: Family) -> Changes:
        """The change that gives the companions of a unit the same value in a family."""
        return {family[p]: ite(goes, value, self.now(family[p])) for p, goes in self.units.followers(unit)}
