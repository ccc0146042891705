"""What the game is about: the Objective zones, the way off the map, and the US lines of communications."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from vclogic_encodings.okinawa.board import EXITED, JAPAN, SIDES, US, ZONES, enemy
from vclogic_encodings.okinawa.fluents import AUTO
from vclogic_encodings.okinawa.game import Game
from vclogic_encodings.okinawa.rules.combat_results import eliminate
from vclogic_encodings.okinawa.rules.points import PER_DEFENCE, PER_LINE

from vclogic.model.fluents import Value
from vclogic.model.objectives import Objective, changes, following
from vclogic.model.picture import Values
from vclogic.terms.build import any_of, eq, is_in, not_
from vclogic.terms.term import Term
from vclogic.words import amount


def objectives(game: Game) -> Iterable[Objective]:
    """The zones from the northeast on, then the northeast edge and the lines that lead to it."""
    fluents, board = game.fluents, game.board
    for zone in ZONES:
        if board.in_use(zone):
            yield _zone(game, zone)
    yield Objective(
        name="Northeast edge",
        kind="map edge",
        held={JAPAN: any_of(eq(fluents.at[u], EXITED) for u in board.of(JAPAN))},
        places=tuple(board.northeast_edge),
        worth={JAPAN: f"{PER_DEFENCE} points for each Defense Strength Point that exits"},
    )
    cut_off = any_of(game.lines.cut_off)
    yield Objective(
        name="US lines",
        kind="line of communications",
        held={JAPAN: cut_off, US: not_(cut_off)},
        worth={JAPAN: f"{PER_LINE} points for each US unit that is cut off at the end"},
    )


def _zone(game: Game, zone: str) -> Objective:
    """A zone is that side's whose units bring points there, as long as one is there, and else the other side's."""
    board = game.board
    points = {side: n for side in SIDES if (n := board.points(zone, side))}
    inside = {s: any_of(is_in(game.fluents.at[u], board.zone[zone]) for u in board.of(s)) for s in points}
    held = dict(inside)
    if len(points) == 1:
        held |= {enemy(side): not_(there) for side, there in inside.items()}
    return Objective(
        name=f"{zone} zone",
        kind="zone",
        held=held,
        places=tuple(h for h in board.land if h in board.zone[zone]),
        worth={side: f"{amount(n, 'point')} for each unit there at the end" for side, n in points.items()},
        main=bool(points),
        lost=partial(_lost, game, zone),
    )


def _lost(game: Game, zone: str, side: str, values: Values) -> Mapping[Term, Value] | None:
    """The units that bring points there are eliminated; which enemy unit would come there nobody can tell."""
    if not game.board.points(zone, side):
        return None
    after = {**values}
    for unit in game.board.of(side):
        if after[game.fluents.at[unit]] in game.board.zone[zone]:
            after = following(after, eliminate(game, unit, AUTO).effects)
    return changes(values, after)
