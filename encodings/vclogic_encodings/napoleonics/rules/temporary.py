"""Temporary objectives: gained at once, kept while a unit of the side is there."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.napoleonics.citing import cite, encodes
from vclogic_encodings.napoleonics.rules.groups import keeps_group
from vclogic_encodings.napoleonics.rules.objective import Happening, Objective

from vclogic.model.once import once
from vclogic.model.rules import Rule
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import and_, eq, implies, ite, not_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term


class Occupied(Objective):
    """An objective whose banner is lost when nobody of the side is there."""

    lasting = False

    @property
    def shared(self) -> bool:
        """Whether nobody has it while both sides are in it: Reading `contested_group`."""
        return self.fluents.reads("contested_group", "nobody") and len(self.sides) == 2

    @once
    def keeps(self, side: str) -> Term:
        """Whether a side that has the banner keeps it."""
        return keeps_group(self.there(side), self.there(self.fluents.board.enemy(side)) if self.shared else FALSE)

    def kept(self, then: Substitution, otherwise: Term) -> Term:
        """The holder, if it keeps the banner after an event, or else another holder."""
        for s in self.sides:
            otherwise = ite(and_(eq(self.now, s), then(self.keeps(s))), self.fluents.side(s), otherwise)
        return otherwise

    def without_history(self) -> Term:
        """The holder by the set-up, if it keeps the banner with the units where they are."""
        held = self.board.held
        return ite(self.keeps(held), self.set_up, self.nobody) if held else self.nobody

    def invariants_of(self, side: str) -> Iterable[Rule]:
        """A side holds the banner only as long as it keeps it."""
        yield self.only_while(side, self.keeps(side), "while a unit of theirs is there")


class Temporary(Occupied):
    """A temporary objective."""

    said = "it keeps it while a unit of its own is there"
    cites = cite("temporary/1", "temporary/2", "groups/1", "groups/2", "groups/3", "movement-note/1")

    @encodes("temporary/1")
    def gained(self, then: Substitution) -> Term:
        """The side whose units alone are there gains the banner immediately."""
        return self.sole({s: then(self.there(s)) for s in self.sides}, self.nobody)

    @encodes("temporary/2")
    def after(self, happening: Happening, then: Substitution) -> Term:
        """The holder loses the banner immediately when its units have vacated the objective for any reason."""
        return self.kept(then, self.gained(then))

    def without_history(self) -> Term:
        """The side whose units alone are there, else the holder by the set-up if it keeps the banner."""
        return self.sole({s: self.there(s) for s in self.sides}, super().without_history())

    def invariants_of(self, side: str) -> Iterable[Rule]:
        """A side holds the banner only while it keeps it, and whenever its units alone are there."""
        yield from super().invariants_of(side)
        only = and_(*(self.there(s) if s == side else not_(self.there(s)) for s in self.sides))
        text = f"the {side} side has {self.name} where units of theirs alone are there"
        yield Rule(f"taken[{side}, {self.name}]", implies(only, eq(self.now, side)), text, self.cites)
