"""Possession since the start of the turn, which placing asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vclogic_encodings.axis_allies.citing import cite, encodes
from vclogic_encodings.axis_allies.fluents import Fluents

from vclogic.model.actions import Requirement
from vclogic.model.fluents import Value
from vclogic.model.memoized import memoized
from vclogic.terms.build import and_, eq, ne, or_
from vclogic.terms.term import Term

CITY, COMPLEX = ("VC-infantry/4",), ("IC-p3/1",)
"""The clauses that ask for it where infantry, and where a complex, is placed."""


@encodes("VC-infantry/4")
def city_in_control(fluents: Fluents, power: str, territory: str) -> Term:
    """Infantry is placed at a city by who controlled it when his turn started, and controls it now."""
    return owned_since_start(fluents, power, territory)


@encodes("IC-p3/1")
def in_possession(fluents: Fluents, power: str, territory: str) -> Term:
    """A complex is placed by who possessed its territory when his turn started, and possesses it now."""
    return owned_since_start(fluents, power, territory)


@memoized
def owned_since_start(fluents: Fluents, power: str, territory: str) -> Term:
    """True if the power owned a territory since the start of its turn."""
    then = or_(ne(fluents.turn.fluent, power), eq(fluents.owner_at_turn_start[territory], power))
    return and_(fluents.owns(power, territory), then)


@memoized
def possession(fluents: Fluents, power: str, territory: str, *clauses: str) -> Requirement:
    """Require that, by some clauses."""
    owner = fluents.owner[territory]

    def message(values: Mapping[Term, Value]) -> str:
        now = "they took it this turn" if values[owner] == power else f"it belongs to the {values[owner]}"
        return f"the {power} have not controlled {territory} since the start of the turn: {now}"

    asked: Callable[[Fluents, str, str], Term] = owned_since_start
    if clauses in (CITY, COMPLEX):
        asked = city_in_control if clauses == CITY else in_possession
    return Requirement(asked(fluents, power, territory), message, cite(*clauses))
