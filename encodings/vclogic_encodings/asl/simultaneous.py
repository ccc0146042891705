"""What is resolved at one moment, in an order that section 26 does not give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.events.combat import eliminate
from vclogic_encodings.asl.game import Game
from vclogic_encodings.asl.names import NONE

from vclogic.model.actions import Action, Requirement
from vclogic.model.system import Moment
from vclogic.terms.build import ne


def moments(game: Game) -> tuple[Moment, ...]:
    """Losses in Melee: both sides strike at once, and section 26 gains Control and points by each single loss."""
    if game.fluents.melee.empty:
        return ()
    text = "units that hold each other in Melee are eliminated"
    return (Moment("melee", partial(_losses, game), text, cite("26.11-p2/1", "26.221/1")),)


def _losses(game: Game) -> Iterator[Action]:
    for (unit,), fights in game.fluents.melee.fluents.items():
        lost = eliminate(game, unit, NONE, "dies")
        held = Requirement(ne(game.now(fights), NONE), f"{unit} is not in Melee")
        yield replace(lost, requirements=(*lost.requirements, held))
