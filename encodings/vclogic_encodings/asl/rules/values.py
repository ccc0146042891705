"""Casualty and exit points."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.asl.board import LANDED, MMC, Unit
from vclogic_encodings.asl.names import ELIMINATED, EXITED, WORKING
from vclogic_encodings.asl.rules.unit_status import Standing
from vclogic_encodings.asl.state import Fluents

from vclogic.terms.atoms import FALSE, integer
from vclogic.terms.build import add, and_, eq, ite, linear, not_, xor
from vclogic.terms.term import Term

FIVE = 5
UNCOUNTED = ("motorcycle", "goliath", "boat", "glider")
"""Vehicles that are worth nothing in the later edition."""


class Points:
    """What units are worth, and who has how many points.

    Attributes:
        s: The units.
    """

    def __init__(self, s: Standing):
        self.s = s
        self.f: Fluents = s.f
        self.earlier = s.reads("edition", "earlier")

    # ---- single units

    def value(self, unit: str) -> Term:
        """Casualty points for a unit if it were eliminated now, with its inherent crew, without passengers."""
        u = self.f.board.units[unit]
        if u.value is not None:
            return self._with_crew(unit, integer(u.value))
        if u.kind in MMC:
            return integer(self._squad(u))
        if u.kind in ("leader", "armour-leader"):
            whole = 1 + max(0, -u.modifier)
            if u.wounded_value is None or self.earlier:
                return integer(whole)
            return ite(self.s.now(self.f.wounded[unit]), integer(u.wounded_value), integer(whole))
        if u.kind == "gun":
            return integer(2)
        if u.kind == "aircraft":
            return integer(0 if self.earlier else 2)
        if u.kind in LANDED and self._is_counted(u):
            return self._with_crew(unit, self._vehicle(unit))
        return self._with_crew(unit, integer(0)) if u.kind in LANDED else integer(0)

    def _is_counted(self, u: Unit) -> bool:
        return u.kind not in (("motorcycle", "boat", "glider") if self.earlier else UNCOUNTED)

    def _squad(self, u: Unit) -> int:
        if u.kind == "half-squad" or (u.lc_crew and not self.earlier):
            return 1
        return 2

    def _vehicle(self, unit: str) -> Term:
        u = self.f.board.units[unit]
        armour = 0 if u.armour is None else max(1, -(-u.armour // FIVE))
        works = FALSE
        if u.main_armament:
            works = eq(self.s.now(self.f.armament[unit]), WORKING)
        return linear([(1, works)], 1 + armour)

    def crew_value(self, unit: str) -> int:
        """What the inherent crew of a vehicle is worth."""
        u = self.f.board.units[unit]
        if u.kind == "landing-craft" and not self.earlier:
            return 1
        if self.earlier:
            return 2
        return 2 if u.inherent == "crew" or u.carrier else 1

    def _with_crew(self, unit: str, vehicle: Term) -> Term:
        """A vehicle with the crew in it; in the earlier edition also with one that did not survive outside."""
        u = self.f.board.units[unit]
        if u.inherent == "none":
            return vehicle
        counted = self.s.now(self.f.crewed[unit])
        if self.earlier and u.crew is not None:
            counted = add(counted, and_(not_(counted), eq(self.s.now(self.f.at[u.crew]), ELIMINATED)))
        return linear([(1, vehicle), (self.crew_value(unit), counted)])

    def exit_value(self, unit: str, *, seaborne: bool) -> Term:
        """Exit points for a unit, apart from what rides in it."""
        u = self.f.board.units[unit]
        if u.kind == "hero":
            return integer(1 if seaborne else 0)
        if u.kind not in LANDED or u.inherent == "none":
            return self.value(unit)
        # The crew that belongs to it counts without being asked for; a temporary one counts as the unit that it is.
        empty = self._vehicle(unit) if self._is_counted(u) else integer(0)
        if u.value is not None:
            empty = integer(u.value)
        return linear([(1, empty), (self.crew_value(unit), self.s.now(self.f.crewed[unit]))])

    # ---- sums

    def casualties(self, side: str, *, doubled: bool = True) -> Term:
        """The casualty points of a side.

        Args:
            side: The side.
            doubled: Whether captives count double when the game is over.
        """
        f = self.f
        found: list[Term] = []
        for unit in self._of(f.board.enemy(side)):
            found.append(self.s.now(f.scored[unit]))
            captive = self.s.captive(unit)
            if captive is not FALSE:
                found.append(ite(captive, self._captured(unit, doubled), integer(0)))
        return add(integer(0), *found)

    def _captured(self, unit: str, doubled: bool) -> Term:
        """What a captured unit is worth to its captor."""
        f = self.f
        u = f.board.units[unit]
        worth = self.value(unit) if self.s.reads("captured_worth", "now") else self.s.now(f.worth[unit])
        special = u.nationality == "Chinese" and u.kind in (*LANDED, "gun")
        factor = 4 if special else 2
        return ite(self.s.now(f.ended.fluent), linear([(factor, worth)]), worth) if doubled else worth

    def _of(self, side: str) -> Iterable[str]:
        return (n for n, u in self.f.board.units.items() if u.side == side)

    def exits(self, side: str) -> Term:
        """The exit points of a side: what is its own, or what it took, and left through an area of its own."""
        f, now = self.f, self.s.now
        areas = [name for name, e in f.board.exits.items() if side in e.sides]
        found: list[Term] = []
        for unit in f.board.units:
            for area in areas:
                ours = xor(self.s.belongs(unit, side), now(f.led_off[unit]))
                gone = and_(eq(now(f.at[unit]), EXITED), eq(now(f.left_by[unit]), area), ours)
                if gone is not FALSE:
                    found.append(ite(gone, now(f.exit_points[unit]), integer(0)))
        return add(integer(0), *found)
