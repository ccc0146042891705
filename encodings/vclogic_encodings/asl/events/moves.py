"""Events of movement: setting up, entering and leaving Locations, riding, leaving the map."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.asl.board import EQUIPMENT, INFANTRY, LANDED, MMC
from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.game import Changes, Game
from vclogic_encodings.asl.geometry import AT_GROUND, hex_of, level_of, parse_hex
from vclogic_encodings.asl.names import BLAZE, EXITED, NONE, OFF
from vclogic_encodings.asl.state import BUILDING, HEX, LOCATION

from vclogic.model.actions import Action, Requirement
from vclogic.terms.atoms import FALSE, TRUE, boolean, integer
from vclogic.terms.build import and_, any_of, eq, ite, ne, not_, or_
from vclogic.terms.term import Term

EXEMPT = ("recall", "guards", "landing", "victory", "ssr")
"""Reasons for which a unit that leaves the map is not considered eliminated."""


# ---- before play


def setup(c: Game, side: str, area: str) -> Action:
    """A side gains what is within its set-up area, apart from what is in the other side's too."""
    own = c.f.board.areas[area].side == side
    gained = _within(c, side, area)
    changes: Changes = {c.f.stored(*x): c.f.side(side) for x in gained}
    return Action(
        "setup",
        (("side", side), ("area", area)),
        actor=side,
        requirements=(
            c.going_on,
            Requirement(boolean(own), f"{area} is not a set-up area of the {side} side", cite("26.11/1")),
        ),
        effects=c.after((), changes),
        text=f"the {side} side sets up in {area} and controls it",
        cites=cite("26.11/1", "26.11/1x1"),
    )


def _hexes_of(c: Game, area: str) -> set[str]:
    a = c.f.board.areas[area]
    on_boards = (h for h in c.f.geometry.hexes if (parse_hex(h) or ("",))[0] in a.boards)
    return {*a.hexes, *on_boards}


def _boards(hexes: Iterable[str]) -> set[str]:
    """The map boards of some hexes."""
    return {found[0] for h in hexes if (found := parse_hex(h))}


def _within(c: Game, side: str, area: str) -> list[tuple[str, str]]:
    """What a side gains by setting up in an area: what is in it, and the boards of it that are the side's alone."""
    g = c.f.geometry
    theirs = {h for n, a in c.f.board.areas.items() if a.side != side for h in _hexes_of(c, n)}
    own = {h for n, a in c.f.board.areas.items() if a.side == side for h in _hexes_of(c, n)}
    alone = [h for h in g.hexes if _boards([h]) <= _boards(own) - _boards(theirs)]
    here = {h for h in alone if _boards([h]) <= _boards(_hexes_of(c, area))} | _hexes_of(c, area)
    own |= {*alone}
    hexes = [h for h in g.hexes if h in here - theirs]
    found = [(HEX, h) for h in hexes]
    found += [(LOCATION, x) for h in hexes for x in g.of_hex[h]]
    for name, b in c.f.board.buildings.items():
        if here & {*b.hexes} and _is_within(c, {*b.hexes}, own, theirs):
            found.append((BUILDING, name))
    return found


def _is_within(c: Game, building: set[str], own: set[str], theirs: set[str]) -> bool:
    """Whether the hexes of a building are within what is a side's to set up in, and not within both sides' areas."""
    if building & theirs:
        return c.reads("setup_overlap", "container") and building <= own and not building <= theirs
    return c.reads("setup_building", "part") or building <= own


# ---- on the map


def enter(c: Game, unit: str, to: str, bypass: str) -> Action:
    """A unit comes to a Location, with all that it carries or guards."""
    f = c.f
    past = bypass == "yes"
    changes: Changes = {**c.hold_at(to), **c.released(unit), f.at[unit]: f.place(to)}
    changes |= c.along(unit, f.place(to), f.at)
    changes |= c.along(unit, boolean(past), f.bypass)
    changes |= {f.bypass[unit]: boolean(past), f.anew[unit]: FALSE}
    changes |= {**_left_behind(c, unit), f.holds[unit]: FALSE}
    can_pass = f.board.units[unit].kind in (*INFANTRY, *LANDED) and level_of(to) in AT_GROUND
    return Action(
        "enter",
        (("unit", unit), ("to", to), ("bypass", bypass)),
        actor=c.acts_for(unit),
        requirements=(
            c.going_on,
            c.alive(unit),
            *c.free(unit),
            *c.mobile(unit),
            *_can_stand(c, unit, to),
            Requirement(boolean(can_pass or not past), f"{unit} cannot be in bypass in {to}"),
        ),
        effects=c.after((c.where(unit), c.at(to)), changes),
        text=lambda values: f"{unit} {_way(str(values[f.at[unit]]), to)}{' in bypass' if past else ''}",
        costs={"events": 1},
        cites=cite("26.11-p2/1", "26.11-p2/2"),
    )


