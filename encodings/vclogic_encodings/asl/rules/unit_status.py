"""State of each unit at a moment: its side, the places where it counts, its arms, Good Order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vclogic_encodings.asl.board import EQUIPMENT, INFANTRY, LANDED
from vclogic_encodings.asl.citing import encodes
from vclogic_encodings.asl.fluents import Changes, Fluents
from vclogic_encodings.asl.names import KINDS, NONE, OPEN, WORKING

from vclogic.model.memoized import memoized
from vclogic.model.view import View
from vclogic.terms.atoms import FALSE, boolean, member
from vclogic.terms.build import and_, any_of, eq, in_mask, is_in, ite, ne, not_, or_
from vclogic.terms.sorts import members_of
from vclogic.terms.term import Term


class Units:
    """The units of a game, as terms over the fluents; rules keep in it what they have made of them.

    Attributes:
        fluents: The fluents.
        now: How they are read: as those of any state, or of one known state.
        board: The board.
        geometry: Its map.
        counters: The units as the board describes them, by name.
    """

    def __init__(self, fluents: Fluents, now: View):
        self.fluents = fluents
        self.now = now
        self.board = fluents.board
        self.geometry = fluents.geometry
        self.counters = fluents.board.units

    def reads(self, reading: str, value: str) -> bool:
        """True if a reading has a value."""
        return self.fluents.reads(reading, value)

    # ---- whose, where

    def belongs(self, unit: str, side: str) -> Term:
        """True if a unit acts for a side: its own, or the one that captured the vehicle or Gun."""
        own = self.counters[unit].side == side
        if self.counters[unit].kind in (*LANDED, *EQUIPMENT):
            captured = self.captured(unit)
            return not_(captured) if own else captured
        return boolean(own)

    def here(self, unit: str, locations: tuple[str, ...]) -> Term:
        """True if a unit is in one of some Locations."""
        return is_in(self.now(self.fluents.at[unit]), locations)

    def together(self, unit: str, other: str) -> Term:
        """True if two units are in one place."""
        return eq(self.now(self.fluents.at[unit]), self.now(self.fluents.at[other]))

    def on_map(self, unit: str) -> Term:
        """True if a unit is on the map."""
        return in_mask(self.now(self.fluents.at[unit]), self.fluents.on_map)

    def inside(self, locations: tuple[str, ...]) -> Iterable[str]:
        """The units that may be in some Locations."""
        return self.now.having(self.fluents.at, locations)

    def haunts(self, unit: str) -> Iterable[str]:
        """The Locations in which a unit may be."""
        members = self.fluents.places.sort.members
        return (members[n] for n in members_of(self.now(self.fluents.at[unit]).mask & self.fluents.on_map))

    def bypassing(self, unit: str) -> Term:
        """True if a unit, or its vehicle, is in bypass."""
        return self.now(self.fluents.bypass[unit])

    def riding(self, unit: str) -> Term:
        """True if a unit rides in a vehicle."""
        return is_in(self.now(self.fluents.with_[unit]), self.board.of(*LANDED))

    def goes_with(self, unit: str, other: str) -> Term:
        """True if a unit rides in, or is guarded, towed or carried by, another one."""
        if other == unit or self.counters[other].kind not in (*INFANTRY, *LANDED):
            return FALSE
        return eq(self.now(self.fluents.with_[unit]), other)

    def alone(self, unit: str) -> Term:
        """True if a unit rides in nothing and is guarded, towed or carried by nobody."""
        return eq(self.now(self.fluents.with_[unit]), NONE)

    def followers(self, unit: str) -> Iterable[tuple[str, Term]]:
        """Units that may ride in another one, or be guarded, towed or carried by it, and when they are."""
        found = ((p, self.goes_with(p, unit)) for p in self.now.having(self.fluents.with_, (unit,)))
        return [(p, goes) for p, goes in found if goes is not FALSE]

    def held_by(self, unit: str) -> tuple[str, ...]:
        """Infantry that another unit may hold in Melee, and that unit itself."""
        return tuple(dict.fromkeys((*self.now.having(self.fluents.melee, (unit,)), unit)))

    # ---- in what condition

    def captured(self, unit: str) -> Term:
        """True if a unit is a prisoner, or captured equipment."""
        return self._prisoner(unit) if self.counters[unit].kind in INFANTRY else self._taken(unit)

    @encodes("26.222/1")
    def _prisoner(self, unit: str) -> Term:
        """A leader or MMC is captured while it is a prisoner."""
        return self.now(self.fluents.captured[unit])

    @encodes("26.222/2")
    def _taken(self, unit: str) -> Term:
        """A Gun or vehicle is captured while the opponent was the last to take it, manned or not."""
        return self.now(self.fluents.captured[unit])

    @memoized
    def armed(self, unit: str) -> Term:
        """True if a unit is armed; dummies, and Guns by themselves, are not."""
        kind = self.counters[unit].kind
        if kind in INFANTRY:
            return self.has_weapons(unit)
        return self.fights(unit) if kind in LANDED else FALSE

    @encodes("26.11-p2/1")
    def has_weapons(self, unit: str) -> Term:
        """Infantry is armed, unless it has no weapons or is a prisoner."""
        return not_(or_(self.now(self.fluents.unarmed[unit]), self.captured(unit)))

    @encodes("26.12/1")
    def fights(self, vehicle: str) -> Term:
        """A manned vehicle with a weapon that works is armed."""
        counter = self.counters[vehicle]
        works = boolean(counter.other_weapons)
        if counter.main_armament:
            works = or_(works, eq(self.now(self.fluents.armament[vehicle]), WORKING))
        return and_(works, self.manned(vehicle))

    def manned(self, vehicle: str) -> Term:
        """True if somebody fights a vehicle: its crew, or Infantry in it."""
        inherent = self.counters[vehicle].inherent != "none"
        own = self.now(self.fluents.crewed[vehicle]) if inherent else not_(self.captured(vehicle))
        men = ((p, goes) for p, goes in self.followers(vehicle) if self.counters[p].kind in INFANTRY)
        return or_(own, *(and_(goes, not_(self.captured(p))) for p, goes in men))

    def armed_passengers(self, vehicle: str) -> Term:
        """True if armed PRC ride in a vehicle."""
        return any_of(and_(goes, self.armed(p)) for p, goes in self.followers(vehicle))

    @encodes("26.11-p2/1")
    def good_order(self, unit: str) -> Term:
        """Infantry is in Good Order while it is neither broken nor held in Melee nor a prisoner."""
        fights = ne(self.now(self.fluents.melee[unit]), NONE)
        return not_(or_(self.now(self.fluents.broken[unit]), fights, self.captured(unit)))

    def in_melee(self, unit: str) -> Term:
        """True if a unit is held in Melee or holds somebody in it."""
        melee = self.fluents.melee
        held = (eq(self.now(melee[p]), unit) for p in self.held_by(unit) if p != unit)
        return or_(ne(self.now(melee[unit]), NONE), *held)

    def melee_hex(self, h: str) -> Term:
        """True if there is a Melee in a hex."""
        men = ((u, ne(self.now(melee), NONE)) for (u,), melee in self.fluents.melee.fluents.items())
        return any_of(and_(fights, self.here(str(u), self.geometry.of_hex[h])) for u, fights in men)

    def kind(self, unit: str) -> Term:
        """The kind of a unit as it is now: a squad that has been reduced is a half-squad."""
        whole, half = (member(KINDS.sort, kind) for kind in (self.counters[unit].kind, "half-squad"))
        return ite(self.now(self.fluents.reduced[unit]), half, whole)

    def unseen(self, unit: str) -> Term:
        """True if a unit is concealed or hidden."""
        return ne(self.now(self.fluents.concealment[unit]), OPEN)

    # ---- what an event changes

    def when(self, condition: Term, changes: Changes, otherwise: Mapping[Term, Term] | None = None) -> Changes:
        """Changes that an event makes only if a condition holds.

        Args:
            otherwise: What it changes in any case, unless these do.
        """
        kept = otherwise or {}
        return {x: ite(condition, t, kept.get(x, self.now(x))) for x, t in changes.items() if not x.is_const}
