"""26.16: what a side forfeits by the Fire that it kindled."""

from __future__ import annotations

from vclogic_encodings.asl.citing import encodes
from vclogic_encodings.asl.names import ACCIDENT
from vclogic_encodings.asl.rules.fire import RUBBLE, Fires, fires_of
from vclogic_encodings.asl.rules.unit_status import Units

from vclogic.model.memoized import memoized
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import all_of, and_, any_of, eq, ite, not_, or_
from vclogic.terms.term import Term


@encodes("26.16/3")
def forfeited(units: Units, kind: str, name: str, before: Term) -> Term:
    """What a side forfeits by its Fire is its opponent's, whoever is there and whoever is not."""
    held = before
    for side in units.board.sides:
        enemy = units.board.enemy(side)
        lost = and_(has_forfeited(units, side, kind, name), not_(has_forfeited(units, enemy, kind, name)))
        if units.reads("unowned_fire", "nobody"):
            lost = and_(lost, eq(before, side))
        held = ite(lost, units.fluents.side(enemy), held)
    return held


def has_forfeited(units: Units, side: str, kind: str, name: str) -> Term:
    """Whether a side has forfeited something by its Fire and so may not gain it."""
    if f"{kind} {name}" not in units.fluents.touched:
        return FALSE
    return may_not_regain(fires_of(units), side, kind, name)


@memoized
@encodes("26.16/4")
def may_not_regain(fires: Fires, side: str, kind: str, name: str) -> Term:
    """Who forfeits something may not regain it until the Fire that is to blame is extinguished."""
    fluents, places = fires.fluents, fires.fluents.parts(kind, name)
    barred = or_(kindled_in(fires, side, places), cut_off(fires, side, places))
    if fluents.reads("extinguished", "all"):
        burns = any_of(fires.deliberate(side, x) for x in fluents.board.flammable)
        before = eq(fires.now(fluents.forfeited[f"{kind} {name}"]), side)
        barred = or_(barred, and_(before, burns))
    return barred


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
    """Whether a side's Fire keeps its opponent out: without it he could get there, or it suffices by itself."""
    foe = fires.fluents.board.enemy(side)
    others = (foe, ACCIDENT, RUBBLE)
    needed = and_(not_(fires.enterable(foe, location)), fires.enterable(foe, location, (side,)))
    enough = and_(not_(fires.enterable(foe, location, others)), fires.enterable(foe, location, (side, *others)))
    return or_(needed, enough)
