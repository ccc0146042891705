"""26.16: what a side forfeits by the Fire that it kindled."""

from __future__ import annotations

from collections.abc import Mapping

from vclogic_encodings.asl.citing import encodes
from vclogic_encodings.asl.names import ACCIDENT
from vclogic_encodings.asl.rules.fire import RUBBLE, Fires, fires_of
from vclogic_encodings.asl.rules.unit_status import Units

from vclogic.model.memoized import memoized
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import all_of, and_, any_of, eq, ite, not_, or_
from vclogic.terms.reach import reach
from vclogic.terms.term import Term


@encodes("26.16/3")
def forfeited(units: Units, kind: str, name: str, before: Term) -> Term:
    """An area that a side forfeits by its Fire is its opponent's, whoever is there and whoever is not."""
    held = before
    for side in units.board.sides:
        enemy = units.board.enemy(side)
        lost = and_(has_forfeited(units, side, kind, name), not_(has_forfeited(units, enemy, kind, name)))
        if units.reads("unowned_fire", "nobody"):
            lost = and_(lost, eq(before, side))
        held = ite(lost, units.fluents.side(enemy), held)
    return held


def has_forfeited(units: Units, side: str, kind: str, name: str) -> Term:
    """True if a side has forfeited an area by its Fire and so may not gain it."""
    if f"{kind} {name}" not in units.fluents.touched:
        return FALSE
    return may_not_regain(fires_of(units), side, kind, name)


@memoized
@encodes("26.16/4")
def may_not_regain(fires: Fires, side: str, kind: str, name: str) -> Term:
    """A side that forfeits an area may not regain it until the Fire that is to blame is extinguished."""
    fluents, places = fires.fluents, fires.fluents.parts(kind, name)
    remembered = fluents.blamed.get(f"{kind} {name}", {}).items()
    still = (and_(fires.deliberate(side, x), fires.now(before)) for x, before in remembered)
    return or_(kindled_in(fires, side, places), cut_off(fires, side, places), *still)


@memoized
@encodes("26.16/4")
def is_to_blame(fires: Fires, kind: str, name: str, location: str) -> Term:
    """To blame for what its kindler forfeits is Fire there, or what helped to shut it: Reading `extinguished`."""
    fluents, found = fires.fluents, []
    for side in fluents.board.sides:
        theirs = fires.deliberate(side, location)
        if theirs is FALSE:
            continue
        barred = may_not_regain(fires, side, kind, name)
        if not fluents.reads("extinguished", "all"):
            before = fires.now(fluents.blamed[f"{kind} {name}"][location])
            barred = and_(barred, or_(before, _helps_to_cut_off(fires, side, fluents.parts(kind, name), location)))
        found.append(and_(barred, theirs))
    return or_(*found)


def _helps_to_cut_off(fires: Fires, side: str, places: tuple[str, ...], location: str) -> Term:
    """True if a Blaze in a Location stands between some that a side's Fire cuts off and the rest of the map."""
    foe = fires.fluents.board.enemy(side)
    burns = and_(fires.shuts(foe, location), cut_off(fires, side, places))
    if burns is FALSE:
        return FALSE
    beside = fires.geometry.beside[location]
    found = []
    for x in places:
        pocket = _pocket(fires, foe, x)
        touches = any_of(pocket[n] for n in beside)
        leads_out = TRUE if location in fires.geometry.doors else any_of(not_(pocket[n]) for n in beside)
        found.append(and_(touches, leads_out))
    return and_(burns, or_(*found))


@memoized
def _pocket(fires: Fires, foe: str, location: str) -> Mapping[str, Term]:
    """For each Location, true if Locations that a side cannot enter join it to a given one.

    What itself shuts the side out, such as a Blaze, bounds the pocket.
    """
    out = {x: not_(fires.enterable(foe, x)) for x in fires.fluents.decided}
    inside = {x: and_(out[x], fires.passable(foe, x)) for x in out}
    return reach(fires.geometry.graph, {location: out.get(location, FALSE)}, inside)


@encodes("26.16/1")
def kindled_in(fires: Fires, side: str, places: tuple[str, ...]) -> Term:
    """A side forfeits whatever Fire that it kindled is in, even if the Fire spread there from elsewhere."""
    return any_of(fires.deliberate(side, x) for x in places)


@encodes("26.16/2")
def cut_off(fires: Fires, side: str, places: tuple[str, ...]) -> Term:
    """A side forfeits what its opponent cannot enter because of its Fire, even if other causes shut part of it."""
    foe = fires.fluents.board.enemy(side)
    shut = all_of(not_(fires.enterable(foe, x)) for x in places)
    return and_(shut, any_of(_cut_off_location(fires, side, x) for x in places))


@memoized
def _cut_off_location(fires: Fires, side: str, location: str) -> Term:
    """True if a side's Fire keeps its opponent out: without it he could get there, or it suffices by itself."""
    foe = fires.fluents.board.enemy(side)
    others = (foe, ACCIDENT, RUBBLE)
    needed = and_(not_(fires.enterable(foe, location)), fires.enterable(foe, location, (side,)))
    enough = and_(not_(fires.enterable(foe, location, others)), fires.enterable(foe, location, (side, *others)))
    return or_(needed, enough)
