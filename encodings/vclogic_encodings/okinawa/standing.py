"""Position that `status` shows: places of units."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.okinawa.game import Rules

from vclogic.model.position import Listing, Note, Thing
from vclogic.model.view import View
from vclogic.terms.build import eq


def listings(game: Rules, now: View) -> Iterable[Listing]:
    """The parts of the position, with the fluents read by a view."""
    board, fluents = game.board, game.fluents
    units = []
    for name, side in board.side_of.items():
        notes = []
        if name in fluents.us_unit_or_none.index:
            notes.append(Note("retreated just now", eq(now(fluents.retreated.fluent), name)))
        if fluents.by_unit and name in fluents.us_unit_or_none.index:
            notes.append(Note("{} Victory Points for retreats", now(fluents.retreats_of[name])))
        units.append(Thing(name, now(fluents.at[name]), side=side, notes=tuple(notes)))
    words = {place: f"{place} (not on the map)" for place in board.elsewhere}
    words |= {h: f"{h} ({name})" for name, zone in board.zones.items() for h in zone.hexes}
    yield Listing("Units", "Where", "units", units, words=words)
