"""Events by which a vehicle or Gun comes into a condition that brings nobody points, and out of it."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.game import Game

from vclogic.model.actions import Action, Requirement
from vclogic.model.fluents import Family
from vclogic.terms.atoms import boolean
from vclogic.terms.build import not_

CHOSEN = ("dismantle", "assemble")
"""Events that a side decides; nobody decides the others."""


def conditions(game: Game) -> Iterable[tuple[Family, str, str]]:
    """Each condition that there can be on the board, with the events that begin and end it."""
    fluents = game.fluents
    given = (
        (fluents.shocked, "shock", "unshock"),
        (fluents.immobile, "immobilize", "mobilize"),
        (fluents.dismantled, "dismantle", "assemble"),
    )
    for family, begins, ends in given:
        if not family.empty:
            yield family, begins, ends


def change(family: Family, name: str, begins: bool, game: Game, unit: str) -> Action:
    """A unit comes into a condition, or out of it.

    Args:
        family: The condition.
        name: The name of the event.
        begins: Whether the unit comes into it.
        game: The game.
        unit: The unit.
    """
    state = game.now(family[unit])
    return Action(
        name,
        (("unit", unit),),
        actor=game.acts_for(unit) if name in CHOSEN else None,
        requirements=(
            *(game.going_on, game.alive(unit)),
            Requirement(
                not_(state) if begins else state, f"{unit} is {'already' if begins else 'not'} {family.name}"
            ),
        ),
        effects=game.after((), {family[unit]: boolean(begins)}),
        text=f"{unit} is {family.name}{'' if begins else ' no longer'}",
        cites=cite("26.221/3"),
    )
