"""What conditions may count and choose from: units, Locations, hexes, buildings, sides."""

from __future__ import annotations

from collections.abc import Iterator

from vclogic_encodings.asl.fluents import Fluents
from vclogic_encodings.asl.geometry import hex_of, level_of

from vclogic.terms.domain import Domain
from vclogic.terms.vocabulary import CountedKind, of_sides


def kinds(fluents: Fluents) -> Iterator[CountedKind]:
    """The kinds of things, with their groups and properties."""
    geometry, buildings = fluents.geometry, fluents.buildings
    yield of_sides(fluents.sides)
    yield _units(fluents, "unit", fluents.units)
    if fluents.infantry is not None:
        yield _units(fluents, "Infantry unit", fluents.infantry)
    of_locations = {
        "hex": {x: hex_of(x) for x in geometry.locations},
        "level": {x: level_of(x) for x in geometry.locations},
    }
    yield CountedKind("Location", fluents.locations, properties=of_locations, neighbours=geometry.beside)
    yield CountedKind("hex", fluents.hexes, neighbours=geometry.neighbours)
    if buildings is not None:
        yield CountedKind("building", buildings)


def _units(fluents: Fluents, name: str, domain: Domain) -> CountedKind:
    units = {n: fluents.board.units[n] for n in domain.sort.members}
    return CountedKind(name, domain, properties={"side": {n: u.side for n, u in units.items()}})
