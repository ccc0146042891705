"""26.12: the temporary Control of armed vehicles."""

from __future__ import annotations

from vclogic_encodings.asl.board import LANDED
from vclogic_encodings.asl.citing import encodes
from vclogic_encodings.asl.fluents import Fluents
from vclogic_encodings.asl.geometry import BESIDE, level_of
from vclogic_encodings.asl.names import HEX, LOCATION
from vclogic_encodings.asl.rules.forfeiture import has_forfeited
from vclogic_encodings.asl.rules.gaining import enemies, gains_location
from vclogic_encodings.asl.rules.unit_status import Units

from vclogic.model.memoized import memoized
from vclogic.terms.build import all_of, and_, any_of, ite, not_, or_
from vclogic.terms.term import Term


@memoized
@encodes("26.12/1")
def controls_its_location(units: Units, vehicle: str, location: str) -> Term:
    """An armed vehicle that is not in bypass controls its Location, once no armed enemy is there to prevent it."""
    armed, held = _can_control(units, vehicle), units.now(units.fluents.holds[vehicle])
    found = []
    for side in units.board.sides:
        devoid = is_devoid(units, side, location)
        kept = armed
        if units.reads("vehicle_disarmed", "stays"):
            kept = not_(gains_location(units, units.board.enemy(side), location))
            devoid = and_(devoid, not_(_kept_by_enemy(units, side, location)))
        found.append(and_(units.belongs(vehicle, side), or_(and_(held, kept), and_(armed, devoid))))
    return and_(units.here(vehicle, (location,)), stands(units, vehicle), or_(*found))


@encodes("26.12/1")
def is_devoid(units: Units, side: str, location: str) -> Term:
    """Vehicular Control is gained where no armed enemy is in the Location."""
    return not_(enemies(units, side, (location,)))


@encodes("26.12/1")
def stands(units: Units, vehicle: str) -> Term:
    """A vehicle in bypass controls nothing."""
    return not_(units.bypassing(vehicle))


def _kept_by_enemy(units: Units, side: str, location: str) -> Term:
    """True if an enemy vehicle that stays in a Location, armed or not, still controls it."""
    fluents, foe = units.fluents, units.board.enemy(side)
    landed = (v for v in units.inside((location,)) if units.counters[v].kind in LANDED)
    stays = any_of(
        all_of((units.here(v, (location,)), units.now(fluents.holds[v]), units.belongs(v, foe))) for v in landed
    )
    return and_(stays, not_(gains_location(units, side, location)))


def _can_control(units: Units, vehicle: str) -> Term:
    """True if a vehicle is armed, or counts as armed by its passengers."""
    armed = units.armed(vehicle)
    return armed if units.reads("armed_passengers", "no") else or_(armed, units.armed_passengers(vehicle))


@memoized
def controls_where_it_is(units: Units, vehicle: str) -> Term:
    """True if a vehicle controls the Location that it is in."""
    return any_of(controls_its_location(units, vehicle, x) for x in units.haunts(vehicle))


def vehicles_control(units: Units, side: str, location: str) -> Term:
    """True if a vehicle of a side controls a Location."""
    landed = (v for v in units.inside((location,)) if units.counters[v].kind in LANDED)
    return any_of(and_(units.belongs(v, side), controls_its_location(units, v, location)) for v in landed)


@encodes("26.1/3x1", "26.12/2")
def while_vehicles_stay(units: Units, kind: str, name: str, prior: Term) -> Term:
    """A vehicle controls in place of the side that did so before, to which Control reverts as soon as it leaves."""
    held = prior
    for x in controlled_by_vehicles(units.fluents, kind, name):
        for side in reversed(units.board.sides):
            there = vehicles_control(units, side, x) if kind == LOCATION else with_its_location(units, side, x)
            gains = and_(there, not_(has_forfeited(units, side, kind, name)))
            held = ite(gains, units.fluents.side(side), held)
    return held


@encodes("26.12/3", "26.13/1x1")
def with_its_location(units: Units, side: str, location: str) -> Term:
    """A vehicle that controls the only Location of a hex also controls that hex, as long as it does so."""
    return vehicles_control(units, side, location)


@memoized
@encodes("26.11-p3/1", "26.12/3", "26.13/1x1")
def controlled_by_vehicles(fluents: Fluents, kind: str, name: str) -> tuple[str, ...]:
    """A vehicle that controls the only Location of a hex also controls that hex; it never controls a building."""
    if kind == LOCATION:
        return (name,)
    every = fluents.geometry.of_hex[name] if kind == HEX else ()
    if fluents.reads("only_location", "above"):
        every = tuple(x for x in every if level_of(x) not in BESIDE)
    return every if len(every) == 1 else ()
