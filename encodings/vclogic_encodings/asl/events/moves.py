"""Events of movement: setting up, entering and leaving Locations, riding, leaving the map."""

from __future__ import annotations

from vclogic_encodings.asl.board import EQUIPMENT, INFANTRY, LANDED, MMC
from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.events.kinds import (
    HOLDER,
    MOVING,
    OWN,
    Among,
    both,
    counters,
    deed,
    event,
    the_side,
    words,
)
from vclogic_encodings.asl.fluents import Changes
from vclogic_encodings.asl.game import Rules
from vclogic_encodings.asl.geometry import AT_GROUND, hex_of, level_of
from vclogic_encodings.asl.names import EXITED, NEEDS, NONE, OFF
from vclogic_encodings.asl.rules.casualties import gone
from vclogic_encodings.asl.rules.exits import EXEMPT, by_own_exit, exempt, exempt_with, exit_value, lost_by_leaving
from vclogic_encodings.asl.rules.fire import fires_of
from vclogic_encodings.asl.rules.gaining import gained_by_setup
from vclogic_encodings.asl.rules.vehicles import controls_its_location

from vclogic.model.actions import Action, Requirement
from vclogic.terms.atoms import FALSE, TRUE, boolean
from vclogic.terms.build import and_, any_of, eq, ite, not_, or_
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

LEAVES = cite("26.2/3", "26.221/2x1")
"""The clauses on units that leave the map without being lost."""
MOVERS = counters("unit that moves", *INFANTRY, *LANDED, "dummy", *EQUIPMENT)


_YES_OR_NO = Among(lambda _: Domain(EnumSort("choice: yes or no", ("no", "yes")), {"true": "yes", "false": "no"}))
_AREAS = Among(
    lambda game: words("set-up area", *game.board.areas)(game) if game.board.areas else None,
    lambda _: NEEDS["areas"],
)


# ---- before play


@event(cite("26.11/1", "26.11/1x1"), {"side": "sides", "area": _AREAS}, decided_by=the_side("the side that sets up"))
def setup(game: Rules, side: str, area: str) -> Action:
    """At the start: the side controls what is within its set-up area."""
    fluents = game.fluents
    own = game.board.areas[area].side == side
    changes: dict[Term, Term] = {}
    for x, gained in gained_by_setup(fluents, side, area).items():
        if gained is not FALSE:
            changes[fluents.stored(*x)] = ite(gained, fluents.side(side), game.units.now(fluents.stored(*x)))
    return deed(
        requirements=(Requirement(boolean(own), f"{area} is not a set-up area of the {side} side", cite("26.11/1")),),
        effects=game.after((), changes),
        text=f"the {side} side sets up in {area} and controls it",
    )


# ---- on the map


@event(
    cite("26.11-p2/1", "26.11-p2/2"),
    {"unit": MOVERS, "to": "locations", "bypass": (_YES_OR_NO, "no")},
    not_judged=MOVING,
    decided_by=HOLDER,
)
def enter(game: Rules, unit: str, to: str, bypass: str) -> Action:
    """A unit comes to a Location, from another one or from off the map."""
    fluents = game.fluents
    past = bypass == "yes"
    changes: Changes = {**game.hold_at(to), **game.released(unit), fluents.at[unit]: fluents.place(to)}
    changes |= game.along(unit, fluents.place(to), fluents.at)
    changes |= game.along(unit, boolean(past), fluents.bypass)
    changes |= {fluents.bypass[unit]: boolean(past), fluents.anew[unit]: FALSE}
    changes |= {**_left_behind(game, unit), fluents.holds[unit]: FALSE}
    can_pass = game.kind(unit) in (*INFANTRY, *LANDED) and level_of(to) in AT_GROUND
    return deed(
        requirements=(
            game.alive(unit),
            *game.free(unit),
            *game.mobile(unit),
            *_can_stand(game, unit, to),
            _elsewhere(game, unit, to, past=past),
            Requirement(boolean(can_pass or not past), f"{unit} cannot be in bypass in {to}"),
        ),
        effects=game.after((game.where(unit), game.at(to)), changes),
        text=lambda values: f"{unit} {_way(str(values[fluents.at[unit]]), to)}{' in bypass' if past else ''}",
        cites=cite("26.12/1", "26.12/2") if game.kind(unit) in LANDED else (),
    )


def _way(source: str, to: str) -> str:
    return f"enters {to}" if source in (OFF, to) else f"goes from {source} to {to}"


