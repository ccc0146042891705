"""Position that `status` shows: places of units, and owners of places."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.moscow.board import ELIMINATED, OFF, SIDES
from vclogic_encodings.moscow.citing import cite
from vclogic_encodings.moscow.fluents import NONE
from vclogic_encodings.moscow.game import Rules

from vclogic.model.position import Listing, Note, Thing
from vclogic.model.view import View


def listings(game: Rules, now: View) -> Iterable[Listing]:
    """The parts of the position, with the fluents read by a view."""
    board, fluents = game.board, game.fluents
    units = [Thing(name, now(fluents.at[name]), side=unit.side) for name, unit in board.units.items()]
    words = {OFF: "off the map", ELIMINATED: "eliminated"}
    words |= {h: f"{h} ({name})" for name, place in board.places.items() for h in place.hexes}
    yield Listing("Units", "Hex", "units", units, words=words)
    places = []
    for name in board.places:
        notes = tuple(Note(f"captured by the {side} side", now(fluents.taken[name, side])) for side in SIDES)
        places.append(Thing(name, now(fluents.owner[name]), notes=notes))
    yield Listing(
        "Whose the places are", "Side", "places", places, words={NONE: "nobody's"}, cites=cite("schedule-p2/1")
    )
