"""Invariants of every position: companions, melees, points, forfeits of Fire."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

from vclogic_encodings.asl.board import INFANTRY, LANDED
from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.fluents import Fluents
from vclogic_encodings.asl.geometry import AT_GROUND, level_of
from vclogic_encodings.asl.names import ELIMINATED, EXITED, NO_FIRE, NONE, OFF
from vclogic_encodings.asl.rules.casualties import most_scored, worth_as_it_stands
from vclogic_encodings.asl.rules.exits import earned_as_it_stands, most_earned, scored_as_it_stands
from vclogic_encodings.asl.rules.unit_status import Units
from vclogic_encodings.asl.rules.values import value

from vclogic.model.rules import Rule
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import all_of, and_, any_of, eq, iff, implies, is_in, ite, le, ne, not_
from vclogic.terms.term import Term

FEW = 16
"""Up to so many units, proofs use laws on pairs of units too; with more these are only checked."""
PROVED = ("ground", "forfeited", "bypass", "with", "disrupted", "crew")
"""The kinds of laws that proofs use."""


def derived(units: Units) -> Mapping[Term, Term]:
    """The facts that follow in a position without them: riders bypass with the vehicle; points are given."""
    fluents = units.fluents
    found: dict[Term, Term] = {}
    for name in fluents.board.units:
        found[fluents.scored[name]] = scored_as_it_stands(units, name)
        found[fluents.worth[name]] = worth_as_it_stands(units, name)
        found[fluents.exit_points[name]] = earned_as_it_stands(units, name)
    for name in fluents.board.of(*INFANTRY):
        vehicles = fluents.board.of(*LANDED)
        found[fluents.bypass[name]] = any_of(and_(units.goes_with(name, v), fluents.bypass[v]) for v in vehicles)
    return {fluent: term for fluent, term in found.items() if not fluent.is_const and not term.is_const}


def invariants(units: Units) -> Iterable[Rule]:
    """The laws that are few: vehicles are at ground level, points have been brought by something, forfeits burn."""
    fluents = units.fluents
    low = _low(fluents)
    for name in fluents.board.of(*LANDED):
        term = is_in(fluents.at[name], (OFF, ELIMINATED, EXITED, *low))
        yield Rule(f"ground[{name}]", term, f"{name} is at ground level", ())
    yield from _points(units)
    yield from _blamed(fluents)


def are_few(fluents: Fluents) -> bool:
    """True if the units are so few that proofs use the laws on pairs of them."""
    return len(fluents.board.of(*INFANTRY, *LANDED)) <= FEW


def is_proved(law: Rule) -> bool:
    """True if proofs use a law; the worth of units and their melees matter to few of them."""
    return law.name.partition("[")[0] in PROVED


def of_pairs(units: Units) -> Iterable[Rule]:
    """The laws that are many: who rides, guards, carries or fights is where those are with whom it does."""
    fluents, low = units.fluents, _low(units.fluents)
    for (name,), passing in fluents.bypass.fluents.items():
        term = implies(passing, is_in(fluents.at[str(name)], low))
        yield Rule(f"bypass[{name}]", term, f"{name} is in bypass at ground level only", ())
    for name in fluents.with_.names:
        yield from _together(units, name)
    for name in fluents.melee.names:
        text = f"{name} is held in Melee only by an enemy in its own Location; nobody in a vehicle or captured is"
        yield Rule(f"melee[{name}]", _in_melee(fluents, name), text, cite("26.11-p2/1"))
    for (name,), disrupted in fluents.disrupted.fluents.items():
        broken = fluents.broken[name]
        yield Rule(f"disrupted[{name}]", implies(disrupted, broken), f"{name} is broken while it is disrupted", ())
    yield from _crews(fluents)
    yield from _vehicular_control(units)


def _low(fluents: Fluents) -> tuple[str, ...]:
    return tuple(x for x in fluents.geometry.locations if level_of(x) in AT_GROUND)


# ---- points


def _points(units: Units) -> Iterable[Rule]:
    """Nobody brings more points than he can, and none without what brings them."""
    fluents, nothing = units.fluents, integer(0)
    for name in fluents.board.units:
        at, captured = fluents.at[name], fluents.captured[name]
        gone, exited = is_in(at, (ELIMINATED, EXITED)), eq(at, EXITED)
        limit = most_scored(units, name)
        most = limit.hi
        brought = le(fluents.scored[name], ite(and_(gone, not_(captured)), limit, nothing))
        text = f"{name} brings at most {_points_of(most)}, and only once it is eliminated or has left the map"
        text = text if most else f"{name} brings no casualty points"
        yield Rule(f"scored[{name}]", brought, text, cite("26.221/1", "26.221/2", "26.222/7"))
        most = value(units, name).hi
        text = f"{name} is worth at most {_points_of(most)} as captured, and only while it is captured"
        law = le(fluents.worth[name], ite(captured, integer(most), nothing))
        yield Rule(f"worth[{name}]", law, text, cite("26.222/3", "26.222/4"))
        law = le(fluents.exit_points[name], most_earned(units, name))
        text = f"{name} earns no exit points but by leaving through an exit area, and no more than it is worth there"
        yield Rule(f"exit_points[{name}]", law, text, cite("26.23/1", "26.23/2"))
        law = implies(captured, ne(at, ELIMINATED))
        yield Rule(f"captured[{name}]", law, f"{name} is no longer captured once it is eliminated", cite("26.222/7"))
        went = any_of((fluents.led_off[name], ne(fluents.left_by[name], NONE)))
        yield Rule(f"left_by[{name}]", implies(went, exited), f"{name} has left the map if it left by an area", ())


def _points_of(number: int) -> str:
    return "1 casualty point" if number == 1 else f"{number} casualty points"


# ---- who goes with whom


def _together(units: Units, unit: str) -> Iterable[Rule]:
    """The rule that a unit is where its vehicle, guard or bearer is, in bypass with it, and rides with its own."""
    fluents, counters = units.fluents, units.counters
    person = counters[unit].kind in INFANTRY
    there, bypass, ours = list[Term](), list[Term](), list[Term]()
    for other in fluents.companions.members:
        if other == NONE:
            continue
        goes = eq(fluents.with_[unit], other)
        if person and counters[other].kind in INFANTRY and counters[other].side == counters[unit].side:
            there.append(not_(goes))
            continue
        guarded: Term = TRUE
        if counters[other].kind in INFANTRY:
            guarded = and_(fluents.captured[unit] if person else TRUE, eq(fluents.with_[other], NONE))
        there.append(implies(goes, and_(eq(fluents.at[unit], fluents.at[other]), guarded)))
        if person:
            bypass.append(implies(goes, iff(fluents.bypass[unit], fluents.bypass[other])))
            if counters[other].kind in LANDED:
                ours.append(implies(and_(goes, ne(fluents.at[unit], EXITED)), _one_side(units, unit, other)))
    yield Rule(f"with[{unit}]", all_of(there), f"{unit} is where its vehicle or guard is", ())
    if person:
        text = f"{unit} is in bypass if its vehicle or guard is, and only then"
        yield Rule(f"in_bypass[{unit}]", all_of(bypass), text, cite("26.11-p3/3"))
        text = f"{unit} rides in a vehicle of its side, or as a prisoner in one of the enemy's"
        yield Rule(f"rides[{unit}]", all_of(ours), text, cite("26.11-p3/1", "26.222/1"))


def _one_side(units: Units, rider: str, vehicle: str) -> Term:
    """True if a vehicle is in the hands of its rider's side, or of the enemy if the rider is a prisoner."""
    own = units.belongs(vehicle, units.counters[rider].side)
    return ite(units.fluents.captured[rider], not_(own), own)


