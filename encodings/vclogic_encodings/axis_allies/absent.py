"""Names that exist with armies alone, and the option or part of the board that brings them."""

from __future__ import annotations

from vclogic_encodings.axis_allies.fluents import Fluents
from vclogic_encodings.axis_allies.names import AGREED, OUTCOMES

from vclogic.model.absent import Absent

ARMIES = "units are on the board with `options: {level: armies}`"
FULL = "ships and aircraft move with `options: {level: armies, theatre: full}`"
SHIPS = "the board has no ships, or no sea: add units of `kind: sea`, and territories of `kind: sea`"
AIRCRAFT = "the board has no aircraft: add units of `kind: air`"
HELPERS = "no unit of the board helps in a battle from outside: add one of `kind: air`, or with `blitzes: true`"
MAJOR = "the board does not say how many points it takes: add `major_victory: {SIDE: NUMBER, ...}`"
BY_LAND = ("march",)
AT_SEA = ("sail", "carry", "clear", "bombard")
IN_THE_AIR = ("fly", "land")


def absent(fluents: Fluents, events: frozenset[str]) -> Absent:
    """The names that do not exist here, with the way to have them.

    Args:
        fluents: The fluents in use.
        events: The names of the events that there are.
    """
    ships = _needs(fluents, SHIPS)
    needed = {
        **dict.fromkeys(BY_LAND, ARMIES),
        **dict.fromkeys(AT_SEA, ships),
        "launch": ships if fluents.armies else ARMIES,
    }
    needed |= dict.fromkeys(IN_THE_AIR, _needs(fluents, AIRCRAFT))
    known = {f.name for f in fluents.families}
    facts = dict.fromkeys(("units", "moved", "entered", "passed", "fought"), ARMIES)
    facts |= {"help": HELPERS if fluents.armies else ARMIES, "aloft": _needs(fluents, AIRCRAFT)}
    facts |= dict.fromkeys(("fired", "ashore"), ships)
    return Absent(
        facts={name: why for name, why in facts.items() if name not in known},
        events={name: why for name, why in needed.items() if name not in events},
        observables={} if fluents.armies else {"units": ARMIES},
        outcomes=_outcomes(fluents),
    )


def _outcomes(fluents: Fluents) -> dict[str, str]:
    """The outcomes that are not judged: nobody agreed on them, or the board does not say when they are won."""
    found = {name: AGREED for name in OUTCOMES if name not in fluents.outcomes}
    return found if fluents.board.major_victory else {"major_victory": MAJOR, **found}


def _needs(fluents: Fluents, board: str) -> str:
    """The needs of ships or aircraft: the option, or else a part of the board."""
    if not fluents.armies:
        return ARMIES
    return board if fluents.underway.full else FULL
