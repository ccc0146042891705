"""What conditions may count and choose from: units, hexes, places, sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vclogic_encodings.moscow.fluents import Fluents

from vclogic.terms.vocabulary import CountedKind, of_sides


def kinds(fluents: Fluents) -> Iterator[CountedKind]:
    """The kinds of things, with their groups and properties."""
    board = fluents.board
    units, places = board.units, board.places
    yield of_sides(fluents.sides)
    yield CountedKind(
        "unit",
        fluents.units,
        properties={
            "side": {n: u.side for n, u in units.items()},
            "size": {n: u.size for n, u in units.items()},
            "strength": {n: u.strength for n, u in units.items()},
        },
    )
    yield CountedKind(
        "place", fluents.places, properties={"home": {n: p.owner for n, p in places.items() if p.owner}}
    )
    yield CountedKind(
        "hex",
        replace(fluents.hexes, span=board.grid.span),
        groups={**{n: p.hexes for n, p in places.items()}, **board.grid.lines},
        properties=board.grid.numbers,
        neighbours=board.near,
    )