def _way(source: str, to: str) -> str:
    return f"enters {to}" if source == OFF else f"goes from {source} to {to}"


def _can_stand(c: Game, unit: str, to: str) -> tuple[Requirement, ...]:
    """That a unit can be in a Location at all: vehicles at ground level, nobody in a Blaze."""
    u = c.f.board.units[unit]
    low = u.kind in INFANTRY or u.kind == "dummy" or u.kind in ("gun", "equipment") or level_of(to) in AT_GROUND
    closed = c.f.board.hexes.get(hex_of(to))
    barred = closed is not None and u.side in closed.closed
    flies = u.kind in ("aircraft", "glider")
    found = [
        Requirement(boolean(low), f"{unit} is a {u.kind}: it stays at ground level"),
        Requirement(boolean(not barred), f"{hex_of(to)} is closed to the {u.side} side"),
        Requirement(boolean(not flies), f"{unit} is a {u.kind}: it enters no Location"),
    ]
    if to in c.f.board.flammable:
        found.append(Requirement(ne(c.now(c.f.fire[to]), BLAZE), f"nobody enters the Blaze in {to}"))
    return tuple(found)


def _left_behind(c: Game, vehicle: str) -> Changes:
    """Who stays where a vehicle leaves what it controlled, under the reading that they must enter anew."""
    kind, side = c.f.board.units[vehicle].kind, c.f.board.units[vehicle].side
    if kind not in LANDED or not c.reads("squad_with_vehicle", "reverts"):
        return {}
    new: Changes = {}
    for p in c.f.board.of(*MMC):
        if c.f.board.units[p].side == side:
            stays = any_of(and_(c.s.here(p, (x,)), c.holders.control.holds_at(vehicle, x)) for x in c.s.haunts(p))
            new |= c.when(and_(stays, not_(c.s.goes_with(p, vehicle))), {c.f.anew[p]: TRUE})
    return new


def leave(c: Game, unit: str) -> Action:
    """A unit goes elsewhere: off this part of the map, without having left the game."""
    f = c.f
    changes: Changes = {**c.released(unit), f.at[unit]: f.place(OFF)}
    changes |= c.along(unit, f.place(OFF), f.at)
    changes |= {**_left_behind(c, unit), f.holds[unit]: FALSE}
    changes |= {**c.along(unit, FALSE, f.bypass), f.bypass[unit]: FALSE}
    return Action(
        "leave",
        (("unit", unit),),
        actor=c.acts_for(unit),
        requirements=(c.going_on, c.on_map(unit), *c.free(unit), *c.mobile(unit)),
        effects=c.after((c.where(unit),), changes),
        text=f"{unit} leaves this part of the map",
        costs={"events": 1},
        cites=cite("26.1/3", "26.12/2"),
    )


# ---- vehicles and who rides in them


def mount(c: Game, unit: str, vehicle: str) -> Action:
    """A unit gets into a vehicle."""
    f = c.f
    changes: Changes = {**c.hold_all, **c.released(unit), **aboard(c, unit, vehicle)}
    ours = c.s.belongs(vehicle, f.board.units[unit].side)
    return Action(
        "mount",
        (("unit", unit), ("vehicle", vehicle)),
        actor=f.board.units[unit].side,
        requirements=(
            *(c.going_on, c.on_map(unit), c.on_map(vehicle), *c.free(unit)),
            Requirement(c.s.together(unit, vehicle), f"{unit} is not where {vehicle} is"),
            Requirement(ours, f"{vehicle} is not in the hands of {unit}'s side"),
        ),
        effects=c.after((c.where(unit), c.where(vehicle)), changes),
        text=f"{unit} gets into {vehicle}",
        cites=cite("26.11-p3/1"),
    )


def aboard(c: Game, unit: str, vehicle: str) -> Changes:
    """That a unit rides in a vehicle in its Location, with its prisoners and what it carries."""
    f = c.f
    inside, passing = c.word(f.with_, vehicle), c.now(f.bypass[vehicle])
    new: Changes = {f.with_[unit]: inside, f.bypass[unit]: passing}
    for p, guarded in c.charges(unit):
        new |= c.when(guarded, {f.with_[p]: inside, f.bypass[p]: passing})
    return new


