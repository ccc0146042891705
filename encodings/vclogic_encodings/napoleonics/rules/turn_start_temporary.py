"""Turn start temporary objectives: gained as the side's turn starts, kept while a unit of the side is there."""

from __future__ import annotations

from vclogic_encodings.napoleonics.board import NONE
from vclogic_encodings.napoleonics.citing import cite, encodes
from vclogic_encodings.napoleonics.fluents import Fluents
from vclogic_encodings.napoleonics.rules.movement_note import MovementNote
from vclogic_encodings.napoleonics.rules.objective import Happening, Objective
from vclogic_encodings.napoleonics.rules.temporary import Occupied, Temporary

from vclogic.terms.atoms import TRUE
from vclogic.terms.build import and_, eq, ite, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term


class TurnStartTemporary(Occupied):
    """A turn start temporary objective."""

    said = "a unit of its own was there as its turn began, and one is"
    cites = cite(
        "turn-start-temporary/1", "turn-start-temporary/2", "groups/1", "groups/2", "groups/3", "movement-note/1"
    )

    @classmethod
    def over(cls, fluents: Fluents, note: MovementNote, name: str) -> Objective:
        """The rules of one such objective, as the Reading `turn_start_groups` has groups."""
        group = len(fluents.board.objectives[name].hexes) > 1
        at_once = group and fluents.reads("turn_start_groups", "at_once")
        return (GainedAtOnce if at_once else cls)(fluents, note, name)

    @encodes("turn-start-temporary/1")
    def gained(self, side: str, then: Substitution, kept: Term) -> Term:
        """The side whose turn starts gains the banner if a unit of it is there and the enemy does not hold it."""
        free = eq(kept, NONE) if len(self.sides) == 2 else TRUE
        gains = and_(then(self.keeps(side)), or_(free, eq(kept, side)))
        return ite(gains, self.fluents.side(side), kept)

    @encodes("turn-start-temporary/2")
    def after(self, happening: Happening, then: Substitution) -> Term:
        """The holder loses the banner immediately when its units have vacated the objective for any reason."""
        kept, side = self.kept(then, self.nobody), happening.begins
        return self.gained(side, then, kept) if side in self.sides else kept


class GainedAtOnce(Temporary):
    """A turn start temporary group whose banner is gained at once: Reading `turn_start_groups`."""

    cites = TurnStartTemporary.cites
