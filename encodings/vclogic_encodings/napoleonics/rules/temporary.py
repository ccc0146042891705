"""Temporary and turn start temporary objectives, of one hex or a group: kept while a unit of the side is there."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.napoleonics.board import NONE
from vclogic_encodings.napoleonics.citing import cite, encodes
from vclogic_encodings.napoleonics.fluents import Fluents
from vclogic_encodings.napoleonics.rules.movement_note import MovementNote
from vclogic_encodings.napoleonics.rules.objective import EventEffects, Objective

from vclogic.model.memoized import memoized
from vclogic.model.rules import Rule
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import and_, eq, implies, ite, not_, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term


class Occupied(Objective):
    """An objective whose banner is lost when nobody of the side is there."""

    lasting = False

    @property
    def shared(self) -> bool:
        """True if nobody has it while both sides are in it: Reading `contested_group`."""
        return self.fluents.reads("contested_group", "nobody") and len(self.sides) == 2

    @memoized
    @encodes("groups/3")
    def keeps(self, side: str) -> Term:
        """A side keeps the banner until it occupies none of the hexes: Reading `contested_group`."""
        enemy = self.there(self.fluents.board.enemy(side)) if self.shared else FALSE
        return and_(self.there(side), not_(enemy))

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

    def alone(self, then: Substitution) -> Term:
        """The side whose units alone are there after an event, or nobody."""
        return self.sole({s: then(self.there(s)) for s in self.sides}, self.nobody)

    @encodes("temporary/1")
    def gained(self, then: Substitution) -> Term:
        """The side whose units alone are there gains the banner immediately."""
        return self.alone(then)

    @encodes("temporary/1", "temporary/2")
    def after(self, happening: EventEffects, then: Substitution) -> Term:
        """The holder retains the banner while a unit is there, and loses it immediately when that is vacated."""
        return self.kept(then, self.gained(then))

    @encodes("temporary/1")
    def without_history(self) -> Term:
        """The side whose units alone are there, else the holder by the set-up if it keeps the banner."""
        return self.sole({s: self.there(s) for s in self.sides}, super().without_history())

    def invariants_of(self, side: str) -> Iterable[Rule]:
        """A side holds the banner only while it keeps it, and whenever its units alone are there."""
        yield from super().invariants_of(side)
        only = and_(*(self.there(s) if s == side else not_(self.there(s)) for s in self.sides))
        text = f"the {side} side has {self.name} where units of theirs alone are there"
        yield Rule(f"taken[{side}, {self.name}]", implies(only, eq(self.now, side)), text, self.cites)


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
    def without_history(self) -> Term:
        """Nobody before a turn starts but the holder by the set-up, if it keeps the banner."""
        return super().without_history()

    @encodes("turn-start-temporary/1")
    def captures(self, happening: EventEffects, side: str, then: Substitution) -> Term:
        """The appropriate side captures the banner as its turn starts with a unit there, and not before."""
        return and_(self.begins(happening, side), then(self.keeps(side)))

    @encodes("turn-start-temporary/1", "turn-start-temporary/2")
    def still_held(self, then: Substitution) -> Term:
        """The holder has the banner only while a unit is there, and loses it immediately when that is vacated."""
        return self.kept(then, self.nobody)

    def after(self, happening: EventEffects, then: Substitution) -> Term:
        """The holder after an event: the side that captures it, or else the one that still holds it."""
        kept = found = self.still_held(then)
        for s in self.looked_at(happening):
            free = eq(kept, NONE) if len(self.sides) == 2 else TRUE
            gains = and_(self.captures(happening, s, then), or_(free, eq(kept, s)))
            found = ite(gains, self.fluents.side(s), found)
        return found


class GainedAtOnce(Temporary):
    """A turn start temporary group whose banner is gained at once: Reading `turn_start_groups`."""

    cites = TurnStartTemporary.cites

    @encodes("groups/2", "turn-start-temporary/1")
    def gained(self, then: Substitution) -> Term:
        """The side that alone occupies any hex of the group gains the banner."""
        return self.alone(then)

    @encodes("groups/3", "turn-start-temporary/2")
    def after(self, happening: EventEffects, then: Substitution) -> Term:
        """The holder loses the banner immediately when it occupies none of the hexes."""
        return self.kept(then, self.gained(then))