def _elsewhere(game: Rules, unit: str, to: str, *, past: bool) -> Requirement:
    """The requirement that a unit is elsewhere, or there in bypass and not after this, or the other way round."""
    passes = game.units.bypassing(unit)
    other = not_(passes) if past else passes
    there = f"{unit} is in {to} already" + (", in bypass" if past else "")
    return Requirement(or_(not_(game.units.here(unit, (to,))), other), there, cite("26.12/2"))


def _can_stand(game: Rules, unit: str, to: str) -> tuple[Requirement, ...]:
    """The requirements for a unit to be in a Location at all: vehicles at ground level, nobody in a Blaze."""
    u = game.board.units[unit]
    low = u.kind in INFANTRY or u.kind == "dummy" or u.kind in ("gun", "equipment") or level_of(to) in AT_GROUND
    closed = game.board.hexes.get(hex_of(to))
    barred = closed is not None and u.side in closed.closed
    flies = u.kind in ("aircraft", "glider")
    found = [
        Requirement(boolean(low), f"{unit} is a {u.kind}: it stays at ground level"),
        Requirement(boolean(not barred), f"{hex_of(to)} is closed to the {u.side} side"),
        Requirement(boolean(not flies), f"{unit} is a {u.kind}: it enters no Location"),
    ]
    if to in game.board.flammable:
        shut = fires_of(game.units).shuts(u.side, to)
        one = not game.fluents.shuts_out.empty
        text = f"the Blaze in {to} shuts out the {u.side} side" if one else f"nobody enters the Blaze in {to}"
        found.append(Requirement(not_(shut), text, cite("26.161/2", "26.161/5")))
    return tuple(found)


def _left_behind(game: Rules, vehicle: str) -> Changes:
    """The squads that stay where a vehicle leaves its Location, under the reading that they must enter anew."""
    units = game.units
    kind, side = game.kind(vehicle), game.side(vehicle)
    if kind not in LANDED or not game.reads("squad_with_vehicle", "reverts"):
        return {}
    new: Changes = {}
    for p in game.board.of(*MMC):
        if game.side(p) == side:
            stays = any_of(
                and_(units.here(p, (x,)), controls_its_location(units, vehicle, x)) for x in units.haunts(p)
            )
            new |= units.when(and_(stays, not_(units.goes_with(p, vehicle))), {game.fluents.anew[p]: TRUE})
    return new


@event(cite("26.1/3", "26.12/2"), {"unit": MOVERS}, not_judged=MOVING, decided_by=HOLDER)
def leave(game: Rules, unit: str) -> Action:
    """A unit goes off this part of the map, without having left the game."""
    fluents = game.fluents
    changes: Changes = {**game.released(unit), fluents.at[unit]: fluents.place(OFF)}
    changes |= game.along(unit, fluents.place(OFF), fluents.at)
    changes |= {**_left_behind(game, unit), fluents.holds[unit]: FALSE}
    changes |= {**game.along(unit, FALSE, fluents.bypass), fluents.bypass[unit]: FALSE}
    return deed(
        requirements=(game.on_map(unit), *game.free(unit), *game.mobile(unit)),
        effects=game.after((game.where(unit),), changes),
        text=f"{unit} leaves this part of the map",
    )


# ---- vehicles and who rides in them


@event(cite("26.11-p3/1"), {"unit": "infantry", "vehicle": "vehicles"}, not_judged=MOVING, decided_by=OWN)
def mount(game: Rules, unit: str, vehicle: str) -> Action:
    """An Infantry unit gets into a vehicle and is PRC from now on."""
    units = game.units
    changes: Changes = {**game.hold_all, **game.released(unit), **aboard(game, unit, vehicle)}
    ours = units.belongs(vehicle, game.side(unit))
    return deed(
        requirements=(
            *(game.on_map(unit), game.on_map(vehicle), *game.free(unit)),
            Requirement(units.together(unit, vehicle), f"{unit} is not where {vehicle} is"),
            Requirement(ours, f"{vehicle} is not in the hands of {unit}'s side", cite("26.222/2")),
        ),
        effects=game.after((game.where(unit), game.where(vehicle)), changes),
        text=f"{unit} gets into {vehicle}",
    )


def aboard(game: Rules, unit: str, vehicle: str) -> Changes:
    """The changes as a unit boards a vehicle in its Location, with its prisoners and equipment."""
    fluents = game.fluents
    inside, passing = game.word(fluents.with_, vehicle), game.now(fluents.bypass[vehicle])
    new: Changes = {fluents.with_[unit]: inside, fluents.bypass[unit]: passing}
    for p, guarded in game.charges(unit):
        new |= game.units.when(guarded, {fluents.with_[p]: inside, fluents.bypass[p]: passing})
    return new


