"""Events of capture: prisoners and their guards, Guns, vehicles, and crews that abandon theirs."""

from __future__ import annotations

from dataclasses import replace

from vclogic_encodings.asl.board import EQUIPMENT, INFANTRY, LANDED
from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.events.combat import kept_by_lost, lets_go
from vclogic_encodings.asl.events.kinds import DICE, HOLDER, OWN, Among, Decider, both, counters, deed, event
from vclogic_encodings.asl.events.moves import aboard
from vclogic_encodings.asl.fluents import Changes
from vclogic_encodings.asl.game import Rules
from vclogic_encodings.asl.names import NONE, OFF
from vclogic_encodings.asl.rules.casualties import captured_no_longer, in_hands, taken

from vclogic.model.actions import Action, Requirement
from vclogic.terms.atoms import FALSE, TRUE, boolean
from vclogic.terms.build import and_, eq, ite, not_, or_
from vclogic.terms.domain import Domain

GUNS = counters("Gun or equipment", *EQUIPMENT)
BEARERS = counters("vehicle or Infantry unit", *INFANTRY, *LANDED)
TAKER: Decider = "the side of the unit that takes it", lambda game, _, by: game.side(by)


def _prey(game: Rules) -> Domain | None:
    """Infantry, where both sides have some."""
    sides = {game.side(u) for u in game.board.of(*INFANTRY)}
    return game.fluents.infantry if len(sides) == 2 else None


def _with_crew(game: Rules) -> Domain | None:
    """Vehicles with an inherent crew that becomes a unit."""
    crewed = tuple(n for n, u in game.board.units.items() if u.crew)
    found = game.fluents.some_units("vehicle with `crew:`", crewed)
    if found is None:
        return None
    lacking = [n for n in game.board.of(*LANDED) if n not in crewed]
    why = "the board does not say which unit its crew becomes: add `crew: UNIT`"
    return replace(found, refused={**found.refused, **dict.fromkeys(lacking, why)})


PREY = Among(_prey, lambda _: "only where both sides have Infantry does a unit surrender: add some under `units:`")
WITH_CREW = Among(
    _with_crew,
    lambda _: (
        "no vehicle of the board has a crew that can leave it: give it `inherent: crew` and `crew: UNIT`, and add "
        "that unit under `units:`, off the map"
    ),
)


@event(
    cite("26.222/1", "26.222/3"),
    {"unit": PREY, "to": "infantry"},
    not_judged="what makes a unit surrender",
    decided_by=("the side that takes the prisoner", TAKER[1]),
)
def surrender(game: Rules, unit: str, to: str) -> Action:
    """A unit becomes a prisoner of another one."""
    fluents, units = game.fluents, game.units
    changes: Changes = {**game.released(unit), **taken(units, unit, TRUE)}
    for p, guarded in game.charges(unit):
        changes |= units.when(guarded, {fluents.with_[p]: game.word(fluents.with_, NONE)})
    guard = ite(units.riding(to), game.now(fluents.with_[to]), game.word(fluents.with_, to))
    there, passing = game.now(fluents.at[to]), game.now(fluents.bypass[to])
    changes |= {fluents.with_[unit]: guard, fluents.at[unit]: there, fluents.bypass[unit]: passing}
    return deed(
        requirements=(
            *(game.on_map(unit), game.on_map(to)),
            Requirement(boolean(game.side(unit) != game.side(to)), f"{unit} and {to} are of one side"),
            Requirement(
                or_(not_(units.captured(unit)), units.together(unit, to)),
                f"{unit} is a prisoner elsewhere",
                cite("26.222/1"),
            ),
            Requirement(not_(units.captured(to)), f"{to} is itself a prisoner", cite("26.222/1")),
        ),
        effects=game.after((game.where(unit), game.where(to)), changes),
        text=f"{unit} surrenders to {to}",
    )


@event(cite("26.222/4"), {"unit": PREY}, not_judged="what frees a prisoner", decided_by=OWN)
def free(game: Rules, unit: str) -> Action:
    """A prisoner is one no longer, and has no weapons."""
    fluents = game.fluents
    changes: Changes = {
        **captured_no_longer(game.units, unit),
        fluents.with_[unit]: game.word(fluents.with_, NONE),
        fluents.unarmed[unit]: TRUE,
    }
    return deed(
        requirements=(
            game.on_map(unit),
            Requirement(game.units.captured(unit), f"{unit} is no prisoner", cite("26.222/1")),
        ),
        effects=game.after((game.where(unit),), changes),
        text=f"{unit} is a prisoner no longer",
    )


@event(cite("26.11-p2/1"), {"unit": "infantry"}, not_judged="how an unarmed unit gets weapons", decided_by=OWN)
def arm(game: Rules, unit: str) -> Action:
    """An unarmed unit, such as a prisoner who was freed, gets weapons."""
    fluents = game.fluents
    return deed(
        requirements=(
            game.on_map(unit),
            Requirement(game.now(fluents.unarmed[unit]), f"{unit} is armed"),
            game.unguarded(unit),
        ),
        effects=game.after((game.where(unit),), {**game.hold_all, fluents.unarmed[unit]: FALSE}),
        text=f"{unit} is armed again",
    )