def _in_melee(fluents: Fluents, unit: str) -> Term:
    """The law that the opponent of a unit in Melee is an enemy in its Location; neither rides or is a prisoner."""
    board, locations = fluents.board, fluents.geometry.locations
    found: list[Term] = []
    for other in fluents.companions.members:
        if other == NONE:
            continue
        held = eq(fluents.melee[unit], other)
        if board.units[other].side == board.units[unit].side:
            found.append(not_(held))
            continue
        fighters = [u for u in (unit, other) if board.units[u].kind in INFANTRY]
        fit = (and_(not_(fluents.captured[u]), eq(fluents.with_[u], NONE)) for u in fighters)
        here = and_(eq(fluents.at[unit], fluents.at[other]), is_in(fluents.at[unit], locations))
        found.append(implies(held, and_(here, *fit)))
    return all_of(found)


def _crews(fluents: Fluents) -> Iterable[Rule]:
    """A crew that is in its vehicle is not on the map as a unit as well."""
    for name, u in fluents.board.units.items():
        if u.crew is not None:
            alone = [ne(goes, u.crew) for goes in fluents.with_.fluents.values()]
            free = and_(eq(fluents.with_[u.crew], NONE), not_(fluents.captured[u.crew]))
            apart = and_(eq(fluents.at[u.crew], OFF), free, *alone)
            text = f"{u.crew} is a unit of its own only once it has left {name}: `crewed` lists {name} no more then"
            yield Rule(f"crew[{name}]", implies(fluents.crewed[name], apart), text, ())


def _vehicular_control(units: Units) -> Iterable[Rule]:
    """Vehicles of one side alone control a Location, and only one that they are in."""
    fluents, vehicles = units.fluents, units.board.of(*LANDED)
    for v in vehicles:
        law = implies(fluents.holds[v], and_(units.on_map(v), not_(fluents.bypass[v])))
        text = f"{v} controls a Location only where it is, and not in bypass"
        yield Rule(f"vehicle_controls[{v}]", law, text, cite("26.12/1", "26.12/2"))
    for v, w in combinations(vehicles, 2):
        side = units.counters[v].side
        same = iff(units.belongs(v, side), units.belongs(w, side))
        both = all_of((fluents.holds[v], fluents.holds[w], eq(fluents.at[v], fluents.at[w])))
        if not units.reads("vehicle_disarmed", "stays"):  # who is unarmed controls nothing, whatever is recorded
            both = all_of((both, units.armed(v), units.armed(w)))
        text = f"{v} and {w} do not control one Location for both sides"
        yield Rule(f"one_control[{v}, {w}]", implies(both, same), text, cite("26.12/1"))


def _blamed(fluents: Fluents) -> Iterable[Rule]:
    """Something is forfeited by a Fire only while that burns."""
    for (x,), fire in fluents.fire.fluents.items():
        forfeited = any_of(fires[x] for fires in fluents.blamed.values() if x in fires)
        if forfeited is not FALSE:
            text = f"something is forfeited by the Fire in {x} only while there is Fire"
            yield Rule(f"forfeited[{x}]", implies(forfeited, ne(fire, NO_FIRE)), text, cite("26.16/4"))
