"""Objectives of the game: those that bring Victory Banners, on the map, in the battle notes and off the map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from vclogic_encodings.napoleonics.board import ELIMINATED
from vclogic_encodings.napoleonics.game import Rules

from vclogic.model.fluents import Value
from vclogic.model.objectives import Objective, changes, following
from vclogic.model.picture import Known, Values
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import ge
from vclogic.terms.term import Term
from vclogic.words import amount

BANNER = "banner"


def objectives(game: Rules) -> Iterable[Objective]:
    """The objectives on the map, as the scenario lists them, then those of the battle notes, then the exits."""
    board = game.board
    for name, o in board.objectives.items():
        own = game.objectives[name]
        yield Objective(
            name=name,
            kind=f"{o.kind.replace('_', ' ')} objective",
            held={side: own.has(side) for side in (board.sides if o.side is None else own.sides)},
            places=o.hexes,
            worth=dict.fromkeys(own.sides, amount(o.banners, BANNER)),
            lost=partial(_lost, game, name),
            by=o.kinds,
        )
    for name, note in board.battle_objectives.items():
        times = f", up to {note.times} times" if note.times > 1 else ""
        yield Objective(
            name=name,
            kind="battle note",
            held={note.side: ge(game.fluents.scored[name], 1)},
            worth={note.side: f"{amount(note.banners, BANNER)}{times}"},
        )
    for name, x in board.exits.items():
        if x.lost:
            continue  # nobody takes it
        held = {s: ge(game.victory.left(s, name), 1) for s in board.sides}
        held = {s: left for s, left in held.items() if left is not FALSE}
        each = f"{amount(x.banners, BANNER)} a unit"
        yield Objective(name, "exit", held, board.ways_out[name], dict.fromkeys(held, each), by=x.kinds)


def _lost(game: Rules, name: str, side: str, values: Values) -> Mapping[Term, Value] | None:
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
