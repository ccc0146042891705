"""26.15: Control that concealed or hidden units have gained, which need not be declared."""

from __future__ import annotations

from vclogic_encodings.asl.board import INFANTRY
from vclogic_encodings.asl.citing import encodes
from vclogic_encodings.asl.fluents import Changes
from vclogic_encodings.asl.names import LOCATION, Area
from vclogic_encodings.asl.rules.controllers import controller, gained_now, gains, without_vehicles
from vclogic_encodings.asl.rules.gaining import squads
from vclogic_encodings.asl.rules.unit_status import Units

from vclogic.model.memoized import memoized
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import all_of, and_, any_of, eq, ite, not_, or_
from vclogic.terms.term import Term


@memoized
@encodes("26.15/3")
def undeclared(units: Units, kind: str, name: str) -> Term:
    """Areas that only concealed or hidden units have gained need not be declared, unless the opponent verifies it."""
    fluents = units.fluents
    before = units.now(fluents.undeclared[f"{kind} {name}"])
    held = units.now(fluents.stored(kind, name))
    found = before
    for side in units.board.sides:
        gained = gains(units, side, kind, name)
        if gained is not FALSE:
            fresh = or_(not_(eq(held, side)), before)
            unseen = not_(squads(units, side, gained_now(fluents, kind, name), seen=True))
            found = ite(gained, and_(fresh, unseen), found)
    return and_(found, not_(verified(units, kind, name))) if found is not FALSE else FALSE


@encodes("26.15/3")
def recorded_concealment(units: Units, touched: dict[Area, Term]) -> Changes:
    """Control that concealed units have gained stays undeclared when they move on or are eliminated."""
    secrets = ((units.fluents.undeclared[" ".join(area)], area, when) for area, when in touched.items())
    return {x: ite(when, undeclared(units, *area), units.now(x)) for x, area, when in secrets if not x.is_const}


@encodes("26.15/4")
def verified(units: Units, kind: str, name: str) -> Term:
    """The opponent verifies who controls something by being in all its Locations."""
    places = units.fluents.parts(kind, name)
    found = []
    for side in units.board.sides:
        theirs = not_(eq(without_vehicles(units, kind, name), side))
        found.append(and_(theirs, all_of(_infantry_in(units, side, x) for x in places)))
    return or_(*found)


def _infantry_in(units: Units, side: str, location: str) -> Term:
    """True if Infantry of a side is in a Location, prisoners left out."""
    counters = units.counters
    own = (u for u in units.inside((location,)) if counters[u].side == side and counters[u].kind in INFANTRY)
    return any_of(and_(units.here(u, (location,)), not_(units.captured(u))) for u in own)


@encodes("26.15/4")
def verified_by_search(units: Units, location: str) -> Changes:
    """A Search verifies who controls its Location, and hex or building once no Location of those is undeclared."""
    new: Changes = {}
    for kind, name in units.fluents.around(location):
        others = (x for x in units.fluents.parts(kind, name) if x != location)
        unknown = any_of(undeclared(units, LOCATION, x) for x in others)
        secret = units.fluents.undeclared[f"{kind} {name}"]
        new[secret] = and_(undeclared(units, kind, name), unknown)
    return new


@encodes("26.15/4")
def verified_by_mopping_up() -> Term:
    """Mopping Up verifies who controls what is gained by it."""
    return FALSE


def can_know(units: Units, side: str, kind: str, name: str) -> Term:
    """True if a side can know who controls an area: it does so itself, Fire decides it, or it has been declared."""
    if units.fluents.undeclared.empty:
        return TRUE
    holder = controller(units, kind, name)
    by_fire = not_(eq(without_vehicles(units, kind, name), holder))
    over = units.now(units.fluents.ended.fluent)
    return or_(not_(undeclared(units, kind, name)), over, eq(holder, side), by_fire)
