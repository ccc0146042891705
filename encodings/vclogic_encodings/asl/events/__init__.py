"""What a record may hold; kinds of events that nothing on the board can bring about are left out."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.events import captures, combat, concealment, fire, moves
from vclogic_encodings.asl.events.kinds import KINDS, deed, event
from vclogic_encodings.asl.game import Game

from vclogic.model.actions import Action, Schema
from vclogic.terms.atoms import TRUE

_ORDER = [module.__name__ for module in (moves, combat, captures, concealment, fire)]
"""The order in which players read of the events; the end of the game comes last."""


@event(cite("26.222/6", "26.3/1", "26.15/3"), {})
def end_game(game: Game) -> Action:
    """The game ends."""
    return deed(
        requirements=(),
        effects=game.after((game.everywhere,), {game.fluents.ended.fluent: TRUE}),
        text="the game ends",
    )


def schemas(game: Game) -> Iterable[Schema]:
    """Every kind of event that something on the board can bring about."""
    for _, made in sorted(KINDS.values(), key=lambda kind: (*_ORDER, __name__).index(kind[0])):
        yield from made(game)
