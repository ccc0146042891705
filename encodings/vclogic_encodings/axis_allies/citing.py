"""The game's one rule text."""

from __future__ import annotations

from vclogic_encodings.axis_allies.board import Board

from vclogic.model.citation import Cites, RuleText

TEXT = RuleText("Victory Cities", "Victory Cities, a variant for Axis & Allies Revised")
cite, encodes = TEXT.cite, TEXT.encodes


def city_clause(board: Board, territory: str) -> Cites:
    """The line of the rule text that lists the city of a territory, if it has one."""
    city = board.territories[territory].city
    return cite(city.clause) if city and city.clause else ()
