"""What every position satisfies: who rides, guards or carries is where its charges are; what is forfeited burns."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.asl.board import INFANTRY, LANDED
from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.fluents import Fluents
from vclogic_encodings.asl.geometry import AT_GROUND, level_of
from vclogic_encodings.asl.names import ELIMINATED, EXITED, NO_FIRE, NONE, OFF

from vclogic.model.rules import Rule
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import and_, any_of, eq, implies, is_in, ne, not_
from vclogic.terms.term import Term

FEW = 16
"""Up to so many units, invariants on who goes with whom are generated for every pair of them."""


def invariants(fluents: Fluents) -> Iterable[Rule]:
    """Who goes with whom is in one place; vehicles and what is in bypass are at ground level."""
    low = tuple(x for x in fluents.geometry.locations if level_of(x) in AT_GROUND)
    for name in fluents.board.of(*LANDED):
        term = is_in(fluents.at[name], (OFF, ELIMINATED, EXITED, *low))
        yield Rule(f"ground[{name}]", term, f"{name} is at ground level", ())
    yield from _blamed(fluents)
    if len(fluents.board.of(*INFANTRY, *LANDED)) > FEW:
        return
    for (name,), passing in fluents.bypass.fluents.items():
        term = implies(passing, is_in(fluents.at[str(name)], low))
        yield Rule(f"bypass[{name}]", term, f"{name} is in bypass at ground level only", ())
    for name in fluents.with_.names:
        yield Rule(f"with[{name}]", _together(fluents, name), f"{name} is where its vehicle or guard is", ())
    for (name,), disrupted in fluents.disrupted.fluents.items():
        broken = fluents.broken[name]
        yield Rule(f"disrupted[{name}]", implies(disrupted, broken), f"{name} is broken while it is disrupted", ())
    for name, u in fluents.board.units.items():
        if u.crew is not None:
            alone = [ne(goes, u.crew) for goes in fluents.with_.fluents.values()]
            apart = and_(eq(fluents.at[u.crew], OFF), eq(fluents.with_[u.crew], NONE), *alone)
            text = f"while {name} has its inherent crew, {u.crew} is not on the map as well"
            yield Rule(f"crew[{name}]", implies(fluents.crewed[name], apart), text, ())


def _blamed(fluents: Fluents) -> Iterable[Rule]:
    """Something is forfeited by a Fire only while that burns."""
    for (x,), fire in fluents.fire.fluents.items():
        forfeited = any_of(fires[x] for fires in fluents.blamed.values() if x in fires)
        if forfeited is not FALSE:
            text = f"something is forfeited by the Fire in {x} only while there is Fire"
            yield Rule(f"forfeited[{x}]", implies(forfeited, ne(fire, NO_FIRE)), text, cite("26.16/4"))


def _together(fluents: Fluents, unit: str) -> Term:
    """That a unit is where its vehicle is, or its guard or bearer, who goes on foot; that only enemies guard it."""
    units = fluents.board.units
    person = units[unit].kind in INFANTRY
    found: Term = TRUE
    for other in fluents.companions.members:
        if other == NONE:
            continue
        goes = eq(fluents.with_[unit], other)
        if person and units[other].kind in INFANTRY and units[other].side == units[unit].side:
            found = and_(found, not_(goes))
            continue
        there = eq(fluents.at[unit], fluents.at[other])
        guarded: Term = TRUE
        if units[other].kind in INFANTRY:
            guarded = and_(fluents.captured[unit] if person else TRUE, eq(fluents.with_[other], NONE))
        found = and_(found, implies(goes, and_(there, guarded)))
    return found
