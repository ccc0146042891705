"""New units at the army level: ships appear in sea zones, and nobody moves in the turn in which it is placed."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.axis_allies.armies.field import MODEL, field_of
from vclogic_encodings.axis_allies.board import MOST
from vclogic_encodings.axis_allies.game import Changes, Rules
from vclogic_encodings.axis_allies.names import NONE

from vclogic.model.actions import Requirement
from vclogic.terms.atoms import FALSE, integer
from vclogic.terms.build import add, minimum
from vclogic.terms.term import Term


def new_units(game: Rules, power: str, unit: str, count: Term, region: str) -> Changes:
    """The units in a region after the power on turn placed new ones there; they do not move this turn."""
    afloat = game.board.units[unit].kind == "sea"
    if afloat != (game.board.territories[region].kind == "sea"):
        return {}
    there = game.reinforce(power, unit, count, region)
    moved = {game.fluents.underway.moved[region, unit]} if there else ()
    return {**there, **{x: minimum(add(x, count), integer(MOST)) for x in moved}}


def where_ships_go(game: Rules, power: str, unit: str, territory: str, zone: str) -> Iterable[Requirement]:
    """Require that ships are placed in a sea zone beside their complex without enemy warships as the turn began."""
    if game.board.units[unit].kind != "sea":
        return
    if zone == NONE:
        yield Requirement(FALSE, f"{MODEL}{unit} is placed in a sea zone, with `launch`")
    elif zone not in game.board.map.neighbours[territory]:
        yield Requirement(FALSE, f"{MODEL}{zone} is not beside {territory}")
    else:
        message = f"{MODEL}no ships are placed in {zone}, where enemy warships are or were this turn"
        yield Requirement(field_of(game, power).waters.open(zone), message)
