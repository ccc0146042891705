"""Position that `status` shows: places of units and leaders, and holders of objectives."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.napoleonics.board import ELIMINATED, NONE, OFF
from vclogic_encodings.napoleonics.citing import cite
from vclogic_encodings.napoleonics.game import Rules

from vclogic.model.position import Listing, Note, Thing
from vclogic.model.view import View


def listings(game: Rules, now: View) -> Iterable[Listing]:
    """The parts of the position, with the fluents read by a view."""
    board, fluents = game.board, game.fluents
    units = []
    for name, unit in board.units.items():
        notes = [Note("ordered", now(fluents.ordered[name]))]
        if fluents.watched:
            notes.append(Note("moved", now(fluents.moved[name])))
        units.append(Thing(name, now(fluents.at[name]), unit.kind, unit.side, notes=tuple(notes)))
    words = {OFF: "off the map", ELIMINATED: "eliminated"}
    words |= {name: f"gone by {name}" for name in board.exits}
    words |= {h: f"{h} ({name})" for name, o in board.objectives.items() for h in o.hexes}
    yield Listing("Units and leaders", "Where", "units and leaders", units, words=words)
    if board.objectives:
        holders = [Thing(name, game.objectives[name].holder) for name in board.objectives]
        words = {NONE: "nobody"}
        yield Listing(
            "Who has the banners of objectives",
            "Who",
            "objectives",
            holders,
            NONE,
            "that nobody has",
            words=words,
            instead=("objective",),
            cites=cite("general-p2/1"),
        )
