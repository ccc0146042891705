"""What every event is built from, and what all of them ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from vclogic_encodings.napoleonics.board import ELIMINATED, NONE, OFF, Board
from vclogic_encodings.napoleonics.citing import cite
from vclogic_encodings.napoleonics.fluents import Fluents
from vclogic_encodings.napoleonics.names import BETWEEN, MOVEMENT
from vclogic_encodings.napoleonics.rules.objectives import Changes, Happening, Holding

from vclogic.model.actions import Requirement
from vclogic.model.fluents import Value
from vclogic.terms.atoms import FALSE, TRUE, member
from vclogic.terms.build import and_, any_of, eq, is_in, ite, ne, not_, or_
from vclogic.terms.term import Term

Effects = tuple[tuple[Term, Term], ...]


@dataclass(frozen=True)
class Context:
    """The parts of one game.

    Attributes:
        f: The fluents.
        holding: The rules of objectives.
    """

    f: Fluents
    holding: Holding

    @property
    def board(self) -> Board:
        """The board."""
        return self.f.board

    def is_leader(self, piece: str) -> bool:
        """Whether it is a leader, not a unit."""
        return self.board.kinds[self.board.units[piece].kind].leader

    def called(self, piece: str) -> str:
        """A unit or leader in a sentence; its name alone may be a plural, such as Voltigeurs."""
        return f"the {'leader' if self.is_leader(piece) else 'unit'} {piece}"

    # ---- what events ask

    def goes_on(self) -> Requirement:
        """That nobody has won."""

        def said(values: Mapping[Term, Value]) -> str:
            needs = [f"{n} for the {s} side" for s, n in self.board.banners.items()]
            return f"the game is over: a side has reached its number of Victory Banners ({', '.join(needs)})"

        return Requirement(not_(self.f.over), said, cite("general/1", "general-p3/1"))

    def in_a_turn(self) -> Requirement:
        """That somebody's turn has begun."""
        return Requirement(
            ne(self.f.phase.fluent, BETWEEN), "no turn has begun: `start_turn` comes first", cite("general/1")
        )

    def on_turn(self, side: str) -> tuple[Requirement, ...]:
        """That the side's turn has begun, in a game that goes on."""
        f = self.f
        message = f"it is not the turn of the {side} side"
        theirs = Requirement(eq(f.turn.fluent, side), message, cite("general/1"))
        return (self.goes_on(), self.in_a_turn(), theirs)

    def on_map(self, piece: str) -> Requirement:
        """That a unit is on the map."""
        at = self.f.at[piece]

        def said(values: Mapping[Term, Value]) -> str:
            where = "has been eliminated" if values[at] == ELIMINATED else "is off the map"
            return f"{self.called(piece)} is not there: it {where}"

        return Requirement(not_(is_in(at, (ELIMINATED, OFF))), said)

    def free(self, piece: str, hex_: str) -> Requirement:
        """That a unit may stand in a hex: no other unit there, a leader with no enemy."""
        f = self.f
        others = [o for o in self.board.pieces() if o != piece and not self.stand_together(piece, o)]

        def said(values: Mapping[Term, Value]) -> str:
            there = [self.called(o) for o in others if values[f.at[o]] == hex_]
            return f"{' and '.join(there)} {'stands' if len(there) == 1 else 'stand'} on {hex_}"

        return Requirement(not_(any_of(eq(f.at[o], hex_) for o in others)), said)

    def stand_together(self, a: str, b: str) -> bool:
        """Whether two pieces may be in one hex: a leader and another piece of its side."""
        one_side = self.board.units[a].side == self.board.units[b].side
        return one_side and (self.is_leader(a) or self.is_leader(b))

    def elsewhere(self, piece: str, place: str) -> Requirement:
        """That a unit is not there already."""
        where = "off the map" if place == OFF else f"on {place}"
        return Requirement(ne(self.f.at[piece], place), f"{self.called(piece)} is {where} already")

    # ---- what events change

    def placed(self, piece: str, place: str, *, moves: bool) -> Effects:
        """What follows when a unit comes to another place.

        Args:
            piece: The unit.
            place: Where it is then.
            moves: Whether it moves there, so that another ordered unit may still take its place.
        """
        at, there = self.f.at[piece], member(self.f.places.sort, place)
        if place in self._matter:
            return self._placed(piece, place, moves=moves)
        key = piece, moves, place == ELIMINATED  # all other places are alike to objectives
        if key not in self._elsewhere:
            self._elsewhere[key] = self._placed(piece, place, moves=moves)
        return tuple((f, there if f is at else new) for f, new in self._elsewhere[key])

    @cached_property
    def _matter(self) -> frozenset[str]:
        """The hexes of all objectives."""
        return frozenset(h for o in self.board.objectives.values() for h in o.hexes)

    @cached_property
    def _elsewhere(self) -> dict[tuple[str, bool, bool], Effects]:
        return {}

    def _placed(self, piece: str, place: str, *, moves: bool) -> Effects:
        f, side = self.f, self.board.units[piece].side
        changes: dict[Term, Term] = {f.at[piece]: member(f.places.sort, place)}
        if moves and f.watched:
            changes[f.moved[piece]] = or_(f.moved[piece], eq(f.phase.fluent, MOVEMENT))
        if piece not in f.occupiers[side]:
            return tuple(self.holding.after(Happening(changes)).items())
        for h in f.watched:
            changes[f.vacated[h]] = self._vacated(piece, h, place, moves=moves)
        happening = Happening(changes, entered={(side, place): TRUE}, left={side: TRUE})
        return tuple(self.holding.after(happening).items())

    def _vacated(self, piece: str, hex_: str, place: str, *, moves: bool) -> Term:
        """Whether an objective hex is being vacated after a unit has come to another place."""
        f, side = self.f, self.board.units[piece].side
        now = f.vacated[hex_]
        if hex_ == place:
            return f.side(NONE)
        lapses = not_(f.to_come(side, but=piece))
        if not moves:
            return ite(and_(eq(now, side), lapses), f.side(NONE), now) if place == ELIMINATED else now
        others = any_of(eq(f.at[o], hex_) for o in f.occupiers[side] if o != piece)
        leaves = and_(eq(f.at[piece], hex_), eq(f.phase.fluent, MOVEMENT), not_(others))
        return ite(lapses, f.side(NONE), ite(leaves, f.side(side), now))

    def filled(self) -> Changes:
        """That no hex is being vacated any more, and nobody is moving."""
        f = self.f
        moved = {f.moved[u]: FALSE for u in self.board.units} if f.watched else {}
        return moved | {f.vacated[h]: f.side(NONE) for h in f.watched}

    def movement_ends(self, changes: Changes) -> Effects:
        """What follows when the movement phase ends, beside some other changes."""
        f = self.f
        left = {s: eq(f.turn.fluent, s) for s in self.board.sides}
        return tuple(self.holding.after(Happening({**changes, **self.filled()}, left=left)).items())
