"""The note on units that change places: a hex that an ordered unit leaves counts as occupied while another may come.

The fluent `vacated` has the side that has left a hex so; it is read and changed here alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.napoleonics.board import ELIMINATED, NONE, OFF, Kind
from vclogic_encodings.napoleonics.citing import cite, encodes
from vclogic_encodings.napoleonics.fluents import MOVEMENT, Fluents

from vclogic.model.actions import Requirement
from vclogic.model.rules import Rule
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import and_, any_of, eq, implies, is_in, ite, ne, not_, or_
from vclogic.terms.term import Term

NOTE = cite("movement-note/1")


class MovementNote:
    """The note, over the fluents of one game.

    Attributes:
        fluents: The fluents.
    """

    def __init__(self, fluents: Fluents):
        self.fluents = fluents

    # ---- what counts as occupied

    def covers(self, kind: Kind) -> bool:
        """True if the note holds for a kind of objective that is temporary by its name: Reading `note_kinds`."""
        return kind == "temporary" or self.fluents.reads("note_kinds", "every")

    @encodes("movement-note/1")
    def still_occupied(self, side: str, hex_: str, occupies: Term) -> Term:
        """A hex that an ordered unit has left counts as occupied while another friendly unit may come."""
        return or_(occupies, eq(self.fluents.vacated[hex_], side))

    def counts_meanwhile(self, side: str, hexes: Iterable[str], there: Term) -> Term:
        """True if a banner counts while nobody is in a hex that the note counts as occupied: Reading `vacated_hex`.

        Args:
            side: The side that holds it.
            hexes: The hexes of the objective.
            there: Whether the side is in enough of them without the note.
        """
        if self.fluents.reads("vacated_hex", "kept"):
            return TRUE
        return or_(there, not_(any_of(eq(self.fluents.vacated[h], side) for h in hexes)))

    # ---- how long it does

    @encodes("movement-note/1")
    def may_come(self, side: str, hex_: str, but: str | None = None) -> Term:
        """Another friendly unit may come as long as one that is ordered has not moved: Reading `vacated_when`.

        Args:
            but: A unit that does not count.
        """
        if self.fluents.reads("vacated_when", "movement_ends"):
            return TRUE
        return any_of(
            and_(self.yet_to_move(u), self.in_reach(u, hex_)) for u in self.fluents.keepers(side, hex_) if u != but
        )

    def in_reach(self, unit: str, hex_: str) -> Term:
        """True if a unit is near enough to move to a hex, where that is asked."""
        if not self.fluents.reads("vacated_when", "nobody_in_reach"):
            return TRUE
        return is_in(self.fluents.at[unit], self._near(unit, hex_))

    def _near(self, unit: str, hex_: str) -> frozenset[str]:
        """The hexes from which a hex is no further than a unit's movement allowance."""
        board, places = self.fluents.board, self.fluents.places.sort.index
        near = board.grid.within(hex_, board.kinds[board.units[unit].kind].move)
        return frozenset(h for h in near if h in places)

    def yet_to_move(self, unit: str) -> Term:
        """True if a unit on the map has been ordered and has not moved."""
        fluents = self.fluents
        there = not_(is_in(fluents.at[unit], (*fluents.gone, OFF)))
        return and_(fluents.ordered[unit], not_(fluents.moved[unit]), there)

    def after_moves(self, side: str, hex_: str, *, left: Term, entered: Term, may_come: Term) -> Term:
        """The side that is vacating a hex after units of one side have moved.

        Args:
            left: Whether its units have left the hex.
            entered: Whether one of them is in the hex then.
            may_come: Whether a unit may still come then.
        """
        fluents, nobody = self.fluents, self.fluents.side(NONE)
        after = ite(left, fluents.side(side), fluents.vacated[hex_])
        return ite(or_(entered, not_(may_come)), nobody, after)

    @encodes("movement-note/1")
    def after_move(self, unit: str, hex_: str, place: str) -> Term:
        """An ordered unit that moves out of a hex during the movement phase does not vacate it yet."""
        fluents, side = self.fluents, self.fluents.board.units[unit].side
        others = any_of(eq(fluents.at[o], hex_) for o in fluents.occupiers[side] if o != unit)
        left = and_(eq(fluents.at[unit], hex_), eq(fluents.phase.fluent, MOVEMENT), not_(others))
        left = left if unit in fluents.keepers(side, hex_) else FALSE
        entered = TRUE if hex_ == place else FALSE
        return self.after_moves(side, hex_, left=left, entered=entered, may_come=self.may_come(side, hex_, but=unit))

    def after_loss(self, unit: str, hex_: str, place: str) -> Term:
        """The side that is vacating a hex after a unit has retreated or been eliminated."""
        fluents, side = self.fluents, self.fluents.board.units[unit].side
        now, nobody = fluents.vacated[hex_], fluents.side(NONE)
        if hex_ == place:
            return nobody
        nobody_comes = and_(eq(now, side), not_(self.may_come(side, hex_, but=unit)))
        asked = fluents.reads("vacated_when", "nobody_in_reach")
        lost = place in (ELIMINATED, OFF) or (asked and place not in self._near(unit, hex_))
        return ite(nobody_comes, nobody, now) if lost else now

    @encodes("movement-note/1")
    def movement_over(self) -> dict[Term, Term]:
        """A hex that nobody has entered when the movement phase ends is vacated."""
        fluents = self.fluents
        moved = {fluents.moved[u]: FALSE for u in fluents.board.units} if fluents.watched else {}
        return moved | {fluents.vacated[h]: fluents.side(NONE) for h in fluents.watched}

    # ---- what events ask

    @encodes("movement-note/1")
    def under_orders(self, unit: str, called: str) -> Requirement:
        """In the movement phase ordered units move, and those that come onto the map, which no order reaches.

        Args:
            called: The unit in a sentence.
        """
        fluents = self.fluents
        comes = eq(fluents.at[unit], OFF)
        ordered = or_(ne(fluents.phase.fluent, MOVEMENT), fluents.ordered[unit], comes)
        text = f"{called} has not been ordered: in the movement phase ordered units move"
        return Requirement(ordered, text, NOTE)

    @encodes("movement-note/1")
    def in_movement(self, text: str) -> Requirement:
        """Units are ordered, and the movement phase ends, while the movement phase is open.

        Args:
            text: What is wrong where it is not.
        """
        return Requirement(eq(self.fluents.phase.fluent, MOVEMENT), text, NOTE)

    # ---- what positions satisfy

    def invariants(self) -> Iterable[Rule]:
        """The laws on units that are ordered, have moved, or are vacating hexes."""
        fluents = self.fluents
        moving = eq(fluents.phase.fluent, MOVEMENT)
        for u in fluents.board.units if fluents.watched else ():
            text = f"{u} has moved only if it has been ordered, while movement is open"
            yield Rule(f"moved[{u}]", implies(fluents.moved[u], and_(fluents.ordered[u], moving)), text, NOTE)
        for h in fluents.watched:
            yield self._vacated_only(h)

    def _vacated_only(self, hex_: str) -> Rule:
        fluents = self.fluents
        laws = []
        for s in fluents.board.sides:
            now = and_(eq(fluents.phase.fluent, MOVEMENT), eq(fluents.turn.fluent, s), self.may_come(s, hex_))
            empty = not_(any_of(fluents.occupies(t, hex_) for t in fluents.board.sides))
            laws.append(implies(eq(fluents.vacated[hex_], s), and_(now, empty)))
        text = f"{hex_} is being vacated only by the side on turn, while its movement is open and no unit is there"
        if fluents.reads("vacated_when", "nobody_ordered"):
            text += ", and another one that has been ordered has yet to move"
        elif fluents.reads("vacated_when", "nobody_in_reach"):
            text += ", and another one that has been ordered and can reach it has yet to move"
        return Rule(f"vacated[{hex_}]", and_(*laws), text, NOTE)
