"""Permanent and turn start permanent objectives: captured for good."""

from __future__ import annotations

from vclogic_encodings.napoleonics.board import NONE
from vclogic_encodings.napoleonics.citing import cite, encodes
from vclogic_encodings.napoleonics.rules.objective import EventEffects, Objective

from vclogic.terms.atoms import FALSE
from vclogic.terms.build import and_, eq, ite
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term


class Permanent(Objective):
    """A permanent objective."""

    said = "a unit of its own was the first there"
    cites = cite("permanent/1", "permanent/2")
    lasting = True

    def after(self, happening: EventEffects, then: Substitution) -> Term:
        """The holder after an event."""
        found = self.now
        for s in self.entering(happening):
            found = ite(and_(self.free(), self.captures(happening, s)), self.fluents.side(s), found)
        return found

    @encodes("permanent/1")
    def captures(self, happening: EventEffects, side: str) -> Term:
        """The appropriate side captures the banner the moment a unit of it enters."""
        return self.entered(happening, side) if side in self.sides else FALSE

    @encodes("permanent/2")
    def free(self) -> Term:
        """The banner is never lost: it can be captured only as long as no side has it."""
        return eq(self.now, NONE)

    @encodes("permanent/1")
    def without_history(self) -> Term:
        """A unit that is set up there has captured the banner: Reading `set_up`."""
        if self.board.held is None and self.fluents.reads("set_up", "counts"):
            return self.sole({s: self.there(s) for s in self.sides}, self.nobody)
        return self.set_up


class TurnStartPermanent(Objective):
    """A turn start permanent objective."""

    said = "a unit of its own was there as its turn began"
    cites = cite("turn-start-permanent/1", "turn-start-permanent-p2/1")
    lasting = True

    def after(self, happening: EventEffects, then: Substitution) -> Term:
        """The holder after an event."""
        found = self.now
        for s in self.looked_at(happening):
            found = ite(and_(self.free(), self.captures(happening, s, then)), self.fluents.side(s), found)
        return found

    @encodes("turn-start-permanent/1")
    def without_history(self) -> Term:
        """Nobody before a turn starts but the holder by the set-up."""
        return self.set_up

    @encodes("turn-start-permanent/1")
    def captures(self, happening: EventEffects, side: str, then: Substitution) -> Term:
        """The appropriate side captures the banner as its turn starts with a unit there, and not before."""
        return and_(self.begins(happening, side), then(self.there(side)))

    @encodes("turn-start-permanent-p2/1")
    def free(self) -> Term:
        """The banner is never lost: it can be captured only as long as no side has it."""
        return eq(self.now, NONE)
