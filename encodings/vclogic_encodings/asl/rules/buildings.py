"""26.14: Control of buildings."""

from __future__ import annotations

from vclogic_encodings.asl.citing import encodes
from vclogic_encodings.asl.fluents import Fluents
from vclogic_encodings.asl.geometry import CELLAR, level_of
from vclogic_encodings.asl.names import BUILDING
from vclogic_encodings.asl.rules.forfeiture import has_forfeited
from vclogic_encodings.asl.rules.gaining import enemies, squads, where_enemies_count
from vclogic_encodings.asl.rules.unit_status import Units

from vclogic.model.memoized import memoized
from vclogic.terms.build import and_, not_
from vclogic.terms.term import Term


@memoized
@encodes("26.14/1")
def gains_building(units: Units, side: str, building: str) -> Term:
    """A squad in any hex of a building gains all of it, unless an armed enemy ground unit is anywhere inside."""
    inside = squads(units, side, where_buildings_are_gained(units.fluents, building))
    every = where_enemies_count(units.fluents, BUILDING, locations_of_building(units.fluents, building))
    foes = enemies(units, side, every, building=True)
    return and_(inside, not_(foes), not_(has_forfeited(units, side, BUILDING, building)))


@memoized
@encodes("26.14/1")
def where_buildings_are_gained(fluents: Fluents, building: str) -> tuple[str, ...]:
    """A building is gained from any of its levels but rooftop and cellar."""
    low = CELLAR if fluents.reads("cellar_squad", "building") else None
    every = locations_of_building(fluents, building)
    return tuple(x for x in every if level_of(x).isdigit() or level_of(x) == low)


@encodes("26.14/2")
def locations_of_building(fluents: Fluents, building: str) -> tuple[str, ...]:
    """The hexes of a Rowhouse are one building for Control, whatever bars stand between them."""
    return fluents.geometry.of_building[building]
