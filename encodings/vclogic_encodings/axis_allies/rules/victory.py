"""Total, Major and Minor Victory: their conditions, when they are judged, and who was first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from vclogic_encodings.axis_allies.citing import cite, encodes
from vclogic_encodings.axis_allies.fluents import Fluents
from vclogic_encodings.axis_allies.rules.victory_cities import city_points, victory_points

from vclogic.model.citation import Cites
from vclogic.model.rules import Outcome
from vclogic.model.system import Settings
from vclogic.terms.atoms import TRUE, integer
from vclogic.terms.build import and_, eq, ge, gt, is_in, linear
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term
from vclogic.words import amount

OUTCOMES = ("total_victory", "major_victory", "minor_victory")
VCP = "victory city point"


def outcomes_in_use(settings: Settings) -> tuple[str, ...]:
    """The outcomes that the option `victory` chooses."""
    chosen = settings.word("victory")
    return OUTCOMES if chosen == "all" else (f"{chosen}_victory",)


def outcomes(f: Fluents, settings: Settings) -> Iterable[Outcome]:
    """The outcomes in use, for each side."""
    make = {"total_victory": total_victory, "major_victory": major_victory, "minor_victory": minor_victory}
    for name in f.outcomes:
        for side in f.board.sides:
            yield make[name](f, settings, side)


def _outcome(f: Fluents, name: str, side: str, have: Term, need: int, text: str, cites: Cites) -> Outcome:
    """A threshold that is judged whenever the turn of the power in charge has ended."""
    won = f.won[name]
    return Outcome(
        name,
        side,
        condition=Partial(ge(have, need)),
        timing=judged_now(f),
        when=f"at the end of any turn of the {f.board.judged_after}",
        text=text,
        cites=cites,
        won=eq(won, side),
        lost=is_in(won, [s for s in f.board.sides if s != side]),
        have=have,
        need=integer(need),
    )


@encodes("victory-total/1", "victory-major/1", "victory-major/2")
def judged_now(f: Fluents) -> Term:
    """Whether a turn of the US player, after which victory is judged, has ended just now."""
    return eq(f.ended.fluent, f.board.judged_after)


def game_ends(f: Fluents) -> Term:
    """Whether the bid number of turns has been played just now, which ends a game for Minor Victory."""
    return and_(gt(f.bid.fluent, 0), judged_now(f), last_round_ended(f))


@encodes("victory-minor/3", "victory-minor/5")
def last_round_ended(f: Fluents) -> Term:
    """Whether the round that has ended just now, or is in its last turns, is the one that won the bid."""
    return eq(round_ended(f), f.bid.fluent)


def round_ended(f: Fluents) -> Term:
    """The number of the round whose turn has ended just now."""
    last = f.board.turn_order[-1]
    return linear([(1, f.round.fluent), (-1, eq(f.ended.fluent, last))])


@encodes("victory-total/1")
def total_victory(f: Fluents, settings: Settings, side: str) -> Outcome:
    """Total Victory: a side is the first to control every territory."""
    literal = settings.readings["every_territory"] == "all"
    need = len(f.board.territories if literal else f.board.land)
    text = f"the {side} are first to control every territory"
    cites = cite("victory/1", "victory-total/1")
    outcome = _outcome(f, "total_victory", side, f.territory_count(side), need, text, cites)
    if settings.readings["total_moment"] == "turn_end":
        return outcome
    return replace(outcome, timing=TRUE, when="at every moment (reading total_moment)")


@encodes("victory-major/1", "victory-major/2")
def major_victory(f: Fluents, settings: Settings, side: str) -> Outcome:
    """Major Victory: a side controls cities with as many points as it needs, the Axis 40 and the Allies 50."""
    need = f.board.major_victory[side]
    text = f"the {side} control {amount(need, VCP)}"
    cites = cite("victory/1", "victory-major/1" if side == "Axis" else "victory-major/2")
    return _outcome(f, "major_victory", side, victory_points(f, side), need, text, cites)


@encodes("victory-minor/4")
def minor_victory(f: Fluents, settings: Settings, side: str) -> Outcome:
    """Minor Victory: a side controls the majority of the points when the bid number of turns is over."""
    points = sum(city_points(f.board, t) for t in f.board.cities)
    majority = points // 2 + 1
    text = f"the {side} control more than half of the {amount(points, VCP)} when the bid number of turns is over"
    cites = cite("victory/1", "victory-minor/1", "victory-minor/3", "victory-minor/4", "victory-minor/5")
    outcome = _outcome(f, "minor_victory", side, victory_points(f, side), majority, text, cites)
    return replace(
        outcome,
        condition=Partial(outcome.condition.value, gt(f.bid.fluent, 0)),
        timing=and_(outcome.timing, last_round_ended(f)),
        when=f"at the end of the turn of the {f.board.judged_after} in the round that won the bid",
        lacks="nobody has bid for the number of turns (state key `bid`)",
    )
