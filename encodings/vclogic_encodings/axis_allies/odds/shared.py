"""Chances of battles under a game's settings, shared by all who ask about the same."""

from __future__ import annotations

from typing import cast

from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.odds.chances import Chances
from vclogic_encodings.axis_allies.odds.sides import Bombarded, CombatRules, Composition

from vclogic.model.battles import Units
from vclogic.model.memoized import memoized


def combat_rules(game: Rules) -> CombatRules:
    """The conduct of battles under the game's settings."""
    return CombatRules(game.board, game.roles, cast(Bombarded, game.settings.word("bombarded")))


def chances(game: Rules, defenders: Units, *, at_sea: bool) -> Chances:
    """The chances against some defenders, with the game's settings; all who ask about the same share them."""
    there = tuple((u, n) for u, n in sorted(defenders.items()) if n)
    return _shared(game, there, at_sea)


@memoized
def _shared(game: Rules, defenders: Composition, at_sea: bool) -> Chances:
    fought = combat_rules(game)
    return Chances(game.board, dict(defenders), at_sea, roles=fought.roles, bombarded=fought.bombarded)
