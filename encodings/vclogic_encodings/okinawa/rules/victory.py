"""Winner: by points, or Japan automatically."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.okinawa.board import JAPAN, SIDES, US, enemy
from vclogic_encodings.okinawa.citing import cite, encodes
from vclogic_encodings.okinawa.fluents import NONE
from vclogic_encodings.okinawa.rules.points import Score

from vclogic.model.rules import Outcome
from vclogic.terms.atoms import member
from vclogic.terms.build import and_, ge, gt, ite, not_, or_
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term

WHEN = "at the end of the scenario (`end_game`)"


@encodes("17.0/1", "17.6/1")
def wins(score: Score, side: str) -> Term:
    """Victory is judged by Victory Points, unless Japan wins automatically: Reading `tie`."""
    ahead = ge if score.readings["tie"] == side else gt
    by_points = ahead(score.final(side), score.final(enemy(side)))
    return or_(score.automatic, by_points) if side == JAPAN else and_(not_(score.automatic), by_points)


def outcomes(score: Score) -> Iterable[Outcome]:
    """Victory for each side, and the automatic victory."""
    over = score.fluents.over.fluent
    for side in SIDES:
        automatic = "or wins automatically" if side == JAPAN else "and Japan does not win automatically"
        yield Outcome(
            "victory",
            side,
            condition=Partial(wins(score, side)),
            timing=over,
            when=WHEN,
            text=f"{side} has more Victory Points, {automatic}",
            cites=cite("17.0/1", "17.0/2", "17.6/1"),
        )
    yield Outcome(
        "automatic_victory",
        JAPAN,
        condition=Partial(score.automatic),
        timing=over,
        when=WHEN,
        text="no US unit is in the Southern zone and a Japanese one is in the Central or Northern zone",
        cites=cite("17.6/1"),
    )


def winner(score: Score) -> Term:
    """The side that has won, or none."""
    names, over = score.fluents.side_or_none, score.fluents.over.fluent
    found: Term = member(names, NONE)
    for side in (US, JAPAN):
        found = ite(and_(over, wins(score, side)), member(names, side), found)
    return found
