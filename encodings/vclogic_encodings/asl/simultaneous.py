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


def moments(c: Game) -> tuple[Moment, ...]:
    """Losses in Melee: both sides strike at once, and section 26 gains Control and points by each single loss."""
    if c.f.melee.empty:
        return ()
    text = "units that hold each other in Melee are eliminated"
    return (Moment("melee", partial(_losses, c), text, cite("26.11-p2/1", "26.221/1")),)


def _losses(c: Game) -> Iterator[Action]:
    for (unit,), fights in c.f.melee.fluents.items():
        lost = eliminate(c, unit, NONE, "dies")
        held = Requirement(ne(c.now(fights), NONE), f"{unit} is not in Melee")
        yield replace(lost, requirements=(*lost.requirements, held))
