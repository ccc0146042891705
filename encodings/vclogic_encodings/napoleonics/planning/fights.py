"""What units do after the moves of a turn: combat, as the option `combat` has it, and deeds that take objectives."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from vclogic_encodings.napoleonics.board import ELIMINATED
from vclogic_encodings.napoleonics.game import Rules
from vclogic_encodings.napoleonics.planning.moves import TurnMoves
from vclogic_encodings.napoleonics.rules.objective import EventEffects

from vclogic.terms.atoms import FALSE, member, var
from vclogic.terms.build import and_, any_of, count, eq, implies, is_in, ite, le, not_
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Term


class Fights:
    """The combats and deeds of one turn; a unit has one of either.

    Attributes:
        game: The game.
        side: The side on turn.
        wins: For each unit of the side on turn and each enemy that it may eliminate the choice.
        backs: For each unit of the side on turn and each enemy whose battle back may eliminate it the choice.
        takes: For each unit and each objective that it may take by a deed the choice.
        last: For each unit that may do so whether it is the last one of the turn, the one that ends the game.
    """

    def __init__(self, game: Rules, side: str, moves: TurnMoves, *, active: bool):
        self.game, self.side, self._moves = game, side, moves
        board = game.board
        self._near: dict[tuple[str, str], Term] = {}
        self.wins: dict[tuple[str, str], Term] = {}
        self.backs: dict[tuple[str, str], Term] = {}
        self.takes: dict[tuple[str, str], Term] = {}
        fighting = active and game.fluents.settings.word("combat") == "adjacent"
        for u in board.pieces(side, leaders=False) if fighting else ():
            for e in board.pieces(board.enemy(side)):
                near = self._adjacent(u, e)
                if near is not FALSE:
                    self._near[u, e] = near
                    self.wins[u, e] = var(f"{u} eliminates {e}", BOOL)
                    if not game.is_leader(e):
                        self.backs[u, e] = var(f"{e} eliminates {u} in a battle back", BOOL)
        for name, o in game.objectives.by_deed.items() if active else ():
            for u in o.units[side] if side in o.sides else ():
                if not moves.can_be(u).isdisjoint(o.hexes):
                    self.takes[u, name] = var(f"{u} takes {name}", BOOL)
        self.last = {u: var(f"last combat {u}", BOOL) for u, _ in (*self._near, *self.takes)}

    def _adjacent(self, unit: str, enemy: str) -> Term:
        """True if two pieces are adjacent once the moves are made."""
        grid, moves = self.game.board.grid, self._moves
        theirs = moves.can_be(enemy)
        place, there = moves.place(unit), self.game.fluents.at[enemy]
        near = {h: [n for n in grid.neighbours[h] if n in theirs] for h in moves.can_be(unit)}
        return any_of(and_(eq(place, h), is_in(there, around)) for h, around in sorted(near.items()) if around)

    @property
    def choices(self) -> tuple[Term, ...]:
        """The choice variables."""
        return (*self.wins.values(), *self.backs.values(), *self.takes.values(), *self.last.values())

    @cached_property
    def any_last(self) -> Term:
        """True if there is a last combat."""
        return any_of(self.last.values())

    @cached_property
    def by_unit(self) -> dict[str, Term]:
        """For each unit that may fight whether it does."""
        return {u: any_of(self._of(u)) for u in self.last}

    def _of(self, unit: str) -> list[Term]:
        every = (*self.wins.items(), *self.backs.items(), *self.takes.items())
        return [x for (u, _), x in every if u == unit]

    def laws(self) -> Iterable[Term]:
        """The constraints of the combats on one another."""
        for pair, near in self._near.items():
            yield implies(self.wins[pair], near)
            if pair in self.backs:
                yield implies(self.backs[pair], near)
        for (u, name), x in self.takes.items():
            o = self.game.objectives.by_deed[name]
            yield implies(x, and_(o.free, is_in(self._moves.place(u), o.hexes)))
        for name in dict.fromkeys(name for _, name in self.takes):
            yield le(count(x for (_, o), x in self.takes.items() if o == name), 1)
        for u, last in self.last.items():
            yield le(count(self._of(u)), 1)
            yield implies(last, self.by_unit[u])
        for e in dict.fromkeys(e for _, e in self.wins):
            yield le(count(x for (_, enemy), x in self.wins.items() if enemy == e), 1)
        yield le(count(self.last.values()), 1)

    def happening(self, *, last: bool) -> EventEffects:
        """The effects of the combats on objectives.

        Args:
            last: Whether the last of them is fought.
        """
        fluents = self.game.fluents
        lost: dict[str, list[Term]] = {}
        for (u, e), x in self.wins.items():
            lost.setdefault(e, []).append(x if last else and_(x, not_(self.last[u])))
        for (u, _), x in self.backs.items():
            lost.setdefault(u, []).append(x if last else and_(x, not_(self.last[u])))
        gone = member(fluents.places.sort, ELIMINATED)
        changes = {fluents.at[p]: ite(any_of(ways), gone, fluents.at[p]) for p, ways in lost.items()}
        left = {
            s: any_of(x for p, ways in lost.items() if p in fluents.occupiers[s] for x in ways)
            for s in self.game.board.sides
        }
        took = {(u, o): x if last else and_(x, not_(self.last[u])) for (u, o), x in self.takes.items()}
        return EventEffects(changes, left=left, took=took)
