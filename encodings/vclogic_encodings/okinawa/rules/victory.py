"""Who wins: by points, or Japan automatically."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.okinawa.board import JAPAN, SIDES, US, enemy
from vclogic_encodings.okinawa.citing import cite
from vclogic_encodings.okinawa.names import NONE
from vclogic_encodings.okinawa.rules.points import Score

from vclogic.model.rules import Outcome
from vclogic.terms.atoms import FALSE, member
from vclogic.terms.build import and_, ge, gt, ite, not_, or_
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term

WHEN = "at the end of the scenario (`end_game`)"


def wins(s: Score, side: str) -> Term:
    """Whether a side wins if the scenario ends with units where they are."""
    ahead = ge if s.readings["tie"] == side else gt
    by_points = ahead(s.final(side), s.final(enemy(side)))
    return or_(s.automatic, by_points) if side == JAPAN else and_(not_(s.automatic), by_points)


def outcomes(s: Score) -> Iterable[Outcome]:
    """Victory for each side, and the automatic victory."""
    over = s.fluents.over.fluent
    for side in SIDES:
        automatic = "or wins automatically" if side == JAPAN else "and Japan does not win automatically"
        yield Outcome(
            "victory",
            side,
            condition=Partial(wins(s, side)),
            timing=over,
            when=WHEN,
            text=f"{side} has more Victory Points, {automatic}",
            cites=cite("17.0/1", "17.0/2", "17.6/1"),
            won=FALSE,
            lost=FALSE,
        )
    yield Outcome(
        "automatic_victory",
        JAPAN,
        condition=Partial(s.automatic),
        timing=over,
        when=WHEN,
        text="no US unit is in the Southern zone and a Japanese one is in the Central or Northern zone",
        cites=cite("17.6/1"),
        won=FALSE,
        lost=FALSE,
    )


def winner(s: Score) -> Term:
    """The side that has won, or none."""
    names, over = s.fluents.side_or_none, s.fluents.over.fluent
    found: Term = member(names, NONE)
    for side in (US, JAPAN):
        found = ite(and_(over, wins(s, side)), member(names, side), found)
    return found
