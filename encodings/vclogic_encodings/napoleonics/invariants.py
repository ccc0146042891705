"""Invariants of every position, apart from those of the rules."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.napoleonics.board import Board
from vclogic_encodings.napoleonics.citing import cite
from vclogic_encodings.napoleonics.fluents import BETWEEN
from vclogic_encodings.napoleonics.game import Rules
from vclogic_encodings.napoleonics.rules.movement_note import NOTE

from vclogic.model.memoized import memoized
from vclogic.model.pieces import alone
from vclogic.model.rules import Rule
from vclogic.terms.build import all_of, and_, any_of, eq, implies, le, ne, not_
from vclogic.terms.term import Term


def invariants(game: Rules) -> Iterable[Rule]:
    """Every invariant of the game."""
    yield from _stacking(game.board, tuple((u, game.fluents.at[u]) for u in game.board.units))
    yield from _orders(game)
    yield from game.objectives.invariants()
    yield from game.note.invariants()
    for name, leaving in game.board.leaving.items():
        others = any_of(eq(game.fluents.at[u], name) for u in game.board.units if u not in leaving)
        text = f"none but those that may have left by {name}"
        yield Rule(f"leaves[{name}]", not_(others), text, cite("general-p2/2"))
    for name, note in game.board.battle_objectives.items():
        text = f"{name} is scored {note.times} times at the most"
        yield Rule(f"times[{name}]", le(game.fluents.scored[name], note.times), text, cite("general-p2/2"))


@memoized
def _stacking(board: Board, places: tuple[tuple[str, Term], ...]) -> list[Rule]:
    """The rules of stacking, which no setting changes: most of what is built, so systems of one board share them.

    Args:
        board: The board.
        places: Each unit with its place.
    """
    at, found = dict(places), []
    units = {u: at[u] for u in board.pieces(leaders=False)}
    leaders = {s: board.pieces(s, leaders=True) for s in board.sides}
    for h in board.hexes:
        laws = alone(units, [h])
        for s, names in leaders.items():
            enemies = any_of(eq(at[e], h) for e in board.pieces(board.enemy(s)))
            laws += [not_(and_(any_of(eq(at[u], h) for u in names), enemies))] if names else []
        found.append(Rule(f"one[{h}]", all_of(laws), f"one unit stands on {h}, and leaders with no enemy", ()))
    return found


def _orders(game: Rules) -> Iterable[Rule]:
    fluents = game.fluents
    for side in game.board.sides:
        on_turn = and_(eq(fluents.turn.fluent, side), ne(fluents.phase.fluent, BETWEEN))
        ordered = any_of(fluents.ordered[u] for u in game.board.pieces(side))
        text = f"units of the {side} side are ordered in a turn of the {side} side alone"
        yield Rule(f"ordered[{side}]", implies(ordered, on_turn), text, NOTE)
