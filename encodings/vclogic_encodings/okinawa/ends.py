"""The end of a player-turn, and of the scenario."""

from __future__ import annotations

from vclogic_encodings.okinawa.board import enemy
from vclogic_encodings.okinawa.citing import cite
from vclogic_encodings.okinawa.flaws import LAST
from vclogic_encodings.okinawa.game import Changes, Game

from vclogic.model.actions import Action, Requirement
from vclogic.terms.atoms import TRUE, member
from vclogic.terms.build import eq, gt, ite, le, linear


def end_turn(game: Game) -> Action:
    """The player-turn passes to the other side; after both a game turn is over."""
    fluents, board = game.fluents, game.board
    turn, rounds = fluents.turn.fluent, fluents.round.fluent
    first, second = board.order
    last = LAST if board.turns is None else board.turns
    known = f"game turns are counted to {LAST} only" if board.turns is None else f"the scenario has {last} game turns"
    sort = fluents.sides.sort
    changes: Changes = {
        turn: ite(eq(turn, first), member(sort, enemy(first)), member(sort, first)),
        rounds: linear([(1, rounds), (1, eq(turn, second))]),
    }
    return Action(
        "end_turn",
        (),
        actor=turn,
        requirements=(*game.going_on(in_time=False), Requirement(le(rounds, last), known)),
        effects=game.changed(changes),
        text=lambda values: f"{values[turn]} ends its player-turn",
    )


def end_game(game: Game) -> Action:
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
        cites=cite("17.0/1"),
    )
