"""Events of capture: prisoners and their guards, Guns, vehicles, and crews that abandon theirs."""

from __future__ import annotations

from vclogic_encodings.asl.board import INFANTRY, LANDED
from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.events.combat import kept_by_lost, lets_go
from vclogic_encodings.asl.events.moves import aboard
from vclogic_encodings.asl.game import Changes, Game
from vclogic_encodings.asl.names import NONE, OFF

from vclogic.model.actions import Action, Requirement
from vclogic.terms.atoms import FALSE, TRUE, boolean
from vclogic.terms.build import and_, eq, ite, not_, or_
from vclogic.terms.term import Term


def surrender(c: Game, unit: str, to: str) -> Action:
    """A unit becomes the prisoner of another one, which guards it from now on; or that one takes it over."""
    f = c.f
    units = f.board.units
    changes: Changes = {**c.released(unit), **taken(c, unit, TRUE)}
    for p, guarded in c.charges(unit):
        changes |= c.when(guarded, {f.with_[p]: c.word(f.with_, NONE)})
    guard = ite(c.s.riding(to), c.now(f.with_[to]), c.word(f.with_, to))
    passing = and_(c.s.riding(to), c.now(f.bypass[to]))
    changes |= {f.with_[unit]: guard, f.at[unit]: c.now(f.at[to]), f.bypass[unit]: passing}
    return Action(
        "surrender",
        (("unit", unit), ("to", to)),
        actor=units[to].side,
        requirements=(
            *(c.going_on, c.on_map(unit), c.on_map(to)),
            Requirement(boolean(units[unit].side != units[to].side), f"{unit} and {to} are of one side"),
            Requirement(or_(not_(c.s.captive(unit)), c.s.together(unit, to)), f"{unit} is a prisoner elsewhere"),
            Requirement(not_(c.s.captive(to)), f"{to} is itself a prisoner"),
        ),
        effects=c.after((c.where(unit), c.where(to)), changes),
        text=f"{unit} surrenders to {to}",
        costs={"events": 1},
        cites=cite("26.222/1", "26.222/3"),
    )


def taken(c: Game, unit: str, when: Term) -> Changes:
    """That a unit is captured, if a condition holds, and what it was worth then."""
    f = c.f
    return {
        **c.when(when, {f.captured[unit]: TRUE}),
        **c.when(and_(when, not_(c.s.captive(unit))), {f.worth[unit]: c.points.value(unit)}),
    }


def free(c: Game, unit: str) -> Action:
    """A prisoner escapes or is freed; it has no weapons until it finds some."""
    f = c.f
    changes: Changes = {f.captured[unit]: FALSE, f.with_[unit]: c.word(f.with_, NONE), f.unarmed[unit]: TRUE}
    return Action(
        "free",
        (("unit", unit),),
        actor=f.board.units[unit].side,
        requirements=(
            *(c.going_on, c.on_map(unit)),
            Requirement(c.s.captive(unit), f"{unit} is no prisoner"),
        ),
        effects=c.after((c.where(unit),), changes),
        text=f"{unit} is a prisoner no longer",
        cites=cite("26.222/4"),
    )


def arm(c: Game, unit: str) -> Action:
    """An unarmed unit gets weapons."""
    f = c.f
    return Action(
        "arm",
        (("unit", unit),),
        actor=f.board.units[unit].side,
        requirements=(
            *(c.going_on, c.on_map(unit)),
            Requirement(c.now(f.unarmed[unit]), f"{unit} is armed"),
            Requirement(not_(c.s.captive(unit)), f"{unit} is a prisoner"),
        ),
        effects=c.after((c.where(unit),), {**c.hold_all, f.unarmed[unit]: FALSE}),
        text=f"{unit} is armed again",
        cites=cite("26.11-p2/1"),
    )


def capture(c: Game, unit: str, by: str) -> Action:
    """A unit takes a vehicle that nobody is in, and gets into it; its own side takes it back in the same way."""
    f = c.f
    theirs = f.board.units[by].side != f.board.units[unit].side
    changes: Changes = {**c.hold_all, **c.released(by), **lets_go(c, unit, survives=FALSE)}
    changes |= _in_hands(c, unit, theirs)
    changes |= aboard(c, by, unit)
    nobody = [c.s.goes_with(p, unit) for p in c.s.followers(unit) if f.board.units[p].kind in INFANTRY]
    return Action(
        "capture",
        (("unit", unit), ("by", by)),
        actor=f.board.units[by].side,
        requirements=(
            *(c.going_on, c.on_map(unit), c.on_map(by), *c.free(by)),
            Requirement(c.s.together(by, unit), f"{by} is not where {unit} is"),
            Requirement(not_(c.now(f.crewed[unit])), f"{unit} has its inherent crew: it must be abandoned first"),
            *(Requirement(not_(t), f"somebody is in {unit}") for t in nobody if t is not FALSE),
        ),
        effects=c.after((c.where(unit), c.where(by)), changes, kept_by_lost(c, unit)),
        text=f"{by} {'captures' if theirs else 'mans'} {unit}",
        cites=cite("26.222/2", "26.222/3", "26.222/4"),
    )


