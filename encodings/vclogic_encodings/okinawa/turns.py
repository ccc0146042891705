"""Moves, the end of a player-turn, and the end of the scenario."""

from __future__ import annotations

from vclogic_encodings.okinawa.board import ELIMINATED, EXITED, LEFT, OFF, REMOVED, enemy
from vclogic_encodings.okinawa.citing import cite
from vclogic_encodings.okinawa.flaws import LAST
from vclogic_encodings.okinawa.game import Changes, Rules

from vclogic.model.actions import Action, Requirement
from vclogic.model.memoized import memoized
from vclogic.terms.atoms import TRUE, member
from vclogic.terms.build import eq, gt, ite, le, linear, ne, not_

GONE = {
    ELIMINATED: cite("17.12/1"),
    EXITED: cite("17.41/1"),
    LEFT: cite("17.41/1"),
    REMOVED: cite("17.41/2"),
}
"""The places from which units do not come back, with the clause that puts them there."""


@memoized
def may_move(game: Rules, unit: str) -> tuple[Requirement, ...]:
    """The requirements for a unit to move, wherever it goes."""
    place = game.fluents.at[unit]
    return (
        *game.going_on(),
        game.on_turn(game.board.side_of[unit]),
        *(
            Requirement(ne(place, gone), f"{unit} is not on the map: {why}", GONE.get(gone, ()))
            for gone, why in game.board.elsewhere.items()
            if gone != OFF
        ),
    )


def move(game: Rules, unit: str, to: str) -> Action:
    """A move of a record: the text does not say how units move, so only the board and the turn judge it."""
    fluents, side = game.fluents, game.board.side_of[unit]
    place = fluents.at[unit]
    changes: Changes = {place: member(fluents.places.sort, to)}
    return Action(
        "move",
        (("unit", unit), ("to", to)),
        actor=side,
        requirements=(
            *may_move(game, unit),
            Requirement(not_(eq(place, to)), f"{unit} is in {to} already"),
            *game.has_room(unit, to),
        ),
        effects=game.changed(changes),
        text=lambda values: f"{side}: {unit} {'comes' if values[place] == OFF else f'from {values[place]}'} to {to}",
    )


def end_turn(game: Rules) -> Action:
    """The player-turn passes to the other side; after both a game turn is over."""
    fluents, board = game.fluents, game.board
    turn, rounds = fluents.turn.fluent, fluents.round.fluent
    last = LAST if board.turns is None else board.turns
    known = f"game turns are counted to {LAST} only" if board.turns is None else f"the scenario has {last} game turns"
    sort = fluents.sides.sort
    changes: Changes = {
        turn: ite(eq(turn, board.first), member(sort, enemy(board.first)), member(sort, board.first)),
        rounds: linear([(1, rounds), (1, eq(turn, enemy(board.first)))]),
    }
    return Action(
        "end_turn",
        (),
        actor=turn,
        requirements=(*game.going_on(in_time=False), Requirement(le(rounds, last), known)),
        effects=game.changed(changes),
        text=lambda values: f"{values[turn]} ends its player-turn",
    )


def end_game(game: Rules) -> Action:
    """The scenario ends: what the end brings is given, and victory is judged."""
    fluents = game.fluents
    needs = [*game.going_on(in_time=False)]
    if game.on("early_end", "refused") and game.board.turns is not None:
        message = f"the scenario ends after {game.board.turns} game turns (option early_end)"
        needs.append(Requirement(gt(fluents.round.fluent, game.board.turns), message, cite("17.0/1")))
    return Action(
        "end_game",
        (),
        actor=None,
        requirements=tuple(needs),
        effects=game.changed({fluents.over.fluent: TRUE}),
        text="the scenario ends, and victory is judged",
        cites=cite("17.0/1", "17.31/2", "17.51/2"),
    )
