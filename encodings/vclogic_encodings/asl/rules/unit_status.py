"""What each unit is at a moment: whose it is, whether it is armed and in Good Order, and where it counts."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.asl.board import EQUIPMENT, INFANTRY, LANDED, MMC
from vclogic_encodings.asl.names import NONE, OPEN, WORKING
from vclogic_encodings.asl.state import Fluents

from vclogic.model.memoized import once
from vclogic.model.view import View
from vclogic.terms.atoms import FALSE, TRUE, boolean
from vclogic.terms.build import and_, eq, in_mask, is_in, ne, not_, or_
from vclogic.terms.sorts import members_of
from vclogic.terms.term import Term


class Standing:
    """Predicates of units, as terms over the fluents.

    Attributes:
        f: The fluents.
        now: How they are read.
    """

    def __init__(self, f: Fluents, now: View):
        self.f = f
        self.now = now

    def reads(self, reading: str, value: str) -> bool:
        """Whether a reading has a value."""
        return self.f.reads(reading, value)

    # ---- whose, where

    def belongs(self, unit: str, side: str) -> Term:
        """Whether a unit acts for a side: its own, or the one that captured the vehicle or Gun."""
        own = self.f.board.units[unit].side == side
        if self.f.board.units[unit].kind in (*LANDED, *EQUIPMENT):
            captured = self.captive(unit)
            return not_(captured) if own else captured
        return boolean(own)

    def here(self, unit: str, locations: tuple[str, ...]) -> Term:
        """Whether a unit is in one of some Locations."""
        return is_in(self.now(self.f.at[unit]), locations)

    def together(self, unit: str, other: str) -> Term:
        """Whether two units are in one place."""
        return eq(self.now(self.f.at[unit]), self.now(self.f.at[other]))

    def on_map(self, unit: str) -> Term:
        """Whether a unit is on the map."""
        return in_mask(self.now(self.f.at[unit]), self.f.on_map)

    def inside(self, locations: tuple[str, ...]) -> Iterable[str]:
        """The units that may be in some Locations."""
        return self.now.having(self.f.at, locations)

    def haunts(self, unit: str) -> Iterable[str]:
        """The Locations in which a unit may be."""
        members = self.f.places.sort.members
        return (members[n] for n in members_of(self.now(self.f.at[unit]).mask & self.f.on_map))

    def bypassing(self, unit: str) -> Term:
        """Whether a unit, or what it rides in, is in bypass."""
        return self.now(self.f.bypass[unit])

    def riding(self, unit: str) -> Term:
        """Whether a unit rides in a vehicle."""
        return is_in(self.now(self.f.with_[unit]), self.f.board.of(*LANDED))

    def goes_with(self, unit: str, other: str) -> Term:
        """Whether a unit rides in, or is guarded, towed or carried by, another one."""
        if other == unit or self.f.board.units[other].kind not in (*INFANTRY, *LANDED):
            return FALSE
        return eq(self.now(self.f.with_[unit]), other)

    def alone(self, unit: str) -> Term:
        """Whether a unit rides in nothing and is guarded, towed or carried by nobody."""
        return eq(self.now(self.f.with_[unit]), NONE)

    def captive(self, unit: str) -> Term:
        """Whether a unit is a prisoner, or equipment in the opponent's hands."""
        return self.now(self.f.captured[unit])

    # ---- able to do what

    @once
    def armed(self, unit: str) -> Term:
        """Whether it is an armed unit: dummies, prisoners, equipment and empty vehicles are not."""
        u = self.f.board.units[unit]
        if u.kind in INFANTRY:
            return not_(or_(self.now(self.f.unarmed[unit]), self.captive(unit)))
        if u.kind not in LANDED:
            return FALSE
        works = boolean(u.other_weapons)
        if u.main_armament:
            works = or_(works, eq(self.now(self.f.armament[unit]), WORKING))
        return and_(works, self.manned(unit))

    def manned(self, unit: str) -> Term:
        """Whether somebody fights a vehicle: its crew, or Infantry in it."""
        u = self.f.board.units[unit]
        own = not_(self.captive(unit)) if u.inherent == "none" else self.now(self.f.crewed[unit])
        men = (p for p in self.followers(unit) if self.f.board.units[p].kind in INFANTRY)
        aboard = (and_(self.goes_with(p, unit), not_(self.captive(p))) for p in men)
        return or_(own, *aboard)

    def followers(self, unit: str) -> tuple[str, ...]:
        """Units that may ride in another one, or be guarded, towed or carried by it."""
        return tuple(self.now.having(self.f.with_, (unit,)))

    def held_by(self, unit: str) -> tuple[str, ...]:
        """Infantry that another unit may hold in Melee, and that unit itself."""
        return tuple(dict.fromkeys((*self.now.having(self.f.melee, (unit,)), unit)))

    def good_order(self, unit: str) -> Term:
        """Whether Infantry is in Good Order."""
        f = self.f
        fights = ne(self.now(f.melee[unit]), NONE)
        return not_(or_(self.now(f.broken[unit]), fights, self.captive(unit)))

    @once
    def able(self, unit: str) -> Term:
        """Whether a unit can gain Control where it stands: armed Good Order Infantry MMC, on foot, not in bypass."""
        mmc = boolean(self.f.board.units[unit].kind in MMC)
        on_foot = and_(not_(self.riding(unit)), not_(self.bypassing(unit)), not_(self.now(self.f.anew[unit])))
        return and_(mmc, self.armed(unit), self.good_order(unit), on_foot)

    def blocks(self, unit: str, *, building: bool) -> Term:
        """Whether an armed ground unit keeps its enemies from gaining what it is in.

        Args:
            unit: The unit.
            building: Whether a building is to be gained: those in bypass of it are not in it.
        """
        outside = self.bypassing(unit)
        on_foot = not_(self.riding(unit)) if self.f.board.units[unit].kind in INFANTRY else FALSE
        counts = TRUE
        if self.reads("infantry_bypass", "nothing"):
            counts = not_(and_(outside, on_foot))
        if building:
            past = and_(outside, not_(on_foot)) if self.reads("infantry_bypass", "everything") else outside
            counts = and_(counts, not_(past))
        return and_(or_(self.armed(unit), self._armed_inside(unit)), counts)

    def _armed_inside(self, vehicle: str) -> Term:
        """Whether a vehicle's inherent crew counts as armed PRC, whatever becomes of the vehicle's weapons."""
        if self.f.board.units[vehicle].kind not in LANDED or self.reads("inherent_crew", "vehicle"):
            return FALSE
        return self.now(self.f.crewed[vehicle])

    def unseen(self, unit: str) -> Term:
        """Whether a unit is concealed or hidden."""
        return ne(self.now(self.f.concealment[unit]), OPEN)
