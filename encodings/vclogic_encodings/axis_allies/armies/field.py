"""The board in the turn of one power: what moves of armies in a record are judged by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from vclogic_encodings.axis_allies.armies.waters import Waters
from vclogic_encodings.axis_allies.board import MOST
from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.names import NONE
from vclogic_encodings.axis_allies.roles import Roles
from vclogic_encodings.axis_allies.wording import in_words, of_units

from vclogic.model.actions import Requirement
from vclogic.model.fluents import Value
from vclogic.model.memoized import memoized
from vclogic.terms.atoms import FALSE, integer, member
from vclogic.terms.build import add, and_, eq, gt, is_in, ite, le, linear, minimum, not_, sub
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term

MODEL = "army model: "
"""Begins messages that rest on an assumption of the army level and not on a clause."""
Values = Mapping[Term, Value]


@dataclass(frozen=True)
class TurnBoard:
    """The board in the turn of one power.

    Attributes:
        game: The game.
        power: The power on turn.
    """

    game: Rules
    power: str

    @property
    def roles(self) -> Roles:
        """The roles of units."""
        return self.game.roles

    @cached_property
    def waters(self) -> Waters:
        """The sea zones that ships can reach."""
        return Waters(self.game.board, self.mine, self._open)

    @property
    def side(self) -> str:
        """The power's side."""
        return self.game.board.powers[self.power].side

    # ---- what there is

    def units(self, region: str, unit: str) -> Term:
        """The number of the power's units in a region."""
        return self.game.fluents.units[region, self.power, unit]

    @memoized
    def free(self, region: str, unit: str) -> Term:
        """The number of them that may still move."""
        moved = self.game.fluents.underway.moved[region, unit]
        if unit in self.roles.ships and region in self.game.board.sea:
            fired = self.game.fluents.underway.fired[region, unit]
            moved = ite(gt(fired, moved), fired, moved)
        return sub(self.units(region, unit), moved)

    @memoized
    def mine(self, territory: str) -> Term:
        """True if the power's side controlled a territory as the turn began."""
        return is_in(self.game.fluents.owner_at_turn_start[territory], self.game.board.sides[self.side])

    @memoized
    def theirs(self, territory: str) -> Term:
        """True if the other side controls it."""
        return self.game.fluents.controls(self.game.board.enemy(self.side), territory)

    @memoized
    def enemies(self, region: str, weights: tuple[tuple[str, int], ...]) -> Term:
        """The weighted number of enemy units in a region."""
        powers = self.game.board.sides[self.game.board.enemy(self.side)]
        return linear((w, self.game.fluents.units[region, p, u]) for u, w in weights for p in powers if w)

    def defenders(self, region: str) -> Term:
        """The number of enemy units in a region."""
        return self.enemies(region, tuple((u, 1) for u in self.roles.all))

    def warships(self, zone: str) -> Term:
        """The number of enemy warships in a sea zone."""
        return self.enemies(zone, tuple((u, 1) for u in self.roles.warships))

    def undefended(self, territory: str) -> Term:
        """True if a territory is the enemy's without a unit of theirs, and was so as the turn began."""
        fought = self.game.fluents.underway.fought[territory]
        return and_(self.theirs(territory), eq(self.defenders(territory), 0), not_(fought))

    def _open(self, zone: str) -> Term:
        return and_(eq(self.warships(zone), 0), not_(self.game.fluents.underway.fought[zone]))

    # ---- what moves ask

    def named(self, count: Term, unit: str) -> str:
        """A number of units in words."""
        return of_units(self.game.board, in_words(count), unit)

    def of_kind(self, unit: str, kinds: tuple[str, ...], what: str) -> tuple[Requirement, ...]:
        """Require that units of a kind make such a move at all."""
        if unit in kinds:
            return ()
        return (Requirement(FALSE, f"{MODEL}{of_units(self.game.board, 2, unit)[2:]} {what}"),)

    def enough(self, region: str, unit: str, count: Term) -> Requirement:
        """Require that so many units are there and have not moved this turn."""
        there, free = self.units(region, unit), self.free(region, unit)
        moved = self.game.fluents.underway.moved[region, unit]

        def message(values: Values) -> str:
            had, gone = int(values[there]), int(values[moved])
            already = f", {gone} of them moved or fought already: a unit moves once in a turn" if gone else ""
            kind = of_units(self.game.board, had, unit) if had else f"no {unit}"
            return f"{MODEL}{self.named(count, unit)} cannot go: the {self.power} have {kind} in {region}{already}"

        return Requirement(le(count, free), message)


class Deltas:
    """The changes of an event, gathered as numbers added to fluents."""

    def __init__(self, game: Rules):
        self._added: dict[Term, list[Term]] = {}
        self._underway = game.fluents.underway
        self._changes: dict[Term, Term] = {game.fluents.ended.fluent: member(game.fluents.power_or_none.sort, NONE)}

    def add(self, fluent: Term, number: Term) -> None:
        """Adds to a number."""
        self._added.setdefault(fluent, []).append(number)

    def help(self, region: str, unit: str, number: Term) -> None:
        """Adds to the units that help in a battle, if such units can."""
        if unit in self._underway.helps:
            self.add(self._underway.help[region, unit], number)

    def set(self, fluent: Term, new: Term) -> None:
        """Gives a fluent another value."""
        self._changes[fluent] = new

    @property
    def changes(self) -> dict[Term, Term]:
        """Each fluent's value afterwards; numbers stay within what is counted."""
        found = dict(self._changes)
        for fluent, numbers in self._added.items():
            most = fluent.sort.hi if isinstance(fluent.sort, IntSort) else MOST
            found[fluent] = minimum(add(fluent, *numbers), integer(most))
        return found


@dataclass(frozen=True)
class Moving:
    """The changes and requirements of a move, beyond the power's turn, and the end of its text."""

    deltas: Deltas
    requirements: tuple[Requirement, ...]
    text: str


@memoized
def field_of(game: Rules, power: str) -> TurnBoard:
    """The board in the turn of a power."""
    return TurnBoard(game, power)
