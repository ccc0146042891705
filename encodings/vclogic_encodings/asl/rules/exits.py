"""26.2 and 26.23: who leaves the map, and the points for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vclogic_encodings.asl.board import INFANTRY, LANDED
from vclogic_encodings.asl.citing import encodes
from vclogic_encodings.asl.names import ELIMINATED, EXITED, KINDS
from vclogic_encodings.asl.rules.unit_status import Units
from vclogic_encodings.asl.rules.values import crew_value, hero, value, without_crew

from vclogic.terms.atoms import FALSE, boolean, integer
from vclogic.terms.build import add, and_, any_of, eq, ite, linear, not_, or_, xor
from vclogic.terms.term import Term

EXEMPT = ("recall", "guards", "landing", "victory", "ssr")
"""Reasons for which a unit that leaves the map is not considered eliminated."""


def by_own_exit(units: Units, unit: str, area: str) -> Term:
    """True if a unit leaves the map by an exit area of the side that has it."""
    found = units.board.exits.get(area)
    return any_of(units.belongs(unit, side) for side in (found.sides if found else ()))


@encodes("26.2/3", "26.221/2x1")
def exempt(units: Units, unit: str, area: str, reason: str) -> Term:
    """A unit that leaves by an exit area of its side, under Recall or the like, is not considered eliminated."""
    return or_(boolean(reason in EXEMPT), by_own_exit(units, unit, area))


SHARED: Mapping[str, tuple[str, ...]] = {
    "recall": (),  # a vehicle's: who rides in it is not under Recall by that, nor is what it tows
    "guards": INFANTRY,  # who rides with a guard and his prisoners escorts them; a Gun does not
    "landing": tuple(KINDS.sort.members),  # what a Glider carries lands with it
    "victory": (),  # each by an exit area of its own side
    "ssr": tuple(KINDS.sort.members),  # as the special rule of the scenario has it
}
"""The kinds of units that share a reason of the unit that they go with."""


@encodes("26.2/3", "26.221/2", "26.221/2x1")
def exempt_with(units: Units, unit: str, area: str, reason: str) -> Term:
    """A unit that goes along off the map is exempt by a reason of its own, or one that it shares with its carrier."""
    shared = units.counters[unit].kind in SHARED.get(reason, ())
    return or_(boolean(shared), by_own_exit(units, unit, area))


@encodes("26.2/3", "26.221/2")
def lost_by_leaving(units: Units, unit: str, exempt: Term) -> Term:
    """A unit that leaves the map brings the opponent its points, as if it were eliminated."""
    return ite(exempt, integer(0), value(units, unit))


@encodes("26.221/1")
def scored_as_it_stands(units: Units, unit: str) -> Term:
    """A unit that a position gives as eliminated, or as gone and not spared, has brought its points."""
    lost = or_(eq(units.now(units.fluents.at[unit]), ELIMINATED), _lost_as_it_stands(units, unit))
    return ite(_and_not_captured(units, unit, lost), value(units, unit), integer(0))


@encodes("26.2/3", "26.221/2")
def _lost_as_it_stands(units: Units, unit: str) -> Term:
    """A unit that a position gives as gone by no exit area of its side is considered eliminated."""
    fluents, now = units.fluents, units.now
    left_by = now(fluents.left_by[unit])
    spared = any_of(and_(eq(left_by, area), by_own_exit(units, unit, area)) for area in units.board.exits)
    return and_(eq(now(fluents.at[unit]), EXITED), not_(spared))


@encodes("26.222/7")
def _and_not_captured(units: Units, unit: str, lost: Term) -> Term:
    """A unit that is eliminated is no longer captured; one that still is brings its points for that."""
    return and_(lost, not_(units.captured(unit)))


@encodes("26.23/1", "26.23/2")
def earned_as_it_stands(units: Units, unit: str) -> Term:
    """A unit that a position gives as gone through an exit area has earned its points there."""
    return _by_area(units, unit, lambda area: exit_value(units, unit, area))


def most_earned(units: Units, unit: str) -> Term:
    """The most exit points of a unit, by where it is: none before it has left through an exit area."""
    return _by_area(units, unit, lambda area: integer(exit_value(units, unit, area).hi))


def _by_area(units: Units, unit: str, points: Callable[[str], Term]) -> Term:
    """The points for the exit area through which a unit has left; none if it has left by none."""
    fluents, now = units.fluents, units.now
    gone, left_by = eq(now(fluents.at[unit]), EXITED), now(fluents.left_by[unit])
    return add(*(ite(and_(gone, eq(left_by, area)), points(area), integer(0)) for area in units.board.exits))


@encodes("26.23/1")
def exit_points(units: Units, side: str) -> Term:
    """A side earns points for its own units, and for what it took, that leave by an exit area of its own."""
    fluents, now = units.fluents, units.now
    areas = [name for name, area in units.board.exits.items() if side in area.sides]
    found: list[Term] = [now(fluents.earlier_exit_vp[side])]
    for unit in units.counters:
        ours = xor(units.belongs(unit, side), now(fluents.led_off[unit]))
        for area in areas:
            gone = and_(eq(now(fluents.at[unit]), EXITED), eq(now(fluents.left_by[unit]), area), ours)
            if gone is not FALSE:
                found.append(ite(gone, now(fluents.exit_points[unit]), integer(0)))
    return add(*found)


def exit_value(units: Units, unit: str, area: str) -> Term:
    """The exit points for a unit that leaves by an area, apart from what rides in it."""
    found = units.board.exits.get(area)
    if found is None:
        return integer(0)
    counter = units.counters[unit]
    points = hero(by_sea=found.seaborne) if counter.kind == "hero" else exit_points_of(units, unit)
    if counter.kind in INFANTRY and units.reads("prisoner_points", "none"):
        points = ite(units.captured(unit), integer(0), points)
    return points


@encodes("26.23/2")
def exit_points_of(units: Units, unit: str) -> Term:
    """A unit earns its casualty points by its exit, and a vehicle those for its inherent crew automatically."""
    counter = units.counters[unit]
    if counter.kind not in LANDED or counter.inherent == "none":
        return value(units, unit)
    return linear([(1, without_crew(units, unit)), (crew_value(units, unit), own_crew(units, unit))])


@encodes("26.23/2x1")
def own_crew(units: Units, vehicle: str) -> Term:
    """A temporary crew brings no bonus for an inherent crew, only what it is worth itself."""
    return units.now(units.fluents.crewed[vehicle])
