"""Controllers by 26.1 to 26.16, one after the other: squads, vehicles, kindled Fire, accidental Blazes."""

from __future__ import annotations

from vclogic_encodings.asl.citing import encodes
from vclogic_encodings.asl.fluents import Changes, Fluents
from vclogic_encodings.asl.geometry import hex_of
from vclogic_encodings.asl.names import BUILDING, HEX, LOCATION, Area
from vclogic_encodings.asl.rules.blazes import building_in_blazes, hex_in_blazes, location_in_blazes
from vclogic_encodings.asl.rules.buildings import gains_building, where_buildings_are_gained
from vclogic_encodings.asl.rules.control import retained
from vclogic_encodings.asl.rules.forfeiture import forfeited
from vclogic_encodings.asl.rules.gaining import gains_location
from vclogic_encodings.asl.rules.hexes import gains_hex, where_hexes_are_gained
from vclogic_encodings.asl.rules.unit_status import Units
from vclogic_encodings.asl.rules.vehicles import vehicles_control, while_vehicles_stay

from vclogic.model.memoized import memoized
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import and_, eq, ite, not_, or_
from vclogic.terms.term import Term

_GAINS = {LOCATION: gains_location, HEX: gains_hex, BUILDING: gains_building}


@memoized
def gains(units: Units, side: str, kind: str, name: str) -> Term:
    """True if a side gains an area by the units that are there now."""
    return _GAINS[kind](units, side, name) if _anybody(units, kind, name) else FALSE


@memoized
def _anybody(units: Units, kind: str, name: str) -> bool:
    """True if somebody may be there; where nobody is, nothing is gained."""
    return any(units.inside(units.fluents.parts(kind, name)))


def gained_now(fluents: Fluents, kind: str, name: str) -> tuple[str, ...]:
    """The Locations in which a squad gains something."""
    if kind == LOCATION:
        return (name,)
    return where_hexes_are_gained(fluents, name) if kind == HEX else where_buildings_are_gained(fluents, name)


@memoized
def without_vehicles(units: Units, kind: str, name: str) -> Term:
    """The controller of an area apart from vehicles that are there now, and apart from Fire."""
    if not _anybody(units, kind, name):
        return units.now(units.fluents.stored(kind, name))

    def gained(side: str) -> Term:
        found = gains(units, side, kind, name)
        if kind == LOCATION and units.reads("squad_with_vehicle", "reverts"):
            found = and_(found, not_(vehicles_control(units, side, name)))
        return found

    held = retained(units, kind, name, gained)
    if kind == HEX and units.reads("vehicle_hex", "kept"):
        held = while_vehicles_stay(units, kind, name, held)
    return held


@memoized
def with_vehicles(units: Units, kind: str, name: str) -> Term:
    """The controller of an area, vehicles that are there now included, apart from Fire."""
    return while_vehicles_stay(units, kind, name, without_vehicles(units, kind, name))


@memoized
def after_forfeits(units: Units, kind: str, name: str, vehicles: bool) -> Term:
    """The controller of an area after its kindlers' forfeits, apart from accidental Blazes."""
    before = with_vehicles(units, kind, name) if vehicles else without_vehicles(units, kind, name)
    return forfeited(units, kind, name, before)


def controller(units: Units, kind: str, name: str) -> Term:
    """The side that controls a Location, hex or building, or none."""
    return _controller(units, kind, name, True)


def lasting_controller(units: Units, kind: str, name: str) -> Term:
    """The controller apart from vehicles that are there now."""
    return _controller(units, kind, name, False)


@memoized
def _controller(units: Units, kind: str, name: str, vehicles: bool) -> Term:
    held = after_forfeits(units, kind, name, vehicles)
    if f"{kind} {name}" not in units.fluents.touched:
        return held
    if kind == LOCATION:
        sealed = location_in_blazes(units, name, held, _controller(units, HEX, hex_of(name), vehicles))
    else:
        counted = _around_blazes(units, vehicles)
        if kind == HEX:
            sealed = hex_in_blazes(units, name, held, lambda h: after_forfeits(units, HEX, h, counted))
        else:
            sealed = building_in_blazes(units, name, held, lambda h: _controller(units, HEX, h, counted))
    if units.reads("sealed_occupants", "occupants"):
        inside = or_(*(gains(units, side, kind, name) for side in units.board.sides))
        sealed = ite(inside, held, sealed)
    return sealed


@encodes("26.12/2", "26.161/2", "26.161/4")
def _around_blazes(units: Units, vehicles: bool) -> bool:
    """True if hexes that vehicles control for a time decide what Blazes make unenterable: Reading `vehicle_majority`.

    Args:
        vehicles: Whether vehicles that are there now are looked at.
    """
    return units.reads("vehicle_majority", "gains") or (vehicles and units.reads("vehicle_majority", "while"))


def controls(units: Units, side: str, kind: str, name: str) -> Term:
    """True if a side controls an area."""
    return eq(controller(units, kind, name), side)


@encodes("26.11-p2/2", "26.1/3")
def gained_in_movement(units: Units, touched: dict[Area, Term]) -> Changes:
    """Gains in the act of movement stay when the unit moves on, breaks or is eliminated."""
    fluents = units.fluents
    return {
        fluents.stored(*area): ite(when, lasting_controller(units, *area), units.now(fluents.stored(*area)))
        for area, when in touched.items()
    }
