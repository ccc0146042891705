"""Assumptions of plans and records of armies beyond the rule text, in words."""

from __future__ import annotations

from vclogic_encodings.axis_allies.armies.laws import SHARE
from vclogic_encodings.axis_allies.game import Rules

LIKELY = (
    "each battle that a plan fights has a chance of at least {} % to be won by the dice of the units that it sends, "
    "antiaircraft guns counted (option min_odds): each battle by itself; losses in earlier battles are not subtracted"
)
RECORDED = "a record tells what the dice did: with option min_odds an attack in it need only be worth 1"
GROWTH = (
    "in its turn a power buys from what it has in hand and places once all moves are done, by the limits of the text "
    "(option purchases), ships beside the complex where no enemy warship is as the turn begins; income comes at the "
    "end of the turn"
)
SEA_AND_AIR = (
    "ships go two sea zones, and enter a zone with enemy warships (all but transports) only to clear it; canals are "
    "open to the side that controls their banks when the turn begins",
    "a transport takes two infantry, or one infantry and another land unit, aboard in one zone and ashore in the "
    "same turn; it and what it carries are a move each; battleships that have not fought at sea strengthen a landing",
    "aircraft fly to a battle and back within their range, or to another landing place: land that their side "
    "controlled when the turn began, or a carrier with room",
)


def assumptions(game: Rules) -> tuple[str, ...]:
    """The assumptions of plans and records of armies beyond the rule text."""
    full = game.roles.theatre == "full"
    loses = "the attacker loses nothing"
    if game.on("losses", "defence"):
        loses = f"the attacker loses a land unit, the cheapest first, per {SHARE} points of defence, rounded up"
    armour = "armour goes two, through what its side controlled when the turn began"
    if game.on("blitz", "on"):
        armour += ", also through an undefended enemy territory, which it takes (option blitz)"
    kinds = "infantry, artillery and armour alone, no artillery support (option theatre)"
    return (
        "armies as counts of units: " + ("land units, aircraft and ships" if full else kinds),
        *_won(game),
        f"a capture needs a land unit of the power on turn; {loses} (option losses); the defenders are removed",
        f"a unit moves once in a turn; infantry and artillery go one territory, {armour}",
        *(SEA_AND_AIR if full else ()),
        *((GROWTH,) if game.grows else ()),
    )


def _won(game: Rules) -> tuple[str, ...]:
    """The conditions of winning a battle."""
    if not game.ratio:
        return (LIKELY.format(game.settings.number("min_odds")), RECORDED)
    much = "as much" if game.ratio == 1 else f"{game.ratio} times as much"
    return (
        f"a battle needs {much} attack as the enemy has defence (option ratio), and at least 1; antiaircraft guns "
        "count for nothing",
    )