def recover(c: Game, equipment: str, by: str) -> Action:
    """A unit recovers a Gun or other equipment."""
    f = c.f
    theirs = f.board.units[by].side != f.board.units[equipment].side
    return Action(
        "recover",
        (("equipment", equipment), ("by", by)),
        actor=f.board.units[by].side,
        requirements=(
            *(c.going_on, c.on_map(equipment), c.on_map(by)),
            Requirement(c.s.together(equipment, by), f"{by} is not in the Location of {equipment}"),
            Requirement(c.s.good_order(by), f"{by} is not in Good Order"),
            _uncarried(c, equipment),
        ),
        effects=c.after((), _in_hands(c, equipment, theirs)),
        text=f"{by} recovers {equipment}",
        cites=cite("26.222/2", "26.222/3", "26.222/4"),
    )


def carry(c: Game, equipment: str, by: str) -> Action:
    """A vehicle tows or carries a Gun or other equipment, or Infantry carries it: it goes where they go."""
    f = c.f
    held = or_(*(and_(c.s.belongs(equipment, side), c.s.belongs(by, side)) for side in f.board.sides))
    prisoner = c.s.captive(by) if f.board.units[by].kind in INFANTRY else FALSE
    return Action(
        "carry",
        (("equipment", equipment), ("by", by)),
        actor=f.board.units[by].side,
        requirements=(
            *(c.going_on, c.on_map(equipment), c.on_map(by)),
            Requirement(c.s.together(equipment, by), f"{equipment} is not where {by} is"),
            Requirement(held, f"{equipment} is not in the hands of {by}'s side", cite("26.222/2")),
            Requirement(not_(prisoner), f"{by} is a prisoner"),
            Requirement(not_(c.s.riding(by)), f"{by} rides in a vehicle: let that one carry it"),
            _uncarried(c, equipment),
        ),
        effects=c.after((), {f.with_[equipment]: c.word(f.with_, by)}),
        text=f"{by} {'tows' if f.board.units[by].kind in LANDED else 'carries'} {equipment}",
        cites=cite("26.23/1"),
    )


def _uncarried(c: Game, equipment: str) -> Requirement:
    """That nobody tows or carries equipment."""
    bearer = c.f.with_[equipment]
    return Requirement(c.s.alone(equipment), lambda values: f"{values[bearer]} carries it")


def drop(c: Game, equipment: str) -> Action:
    """Equipment is towed or carried no longer."""
    f = c.f
    return Action(
        "drop",
        (("equipment", equipment),),
        actor=c.acts_for(equipment),
        requirements=(
            *(c.going_on, c.on_map(equipment)),
            Requirement(not_(c.s.alone(equipment)), f"nobody tows or carries {equipment}"),
        ),
        effects=c.after((), {f.with_[equipment]: c.word(f.with_, NONE)}),
        text=f"{equipment} is left where it is",
        cites=cite("26.23/1"),
    )


def _in_hands(c: Game, unit: str, theirs: bool) -> Changes:
    """That equipment is the opponent's now, or its owner's again."""
    f = c.f
    if not theirs:
        return {f.captured[unit]: FALSE}
    return {f.captured[unit]: TRUE, **c.when(not_(c.s.captive(unit)), {f.worth[unit]: c.points.value(unit)})}


def abandon(c: Game, vehicle: str) -> Action:
    """The inherent crew leaves its vehicle and becomes a unit in the same Location."""
    f = c.f
    crew = f.board.units[vehicle].crew
    assert crew is not None
    stays = boolean(c.reads("vehicle_disarmed", "stays"))
    changes: Changes = {**c.hold_all, **lets_go(c, vehicle, survives=stays)}
    changes |= {f.crewed[vehicle]: FALSE, f.at[crew]: c.now(f.at[vehicle])}
    return Action(
        "abandon",
        (("vehicle", vehicle),),
        actor=f.board.units[vehicle].side,
        requirements=(
            *(c.going_on, c.on_map(vehicle)),
            Requirement(c.now(f.crewed[vehicle]), f"{vehicle} has no inherent crew in it"),
            Requirement(eq(c.now(f.at[crew]), OFF), f"{crew} is in play already"),
        ),
        effects=c.after((c.where(vehicle),), changes),
        text=f"{crew} abandons {vehicle}",
        cites=cite("26.222-EX1/2", "26.212/2"),
    )
