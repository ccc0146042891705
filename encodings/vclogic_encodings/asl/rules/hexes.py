"""26.13: Control of hexes, also of those with a bridge or a pillbox."""

from __future__ import annotations

from vclogic_encodings.asl.citing import encodes
from vclogic_encodings.asl.fluents import Fluents
from vclogic_encodings.asl.geometry import BRIDGE, DEPRESSION, GROUND, PILLBOX, level_of
from vclogic_encodings.asl.names import HEX, LOCATION
from vclogic_encodings.asl.rules.control import retained
from vclogic_encodings.asl.rules.forfeiture import has_forfeited
from vclogic_encodings.asl.rules.gaining import enemies, gains_location, squads, where_enemies_count
from vclogic_encodings.asl.rules.unit_status import Units

from vclogic.model.memoized import memoized
from vclogic.terms.build import and_, eq, not_, or_
from vclogic.terms.term import Term


@memoized
@encodes("26.13/1")
def gains_hex(units: Units, side: str, h: str) -> Term:
    """A squad at ground level gains its hex, unless an armed enemy ground unit is anywhere in the hex."""
    inside, bridge = squads(units, side, at_ground_level(units.fluents, h)), on_or_below_bridge(units.fluents, h)
    inside = or_(inside, gained_from_bridge(units, side, bridge)) if bridge else inside
    locations = units.geometry.of_hex[h]
    pillboxes = [x for x in locations if level_of(x) == PILLBOX]
    tunnels = pillboxes and units.reads("tunnel_enemy", "blocks")
    every = locations if tunnels else where_enemies_count(units.fluents, HEX, locations)
    held = and_(*(controls_pillbox(units, side, x) for x in pillboxes))
    return and_(inside, not_(enemies(units, side, every)), held, not_(has_forfeited(units, side, HEX, h)))


@memoized
@encodes("26.13/1")
def where_hexes_are_gained(fluents: Fluents, h: str) -> tuple[str, ...]:
    """A hex is gained at its ground level, apart from bridges and pillboxes."""
    return (*at_ground_level(fluents, h), *on_or_below_bridge(fluents, h))


@encodes("26.13/1")
def at_ground_level(fluents: Fluents, h: str) -> tuple[str, ...]:
    """A hex is gained at its ground level, or from a pillbox in it."""
    ground = [x for x in fluents.geometry.of_hex[h] if level_of(x) == GROUND]
    return (*ground, *in_pillbox(fluents, h))


@encodes("26.13/1x1", "26.131/1")
def gained_from_bridge(units: Units, side: str, bridge: tuple[str, ...]) -> Term:
    """A squad in the Bridge Location or the Depression Location of a bridge hex can gain the hex."""
    return squads(units, side, bridge)


@encodes("26.13/1x1", "26.131/1")
def on_or_below_bridge(fluents: Fluents, h: str) -> tuple[str, ...]:
    """A bridge hex is gained from its Bridge Location or its Depression Location."""
    return tuple(x for x in fluents.geometry.of_hex[h] if level_of(x) in (BRIDGE, DEPRESSION))


@encodes("26.132/1")
def in_pillbox(fluents: Fluents, h: str) -> tuple[str, ...]:
    """A squad in the pillbox occupies the pillbox hex."""
    enough = fluents.reads("pillbox_squad", "enough")
    return tuple(x for x in fluents.geometry.of_hex[h] if level_of(x) == PILLBOX and enough)


@encodes("26.132/1")
def controls_pillbox(units: Units, side: str, location: str) -> Term:
    """A pillbox hex is gained with Control of its pillbox only."""
    return eq(retained(units, LOCATION, location, lambda s: gains_location(units, s, location)), side)
