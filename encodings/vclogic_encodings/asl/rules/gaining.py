"""26.11: a side gains Control by its set-up, by squads that occupy a place, and by Mopping Up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vclogic_encodings.asl.board import INFANTRY, LANDED, MMC
from vclogic_encodings.asl.citing import encodes
from vclogic_encodings.asl.fluents import Fluents
from vclogic_encodings.asl.geometry import BESIDE, CELLAR, ROOFTOP, hex_of, level_of, parse_hex
from vclogic_encodings.asl.names import BUILDING, HEX, LOCATION, Area
from vclogic_encodings.asl.rules.forfeiture import has_forfeited
from vclogic_encodings.asl.rules.unit_status import Units

from vclogic.model.memoized import memoized
from vclogic.terms.atoms import FALSE, TRUE, boolean
from vclogic.terms.build import and_, any_of, ite, not_, or_
from vclogic.terms.term import Term

GROUND_UNITS = frozenset((*INFANTRY, *LANDED))
DUMMY = "dummy"
ON_FOOT = frozenset((*INFANTRY, DUMMY))


# ---- at scenario start


@encodes("26.11/1")
def gained_by_setup(fluents: Fluents, side: str, area: str) -> Mapping[Area, Term]:
    """A side gains what is within its set-up area, and all of a map board on which it alone may set up."""
    geometry = fluents.geometry
    own, theirs = _setup_hexes(fluents, side), _setup_hexes(fluents, fluents.board.enemy(side))
    alone = [h for h in geometry.hexes if _boards([h]) <= _boards(own) - _boards(theirs)]
    listed = _hexes_of(fluents, area)
    here = {h for h in alone if _boards([h]) <= _boards(listed)} | listed
    gained: dict[Area, Term] = {}
    for h in (h for h in geometry.hexes if h in here):
        unshared = not_(is_shared(h, theirs))
        gained |= {(HEX, h): unshared, **{(LOCATION, x): unshared for x in geometry.of_hex[h]}}
    for name, building in fluents.board.buildings.items():
        if here & {*building.hexes}:
            gained[BUILDING, name] = is_within(fluents, name, own | {*alone}, theirs)
    return gained


def _setup_hexes(fluents: Fluents, side: str) -> set[str]:
    """The hexes of all set-up areas of a side."""
    return {h for n, area in fluents.board.areas.items() if area.side == side for h in _hexes_of(fluents, n)}


def _hexes_of(fluents: Fluents, area: str) -> set[str]:
    found = fluents.board.areas[area]
    return {*found.hexes, *(h for h in fluents.geometry.hexes if _boards([h]) & {*found.boards})}


def _boards(hexes: Iterable[str]) -> set[str]:
    """The map boards of some hexes."""
    return {found[0] for h in hexes if (found := parse_hex(h))}


@encodes("26.11/1x1")
def is_shared(h: str, theirs: set[str]) -> Term:
    """Hexes within both sides' set-up areas are gained by neither."""
    return boolean(h in theirs)


@encodes("26.11/1", "26.11/1x1")
def is_within(fluents: Fluents, building: str, own: set[str], theirs: set[str]) -> Term:
    """A building within a side's set-up area is gained, but not one that is within both sides' areas."""
    hexes = {*fluents.board.buildings[building].hexes}
    if hexes & theirs:
        contained = fluents.reads("setup_overlap", "container") and hexes <= own and not hexes <= theirs
        return boolean(contained)
    return boolean(fluents.reads("setup_building", "part") or hexes <= own)


# ---- during play


@memoized
@encodes("26.11-p2/1")
def gains_location(units: Units, side: str, location: str) -> Term:
    """An armed Good Order squad gains the Location that it is in, unless an armed enemy ground unit is there too."""
    there = (location,)
    forfeited = has_forfeited(units, side, LOCATION, location)
    return and_(squads(units, side, there), not_(enemies(units, side, there)), not_(forfeited))


