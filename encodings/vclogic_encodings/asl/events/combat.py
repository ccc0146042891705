"""Events of combat: breaking and rallying, Melee, wounds, elimination, the state of main armaments."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.asl.board import INFANTRY, LANDED
from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.fluents import HEX, LOCATION, Changes
from vclogic_encodings.asl.game import Game, Overlay
from vclogic_encodings.asl.geometry import hex_of
from vclogic_encodings.asl.names import DISABLED, ELIMINATED, MALFUNCTIONED, NONE, WORKING
from vclogic_encodings.asl.rules.casualties import eliminated
from vclogic_encodings.asl.rules.values import crew_value, value
from vclogic_encodings.asl.rules.vehicles import controlled_by_vehicles, controls_its_location, controls_where_it_is

from vclogic.model.actions import Action, Requirement
from vclogic.terms.atoms import FALSE, TRUE, boolean
from vclogic.terms.build import and_, eq, linear, ne, not_, or_
from vclogic.terms.term import Term

NO_CVP = cite("26.221/3")


def break_unit(game: Game, unit: str) -> Action:
    """A unit breaks, or rallies."""
    return _morale(game, unit, rally=False)


def rally(game: Game, unit: str) -> Action:
    """A unit rallies."""
    return _morale(game, unit, rally=True)


def disrupt(game: Game, unit: str) -> Action:
    """A unit is disrupted: it is broken, too, until it rallies."""
    fluents = game.fluents
    return Action(
        "disrupt",
        (("unit", unit),),
        actor=None,
        requirements=(
            *(game.going_on, game.on_map(unit)),
            Requirement(not_(game.now(fluents.disrupted[unit])), f"{unit} is already disrupted"),
            Requirement(not_(game.units.captured(unit)), f"{unit} is a prisoner"),
        ),
        effects=game.after((game.where(unit),), {fluents.broken[unit]: TRUE, fluents.disrupted[unit]: TRUE}),
        text=f"{unit} is disrupted",
        cites=NO_CVP,
    )


def _morale(game: Game, unit: str, *, rally: bool) -> Action:
    fluents = game.fluents
    broken = game.now(fluents.broken[unit])
    changes: Changes = {fluents.broken[unit]: boolean(not rally)}
    if rally:
        changes[fluents.disrupted[unit]] = FALSE
    name = "rally" if rally else "break"
    ready = broken if rally else not_(broken)
    return Action(
        name,
        (("unit", unit),),
        actor=game.board.units[unit].side if rally else None,
        requirements=(
            game.going_on,
            game.on_map(unit),
            Requirement(ready, f"{unit} is {'not' if rally else 'already'} broken"),
            Requirement(not_(game.units.captured(unit)), f"{unit} is a prisoner"),
        ),
        effects=game.after((game.where(unit),), changes),
        text=f"{unit} {'rallies' if rally else 'breaks'}",
        costs={"events": 1},
        cites=NO_CVP,
    )


def melee(game: Game, unit: str, against: str) -> Action:
    """Two units hold each other in Melee."""
    fluents, units = game.fluents, game.units
    counters = game.board.units
    other = game.now(fluents.melee[against])
    changes: Changes = {fluents.melee[unit]: game.word(fluents.melee, against)}
    changes |= units.when(eq(other, NONE), {fluents.melee[against]: game.word(fluents.melee, unit)})
    return Action(
        "melee",
        (("unit", unit), ("against", against)),
        actor=None,
        requirements=(
            *(game.going_on, game.on_map(unit), game.on_map(against)),
            Requirement(
                boolean(counters[unit].side != counters[against].side), f"{unit} and {against} are of one side"
            ),
            Requirement(units.together(unit, against), f"{unit} and {against} are not in the same Location"),
            Requirement(eq(game.now(fluents.melee[unit]), NONE), f"{unit} is in Melee already"),
            Requirement(not_(or_(units.captured(unit), units.captured(against))), "a prisoner fights no Melee"),
        ),
        effects=game.after((game.where(unit),), changes),
        text=f"{unit} and {against} are held in Melee",
        cites=cite("26.11-p2/1"),
    )


def wound(game: Game, unit: str) -> Action:
    """A leader or hero is wounded; a second wound eliminates."""
    fluents = game.fluents
    return Action(
        "wound",
        (("unit", unit),),
        actor=None,
        requirements=(
            game.going_on,
            game.on_map(unit),
            Requirement(not_(game.now(fluents.wounded[unit])), f"{unit} is wounded already"),
        ),
        effects=game.after((), {fluents.wounded[unit]: TRUE}),
        text=f"{unit} is wounded",
        cites=cite("26.211/3", "26.221/3"),
    )


# ---- the end of a unit


def eliminate(game: Game, unit: str, by: str, crew: str) -> Action:
    """A unit is eliminated, with all that rides in it."""
    fluents, units = game.fluents, game.units
    changes: Changes = {
        **game.released(unit),
        **lets_go(game, unit, survives=FALSE),
        **eliminated(units, unit, TRUE, by),
    }
    marks = [game.where(unit)]
    for p in units.followers(unit):
        rides = units.goes_with(p, unit)
        if rides is FALSE:
            continue
        if game.board.units[unit].kind in LANDED and game.board.units[p].kind in INFANTRY:
            changes |= eliminated(units, p, rides, by)
        else:  # prisoners of a guard, and what was towed or carried, stay where they are
            changes |= units.when(rides, {fluents.with_[p]: game.word(fluents.with_, NONE)})
    member = game.board.units[unit].crew
    inherent = game.now(fluents.crewed[unit])
    saved = crew == "survives"
    if inherent is not FALSE:
        changes[fluents.crewed[unit]] = FALSE
        if not saved and member is not None:
            changes |= units.when(inherent, {fluents.at[member]: fluents.place(ELIMINATED)}, changes)
        if saved and member is not None:
            changes |= units.when(inherent, {fluents.at[member]: game.now(fluents.at[unit])}, changes)
            out = linear([(1, value(units, unit)), (-crew_value(units, unit), inherent)])
            changes[fluents.scored[unit]] = out
    in_play = (
        units.on_map(unit) if game.board.units[unit].kind not in ("aircraft", "glider") else game.alive(unit).term
    )
    return Action(
        "eliminate",
        (("unit", unit), ("by", by), ("crew", crew)),
        actor=by if by in game.board.sides else None,
        requirements=(
            game.going_on,
            game.alive(unit),
            Requirement(in_play, f"{unit} is not on the map"),
            Requirement(
                boolean(not saved) if member is None else or_(boolean(not saved), inherent),
                f"{unit} has no inherent crew that could survive it as a unit",
                cite("26.21/4"),
            ),
        ),
        effects=game.after(marks, changes, kept_by_lost(game, unit)),
        text=f"{unit} is eliminated",
        costs={"events": 1},
        cites=cite("26.221/1", "26.222/7"),
    )


def lets_go(game: Game, vehicle: str, *, survives: Term) -> Changes:
    """Whether a vehicle that is lost or disarmed still controls the Location that it is in.

    Args:
        game: The game.
        vehicle: The vehicle; any other unit controls nothing in this way.
        survives: Whether it can still control its Location.
    """
    fluents = game.fluents
    return {fluents.holds[vehicle]: and_(controls_where_it_is(game.units, vehicle), survives)}


def kept_by_lost(game: Game, vehicle: str) -> Iterable[Overlay]:
    """What a vehicle that is destroyed or captured leaves to its side, under the reading that it does."""
    fluents, units = game.fluents, game.units
    if game.board.units[vehicle].kind not in LANDED or not game.reads("vehicle_lost", "kept"):
        return
    for x in units.haunts(vehicle):
        for side in game.board.sides:
            ours = and_(controls_its_location(units, vehicle, x), units.belongs(vehicle, side))
            if ours is not FALSE:
                yield fluents.stored(LOCATION, x), ours, fluents.side(side)
                if controlled_by_vehicles(fluents, HEX, hex_of(x)) == (x,):  # the hex goes with its only Location
                    yield fluents.stored(HEX, hex_of(x)), ours, fluents.side(side)


# ---- armament


def arm(game: Game, name: str, unit: str) -> Action:
    """The main armament of a vehicle, or a Gun, malfunctions, is disabled or repaired."""
    fluents, u = game.fluents, game.board.units[unit]
    state = game.now(fluents.armament[unit])
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
        changes |= game.hold_all
    else:
        strong = boolean(u.other_weapons or game.reads("vehicle_disarmed", "stays"))
        if game.reads("armed_passengers", "yes"):
            strong = or_(strong, game.units.armed_passengers(unit))
        changes |= lets_go(game, unit, survives=strong)
    changes[fluents.armament[unit]] = game.word(fluents.armament, after)
    return Action(
        name,
        (("unit", unit),),
        actor=game.acts_for(unit) if name == "repair" else None,
        requirements=(game.going_on, game.alive(unit), Requirement(needed, message)),
        effects=game.after((game.where(unit),), changes),
        text=f"the armament of {unit} is {after}",
        cites=cite("26.212/2", "26.221/3"),
    )
