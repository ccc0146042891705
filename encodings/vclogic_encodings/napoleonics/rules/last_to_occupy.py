"""Last to occupy objectives: for the side that entered last."""

from __future__ import annotations

from vclogic_encodings.napoleonics.board import NONE
from vclogic_encodings.napoleonics.citing import cite, encodes
from vclogic_encodings.napoleonics.rules.objective import EventEffects, Objective

from vclogic.terms.build import eq, ite
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term


class LastToOccupy(Objective):
    """A last to occupy objective."""

    said = "a unit of its own was the last to occupy it"
    cites = cite("last-to-occupy/1", "last-to-occupy/2")
    lasting = None

    @encodes("last-to-occupy/1", "last-to-occupy/2")
    def after(self, happening: EventEffects, then: Substitution) -> Term:
        """The banner counts for the side that occupied the hex last, until a unit of the opposition does."""
        found = self.now
        for s in self.fluents.board.sides:
            found = ite(self.entered(happening, s), self.fluents.side(s if s in self.sides else NONE), found)
        return found

    @encodes("last-to-occupy/1", "last-to-occupy/2")
    def has(self, side: str) -> Term:
        """Once occupied, it continues to count for the side whose face of the counter is up."""
        return eq(self.now, side)

    @encodes("last-to-occupy/2")
    def without_history(self) -> Term:
        """The side whose units alone are there, else the holder by the set-up."""
        return self.sole({s: self.there(s) for s in self.fluents.board.sides}, self.set_up)
