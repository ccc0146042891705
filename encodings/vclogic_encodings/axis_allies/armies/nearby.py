"""The units that are near enough to where a power fights to be of use there."""

from __future__ import annotations

from collections.abc import Mapping, Set

from vclogic_encodings.axis_allies.armies.waters import REACH
from vclogic_encodings.axis_allies.game import Rules

from vclogic.terms.atoms import integer
from vclogic.terms.term import Term


def nearby(game: Rules, power: str, state: Mapping[Term, Term], aim: Set[str]) -> Mapping[Term, Term]:
    """The state without those units of a power that are too far away to be of use where it fights.

    Aircraft fly as far as they can; a transport fetches land units and comes back within its moves; ships may go to
    where a carrier waits for aircraft.

    Args:
        state: A term for each fluent.
        aim: The regions that it fights for.
    """
    board, flights = game.board, game.geography.flights
    flown = max((board.units[u].move for u in game.roles.aircraft), default=1)
    walked = max((board.units[u].move for u in game.roles.soldiers), default=1)
    far = {"air": flown, "land": max(walked, REACH + 2), "sea": REACH + flown}
    near = {kind: {r for place in aim for r in flights(place, most)} for kind, most in far.items()}
    units = game.fluents.units.fluents.items()
    gone = (f for (r, p, u), f in units if p == power and r not in near[board.units[u].kind])
    return {**state, **dict.fromkeys(gone, integer(0))}
