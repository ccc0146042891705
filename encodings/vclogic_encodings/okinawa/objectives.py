"""What the game is about: the Objective zones, the way off the map, and the US lines of communications."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.okinawa.board import EXITED, JAPAN, SIDES, US, ZONES, enemy
from vclogic_encodings.okinawa.game import Game
from vclogic_encodings.okinawa.rules.points import PER_DEFENCE, PER_LINE

from vclogic.model.objectives import Objective
from vclogic.terms.build import any_of, eq, is_in, not_
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
    scorers = [side for side in SIDES if board.points(zone, side)]
    inside = {s: any_of(is_in(game.fluents.at[u], board.zone[zone]) for u in board.of(s)) for s in scorers}
    held = dict(inside)
    if len(scorers) == 1:
        held[enemy(scorers[0])] = not_(inside[scorers[0]])
    return Objective(
        name=f"{zone} zone",
        kind="zone",
        held=held,
        places=tuple(h for h in board.land if h in board.zone[zone]),
        worth={
            side: f"{amount(board.points(zone, side), 'point')} for each unit there at the end" for side in scorers
        },
        main=bool(scorers),
    )
