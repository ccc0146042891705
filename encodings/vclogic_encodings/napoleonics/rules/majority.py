"""Turn start temporary majority objectives: for the side in more hexes of a group than the enemy."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from vclogic_encodings.napoleonics.citing import cite, encodes
from vclogic_encodings.napoleonics.rules.objective import EventEffects, Objective

from vclogic.model.rules import Rule
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import and_, count, eq, gt, ite, not_, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term


class Majority(Objective):
    """A turn start temporary majority objective."""

    said = "it had more of its hexes as its turn began, and still does"
    cites = cite("majority/1", "majority/2", "majority/3", "majority/4", "movement-note/1")
    lasting = False

    @encodes("majority/1")
    def gains(self, happening: EventEffects, side: str, then: Substitution) -> Term:
        """The side gains the banner that has an absolute majority of the hexes at the start of its turn."""
        return and_(self.judged(happening, side), then(self.there(side)))

    @encodes("majority/1")
    def judged(self, happening: EventEffects, side: str) -> Term:
        """The majority of a side is judged at the start of its turn."""
        return self.begins(happening, side)

    @encodes("majority/2", "majority/3")
    def suffices(self, side: str, occupied: Callable[[str, str], Term]) -> Term:
        """A side that occupies more hexes of the group than the opponent has the majority: one to none will do."""
        ours, theirs = (count(occupied(s, h) for h in self.hexes) for s in (side, self.fluents.board.enemy(side)))
        return gt(ours, theirs)

    @encodes("majority/4")
    def kept(self, happening: EventEffects, then: Substitution) -> Term:
        """The holder loses the banner immediately with the majority: Reading `majority_lost`."""
        found = self.now
        for s in self.sides:
            judged = TRUE if self._lost_at_once else or_(self.judged(happening, s), happening.left.get(s, FALSE))
            lost = and_(eq(self.now, s), judged, not_(then(self.there(s))))
            found = ite(lost, self.nobody, found)
        return found

    @property
    def _lost_at_once(self) -> bool:
        return self.fluents.reads("majority_lost", "at_once")

    def after(self, happening: EventEffects, then: Substitution) -> Term:
        """The holder after an event."""
        found = self.kept(happening, then)
        for s in self.looked_at(happening):
            found = ite(self.gains(happening, s, then), self.fluents.side(s), found)
        return found

    @encodes("majority/1")
    def without_history(self) -> Term:
        """Nobody before a turn starts but the holder by the set-up, if it has the majority."""
        held = self.board.held
        return ite(self.there(held), self.set_up, self.nobody) if held else self.nobody

    def invariants_of(self, side: str) -> Iterable[Rule]:
        """A side holds the banner only with a majority."""
        if self._lost_at_once:
            yield self.only_while(side, self.there(side), "with more of its hexes than the enemy")
