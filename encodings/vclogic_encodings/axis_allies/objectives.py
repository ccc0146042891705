"""Objectives of the game: victory cities, and territories where every territory counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.rules.victory_cities import city_points

from vclogic.board.area import distances
from vclogic.model.fluents import Value
from vclogic.model.objectives import Objective, changes
from vclogic.model.picture import Values
from vclogic.terms.term import Term
from vclogic.words import amount


def objectives(game: Rules) -> Iterable[Objective]:
    """The territories with a victory city, those of most points first, then all others.

    Others are what the game is about where the players agreed on Total Victory alone.
    """
    board = game.board
    by_points = sorted(board.cities, key=lambda t: -city_points(board, t))
    every = game.on("victory", "total")
    for name in dict.fromkeys((*by_points, *board.land)):
        city = board.territories[name].city
        worth = f"{city.name}, {amount(city_points(board, name), 'point')}" if city else ""
        yield Objective(
            name=name,
            kind="victory city" if city else "territory",
            held={side: game.fluents.controls(side, name) for side in board.sides},
            places=(name,),
            worth=dict.fromkeys(board.sides, worth) if worth else {},
            main=every or city is not None,
            lost=partial(_taken, game, name),
        )


def _taken(game: Rules, territory: str, side: str, values: Values) -> Mapping[Term, Value] | None:
    """The changes by an enemy who took the territory in an earlier turn: units there are lost."""
    fluents, board = game.fluents, game.board
    taker = _taker(game, territory, side, values)
    after: dict[Term, Value] = {fluents.owner[territory]: taker, fluents.owner_at_turn_start[territory]: taker}
    after |= {fluents.attacked[territory]: False, fluents.failed_attacks[territory]: False}
    after[fluents.declared[territory]] = False
    if fluents.armies:
        underway = fluents.underway
        if any(values[x] != nothing for x, nothing in underway.nothing().items()):
            return None  # in the middle of a turn nobody can tell which of its moves still were made
        lost = (fluents.units[territory, p, u] for p in board.sides[side] for u in fluents.forces.sort.members)
        after |= dict.fromkeys(lost, 0)
    return changes(values, {**values, **after})


def _taker(game: Rules, territory: str, side: str, values: Values) -> str:
    """The enemy power that takes a territory: whose it was at the start, else the one that has land nearest to it."""
    board, owner = game.board, game.fluents.owner
    enemies = board.sides[board.enemy(side)]
    first = board.territories[territory].owner
    if first in enemies:
        return str(first)
    near = distances(board.map.neighbours, territory, len(board.territories))
    owners = (str(values[owner[t]]) for t in near if t in board.land)
    return next((p for p in owners if p in enemies), enemies[0])
