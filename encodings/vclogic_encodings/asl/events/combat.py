"""Events of combat: breaking and rallying, Melee, wounds, elimination, the state of main armaments."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.asl.board import INFANTRY, LANDED, SMC
from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.events.kinds import (
    DICE,
    HOLDER,
    NOBODY,
    OWN,
    Decider,
    counters,
    deed,
    event,
    recorded,
    words,
)
from vclogic_encodings.asl.fluents import Changes
from vclogic_encodings.asl.game import Overlay, Rules
from vclogic_encodings.asl.geometry import hex_of
from vclogic_encodings.asl.names import DISABLED, ELIMINATED, HEX, LOCATION, MALFUNCTIONED, NONE, WORKING
from vclogic_encodings.asl.rules.casualties import eliminated
from vclogic_encodings.asl.rules.values import crew_value, value
from vclogic_encodings.asl.rules.vehicles import controlled_by_vehicles, controls_its_location, controls_where_it_is

from vclogic.model.actions import Action, Requirement
from vclogic.terms.atoms import FALSE, TRUE, boolean
from vclogic.terms.build import and_, eq, linear, ne, not_, or_
from vclogic.terms.term import Term

NO_CVP = cite("26.221/3")
NAMED: Decider = (
    "the side that `by` names; nobody where it names none",
    lambda game, _, by, *__: by if by in game.board.sides else None,
)


@event(NO_CVP, {"unit": "infantry"}, name="break", not_judged="the attack that breaks a unit")
def break_unit(game: Rules, unit: str) -> Action:
    """A unit breaks."""
    return _morale(game, unit, broken=True)


@event(NO_CVP, {"unit": "infantry"}, not_judged=f"{DICE}rally", decided_by=OWN)
def rally(game: Rules, unit: str) -> Action:
    """A unit rallies."""
    return _morale(game, unit, broken=False)


def _morale(game: Rules, unit: str, *, broken: bool) -> Action:
    """A unit breaks or rallies."""
    fluents, is_broken = game.fluents, game.now(game.fluents.broken[unit])
    changes: Changes = {fluents.broken[unit]: boolean(broken)}
    if not broken:
        changes[fluents.disrupted[unit]] = FALSE
    ready = Requirement(
        not_(is_broken) if broken else is_broken, f"{unit} is {'already' if broken else 'not'} broken"
    )
    return deed(
        requirements=(game.on_map(unit), ready, game.unguarded(unit)),
        effects=game.after((game.where(unit),), changes),
        text=f"{unit} {'breaks' if broken else 'rallies'}",
    )


@event(
    cite("26.11-p2/1"),
    {"unit": "infantry", "against": counters("unit that can fight in Melee", *INFANTRY, *LANDED)},
    not_judged="the Close Combat that leaves units in Melee",
)
def melee(game: Rules, unit: str, against: str) -> Action:
    """Two units of different sides in one Location hold each other in Melee, until one of them is gone."""
    fluents, units, sides = game.fluents, game.units, [game.side(u) for u in (unit, against)]
    other = game.now(fluents.melee[against])
    changes: Changes = {fluents.melee[unit]: game.word(fluents.melee, against)}
    changes |= units.when(eq(other, NONE), {fluents.melee[against]: game.word(fluents.melee, unit)})
    return deed(
        requirements=(
            *(game.on_map(unit), game.on_map(against)),
            Requirement(boolean(sides[0] != sides[1]), f"{unit} and {against} are of one side"),
            Requirement(units.together(unit, against), f"{unit} and {against} are not in the same Location"),
            Requirement(eq(game.now(fluents.melee[unit]), NONE), f"{unit} is in Melee already"),
            Requirement(
                not_(or_(units.captured(unit), units.captured(against))),
                "a prisoner fights no Melee",
                cite("26.222/1"),
            ),
            Requirement(units.alone(unit), f"{unit} rides in a vehicle: let that fight the Melee"),
            Requirement(units.alone(against), f"{against} rides in a vehicle: let that fight the Melee"),
        ),
        effects=game.after((game.where(unit),), changes),
        text=f"{unit} and {against} are held in Melee",
    )


@event(
    cite("26.211/3", "26.221/3"),
    {"unit": counters("leader or hero", *SMC)},
    not_judged="the attack that wounds a unit",
)
def wound(game: Rules, unit: str) -> Action:
    """A leader or hero is wounded."""
    wounded = game.fluents.wounded[unit]
    return deed(
        requirements=(game.on_map(unit), Requirement(not_(game.now(wounded)), f"{unit} is wounded already")),
        effects=game.after((), {wounded: TRUE}),
        text=f"{unit} is wounded",
    )


# ---- the end of a unit


@event(
    cite("26.221/1", "26.222/7", "26.222/7x1"),
    {
        "unit": "units",
        "by": ("side_or_none", NONE),
        "crew": (words("fate of an inherent crew", "dies", "survives"), "dies"),
    },
    not_judged="the attack that eliminates a unit",
    decided_by=NAMED,
)
def eliminate(game: Rules, unit: str, by: str, crew: str) -> Action:
    """A unit is eliminated with all that rides in it; `by` matters for prisoners."""
    fluents, units, counter = game.fluents, game.units, game.board.units[unit]
    before = game.hold_all if crew == "survives" else {}  # the crew may come to where an enemy vehicle is
    changes = {**before, **game.released(unit), **lets_go(game, unit, survives=FALSE)}
    changes |= eliminated(units, unit, TRUE, by)
    for p, rides in units.followers(unit):
        if counter.kind in LANDED and game.kind(p) in INFANTRY:
            changes |= eliminated(units, p, rides, by)
        else:  # prisoners of a guard, and what was towed or carried, stay where they are
            changes |= units.when(rides, {fluents.with_[p]: game.word(fluents.with_, NONE)})
    saved, inherent = crew == "survives", game.now(fluents.crewed[unit])
    if inherent is not FALSE:
        changes |= _crew_of(game, unit, changes, saved=saved)
    in_play = game.alive(unit).term if counter.kind in ("aircraft", "glider") else units.on_map(unit)
    can_survive = inherent if saved and counter.crew is not None else boolean(not saved)
    no_crew = f"{unit} has no inherent crew that could survive it as a unit"
    return deed(
        requirements=(
            game.alive(unit),
            Requirement(in_play, f"{unit} is not on the map"),
            Requirement(can_survive, no_crew, cite("26.21/4")),
        ),
        effects=game.after((game.where(unit),), changes, kept_by_lost(game, unit)),
        text=f"{unit} is eliminated" + (f" by {by}" if by != NONE else "") + ("; its crew survives" if saved else ""),
    )


def _crew_of(game: Rules, vehicle: str, changes: Changes, *, saved: bool) -> Changes:
    """The fate of the inherent crew of a vehicle that is eliminated.

    Args:
        changes: What its elimination changes otherwise.
        saved: Whether the crew survives it.
    """
    fluents, units, inherent = game.fluents, game.units, game.now(game.fluents.crewed[vehicle])
    crew, new = game.board.units[vehicle].crew, {fluents.crewed[vehicle]: FALSE}
    if crew is None:
        return new
    place = game.now(fluents.at[vehicle]) if saved else fluents.place(ELIMINATED)
    new |= units.when(inherent, {fluents.at[crew]: place}, changes)
    if saved:
        points = [(1, value(units, vehicle)), (-crew_value(units, vehicle), inherent)]
        new[fluents.scored[vehicle]] = linear(points)
    return new


def lets_go(game: Rules, vehicle: str, *, survives: Term) -> Changes:
    """The change of a lost or disarmed vehicle's Control of the Location that it is in.

    Args:
        vehicle: The vehicle; any other unit controls nothing in this way.
        survives: Whether it can still control its Location.
    """
    fluents = game.fluents
    return {fluents.holds[vehicle]: and_(controls_where_it_is(game.units, vehicle), survives)}


def kept_by_lost(game: Rules, vehicle: str) -> Iterable[Overlay]:
    """The Locations that a destroyed or captured vehicle leaves to its side, under the reading that it does."""
    fluents, units = game.fluents, game.units
    if game.kind(vehicle) not in LANDED or not game.reads("vehicle_lost", "kept"):
        return
    for x in units.haunts(vehicle):
        for side in game.board.sides:
            ours = and_(controls_its_location(units, vehicle, x), units.belongs(vehicle, side))
            if ours is not FALSE:
                yield fluents.stored(LOCATION, x), ours, fluents.side(side)
                if controlled_by_vehicles(fluents, HEX, hex_of(x)) == (x,):  # the hex goes with its only Location
                    yield fluents.stored(HEX, hex_of(x)), ours, fluents.side(side)


@event(
    cite("26.211/2", "26.221/1"),
    {"unit": recorded("reduced")},
    not_judged="the attack that reduces a squad",
)
def reduce(game: Rules, unit: str) -> Action:
    """A squad becomes a half-squad."""
    reduced = game.fluents.reduced[unit]
    ready = Requirement(not_(game.now(reduced)), f"{unit} is a half-squad already")
    return deed(
        requirements=(game.on_map(unit), ready, game.unguarded(unit)),
        effects=game.after((), {reduced: TRUE}),
        text=f"{unit} becomes a half-squad",
    )


# ---- conditions that bring no points


@event(NO_CVP, {"unit": "infantry"})
def disrupt(game: Rules, unit: str) -> Action:
    """A unit is disrupted, and broken until it rallies."""
    fluents = game.fluents
    ready = Requirement(not_(game.now(fluents.disrupted[unit])), f"{unit} is already disrupted")
    return deed(
        requirements=(game.on_map(unit), ready, game.unguarded(unit)),
        effects=game.after((game.where(unit),), {fluents.broken[unit]: TRUE, fluents.disrupted[unit]: TRUE}),
        text=f"{unit} is disrupted",
    )


def _condition(family: str, name: str, *, begins: bool, chosen: bool = False) -> None:
    """The events by which units come into a condition, or out of it.

    Args:
        family: The condition.
        name: The name of the event.
        begins: Whether a unit comes into it.
        chosen: Whether a side decides it.
    """
    already, text = ("already", "") if begins else ("not", " no longer")

    @event(
        NO_CVP,
        {"unit": recorded(family)},
        name=name,
        text=f"a unit is {family}{text}",
        decided_by=HOLDER if chosen else NOBODY,
    )
    def change(game: Rules, unit: str) -> Action:
        fluent = getattr(game.fluents, family)[unit]
        state = game.now(fluent)
        ready = Requirement(not_(state) if begins else state, f"{unit} is {already} {family}")
        return deed(
            requirements=(game.alive(unit), ready),
            effects=game.after((), {fluent: boolean(begins)}),
            text=f"{unit} is {family}{text}",
        )


for _family, _names, _chosen in (
    ("shocked", ("shock", "unshock"), False),
    ("immobile", ("immobilize", "mobilize"), False),
    ("dismantled", ("dismantle", "assemble"), True),
):
    _condition(_family, _names[0], begins=True, chosen=_chosen)
    _condition(_family, _names[1], begins=False, chosen=_chosen)


# ---- armament


ARMAMENT = {"unit": recorded("armament")}
ARMAMENT_CITES = cite("26.212/2", "26.221/3")


@event(ARMAMENT_CITES, ARMAMENT, not_judged="the dice by which a weapon malfunctions")
def malfunction(game: Rules, unit: str) -> Action:
    """A main armament or Gun malfunctions."""
    ready = eq(game.now(game.fluents.armament[unit]), WORKING)
    return _disarmed(game, unit, MALFUNCTIONED, Requirement(ready, f"the armament of {unit} does not work as it is"))


@event(ARMAMENT_CITES, ARMAMENT, not_judged="the dice by which a weapon is disabled")
def disable(game: Rules, unit: str) -> Action:
    """A main armament or Gun is disabled."""
    ready = ne(game.now(game.fluents.armament[unit]), DISABLED)
    return _disarmed(game, unit, DISABLED, Requirement(ready, f"the armament of {unit} is disabled already"))


def _disarmed(game: Rules, unit: str, state: str, ready: Requirement) -> Action:
    armed = boolean(game.board.units[unit].other_weapons or game.reads("vehicle_disarmed", "stays"))
    if game.reads("armed_passengers", "yes"):
        armed = or_(armed, game.units.armed_passengers(unit))
    return _armament(game, unit, state, ready, lets_go(game, unit, survives=armed))


def _armament(game: Rules, unit: str, state: str, ready: Requirement, held: Changes) -> Action:
    armament = game.fluents.armament
    return deed(
        requirements=(game.alive(unit), ready),
        effects=game.after((game.where(unit),), {**held, armament[unit]: game.word(armament, state)}),
        text=f"the armament of {unit} is {state}",
    )


@event(ARMAMENT_CITES, ARMAMENT, not_judged=f"{DICE}repair a weapon", decided_by=HOLDER)
def repair(game: Rules, unit: str) -> Action:
    """A malfunctioned main armament or Gun works again."""
    ready = eq(game.now(game.fluents.armament[unit]), MALFUNCTIONED)
    reason = f"the armament of {unit} is not malfunctioned"
    return _armament(game, unit, WORKING, Requirement(ready, reason), game.hold_all)
