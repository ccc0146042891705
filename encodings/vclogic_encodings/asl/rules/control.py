"""Who controls what in the end: occupation and vehicles, then forfeits by kindled Fire, then accidental Blazes."""

from __future__ import annotations

from vclogic_encodings.asl.geometry import hex_of
from vclogic_encodings.asl.names import NONE
from vclogic_encodings.asl.rules.fire import fires_of
from vclogic_encodings.asl.rules.gaining import Control
from vclogic_encodings.asl.rules.unit_status import Standing
from vclogic_encodings.asl.state import BUILDING, HEX, LOCATION, Fluents

from vclogic.model.memoized import once
from vclogic.terms.build import all_of, and_, eq, ite, not_, or_
from vclogic.terms.term import Term


class Holders:
    """Control of everything, as terms over the fluents.

    Attributes:
        s: The units.
        fires: The fires.
        control: Control apart from fire.
    """

    def __init__(self, s: Standing):
        self.s = s
        self.f: Fluents = s.f
        self.fires = fires_of(s.now.only(s.f.fire, s.f.cause, s.f.rubble), s.f)
        self.control = Control(s, self.fires.barred)

    def holder(self, kind: str, name: str) -> Term:
        """Who controls a Location, hex or building: a side or none."""
        return self._finish(kind, name, vehicles=True)

    def lasting(self, kind: str, name: str) -> Term:
        """Who controls it apart from vehicles that are there now; what is written down for it."""
        return self._finish(kind, name, vehicles=False)

    @once
    def _finish(self, kind: str, name: str, *, vehicles: bool) -> Term:
        c = self.control
        if f"{kind} {name}" not in self.f.touched_set:
            return c.occupied(kind, name) if vehicles else c.base(kind, name)
        held = self._forfeited(kind, name, vehicles=vehicles)
        sealed = {LOCATION: self._location, HEX: self._hex, BUILDING: self._building}[kind](name, held)
        if self.s.reads("sealed_occupants", "occupants"):
            inside = or_(*(c.gains(side, kind, name) for side in self.f.board.sides))
            sealed = ite(inside, held, sealed)
        return sealed

    @once
    def _forfeited(self, kind: str, name: str, *, vehicles: bool = True) -> Term:
        """With what a side loses to the other by its own Fire."""
        before = self.control.occupied(kind, name) if vehicles else self.control.base(kind, name)
        held = before
        for side in self.f.board.sides:
            lost = self.fires.barred(side, kind, name)
            lost = and_(lost, not_(self.fires.barred(self.f.board.enemy(side), kind, name)))
            if self.s.reads("unowned_fire", "nobody"):
                lost = and_(lost, eq(before, side))
            held = ite(lost, self.f.side(self.f.board.enemy(side)), held)
        return held

    def _hex(self, name: str, held: Term) -> Term:
        """Cut off by accidental Blazes, a hex goes to the side that controls most hexes around."""
        sealed = self.fires.sealed_hex(name)
        for side in self.f.board.sides:
            most = self.fires.majority(side, name, lambda h: self._forfeited(HEX, h)) if sealed.hi else sealed
            held = ite(and_(sealed, most), self.f.side(side), held)
        return held

    def _location(self, name: str, held: Term) -> Term:
        """Cut off by accidental Blazes or Rubble, a Location goes with its hex."""
        owner = self.holder(HEX, hex_of(name))
        return ite(and_(self.fires.sealed(name), not_(eq(owner, NONE))), owner, held)

    def _building(self, name: str, held: Term) -> Term:
        """Cut off by accidental Blazes, a building goes to the side that controls all its hexes."""
        sealed = self.fires.sealed_building(name)
        hexes = self.f.board.buildings[name].hexes
        for side in self.f.board.sides:
            every = all_of(eq(self.holder(HEX, h), side) for h in hexes)
            held = ite(and_(sealed, every), self.f.side(side), held)
        return held

    def controls(self, side: str, kind: str, name: str) -> Term:
        """Whether a side controls something."""
        return eq(self.holder(kind, name), side)

    def nobody(self, kind: str, name: str) -> Term:
        """Whether nobody controls it."""
        return all_of(not_(self.controls(side, kind, name)) for side in self.f.board.sides)
