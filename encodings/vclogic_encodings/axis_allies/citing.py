"""Citations of the game's one rule text."""

from __future__ import annotations

from vclogic_encodings.axis_allies.board import Board

from vclogic.model.rules import Citation, Cites

SOURCE = "Victory Cities"


def cite(*clauses: str) -> Cites:
    """Citations of clauses of the rule text."""
    return tuple(Citation(SOURCE, c) for c in clauses)


def city_clause(board: Board, territory: str) -> Cites:
    """The line of the rule text that lists the city of a territory, if it has one."""
    city = board.territories[territory].city
    return cite(city.clause) if city and city.clause else ()
