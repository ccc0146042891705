"""The parts of one game, with the requirements and effects that its events share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from vclogic_encodings.napoleonics.board import ELIMINATED, OFF, Board
from vclogic_encodings.napoleonics.citing import cite
from vclogic_encodings.napoleonics.fluents import MOVEMENT, Fluents
from vclogic_encodings.napoleonics.planning.paths import Paths
from vclogic_encodings.napoleonics.rules.movement_note import MovementNote
from vclogic_encodings.napoleonics.rules.objective import Changes, EventEffects
from vclogic_encodings.napoleonics.rules.objectives import ObjectiveRules
from vclogic_encodings.napoleonics.rules.victory import Victory

from vclogic.model.actions import Requirement
from vclogic.model.citation import Cites
from vclogic.model.fluents import Value, value
from vclogic.model.memoized import memoized
from vclogic.terms.atoms import FALSE, TRUE, member
from vclogic.terms.build import and_, any_of, eq, is_in, ne, not_, or_
from vclogic.terms.term import Term

Effects = tuple[tuple[Term, Term], ...]


@dataclass(frozen=True)
class Rules:
    """The parts of one game.

    Attributes:
        fluents: The fluents.
        note: The note on units that change places.
        objectives: The rules of objectives.
        victory: Turns, banners and victory.
    """

    fluents: Fluents
    note: MovementNote
    objectives: ObjectiveRules
    victory: Victory

    @property
    def board(self) -> Board:
        """The board."""
        return self.fluents.board

    def is_leader(self, piece: str) -> bool:
        """True if it is a leader, not a unit."""
        return self.board.kinds[self.board.units[piece].kind].leader

    def called(self, piece: str) -> str:
        """A unit or leader in a sentence; its name alone may be a plural, such as Voltigeurs."""
        return f"the {'leader' if self.is_leader(piece) else 'unit'} {piece}"

    # ---- what events ask

    def on_turn(self, side: str) -> tuple[Requirement, ...]:
        """Require that the side's turn has begun, in a game that goes on."""
        return (self.victory.goes_on(), self.victory.in_a_turn(), self.victory.turn_of(side))

    def not_gone(self, piece: str) -> Requirement:
        """Require that a unit has not been eliminated, nor left by an exit."""
        return self._not_at(piece, self.fluents.gone, self._of_losses)

    def on_map(self, piece: str) -> Requirement:
        """Require that a unit is on the map."""
        return self._not_at(piece, (*self.fluents.gone, OFF), self._of_losses)

    def can_be_ordered(self, piece: str) -> Requirement:
        """Require that a unit is on the map, where orders reach it."""
        return self._not_at(piece, (*self.fluents.gone, OFF), cite("movement-note/1"))

    @property
    def _of_losses(self) -> Cites:
        """The clauses by which units are gone: eliminated, or by an exit of the battle notes."""
        return cite("general-p2/1", *(("general-p2/2",) if self.board.exits else ()))

    def _not_at(self, piece: str, places: Iterable[str], cites: Cites) -> Requirement:
        at, lost = self.fluents.at[piece], {ELIMINATED: "has been eliminated", OFF: "is off the map"}

        def said(values: Mapping[Term, Value]) -> str:
            where = lost.get(str(values[at]), f"has left by {values[at]}")
            return f"{self.called(piece)} is not there: it {where}"

        return Requirement(not_(is_in(at, places)), said, cites)

    def leaves_by(self, piece: str, name: str) -> tuple[Requirement, ...]:
        """Require that a unit on the map is of those that leave by an exit, and near enough to one of its hexes."""
        x = self.board.exits[name]
        who = f"{', '.join(x.kinds) or 'units'}{f' of the {x.side} side' if x.side else ''}"
        text = f"{self.called(piece)} cannot leave by {name}: it is for {who}"
        fits = TRUE if piece in self.board.leaving[name] else FALSE
        gates, at = self.board.ways_out[name], self.fluents.at[piece]
        near = is_in(at, (*self.fluents.gone, OFF, *self._within_reach(self.board.units[piece].kind, name)))

        def far(values: Mapping[Term, Value]) -> str:
            some = ", ".join(gates[:4]) + (" ..." if len(gates) > 4 else "")
            return f"{self.called(piece)} is on {values[at]}: it leaves by {name} from {some}"

        here = Requirement(near, far, cite("general-p2/2"))
        return (self.on_map(piece), Requirement(fits, text, cite("general-p2/2")), here)

    @memoized
    def _within_reach(self, kind: str, name: str) -> tuple[str, ...]:
        """The hexes from which a kind of unit can leave by an exit in one move: its own, and those near enough."""
        gates = self.board.ways_out[name]
        return tuple(h for h in self.board.hexes if h in gates or name in self._paths.from_hex(kind, h))

    @cached_property
    def _paths(self) -> Paths:
        return Paths(self.board)

    def fought(self, piece: str) -> tuple[Requirement, ...]:
        """Require an enemy on the map, who fights what is eliminated or retreats: Reading `losses`."""
        if self.fluents.reads("losses", "anytime"):
            return ()
        foes = self.board.pieces(self.board.enemy(self.board.units[piece].side))
        there = any_of(self.on_map(e).term for e in foes)
        text = f"no enemy unit is on the map to fight {self.called(piece)} (reading losses)"
        return (Requirement(there, text, cite("general-p2/1")),)

    def next_to(self, piece: str, hex_: str) -> tuple[Requirement, ...]:
        """Require that a retreat leads to a hex next to the one before: Reading `retreats`."""
        if self.fluents.reads("retreats", "anywhere"):
            return ()
        there = [h for h in self.board.grid.neighbours[hex_] if h in self.board.hexes]  # nobody retreats from others
        near = is_in(self.fluents.at[piece], there)
        text = f"{self.called(piece)} is not next to {hex_}, to which it retreats (reading retreats)"
        return (Requirement(near, text, cite("temporary/2")),)

    def free(self, piece: str, hex_: str) -> Requirement:
        """Require room in a hex: no other unit; a leader may stand with any friend."""
        fluents = self.fluents
        others = [o for o in self.board.pieces() if o != piece and not self.stand_together(piece, o)]

        def said(values: Mapping[Term, Value]) -> str:
            there = [self.called(o) for o in others if values[fluents.at[o]] == hex_]
            return f"{' and '.join(there)} {'stands' if len(there) == 1 else 'stand'} on {hex_}"

        return Requirement(not_(any_of(eq(fluents.at[o], hex_) for o in others)), said)

    def stand_together(self, a: str, b: str) -> bool:
        """True if two pieces may be in one hex: a leader and another piece of its side."""
        one_side = self.board.units[a].side == self.board.units[b].side
        return one_side and (self.is_leader(a) or self.is_leader(b))

    def elsewhere(self, piece: str, place: str) -> Requirement:
        """Require that a unit is elsewhere."""
        where = "off the map" if place == OFF else f"on {place}"
        return Requirement(ne(self.fluents.at[piece], place), f"{self.called(piece)} is {where} already")

    # ---- what events change

    def placed(self, piece: str, place: str, *, moves: bool) -> Effects:
        """The effects of a unit's arrival at another place.

        Args:
            piece: The unit.
            place: Where it is then.
            moves: Whether it moves there, so that another ordered unit may still take its place.
        """
        at, there = self.fluents.at[piece], member(self.fluents.places.sort, place)
        alike = place if place in self._matter else self._no_matter  # all other places are alike to objectives
        return tuple((f, there if f is at else new) for f, new in self._placed(piece, alike, moves=moves))

    @cached_property
    def _matter(self) -> frozenset[str]:
        """The hexes of all objectives, and where eliminated units are; all places where it matters who can come."""
        if self.fluents.reads("vacated_when", "nobody_in_reach"):
            return frozenset(self.fluents.places.sort.members)
        return frozenset({ELIMINATED, OFF}.union(*(o.hexes for o in self.board.objectives.values())))

    @cached_property
    def _no_matter(self) -> str:
        """A place that is none of them, if there is one."""
        return next((p for p in self.fluents.places.sort.members if p not in self._matter), OFF)

    @memoized
    def _placed(self, piece: str, place: str, *, moves: bool) -> Effects:
        fluents, side = self.fluents, self.board.units[piece].side
        changes: dict[Term, Term] = {fluents.at[piece]: member(fluents.places.sort, place)}
        if moves and fluents.watched:
            moving = and_(eq(fluents.phase.fluent, MOVEMENT), fluents.ordered[piece])  # who comes on has no order
            changes[fluents.moved[piece]] = or_(fluents.moved[piece], moving)
        if piece not in fluents.occupiers[side]:
            return tuple(self.objectives.after(EventEffects(changes)).items())
        vacated = self.note.after_move if moves else self.note.after_loss
        changes |= {fluents.vacated[h]: vacated(piece, h, place) for h in fluents.watched}
        happening = EventEffects(changes, entered={(piece, place): TRUE}, left={side: TRUE})
        return tuple(self.objectives.after(happening).items())

    def by_hand(self, fluent: Term, new: Term) -> Effects:
        """The effects where a fact is changed by hand: a unit that is put elsewhere does not move there."""
        for piece, at in self.fluents.at.fluents.items():
            if at is fluent:
                return self.placed(piece[0], str(value(new.sort, int(new.payload))), moves=False)
        return tuple(self.objectives.after(EventEffects({fluent: new})).items())

    def movement_ends(self, changes: Changes) -> Effects:
        """The effects of the end of the movement phase, together with other changes."""
        left = {s: eq(self.fluents.turn.fluent, s) for s in self.board.sides}
        happening = EventEffects({**changes, **self.note.movement_over()}, left=left)
        return tuple(self.objectives.after(happening).items())
