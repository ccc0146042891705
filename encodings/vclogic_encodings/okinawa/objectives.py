"""Objectives of the game: the Objective zones, the way off the map, and the US lines of communications."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from vclogic_encodings.okinawa.board import EXITED, JAPAN, SIDES, US, ZONES, enemy
from vclogic_encodings.okinawa.fluents import AUTO
from vclogic_encodings.okinawa.game import Rules
from vclogic_encodings.okinawa.rules.combat_results import eliminate
from vclogic_encodings.okinawa.rules.points import PER_DEFENCE, PER_LINE

from vclogic.model.fluents import Value
from vclogic.model.objectives import Objective, changes, following
from vclogic.model.picture import Values
from vclogic.terms.build import any_of, count, eq, ge, not_
from vclogic.terms.term import Term
from vclogic.words import amount, ordinal

ZONE = "zone"
FEW = 6
"""So many units of a kind are told apart; further ones bring as much each."""


def objectives(game: Rules) -> Iterable[Objective]:
    """The zones from the northeast on, then the northeast edge and the lines that lead to it.

    Points are for each unit there and for each unit that is cut off, so further ones are objectives: a 3rd unit is
    in a zone as long as three or more are.
    """
    fluents, board = game.fluents, game.board
    for zone in ZONES:
        if board.in_use(zone):
            yield from _zone(game, zone)
    yield Objective(
        name="Northeast edge",
        kind="map edge",
        held={JAPAN: any_of(eq(fluents.at[u], EXITED) for u in board.of(JAPAN))},
        places=tuple(board.northeast_edge),
        worth={JAPAN: f"{PER_DEFENCE} points for each Defense Strength Point that exits"},
    )
    yield from _lines(game)


def _zone(game: Rules, zone: str) -> Iterable[Objective]:
    """A zone is that side's whose units bring points there, as long as one is there, and else the other side's."""
    board = game.board
    points = {side: n for side in SIDES if (n := board.points(zone, side))}
    there = {side: [counts for _, counts in game.score.for_zone(side, zone)] for side in points}
    held = {side: any_of(inside) for side, inside in there.items()}
    if len(points) == 1:
        held |= {enemy(side): not_(any_of(inside)) for side, inside in there.items()}
    places = tuple(h for h in board.land if h in board.zone[zone])
    worth = {side: f"{amount(n, 'point')} for each unit there at the end" for side, n in points.items()}
    yield Objective(f"{zone} zone", ZONE, held, places, worth, bool(points), partial(_lost, game, zone))
    for side, inside in there.items():
        for n in _numbers(2, len(inside)):
            name = f"{ordinal(n)} unit in {zone}" if len(points) == 1 else f"{ordinal(n)} unit of {side} in {zone}"
            yield Objective(name, ZONE, {side: ge(count(inside), n)}, places, {side: _each(n, points[side])})


def _lines(game: Rules) -> Iterable[Objective]:
    """The lines of US units: Japan has as many of them as it cuts, the US those that are left."""
    cut = count(game.lines.cut_off)
    for n in _numbers(1, len(game.board.of(US))):
        japan = ge(cut, n)
        held = {JAPAN: japan, US: not_(japan)}
        yield Objective(f"{ordinal(n)} US line", "line of communications", held, (), {JAPAN: _each(n, PER_LINE)})


def _each(n: int, points: int) -> str:
    """The points of the n-th, the last one that is told apart with those after it."""
    return amount(points, "point") + (" each, further ones too" if n == FEW else "")


def _numbers(least: int, most: int) -> Iterable[int]:
    return range(least, min(most, FEW) + 1)


def _lost(game: Rules, zone: str, side: str, values: Values) -> Mapping[Term, Value] | None:
    """The units that bring points there are eliminated; which enemy unit would come there nobody can tell."""
    if not game.board.points(zone, side):
        return None
    after = {**values}
    for unit in game.board.of(side):
        if after[game.fluents.at[unit]] in game.board.zone[zone]:
            after = following(after, eliminate(game, unit, AUTO).effects)
    return changes(values, after)