@event(
    cite("26.11-p3/1"),
    {"unit": both("vehicles", "infantry")},
    not_judged=MOVING,
    decided_by=OWN,
)
def dismount(game: Rules, unit: str) -> Action:
    """An Infantry unit gets out of its vehicle."""
    fluents, units = game.fluents, game.units
    changes: Changes = {
        **game.hold_all,
        fluents.with_[unit]: game.word(fluents.with_, NONE),
        fluents.bypass[unit]: FALSE,
    }
    for p in game.board.of(*INFANTRY):
        if game.side(p) != game.side(unit):
            same = and_(
                units.captured(p), units.riding(p), eq(game.now(fluents.with_[p]), game.now(fluents.with_[unit]))
            )
            changes |= units.when(same, {fluents.with_[p]: game.word(fluents.with_, unit), fluents.bypass[p]: FALSE})
    return deed(
        requirements=(
            game.on_map(unit),
            Requirement(units.riding(unit), f"{unit} rides in no vehicle"),
            game.unguarded(unit),
        ),
        effects=game.after((game.where(unit),), changes),
        text=f"{unit} gets out",
    )


# ---- off the map


@event(
    cite("26.2/3", "26.221/2", "26.221/2x1", "26.23/1"),
    {"unit": "units", "area": ("exits", NONE), "reason": (words("reason to leave the map", NONE, *EXEMPT), NONE)},
    name="exit",
    not_judged=MOVING,
    decided_by=HOLDER,
)
def exit_map(game: Rules, unit: str, area: str, reason: str) -> Action:
    """A unit leaves the map for good; without a good reason it counts as eliminated."""
    fluents, units, counter = game.fluents, game.units, game.board.units[unit]
    spared = exempt(units, unit, area, reason)
    changes: Changes = {**game.released(unit), **_gone(game, unit, area, TRUE, spared=spared)}
    guards = []
    for p, goes in units.followers(unit):
        prisoner = units.captured(p) if game.kind(p) in INFANTRY else FALSE
        own = exempt_with(units, p, area, reason)
        led = ite(prisoner, boolean(game.reads("prisoner_exit", "captured")), own)
        changes |= _gone(game, p, area, goes, spared=led)
        changes |= units.when(goes, {fluents.led_off[p]: prisoner})
        guards.append(and_(goes, prisoner))
    lands, gates = reason == "landing", game.geometry.gates(area)
    there = eq(game.now(fluents.at[unit]), fluents.place(OFF)) if lands else units.on_map(unit)
    wins = or_(boolean(reason != "victory"), by_own_exit(units, unit, area))
    no_exit = f"{area} is not an area by which the {counter.side} side exits for victory"
    by_itself = boolean(counter.kind not in EQUIPMENT)
    return deed(
        requirements=(
            *(game.alive(unit), *game.free(unit), *game.mobile(unit)),
            Requirement(there, f"{unit} is {'already' if lands else 'not'} on the map", LEAVES),
            Requirement(
                units.here(unit, gates) if gates else TRUE,
                f"{unit} is in no hex of the exit area {area}",
                cite("26.23/1"),
            ),
            Requirement(by_itself, f"{unit} does not move by itself: somebody must tow or carry it"),
            Requirement(any_of(guards) if reason == "guards" else TRUE, f"{unit} guards no prisoners", LEAVES),
            Requirement(wins, no_exit, (*LEAVES, *cite("26.23/1"))),
        ),
        effects=game.after((game.where(unit),), changes),
        text=f"{unit} leaves the map"
        + (f" by {area}" if area in game.board.exits else "")
        + (f" (reason: {reason})" if reason != NONE else ""),
    )


def _gone(game: Rules, unit: str, area: str, when: Term, *, spared: Term) -> Changes:
    """The changes of a unit that leaves the map, if a condition holds."""
    fluents, units = game.fluents, game.units
    new: Changes = {fluents.at[unit]: fluents.place(EXITED), fluents.bypass[unit]: FALSE}
    new |= {
        fluents.exit_points[unit]: exit_value(units, unit, area),
        fluents.left_by[unit]: game.word(fluents.left_by, area),
    }
    new[fluents.scored[unit]] = lost_by_leaving(units, unit, spared)
    return {
        **units.when(when, new),
        **units.when(and_(when, not_(spared)), gone(units, unit)),
        fluents.holds[unit]: FALSE,
    }
