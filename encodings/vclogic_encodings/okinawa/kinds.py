"""What conditions may count and choose from: units, hexes, zones, sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vclogic_encodings.okinawa.board import SIDES, ZONES, Board
from vclogic_encodings.okinawa.fluents import Fluents

from vclogic.terms.vocabulary import CountedKind, of_sides

PRINTED = ("attack", "defence", "barrage", "fpf", "movement", "zone_of_control")
"""What a counter shows."""


def kinds(fluents: Fluents) -> Iterator[CountedKind]:
    """The kinds of things, with their groups and properties."""
    board = fluents.board
    zones = {name: board.zone_hexes(zone) for name, zone in board.zones.items()}
    yield of_sides(fluents.sides)
    printed = {s: {n: getattr(u, s) for n, u in board.all_units.items()} for s in PRINTED}
    strengths = {name: {n: x for n, x in of.items() if x is not None} for name, of in printed.items()}
    sizes = {"size": board.sizes} if board.sizes else {}
    yield CountedKind(
        "unit", fluents.units, properties={"side": board.side_of, **strengths, **sizes}, named={"side": fluents.sides}
    )
    yield CountedKind("zone", fluents.zones, properties=_zones(board))
    yield CountedKind("edge", fluents.edges)
    land, zone_of = {h: h in board.cost for h in board.grid.hexes}, {h: z for z in zones for h in zones[z]}
    yield CountedKind(
        "hex",
        replace(fluents.all_hexes, span=board.grid.span),
        groups={**zones, "northeast edge": board.northeast_edge, **board.grid.lines},
        properties={**board.grid.numbers, "land": land, "zone": zone_of},
        neighbours=board.grid.neighbours,
    )


def _zones(board: Board) -> dict[str, dict[str, bool | int]]:
    """Whether the scenario uses each zone, and the points of a unit there where it states them."""
    stated = {z: points for z in ZONES if (points := board.zones[z].points) is not None}
    found: dict[str, dict[str, bool | int]] = {"in_use": {z: board.in_use(z) for z in ZONES}}
    for side in SIDES:
        found[f"stated_for_{side}"] = {z: of.get(side, 0) for z, of in stated.items()}
    return found
