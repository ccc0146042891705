"""What conditions may count and choose from: units, hexes, zones, sides."""

from __future__ import annotations

from collections.abc import Iterator

from vclogic_encodings.okinawa.fluents import Fluents

from vclogic.terms.vocabulary import CountedKind, of_sides


def kinds(fluents: Fluents) -> Iterator[CountedKind]:
    """The kinds of things, with their groups and properties."""
    board = fluents.board
    zones = {name: board.zone_hexes(zone) for name, zone in board.zones.items()}
    yield of_sides(fluents.sides)
    printed = {s: {n: getattr(u, s) for n, u in board.all_units.items()} for s in ("defence", "attack", "movement")}
    strengths = {name: {n: x for n, x in of.items() if x is not None} for name, of in printed.items()}
    sizes = {"size": board.sizes} if board.sizes else {}
    yield CountedKind("unit", fluents.units, properties={"side": board.side_of, **strengths, **sizes})
    yield CountedKind("edge", fluents.edges)
    land, zone_of = {h: h in board.cost for h in board.grid.hexes}, {h: z for z in zones for h in zones[z]}
    yield CountedKind(
        "hex",
        fluents.all_hexes,
        groups={**zones, "northeast edge": board.northeast_edge, **board.grid.lines},
        properties={**board.grid.numbers, "land": land, "zone": zone_of},
        neighbours=board.grid.neighbours,
    )
