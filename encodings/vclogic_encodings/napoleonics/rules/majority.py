"""Turn start temporary majority objectives: for the side in more hexes of a group than the enemy."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from vclogic_encodings.napoleonics.citing import cite, encodes
from vclogic_encodings.napoleonics.rules.objective import Happening, Objective

from vclogic.model.rules import Rule
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import and_, count, eq, gt, ite, not_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term


class Majority(Objective):
    """A turn start temporary majority objective."""

    said = "it had more of its hexes as its turn began, and still does"
    cites = cite("majority/1", "majority/2", "majority/3", "majority/4", "movement-note/1")
    lasting = False

    @encodes("majority/1")
    def gained(self, side: str, then: Substitution, kept: Term) -> Term:
        """The side whose turn starts gains the banner if it has units in an absolute majority of the hexes."""
        return ite(then(self.there(side)), self.fluents.side(side), kept)

    @encodes("majority/2", "majority/3")
    def suffices(self, side: str, occupied: Callable[[str, str], Term]) -> Term:
        """A side that occupies more hexes of the group than the opponent has the majority: one to none will do."""
        ours, theirs = (count(occupied(s, h) for h in self.hexes) for s in (side, self.fluents.board.enemy(side)))
        return gt(ours, theirs)

    @encodes("majority/4")
    def kept(self, happening: Happening, then: Substitution) -> Term:
        """The holder loses the banner immediately with the majority: Reading `majority_lost`."""
        found = self.now
        for s in self.sides:
            looked_at = TRUE if self._lost_at_once or happening.begins == s else happening.left.get(s, FALSE)
            lost = and_(eq(self.now, s), looked_at, not_(then(self.there(s))))
            found = ite(lost, self.nobody, found)
        return found

    @property
    def _lost_at_once(self) -> bool:
        return self.fluents.reads("majority_lost", "at_once")

    def after(self, happening: Happening, then: Substitution) -> Term:
        """Who holds it after an event."""
        kept, side = self.kept(happening, then), happening.begins
        return self.gained(side, then, kept) if side in self.sides else kept

    def without_history(self) -> Term:
        """The holder by the set-up, if it has the majority with the units where they are."""
        held = self.board.held
        return ite(self.there(held), self.set_up, self.nobody) if held else self.nobody

    def invariants_of(self, side: str) -> Iterable[Rule]:
        """A side holds the banner only with a majority."""
        if self._lost_at_once:
            yield self.only_while(side, self.there(side), "with more of its hexes than the enemy")