@event(
    cite("26.222/2", "26.222/3", "26.222/4"),
    {"unit": "vehicles", "by": "infantry"},
    not_judged=f"{DICE}capture a vehicle",
    decided_by=TAKER,
)
def capture(game: Rules, unit: str, by: str) -> Action:
    """A unit takes a vehicle without a crew, and gets into it."""
    fluents, units = game.fluents, game.units
    theirs = game.side(by) != game.side(unit)
    changes: Changes = {**game.hold_all, **game.released(by), **lets_go(game, unit, survives=FALSE)}
    changes |= in_hands(units, unit, game.side(by))
    changes |= aboard(game, by, unit)
    nobody = [goes for p, goes in units.followers(unit) if game.kind(p) in INFANTRY]
    return deed(
        requirements=(
            *(game.on_map(unit), game.on_map(by), *game.free(by)),
            Requirement(units.together(by, unit), f"{by} is not where {unit} is"),
            Requirement(
                not_(game.now(fluents.crewed[unit])),
                f"{unit} has its inherent crew: it must be abandoned first",
                cite("26.222/2"),
            ),
            *(Requirement(not_(t), f"somebody is in {unit}", cite("26.222/2")) for t in nobody),
        ),
        effects=game.after((game.where(unit), game.where(by)), changes, kept_by_lost(game, unit)),
        text=f"{by} {'captures' if theirs else 'mans'} {unit}",
    )


@event(
    cite("26.222/2", "26.222/3", "26.222/4"),
    {"equipment": GUNS, "by": "infantry"},
    not_judged=f"{DICE}recover equipment",
    decided_by=TAKER,
)
def recover(game: Rules, equipment: str, by: str) -> Action:
    """A unit recovers a Gun or other equipment in its Location."""
    units = game.units
    side = game.side(by)
    return deed(
        requirements=(
            *(game.on_map(equipment), game.on_map(by)),
            Requirement(units.together(equipment, by), f"{by} is not in the Location of {equipment}"),
            Requirement(units.good_order(by), f"{by} is not in Good Order"),
            _uncarried(game, equipment),
        ),
        effects=game.after((), in_hands(units, equipment, side)),
        text=f"{by} recovers {equipment}",
    )


@event(cite("26.23/1"), {"equipment": GUNS, "by": BEARERS}, decided_by=TAKER)
def carry(game: Rules, equipment: str, by: str) -> Action:
    """A vehicle tows or carries a Gun or other equipment, or Infantry carries it."""
    fluents, units = game.fluents, game.units
    held = or_(*(and_(units.belongs(equipment, side), units.belongs(by, side)) for side in game.board.sides))
    prisoner = units.captured(by) if game.kind(by) in INFANTRY else FALSE
    return deed(
        requirements=(
            *(game.on_map(equipment), game.on_map(by)),
            Requirement(units.together(equipment, by), f"{equipment} is not where {by} is"),
            Requirement(held, f"{equipment} is not in the hands of {by}'s side", cite("26.222/2")),
            Requirement(not_(prisoner), f"{by} is a prisoner"),
            Requirement(not_(units.riding(by)), f"{by} rides in a vehicle: let that one carry it"),
            _uncarried(game, equipment),
        ),
        effects=game.after((), {fluents.with_[equipment]: game.word(fluents.with_, by)}),
        text=f"{by} {'tows' if game.kind(by) in LANDED else 'carries'} {equipment}",
    )


def _uncarried(game: Rules, equipment: str) -> Requirement:
    """The requirement that nobody tows or carries equipment."""
    bearer = game.fluents.with_[equipment]
    return Requirement(game.units.alone(equipment), lambda values: f"{values[bearer]} carries it")


@event(cite("26.23/1"), {"equipment": both(BEARERS, GUNS)}, decided_by=HOLDER)
def drop(game: Rules, equipment: str) -> Action:
    """A Gun or other equipment is towed or carried no longer."""
    fluents = game.fluents
    return deed(
        requirements=(
            game.on_map(equipment),
            Requirement(not_(game.units.alone(equipment)), f"nobody tows or carries {equipment}"),
        ),
        effects=game.after((), {fluents.with_[equipment]: game.word(fluents.with_, NONE)}),
        text=f"{equipment} is left where it is",
    )


@event(
    cite("26.212/2"),
    {"vehicle": WITH_CREW},
    not_judged="the phase in which a crew leaves its vehicle",
    decided_by=OWN,
)
def abandon(game: Rules, vehicle: str) -> Action:
    """The inherent crew leaves its vehicle and becomes a unit."""
    fluents = game.fluents
    crew = game.board.units[vehicle].crew
    assert crew is not None
    stays = boolean(game.reads("vehicle_disarmed", "stays"))
    changes: Changes = {**game.hold_all, **lets_go(game, vehicle, survives=stays)}
    changes |= {fluents.crewed[vehicle]: FALSE, fluents.at[crew]: game.now(fluents.at[vehicle])}
    return deed(
        requirements=(
            game.on_map(vehicle),
            Requirement(
                game.now(fluents.crewed[vehicle]),
                f"{vehicle} has no inherent crew in it",
                cite("26.212/2", "26.213/1"),
            ),
            Requirement(eq(game.now(fluents.at[crew]), OFF), f"{crew} is in play already"),
        ),
        effects=game.after((game.where(vehicle),), changes),
        text=f"{crew} abandons {vehicle}",
    )