@encodes("26.15/1")
def squads(units: Units, side: str, places: tuple[str, ...], *, seen: bool = False) -> Term:
    """Squads gain Control, concealed ones as others do; dummies do not."""
    own = (u for u in units.inside(places) if units.counters[u].side == side and units.counters[u].kind in ON_FOOT)
    return _any(units, ((u, _able(units, u, seen)) for u in own), places)


@memoized
def _able(units: Units, unit: str, seen: bool) -> Term:
    """True if a squad gains the Location that it is in, or does so for everybody to see."""
    return and_(can_gain(units, unit), not_(units.unseen(unit)) if seen else TRUE)


@memoized
@encodes("26.11-p2/1")
def can_gain(units: Units, unit: str) -> Term:
    """An armed Good Order squad, half-squad or crew gains Control, and nobody else does."""
    real = is_real(units, unit)
    if units.counters[unit].kind == DUMMY:
        return real
    kind = and_(real, boolean(units.counters[unit].kind in MMC))
    stays = units.now(units.fluents.anew[unit])
    ready = and_(units.armed(unit), units.good_order(unit))
    return and_(kind, ready, not_(rides(units, unit)), not_(passes_by(units, unit)), not_(stays))


@encodes("26.15/1")
def is_real(units: Units, unit: str) -> Term:
    """Dummies gain nothing."""
    return boolean(units.counters[unit].kind != DUMMY)


@encodes("26.11-p3/1")
def rides(units: Units, unit: str) -> Term:
    """PRC gain nothing while they ride in a vehicle."""
    return units.riding(unit)


@encodes("26.11-p2/3")
def passes_by(units: Units, unit: str) -> Term:
    """Nothing is gained via Bypass."""
    return units.bypassing(unit)


@encodes("26.11-p2/1", "26.15/2")
def enemies(units: Units, side: str, places: tuple[str, ...], *, building: bool = False) -> Term:
    """An armed enemy ground unit keeps a side from gaining, concealed or hidden too; a dummy does not."""
    ground = (u for u in units.inside(places) if units.counters[u].kind in GROUND_UNITS)
    return _any(units, ((u, _keeps_off(units, u, side, building)) for u in ground), places)


@memoized
def _keeps_off(units: Units, unit: str, side: str, building: bool) -> Term:
    """True if a unit keeps a side from gaining the area that the unit is in."""
    return and_(units.belongs(unit, units.board.enemy(side)), prevents(units, unit, building=building))


def _any(units: Units, some: Iterable[tuple[str, Term]], places: tuple[str, ...]) -> Term:
    """True if one of some units, under its condition, is in some Locations."""
    return any_of(and_(units.here(u, places), what) for u, what in some if what is not FALSE)


@memoized
def where_enemies_count(fluents: Fluents, kind: str, locations: tuple[str, ...]) -> tuple[str, ...]:
    """The Locations of a hex or building in which enemies keep a side from gaining it."""
    skipped = {*subterranean(fluents)}
    if not (fluents.reads("rooftop_enemy", "blocks") or fluents.reads("rooftop_enemy", kind)):
        skipped.add(ROOFTOP)
    return tuple(x for x in locations if level_of(x) not in skipped)


@encodes("26.11-p2/1x1")
def subterranean(fluents: Fluents) -> frozenset[str]:
    """Subterranean enemies, such as those in a cellar, keep nobody from gaining what is above them."""
    return frozenset((*BESIDE, CELLAR) if fluents.reads("cellar_enemy", "ignored") else BESIDE)


def prevents(units: Units, unit: str, *, building: bool) -> Term:
    """True if a unit keeps the opponent from gaining the area that it is in."""
    if units.counters[unit].kind in LANDED:
        there = vehicle_prevents(units, unit)
    else:
        there = or_(and_(units.armed(unit), not_(units.riding(unit))), passenger_prevents(units, unit))
    return and_(there, not_(is_outside(units, unit, building=building)))