def dismount(c: Game, unit: str) -> Action:
    """A unit gets out of its vehicle, in the same Location, and takes prisoners who are in it along."""
    f = c.f
    changes: Changes = {**c.hold_all, f.with_[unit]: c.word(f.with_, NONE), f.bypass[unit]: FALSE}
    for p in f.board.of(*INFANTRY):
        if f.board.units[p].side != f.board.units[unit].side:
            same = and_(c.s.captive(p), c.s.riding(p), eq(c.now(f.with_[p]), c.now(f.with_[unit])))
            changes |= c.when(same, {f.with_[p]: c.word(f.with_, unit), f.bypass[p]: FALSE})
    return Action(
        "dismount",
        (("unit", unit),),
        actor=f.board.units[unit].side,
        requirements=(
            c.going_on,
            c.on_map(unit),
            Requirement(c.s.riding(unit), f"{unit} rides in no vehicle"),
            Requirement(not_(c.s.captive(unit)), f"{unit} is a prisoner"),
        ),
        effects=c.after((c.where(unit),), changes),
        text=f"{unit} gets out",
        cites=cite("26.11-p3/1"),
    )


# ---- off the map


def exit_map(c: Game, unit: str, area: str, reason: str) -> Action:
    """A unit leaves the map for good, with all that it carries or guards."""
    f, u = c.f, c.f.board.units[unit]
    e = f.board.exits.get(area)
    own_exit = any_of(c.s.belongs(unit, side) for side in (e.sides if e else ()))
    exempt = or_(boolean(reason in EXEMPT), own_exit)
    changes: Changes = {**c.released(unit), **_gone(c, unit, area, TRUE, exempt=exempt)}
    for p in c.s.followers(unit):
        goes = c.s.goes_with(p, unit)
        if goes is not FALSE:
            prisoner = c.s.captive(p) if f.board.units[p].kind in INFANTRY else FALSE
            spared = ite(prisoner, boolean(c.reads("prisoner_exit", "captured")), exempt)
            changes |= _gone(c, p, area, goes, exempt=spared)
            changes |= c.when(goes, {f.led_off[p]: prisoner})
    guarded = (p for p in c.s.followers(unit) if f.board.units[p].kind in INFANTRY)
    guards = any_of(and_(c.s.goes_with(p, unit), c.s.captive(p)) for p in guarded)
    somewhere = f.place(OFF) if reason == "landing" else None
    there = eq(c.now(f.at[unit]), somewhere) if somewhere is not None else c.s.on_map(unit)
    return Action(
        "exit",
        (("unit", unit), ("area", area), ("reason", reason)),
        actor=c.acts_for(unit),
        requirements=(
            *(c.going_on, c.alive(unit), *c.free(unit), *c.mobile(unit)),
            Requirement(there, f"{unit} is {'already' if somewhere is not None else 'not'} on the map"),
            Requirement(
                boolean(u.kind not in EQUIPMENT), f"{unit} does not move by itself: somebody must tow or carry it"
            ),
            Requirement(guards if reason == "guards" else TRUE, f"{unit} guards no prisoners", cite("26.2/3")),
            Requirement(
                or_(boolean(reason != "victory"), own_exit),
                f"{area} is no area by which the {u.side} side exits for victory",
                cite("26.2/3", "26.23/1"),
            ),
        ),
        effects=c.after((c.where(unit),), changes),
        text=f"{unit} leaves the map" + (f" by {area}" if e else ""),
        costs={"events": 1},
        cites=cite("26.2/3", "26.221/2", "26.221/2x1", "26.23/1"),
    )


def _gone(c: Game, unit: str, area: str, when: Term, *, exempt: Term) -> Changes:
    """What leaving the map changes for a unit, if a condition holds."""
    f = c.f
    e = f.board.exits.get(area)
    points = c.points.exit_value(unit, seaborne=e is not None and e.seaborne) if e else integer(0)
    if f.board.units[unit].kind in INFANTRY and c.reads("prisoner_points", "none"):
        points = ite(c.s.captive(unit), integer(0), points)
    lost = ite(exempt, integer(0), c.points.value(unit))
    new: Changes = {f.at[unit]: f.place(EXITED), f.exit_points[unit]: points, f.scored[unit]: lost}
    new |= {f.left_by[unit]: c.word(f.left_by, area), f.bypass[unit]: FALSE}
    return {
        **c.when(when, new),
        **c.when(and_(when, not_(exempt)), {f.captured[unit]: FALSE}),
        f.holds[unit]: FALSE,
    }
