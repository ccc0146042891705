"""Turn start permanent objectives: captured as the side's turn starts, for good."""

from __future__ import annotations

from vclogic_encodings.napoleonics.board import NONE
from vclogic_encodings.napoleonics.citing import cite, encodes
from vclogic_encodings.napoleonics.rules.objective import Happening, Objective

from vclogic.terms.build import and_, eq, ite
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term


class TurnStartPermanent(Objective):
    """A turn start permanent objective."""

    said = "a unit of its own was there as its turn began"
    cites = cite("turn-start-permanent/1", "turn-start-permanent-p2/1")
    lasting = True

    @encodes("turn-start-permanent/1")
    def after(self, happening: Happening, then: Substitution) -> Term:
        """The side whose turn starts captures the banner if a unit of it is there."""
        side = happening.begins
        if side not in self.sides:
            return self.now
        return ite(and_(self.free(), then(self.there(side))), self.fluents.side(side), self.now)

    @encodes("turn-start-permanent-p2/1")
    def free(self) -> Term:
        """The banner is never lost: it can be captured only as long as no side has it."""
        return eq(self.now, NONE)
