"""Citations of the game's one rule text."""

from __future__ import annotations

from vclogic.model.rules import Citation, Cites

SOURCE = "ASL 26"


def cite(*clauses: str) -> Cites:
    """Citations of clauses of the rule text."""
    return tuple(Citation(SOURCE, c) for c in clauses)
