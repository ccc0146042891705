"""Objectives of the game: those that bring Victory Banners, on the map and in the battle notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from vclogic_encodings.napoleonics.board import ELIMINATED
from vclogic_encodings.napoleonics.game import Game

from vclogic.model.fluents import Value
from vclogic.model.objectives import Objective, changes, following
from vclogic.model.picture import Known, Values
from vclogic.terms.build import ge
from vclogic.terms.term import Term
from vclogic.words import amount

BANNER = "banner"


def objectives(game: Game) -> Iterable[Objective]:
    """The objectives on the map, as the scenario lists them, then those of the battle notes."""
    board = game.board
    for name, o in board.objectives.items():
        own = game.objectives[name]
        yield Objective(
            name=name,
            kind=f"{o.kind.replace('_', ' ')} objective",
            held={side: own.has(side) for side in own.sides},
            places=o.hexes,
            worth=dict.fromkeys(own.sides, amount(o.banners, BANNER)),
            lost=partial(_lost, game, name),
        )
    for name, note in board.battle_objectives.items():
        times = f", up to {note.times} times" if note.times > 1 else ""
        yield Objective(
            name=name,
            kind="battle note",
            held={note.side: ge(game.fluents.scored[name], 1)},
            worth={note.side: f"{amount(note.banners, BANNER)}{times}"},
        )


def _lost(game: Game, name: str, side: str, values: Values) -> Mapping[Term, Value] | None:
    """The units that stood there are eliminated; what the last there keeps is the enemy's.

    What is never lost has no such position, nor has a hex that counts as occupied because another unit may come.
    """
    fluents, objective = game.fluents, game.objectives[name]
    if objective.lasting or any(values[fluents.vacated[h]] == side for h in fluents.watched):
        return None
    after = {**values}
    for unit in game.board.pieces(side):
        if after[fluents.at[unit]] in objective.hexes:
            after = following(after, game.placed(unit, ELIMINATED, moves=False))
    if Known(after)(objective.has(side)):
        foe = game.board.enemy(side)
        now = fluents.side(foe) if foe in objective.sides else objective.nobody
        after = following(after, {objective.now: now}.items())
    return changes(values, after)
