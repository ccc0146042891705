"""What conditions may count and choose from: units, hexes, sections of the map, sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vclogic_encodings.napoleonics.fluents import Fluents

from vclogic.terms.domain import Domain
from vclogic.terms.sorts import EnumSort
from vclogic.terms.vocabulary import CountedKind, of_sides

OPEN = "open"


def kinds(fluents: Fluents) -> Iterator[CountedKind]:
    """The kinds of things, with their groups and properties."""
    board, units = fluents.board, fluents.board.units
    sections = {name: board.spread(hexes) for name, hexes in board.sections.items()}
    yield of_sides(fluents.sides)
    yield CountedKind(
        "unit",
        fluents.pieces,
        properties={
            "side": {n: u.side for n, u in units.items()},
            "kind": {n: u.kind for n, u in units.items()},
            "leader": {n: board.kinds[u.kind].leader for n, u in units.items()},
            "allowance": {n: board.kinds[u.kind].move for n, u in units.items()},
            "banners_lost": {n: u.banners for n, u in units.items()},
        },
    )
    if sections:
        yield CountedKind("section", Domain(EnumSort("section", tuple(sections))))
    yield CountedKind(
        "hex",
        replace(fluents.hexes, span=board.grid.span_of(board.hexes)),
        groups={**{n: o.hexes for n, o in board.objectives.items()}, **board.terrain, **sections, **board.grid.lines},
        properties={
            **board.grid.numbers,
            "terrain": {h: board.ground[h][0] if h in board.ground else OPEN for h in board.hexes},
        },
        neighbours=board.grid.neighbours,
    )
