"""The odds of one battle: all its endings, as fractions or in floats."""

from __future__ import annotations

from vclogic_encodings.axis_allies.odds.distribution import counted
from vclogic_encodings.axis_allies.odds.exact import Exact
from vclogic_encodings.axis_allies.odds.forward import Forward
from vclogic_encodings.axis_allies.odds.sides import CombatRules, Side

from vclogic.model.battles import Battle, Conduct, Odds
from vclogic.shortage import libraries_missing


def odds(rules: CombatRules, battle: Battle, conduct: Conduct, exact: bool = False) -> Odds:
    """The odds of a battle.

    Antiaircraft guns neither fight nor fall, so they are not among the defenders of an ending. A retreat takes place
    after a round at the earliest. Where land units come from the sea, they fight on as aircraft retreat.

    Args:
        rules: How battles are fought.
        conduct: What the two sides decide in it.
        exact: Whether to count in fractions.

    Returns:
        The odds. In floats a chance that is certain is exactly 1, one that is impossible exactly 0, and no other
        chance to take, to clear or of a draw is 1.
    """
    ours, theirs = (rules.kinds_of(units, battle.at_sea) for units in (battle.attackers, battle.defenders))
    keep, fall = conduct.keep_land_unit, conduct.attackers_fall
    a = Side(rules, ours, attacking=True, at_sea=battle.at_sea, fall=fall, keep=keep)
    d = Side(rules, theirs, attacking=False, at_sea=battle.at_sea, fall=conduct.defenders_fall)
    if exact or libraries_missing():  # floats are counted with NumPy
        return counted(Exact(a, d), battle, conduct)
    return counted(Forward(a, d), battle, conduct)
