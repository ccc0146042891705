"""What each unit is at a moment: whose it is, whether it is armed and in Good Order, and where it counts."""

from __future__ import annotations

from vclogic_encodings.asl.board import EQUIPMENT, INFANTRY, LANDED, MMC
from vclogic_encodings.asl.moment import Moment
from vclogic_encodings.asl.names import NONE, OPEN, WORKING
from vclogic_encodings.asl.state import Fluents

from vclogic.model.fluents import Family
from vclogic.model.system import Settings
from vclogic.terms.atoms import FALSE, TRUE, boolean
from vclogic.terms.build import and_, eq, is_in, not_, or_
from vclogic.terms.term import Term


class Standing:
    """Predicates of units, as terms over the fluents.

    Attributes:
        f: The fluents.
        settings: Options and readings.
        moment: The state of which is spoken, if only one is.
    """

    def __init__(self, f: Fluents, settings: Settings, moment: Moment | None = None):
        self.f = f
        self.settings = settings
        self.moment = moment
        self._armed: dict[str, Term] = {}
        self._able: dict[str, Term] = {}

    def reads(self, reading: str, value: str) -> bool:
        """Whether a reading has a value."""
        return self.settings.readings[reading] == value

    def flag(self, family: Family | None, unit: str) -> Term:
        """A Bool of a unit; false where it has none."""
        found = self.f.flag(family, unit)
        return boolean(bool(self.moment.now(found))) if self.moment and found is not FALSE else found

    def _is(self, family: Family, unit: str, word: str) -> Term:
        """Whether a fluent of a unit has a value."""
        return boolean(self.moment.now(family[unit]) == word) if self.moment else eq(family[unit], word)

    # ---- whose, where

    def belongs(self, unit: str, side: str) -> Term:
        """Whether a unit acts for a side: its own, or the one that captured the vehicle or Gun."""
        own = self.f.board.units[unit].side == side
        if self.f.board.units[unit].kind in (*LANDED, *EQUIPMENT):
            captured = self.flag(self.f.captured, unit)
            return not_(captured) if own else captured
        return boolean(own)

    def here(self, unit: str, locations: tuple[str, ...]) -> Term:
        """Whether a unit is in one of some Locations."""
        if self.moment:
            return boolean(self.moment.place[unit] in locations)
        return is_in(self.f.at[unit], locations)

    def on_map(self, unit: str) -> Term:
        """Whether a unit is on the map."""
        if self.moment:
            return boolean(self.moment.on_map(unit))
        return is_in(self.f.at[unit], self.f.geometry.locations)

    def bypassing(self, unit: str) -> Term:
        """Whether a unit, or what it rides in, is in bypass."""
        return self.flag(self.f.bypass, unit)

    def riding(self, unit: str) -> Term:
        """Whether a unit rides in a vehicle."""
        return self._with(unit, self.f.board.of(*LANDED))

    def _with(self, unit: str, others: tuple[str, ...]) -> Term:
        family = self.f.with_
        if family is None or (unit,) not in family.fluents or not others:
            return FALSE
        if self.moment:
            return boolean(self.moment.now(family[unit]) in others)
        return is_in(family[unit], others)

    def goes_with(self, unit: str, other: str) -> Term:
        """Whether a unit rides in, or is guarded, towed or carried by, another one."""
        if other == unit or self.f.board.units[other].kind not in (*INFANTRY, *LANDED):
            return FALSE
        return self._with(unit, (other,))

    def alone(self, unit: str) -> Term:
        """Whether a unit rides in nothing and is guarded, towed or carried by nobody."""
        family = self.f.with_
        return TRUE if family is None or (unit,) not in family.fluents else self._is(family, unit, NONE)

    def captive(self, unit: str) -> Term:
        """Whether a unit is a prisoner, or equipment in the opponent's hands."""
        return self.flag(self.f.captured, unit)

    # ---- able to do what

    def armed(self, unit: str) -> Term:
        """Whether it is an armed unit: dummies, prisoners, equipment and empty vehicles are not."""
        if unit not in self._armed:
            self._armed[unit] = self._is_armed(unit)
        return self._armed[unit]

    def _is_armed(self, unit: str) -> Term:
        u = self.f.board.units[unit]
        if u.kind in INFANTRY:
            return not_(or_(self.flag(self.f.unarmed, unit), self.captive(unit)))
        if u.kind not in LANDED:
            return FALSE
        works = boolean(u.other_weapons)
        if u.main_armament and self.f.armament:
            works = or_(works, self._is(self.f.armament, unit, WORKING))
        return and_(works, self.manned(unit))

    def manned(self, unit: str) -> Term:
        """Whether somebody fights a vehicle: its crew, or Infantry in it."""
        u = self.f.board.units[unit]
        own = not_(self.captive(unit)) if u.inherent == "none" else self.flag(self.f.crewed, unit)
        men = (p for p in self.followers(unit) if self.f.board.units[p].kind in INFANTRY)
        aboard = (and_(self.goes_with(p, unit), not_(self.captive(p))) for p in men)
        return or_(own, *aboard)

    def followers(self, unit: str) -> tuple[str, ...]:
        """Units that can ride in another one, or be guarded, towed or carried by it."""
        return self.moment.followers(unit) if self.moment else self.f.board.of(*INFANTRY, *EQUIPMENT)

    def held_by(self, unit: str) -> tuple[str, ...]:
        """Infantry that another unit can hold in Melee, and that unit itself."""
        return self.moment.held_by(unit) if self.moment else self.f.board.of(*INFANTRY)

    def good_order(self, unit: str) -> Term:
        """Whether Infantry is in Good Order."""
        f = self.f
        fights = not_(self._is(f.melee, unit, NONE)) if f.melee and (unit,) in f.melee.fluents else FALSE
        return not_(or_(self.flag(f.broken, unit), fights, self.captive(unit)))

    def able(self, unit: str) -> Term:
        """Whether a unit can gain Control where it stands: armed Good Order Infantry MMC, on foot, not in bypass."""
        if unit not in self._able:
            f = self.f
            mmc = boolean(f.board.units[unit].kind in MMC)
            on_foot = and_(not_(self.riding(unit)), not_(self.bypassing(unit)), not_(self.flag(f.anew, unit)))
            self._able[unit] = and_(mmc, self.armed(unit), self.good_order(unit), on_foot)
        return self._able[unit]

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
        return self.flag(self.f.crewed, vehicle)

    def unseen(self, unit: str) -> Term:
        """Whether a unit is concealed or hidden."""
        family = self.f.concealment
        if family is None or (unit,) not in family.fluents:
            return FALSE
        return not_(self._is(family, unit, OPEN))
