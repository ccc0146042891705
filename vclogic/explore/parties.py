"""One of several sides and all others together, as a rule set of two sides, for best play."""

from __future__ import annotations

from dataclasses import replace

from vclogic.explore.arena import SIDES
from vclogic.explore.endings import endings
from vclogic.model.rules import Outcome
from vclogic.model.system import System
from vclogic.terms.atoms import TRUE
from vclogic.terms.build import and_, any_of, not_
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term

OTHERS = "the others"
"""All sides but one, as one that they play for together."""


def two_parties(system: System, side: str) -> System:
    """A rule set with a side and all others as its two sides, in this order; one of two sides is left as it is.

    The side wins where it has won, alone or with others. The others win where it has not, and one of them has or it
    has lost whoever won.
    """
    if len(system.sides) == SIDES:
        return system
    ends, number = endings(system), list(system.sides).index(side)
    ours = ends.won[number]
    lost = any_of(ends.lost[number : number + 1])
    theirs = and_(ends.final, not_(ours), any_of((lost, *ends.won)))
    others = tuple(n for s, powers in system.sides.items() if s != side for n in dict.fromkeys((s, *powers)))
    return replace(
        system,
        sides={side: system.sides[side], OTHERS: others},
        outcomes=(_won(side, ours), _won(OTHERS, theirs)),
        winner=None,
        ends=ends.over,
        out={},
    )


def _won(side: str, won: Term) -> Outcome:
    return Outcome("game", side, Partial(won), TRUE, "", "", ())
