"""What every well-formed position satisfies."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.asl.board import INFANTRY, LANDED
from vclogic_encodings.asl.fluents import Fluents
from vclogic_encodings.asl.geometry import AT_GROUND, level_of
from vclogic_encodings.asl.names import ELIMINATED, EXITED, NONE, OFF

from vclogic.model.rules import Rule
from vclogic.terms.atoms import TRUE
from vclogic.terms.build import and_, eq, implies, is_in, ne, not_
from vclogic.terms.term import Term

FEW = 16
"""Up to so many units it is checked of every pair that who goes with whom is in one place, and what hangs on that."""


def invariants(f: Fluents) -> Iterable[Rule]:
    """Who goes with whom is in one place; vehicles and what is in bypass are at ground level."""
    low = tuple(x for x in f.geometry.locations if level_of(x) in AT_GROUND)
    for name in f.board.of(*LANDED):
        term = is_in(f.at[name], (OFF, ELIMINATED, EXITED, *low))
        yield Rule(f"ground[{name}]", term, f"{name} is at ground level", ())
    if len(f.board.of(*INFANTRY, *LANDED)) > FEW:
        return
    for (name,), passing in f.bypass.fluents.items():
        term = implies(passing, is_in(f.at[str(name)], low))
        yield Rule(f"bypass[{name}]", term, f"{name} is in bypass at ground level only", ())
    for name in f.with_.names:
        yield Rule(f"with[{name}]", _together(f, name), f"{name} is where its vehicle or guard is", ())
    for (name,), disrupted in f.disrupted.fluents.items():
        broken = f.broken[name]
        yield Rule(f"disrupted[{name}]", implies(disrupted, broken), f"{name} is broken while it is disrupted", ())
    for name, u in f.board.units.items():
        if u.crew is not None:
            alone = [ne(goes, u.crew) for goes in f.with_.fluents.values()]
            apart = and_(eq(f.at[u.crew], OFF), eq(f.with_[u.crew], NONE), *alone)
            text = f"while {name} has its inherent crew, {u.crew} is not on the map as well"
            yield Rule(f"crew[{name}]", implies(f.crewed[name], apart), text, ())


def _together(f: Fluents, unit: str) -> Term:
    """That a unit is where its vehicle is, or its guard or bearer, who goes on foot; that only enemies guard it."""
    units = f.board.units
    person = units[unit].kind in INFANTRY
    found: Term = TRUE
    for other in f.companions.members:
        if other == NONE:
            continue
        goes = eq(f.with_[unit], other)
        if person and units[other].kind in INFANTRY and units[other].side == units[unit].side:
            found = and_(found, not_(goes))
            continue
        there = eq(f.at[unit], f.at[other])
        guarded: Term = TRUE
        if units[other].kind in INFANTRY:
            guarded = and_(f.captured[unit] if person else TRUE, eq(f.with_[other], NONE))
        found = and_(found, implies(goes, and_(there, guarded)))
    return found
