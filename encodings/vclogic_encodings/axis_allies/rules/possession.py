"""Possession since the start of the turn, which placing asks for."""

from __future__ import annotations

from collections.abc import Mapping

from vclogic_encodings.axis_allies.citing import cite, encodes
from vclogic_encodings.axis_allies.fluents import Fluents

from vclogic.model.actions import Requirement
from vclogic.model.fluents import Value
from vclogic.model.memoized import memoized
from vclogic.terms.build import and_, eq, ne, or_
from vclogic.terms.term import Term


@encodes("VC-infantry/4", "IC-p3/1")
@memoized
def owned_since_start(fluents: Fluents, power: str, territory: str) -> Term:
    """Who holds a territory since the start of his turn owned it then and owns it now."""
    then = or_(ne(fluents.turn.fluent, power), eq(fluents.owner_at_turn_start[territory], power))
    return and_(fluents.owns(power, territory), then)


@memoized
def possession(fluents: Fluents, power: str, territory: str, *clauses: str) -> Requirement:
    """Require that, by some clauses."""
    owner = fluents.owner[territory]

    def message(values: Mapping[Term, Value]) -> str:
        now = "they took it this turn" if values[owner] == power else f"it belongs to the {values[owner]}"
        return f"the {power} have not controlled {territory} since the start of the turn: {now}"

    return Requirement(owned_since_start(fluents, power, territory), message, cite(*clauses))
