"""Events of combat: breaking and rallying, Melee, wounds, elimination, the state of main armaments."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.asl.board import INFANTRY, LANDED
from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.game import Changes, Game, Overlay
from vclogic_encodings.asl.geometry import hex_of
from vclogic_encodings.asl.names import DISABLED, ELIMINATED, MALFUNCTIONED, NONE, WORKING
from vclogic_encodings.asl.rules.gaining import only_location
from vclogic_encodings.asl.state import HEX, LOCATION

from vclogic.model.actions import Action, Requirement
from vclogic.terms.atoms import FALSE, TRUE, boolean
from vclogic.terms.build import and_, eq, ite, linear, ne, not_, or_
from vclogic.terms.term import Term

NO_CVP = cite("26.221/3")


def break_unit(c: Game, unit: str) -> Action:
    """A unit breaks, or rallies."""
    return _morale(c, unit, rally=False)


def rally(c: Game, unit: str) -> Action:
    """A unit rallies."""
    return _morale(c, unit, rally=True)


def disrupt(c: Game, unit: str) -> Action:
    """A unit is disrupted: it is broken, too, until it rallies."""
    f = c.f
    return Action(
        "disrupt",
        (("unit", unit),),
        actor=None,
        requirements=(
            *(c.going_on, c.on_map(unit)),
            Requirement(not_(c.now(f.disrupted[unit])), f"{unit} is already disrupted"),
            Requirement(not_(c.s.captive(unit)), f"{unit} is a prisoner"),
        ),
        effects=c.after((c.where(unit),), {f.broken[unit]: TRUE, f.disrupted[unit]: TRUE}),
        text=f"{unit} is disrupted",
        cites=NO_CVP,
    )


def _morale(c: Game, unit: str, *, rally: bool) -> Action:
    f = c.f
    broken = c.now(f.broken[unit])
    changes: Changes = {f.broken[unit]: boolean(not rally)}
    if rally:
        changes[f.disrupted[unit]] = FALSE
    name = "rally" if rally else "break"
    ready = broken if rally else not_(broken)
    return Action(
        name,
        (("unit", unit),),
        actor=f.board.units[unit].side if rally else None,
        requirements=(
            c.going_on,
            c.on_map(unit),
            Requirement(ready, f"{unit} is {'not' if rally else 'already'} broken"),
            Requirement(not_(c.s.captive(unit)), f"{unit} is a prisoner"),
        ),
        effects=c.after((c.where(unit),), changes),
        text=f"{unit} {'rallies' if rally else 'breaks'}",
        costs={"events": 1},
        cites=NO_CVP,
    )


def melee(c: Game, unit: str, against: str) -> Action:
    """Two units hold each other in Melee."""
    f = c.f
    units = f.board.units
    other = c.now(f.melee[against])
    changes: Changes = {f.melee[unit]: c.word(f.melee, against)}
    changes |= c.when(eq(other, NONE), {f.melee[against]: c.word(f.melee, unit)})
    return Action(
        "melee",
        (("unit", unit), ("against", against)),
        actor=None,
        requirements=(
            *(c.going_on, c.on_map(unit), c.on_map(against)),
            Requirement(boolean(units[unit].side != units[against].side), f"{unit} and {against} are of one side"),
            Requirement(c.s.together(unit, against), f"{unit} and {against} are not in the same Location"),
            Requirement(eq(c.now(f.melee[unit]), NONE), f"{unit} is in Melee already"),
            Requirement(not_(or_(c.s.captive(unit), c.s.captive(against))), "a prisoner fights no Melee"),
        ),
        effects=c.after((c.where(unit),), changes),
        text=f"{unit} and {against} are held in Melee",
        cites=cite("26.11-p2/1"),
    )


def wound(c: Game, unit: str) -> Action:
    """A leader or hero is wounded; a second wound eliminates."""
    f = c.f
    return Action(
        "wound",
        (("unit", unit),),
        actor=None,
        requirements=(
            c.going_on,
            c.on_map(unit),
            Requirement(not_(c.now(f.wounded[unit])), f"{unit} is wounded already"),
        ),
        effects=c.after((), {f.wounded[unit]: TRUE}),
        text=f"{unit} is wounded",
        cites=cite("26.211/3", "26.221/3"),
    )


# ---- the end of a unit


def eliminate(c: Game, unit: str, by: str, crew: str) -> Action:
    """A unit is eliminated, with all that rides in it."""
    f = c.f
    changes: Changes = {**c.released(unit), **lets_go(c, unit, survives=FALSE), **lost(c, unit, TRUE, by)}
    marks = [c.where(unit)]
    for p in c.s.followers(unit):
        rides = c.s.goes_with(p, unit)
        if rides is FALSE:
            continue
        if f.board.units[unit].kind in LANDED and f.board.units[p].kind in INFANTRY:
            changes |= lost(c, p, rides, by)
        else:  # prisoners of a guard, and what was towed or carried, stay where they are
            changes |= c.when(rides, {f.with_[p]: c.word(f.with_, NONE)})
    member = f.board.units[unit].crew
    inherent = c.now(f.crewed[unit])
    saved = crew == "survives"
    if inherent is not FALSE:
        changes[f.crewed[unit]] = FALSE
        if not saved and member is not None:
            changes |= c.when(inherent, {f.at[member]: f.place(ELIMINATED)}, changes)
        if saved and member is not None:
            changes |= c.when(inherent, {f.at[member]: c.now(f.at[unit])}, changes)
            out = linear([(1, c.points.value(unit)), (-c.points.crew_value(unit), inherent)])
            changes[f.scored[unit]] = out
    in_play = c.s.on_map(unit) if f.board.units[unit].kind not in ("aircraft", "glider") else c.alive(unit).term
    return Action(
        "eliminate",
        (("unit", unit), ("by", by), ("crew", crew)),
        actor=by if by in f.board.sides else None,
        requirements=(
            c.going_on,
            c.alive(unit),
            Requirement(in_play, f"{unit} is not on the map"),
            Requirement(
                boolean(not saved) if member is None else or_(boolean(not saved), inherent),
                f"{unit} has no inherent crew that could survive it as a unit",
                cite("26.21/4"),
            ),
        ),
        effects=c.after(marks, changes, kept_by_lost(c, unit)),
        text=f"{unit} is eliminated",
        costs={"events": 1},
        cites=cite("26.221/1", "26.222/7"),
    )


def lost(c: Game, unit: str, when: Term, by: str) -> Changes:
    """A unit that is eliminated, if a condition holds, and what the other side gets for it."""
    f, u = c.f, c.f.board.units[unit]
    worth = c.points.value(unit)
    if by == u.side and u.kind in INFANTRY:
        worth = ite(c.s.captive(unit), linear([(2, worth)]), worth)
    new: Changes = {f.at[unit]: f.place(ELIMINATED), f.scored[unit]: worth}
    new |= {f.captured[unit]: FALSE, f.bypass[unit]: FALSE, f.with_[unit]: c.word(f.with_, NONE)}
    return c.when(when, new)


def lets_go(c: Game, vehicle: str, *, survives: Term) -> Changes:
    """Whether a vehicle that is lost or disarmed still controls the Location that it is in.

    Args:
        c: The game.
        vehicle: The vehicle; any other unit controls nothing in this way.
        survives: Whether it can still control its Location.
    """
    f = c.f
    return {f.holds[vehicle]: and_(c.holders.control.holds(vehicle), survives)}


def kept_by_lost(c: Game, vehicle: str) -> Iterable[Overlay]:
    """What a vehicle that is destroyed or captured leaves to its side, under the reading that it does."""
    f, control = c.f, c.holders.control
    if f.board.units[vehicle].kind not in LANDED or not c.reads("vehicle_lost", "kept"):
        return
    for x in c.s.haunts(vehicle):
        for side in f.board.sides:
            ours = and_(control.holds_at(vehicle, x), c.s.belongs(vehicle, side))
            if ours is not FALSE:
                yield f.stored(LOCATION, x), ours, f.side(side)
                if only_location(c.f, hex_of(x)) == x:  # the hex goes with its only Location
                    yield f.stored(HEX, hex_of(x)), ours, f.side(side)


# ---- armament


def arm(c: Game, name: str, unit: str) -> Action:
    """The main armament of a vehicle, or a Gun, malfunctions, is disabled or repaired."""
    f, u = c.f, c.f.board.units[unit]
    state = c.now(f.armament[unit])
    after = {"malfunction": MALFUNCTIONED, "disable": DISABLED, "repair": WORKING}[name]
    needed = {
        "malfunction": eq(state, WORKING),
        "disable": ne(state, DISABLED),
        "repair": eq(state, MALFUNCTIONED),
    }[name]
    message = {
        "malfunction": f"the armament of {unit} does not work as it is",
        "disable": f"the armament of {unit} is disabled already",
        "repair": f"the armament of {unit} is not malfunctioned",
    }[name]
    changes: Changes = {}
    if name == "repair":
        changes |= c.hold_all
    else:
        strong = boolean(u.other_weapons or c.reads("vehicle_disarmed", "stays"))
        if c.reads("armed_passengers", "yes"):
            strong = or_(strong, *(and_(c.s.goes_with(p, unit), c.s.armed(p)) for p in c.s.followers(unit)))
        changes |= lets_go(c, unit, survives=strong)
    changes[f.armament[unit]] = c.word(f.armament, after)
    return Action(
        name,
        (("unit", unit),),
        actor=c.acts_for(unit) if name == "repair" else None,
        requirements=(c.going_on, c.alive(unit), Requirement(needed, message)),
        effects=c.after((c.where(unit),), changes),
        text=f"the armament of {unit} is {after}",
        cites=cite("26.212/2", "26.221/3"),
    )
