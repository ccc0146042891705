"""Objectives that are taken by a deed of the battle notes: a marker, a depot, a bridge that is blown."""

from __future__ import annotations

from vclogic_encodings.napoleonics.board import NONE
from vclogic_encodings.napoleonics.citing import cite, encodes
from vclogic_encodings.napoleonics.rules.objective import EventEffects, Objective

from vclogic.model.actions import Requirement
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import any_of, eq, is_in, ite
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term


class Taken(Objective):
    """An objective that a unit in one of its hexes takes, by the event `take`."""

    said = "a unit of its own has taken it"
    cites = cite("general-p2/2")
    lasting = True

    @encodes("general-p2/2")
    def after(self, happening: EventEffects, then: Substitution) -> Term:
        """The side whose unit takes it has it for good."""
        found = self.now
        for s in self.sides:
            took = any_of(happening.took.get((u, self.name), FALSE) for u in self.units[s])
            found = ite(took, self.fluents.side(s), found)
        return found

    @property
    def free(self) -> Term:
        """True as long as nobody has taken it."""
        return eq(self.now, NONE)

    def in_place(self, unit: str) -> Term:
        """True if a unit is in a hex from which it is taken."""
        return is_in(self.fluents.at[unit], self.hexes)

    @encodes("general-p2/2")
    def asks(self, unit: str, called: str) -> tuple[Requirement, ...]:
        """A unit of a side and kind that the battle notes name takes it once, where it stands.

        Args:
            called: The unit in a sentence.
        """
        o, (here, *others) = self.board, self.hexes
        who = f"{', '.join(o.kinds) or 'units'}{f' of the {o.side} side' if o.side else ''}"
        fits = any(unit in self.units[s] for s in self.sides)
        where = f"one of its hexes, {here}, {', '.join(others)}" if others else here
        return (
            Requirement(TRUE if fits else FALSE, f"{called} cannot take {self.name}: it is for {who}", self.cites),
            Requirement(self.free, f"{self.name} has been taken already", self.cites),
            Requirement(self.in_place(unit), f"{called} is not at {self.name}: it is taken from {where}", self.cites),
        )
