"""Which scenario of a game to look at where any will do."""

from __future__ import annotations

import vclogic
from vclogic.files.registry import scenario_names


def smallest(encoding: str) -> str:
    """The scenario of a game with the fewest fluents."""
    games = [f"{encoding}/{scenario}" for scenario in scenario_names(encoding)]
    return min(games, key=lambda game: len(vclogic.load(game).setup.system.layout.fluents))