@encodes("26.11-p3/2")
def vehicle_prevents(units: Units, vehicle: str) -> Term:
    """An armed vehicle prevents the opponent from gaining what it is in: Reading `inherent_crew`."""
    crew = units.now(units.fluents.crewed[vehicle]) if units.reads("inherent_crew", "armed") else FALSE
    return or_(units.armed(vehicle), crew)


@encodes("26.11-p3/2")
def passenger_prevents(units: Units, unit: str) -> Term:
    """Armed PRC prevent the opponent from gaining what they are in."""
    return and_(units.armed(unit), units.riding(unit))


@encodes("26.11-p3/3")
def is_outside(units: Units, unit: str, *, building: bool) -> Term:
    """A unit in bypass prevents the opponent from gaining Location and hex, not from gaining the building."""
    if units.counters[unit].kind not in INFANTRY:
        return units.bypassing(unit) if building else FALSE
    by_reading = (
        boolean(units.reads(reading, "nothing") or (building and units.reads(reading, "location_hex")))
        for reading in ("bypass_riders", "infantry_bypass")
    )
    return and_(units.bypassing(unit), ite(units.riding(unit), *by_reading))


# ---- by Mopping Up


@encodes("26.11-p4/1", "26.13/1x1")
def gained_by_mopping_up(units: Units, side: str, building: str, hexes: tuple[str, ...]) -> dict[Area, Term]:
    """A side that mops up a building gains it with its hexes and Locations; of a Rowhouse, the part it secured."""
    geometry, enemy = units.geometry, units.board.enemy(side)
    found: dict[Area, Term] = {}
    for x in mopped_up(units.fluents, building, hexes):
        found[LOCATION, x] = not_(passed_by_vehicles(units, enemy, (x,)))
    for h in hexes:
        found[HEX, h] = not_(passed_by_vehicles(units, enemy, geometry.of_hex[h]))
    if set(hexes) == set(units.board.buildings[building].hexes) or units.reads("rowhouse_mop_up", "building"):
        found[BUILDING, building] = TRUE
    return found


def mopped_up(fluents: Fluents, building: str, hexes: tuple[str, ...]) -> tuple[str, ...]:
    """The Locations of a building in some of its hexes."""
    return tuple(x for x in fluents.geometry.of_building[building] if hex_of(x) in hexes)


@encodes("26.11-p4/1x1")
def passed_by_vehicles(units: Units, enemy: str, places: tuple[str, ...]) -> Term:
    """An armed enemy vehicle in bypass keeps its Location and hex, as one with armed PRC does."""
    found = []
    for v in units.board.of(*LANDED):
        armed = or_(units.armed(v), units.armed_passengers(v))
        found.append(and_(units.here(v, places), units.bypassing(v), units.belongs(v, enemy), armed))
    return any_of(found)


@encodes("26.11-p4/1")
def can_mop_up(units: Units, side: str, building: str, h: str) -> Term:
    """A Good Order squad in a hex of the building mops it up."""
    own = tuple(x for x in mopped_up(units.fluents, building, (h,)) if level_of(x).isdigit())
    ready = (u for u in units.board.of(*INFANTRY) if units.counters[u].side == side)
    return any_of(and_(units.here(u, own), can_gain(units, u)) for u in ready)


@encodes("26.11-p4/1")
def resists_mopping_up(units: Units, side: str, places: tuple[str, ...]) -> Term:
    """A building is not secured while an armed enemy in Good Order is in what is to be mopped up."""
    foes = []
    for u in units.board.of(*INFANTRY, *LANDED):
        fights = units.good_order(u) if units.counters[u].kind in INFANTRY else TRUE
        inside = and_(units.here(u, places), not_(units.bypassing(u)))
        foes.append(and_(inside, units.belongs(u, units.board.enemy(side)), units.armed(u), fights))
    return any_of(foes)
