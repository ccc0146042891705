"""26.161: who controls what accidental Blazes or Rubble make unenterable."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vclogic_encodings.asl.citing import encodes
from vclogic_encodings.asl.names import ACCIDENT, BUILDING, HEX, LOCATION, NONE
from vclogic_encodings.asl.rules.fire import RUBBLE, Fires, fires_of
from vclogic_encodings.asl.rules.forfeiture import has_forfeited
from vclogic_encodings.asl.rules.unit_status import Units

from vclogic.model.memoized import memoized
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import all_of, and_, any_of, count, eq, gt, ite, not_, or_, scale
from vclogic.terms.reach import Graph, reach
from vclogic.terms.term import Term

By = Callable[[str], Term]
"""The controller of a hex."""


@encodes("26.161/2")
def hex_in_blazes(units: Units, h: str, held: Term, by: By) -> Term:
    """A hex in an area that Blazes make unenterable is the side's that controls most of the hexes around the area."""
    fires = fires_of(units)
    sealed = sealed_hex(fires, h)
    if not sealed.hi:
        return held
    for side in units.board.sides:
        gains = and_(sealed, _has_majority(fires, side, h, by), not_(has_forfeited(units, side, HEX, h)))
        held = ite(gains, units.fluents.side(side), held)
    return held


def _has_majority(fires: Fires, side: str, h: str, by: By) -> Term:
    """True if a side controls most of the hexes adjacent to the sealed area of a hex; Reading `hex_majority`."""
    area, by_half = _areas(fires)[h], fires.fluents.reads("hex_majority", "half")
    around, held = [], []
    for n in _near_areas(fires):
        touching = [area[m] for m in fires.geometry.neighbours[n] if m in area]
        if touching:
            beside = and_(any_of(touching), not_(sealed_hex(fires, n)))
            around.append(beside if by_half else and_(beside, eq(by(n), fires.fluents.board.enemy(side))))
            held.append(and_(beside, eq(by(n), side)))
    return gt(scale(count(held), 2 if by_half else 1), count(around)) if around else FALSE


@encodes("26.161/3")
def location_in_blazes(units: Units, location: str, held: Term, owner: Term) -> Term:
    """A Location that Blazes or Rubble make unenterable goes with its hex."""
    barred = (and_(eq(owner, s), has_forfeited(units, s, LOCATION, location)) for s in units.board.sides)
    keeps = or_(eq(owner, NONE), *barred)
    return ite(and_(_sealed_location(fires_of(units), location), not_(keeps)), owner, held)


@encodes("26.161/4")
def building_in_blazes(units: Units, building: str, held: Term, by: By) -> Term:
    """A building that Blazes make unenterable is the side's that controls all its hexes."""
    fires = fires_of(units)
    sealed = _sealed_all(fires, fires.geometry.of_building[building])
    for side in units.board.sides:
        every = all_of(eq(by(h), side) for h in units.board.buildings[building].hexes)
        gains = and_(sealed, every, not_(has_forfeited(units, side, BUILDING, building)))
        held = ite(gains, units.fluents.side(side), held)
    return held


# ---- what is sealed


@memoized
@encodes("26.161/5")
def sealed(fires: Fires, location: str, causes: tuple[str, ...]) -> Term:
    """An area that neither side can enter is sealed, if one could enter it were it not for such Blazes or Rubble."""
    sides = fires.fluents.board.sides
    shut = (not_(fires.enterable(side, location)) for side in sides)
    return and_(*shut, or_(*(fires.enterable(side, location, causes) for side in sides)))


@memoized
def _sealed_location(fires: Fires, location: str) -> Term:
    """True if no ground unit can get to a Location because of accidental Blazes or Rubble."""
    return or_(*(sealed(fires, location, causes) for causes in ((ACCIDENT,), (RUBBLE,), (ACCIDENT, RUBBLE))))


@memoized
def _sealed_all(fires: Fires, places: tuple[str, ...]) -> Term:
    """True if nobody can get to any of some Locations, and to one of them because of accidental Blazes."""
    shut = (not_(fires.enterable(side, x)) for x in places for side in fires.fluents.board.sides)
    return and_(any_of(sealed(fires, x, (ACCIDENT,)) for x in places), *shut)


def sealed_hex(fires: Fires, h: str) -> Term:
    """True if no ground unit can get to the ground level of a hex because of accidental Blazes."""
    return _sealed_all(fires, fires.geometry.ground(h)) if h in _touched_hexes(fires) else FALSE


@memoized
def _touched_hexes(fires: Fires) -> tuple[str, ...]:
    """Hexes whose ground level Fire may cut off."""
    touched = fires.fluents.touched
    return tuple(
        h for h in fires.geometry.hexes if any(f"{LOCATION} {x}" in touched for x in fires.geometry.ground(h))
    )


@memoized
def _near_areas(fires: Fires) -> tuple[str, ...]:
    """Hexes that touch one whose ground level Fire may cut off."""
    return tuple(dict.fromkeys(n for h in _touched_hexes(fires) for n in fires.geometry.neighbours[h]))


@memoized
def _areas(fires: Fires) -> Mapping[str, Mapping[str, Term]]:
    """For each hex that Fire may cut off: which of those hexes are in one area with it."""
    sealed = {h: sealed_hex(fires, h) for h in _touched_hexes(fires)}
    near = [(h, n) for h in sealed for n in fires.geometry.neighbours[h] if n in sealed]
    graph = Graph.undirected(tuple(sealed), near)
    return {h: reach(graph, {h: sealed[h]}, sealed) for h in sealed}
