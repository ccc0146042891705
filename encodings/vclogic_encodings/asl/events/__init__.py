"""Kinds of events that a record may hold; those that nothing on the board can bring about are left out."""

from __future__ import annotations

from collections.abc import Mapping

from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.events import captures, combat, concealment, fire, moves
from vclogic_encodings.asl.events.kinds import KINDS, deed, event
from vclogic_encodings.asl.game import Rules

from vclogic.model.actions import Action, Schema
from vclogic.terms.atoms import TRUE

_ORDER = [module.__name__ for module in (moves, combat, captures, concealment, fire)]
"""The order in which players read of the events; the end of the game comes last."""


@event(cite("26.222/6", "26.3/1", "26.15/3"), {})
def end_game(game: Rules) -> Action:
    """The game ends."""
    return deed(
        requirements=(),
        effects=game.after((game.everywhere,), {game.fluents.ended.fluent: TRUE}),
        text="the game ends",
    )


def schemas(game: Rules) -> tuple[Mapping[str, Schema], Mapping[str, str]]:
    """Every kind of event that something on the board can bring about; of each other one, what the board lacks."""
    kinds = sorted(KINDS.items(), key=lambda kind: (*_ORDER, __name__).index(kind[1][0]))
    found = {name: made(game) for name, (_, made) in kinds}
    there = {name: x for name, x in found.items() if isinstance(x, Schema)}
    return there, {name: x for name, x in found.items() if isinstance(x, str)}
