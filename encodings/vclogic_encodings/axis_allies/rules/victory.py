"""The victory conditions: the choice of them, Total, Major and Minor Victory, and when each is judged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from vclogic_encodings.axis_allies.citing import cite, encodes
from vclogic_encodings.axis_allies.fluents import Fluents
from vclogic_encodings.axis_allies.names import BEGIN, NONE, OUTCOMES, SIDE_A, SIDE_B
from vclogic_encodings.axis_allies.rules.victory_cities import city_points, victory_points

from vclogic.model.actions import Requirement
from vclogic.model.citation import Cites
from vclogic.model.rules import Outcome
from vclogic.model.system import Settings
from vclogic.terms.atoms import TRUE, boolean, integer, member
from vclogic.terms.build import and_, eq, ge, gt, is_in, ite, linear, lt, not_, or_, sub
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term
from vclogic.words import amount

VCP = "victory city point"
GAME_OVER = "the end of the game"
"""Name of a requirement; see `Requirement.name`."""


# ---- the choice


def outcomes_in_use(settings: Settings) -> tuple[str, ...]:
    """The outcomes that the option `victory` chooses."""
    chosen = settings.word("victory")
    return OUTCOMES if chosen == "all" else (f"{chosen}_victory",)


def outcomes(fluents: Fluents, settings: Settings) -> Iterable[Outcome]:
    """The outcomes in use, for each side."""
    make = {"total_victory": total_victory, "major_victory": major_victory, "minor_victory": minor_victory}
    for name in fluents.outcomes:
        for side in fluents.board.sides:
            if name != "major_victory" or side in fluents.board.major_victory:
                yield make[name](fluents, settings, side)


@encodes("victory/1")
def agreed(settings: Settings) -> Requirement:
    """Teams bid only if Minor Victory is among the victory conditions that the players agreed on."""
    in_use = "minor_victory" in outcomes_in_use(settings)
    return Requirement(boolean(in_use), "the players did not agree on Minor Victory", cite("victory/1"))


@encodes("victory/1", "victory-minor/1")
def before_the_game(fluents: Fluents) -> Requirement:
    """The players agree on the victory conditions, and bid, before the start of the game."""
    first = eq(fluents.turn.fluent, fluents.board.turn_order[0])
    start = and_(eq(fluents.round.fluent, 1), first, eq(fluents.phase.fluent, BEGIN))
    return Requirement(start, "the bid comes before the start of the game", cite("victory/1", "victory-minor/1"))


# ---- Total and Major Victory


@encodes("victory-total/1", "victory-major/1", "victory-major/2")
def judged_now(fluents: Fluents) -> Term:
    """Victory is judged when a turn of the US player has ended."""
    return eq(fluents.ended.fluent, fluents.board.judged_after)


def _outcome(fluents: Fluents, name: str, side: str, have: Term, need: int, text: str, cites: Cites) -> Outcome:
    """An outcome that needs a number to be reached when victory is judged."""
    won = fluents.won[name]
    return Outcome(
        name,
        side,
        condition=Partial(ge(have, need)),
        timing=judged_now(fluents),
        when=f"at the end of any turn of the {fluents.board.judged_after}",
        text=text,
        cites=cites,
        won=eq(won, side),
        lost=is_in(won, [s for s in fluents.board.sides if s != side]),
        have=have,
        need=integer(need),
    )


@encodes("victory-total/1")
def total_victory(fluents: Fluents, settings: Settings, side: str) -> Outcome:
    """Total Victory: a side is the first to control every territory."""
    literal = settings.readings["every_territory"] == "all"
    need = len(fluents.board.territories if literal else fluents.board.land)
    text = f"the {side} are first to control every territory"
    cites = cite("victory/1", "victory-total/1")
    outcome = _outcome(fluents, "total_victory", side, fluents.territory_count(side), need, text, cites)
    if settings.readings["total_moment"] == "turn_end":
        return outcome
    return replace(outcome, timing=TRUE, when="at every moment (reading total_moment)")


@encodes("victory-major/1", "victory-major/2")
def major_victory(fluents: Fluents, settings: Settings, side: str) -> Outcome:
    """Major Victory: a side controls cities with as many points as it needs, the Axis 40 and the Allies 50."""
    need = fluents.board.major_victory[side]
    text = f"the {side} control {amount(need, VCP)}"
    cites = cite("victory/1", "victory-major/1" if side == "Axis" else "victory-major/2")
    return _outcome(fluents, "major_victory", side, victory_points(fluents, side), need, text, cites)


# ---- Minor Victory


@encodes("victory-minor/1", "victory-minor/2")
def winning_bid(fluents: Fluents, side_a: Term, side_b: Term, lot: str) -> tuple[Term, Term]:
    """The higher bid: how many turns the game lasts, and which team plays the Axis."""
    b_higher = lt(side_a, side_b)
    turns = ite(b_higher, side_b, side_a)
    team = {name: member(fluents.teams.sort, name) for name in (SIDE_A, SIDE_B)}
    return turns, team[lot] if lot != NONE else ite(b_higher, team[SIDE_B], team[SIDE_A])


@encodes("victory-minor/2")
def decided(settings: Settings, side_a: Term, side_b: Term, lot: str) -> tuple[Requirement, ...]:
    """The higher bid decides; equal bids are settled as the reading `equal_bids` says."""
    equal, why = eq(sub(side_a, side_b), 0), cite("victory-minor/1", "victory-minor/2")
    refusals = {
        "again": "the bids are equal: bid again (reading equal_bids)",
        "lot": "the bids are equal: say which team the lot chose (`lot`)" if lot == NONE else "",
        "first": "of equal bids the first one wins, without a lot (reading equal_bids)" if lot != NONE else "",
    }
    refusal = refusals[settings.readings["equal_bids"]]
    no_choice = "one bid is higher: there is nothing for a lot to choose"
    return (
        *((Requirement(not_(equal), refusal, why),) if refusal else ()),
        *((Requirement(equal, no_choice, why),) if lot != NONE else ()),
    )


def game_ends(fluents: Fluents) -> Term:
    """True if the bid number of turns has been played just now, which ends a game for Minor Victory."""
    return and_(gt(fluents.bid.fluent, 0), judged_now(fluents), last_round_ended(fluents))


@encodes("victory-minor/3", "victory-minor/5")
def last_round_ended(fluents: Fluents) -> Term:
    """A turn of the bid is a whole round: the game lasts until the round of that number has ended."""
    return eq(round_ended(fluents), fluents.bid.fluent)


def round_ended(fluents: Fluents) -> Term:
    """The number of the round whose turn has ended just now."""
    last = fluents.board.turn_order[-1]
    return linear([(1, fluents.round.fluent), (-1, eq(fluents.ended.fluent, last))])


def not_over(fluents: Fluents, settings: Settings) -> tuple[Requirement, ...]:
    """Nothing happens after the end of the game, where the players agreed on one victory."""
    if settings.word("victory") == "all":
        return ()
    return (_nobody_has_won(fluents), *_turns_left(fluents, settings))


@encodes("victory/1")
def _nobody_has_won(fluents: Fluents) -> Requirement:
    """The game is over once the victory that the players agreed on is won."""
    winner = fluents.winner.fluent
    return Requirement(
        eq(winner, NONE),
        lambda values: f"the game is over: the {values[winner]} have won",
        cite("victory/1"),
        GAME_OVER,
    )


@encodes("victory-minor/3")
def _turns_left(fluents: Fluents, settings: Settings) -> tuple[Requirement, ...]:
    """Nothing happens after the bid number of turns, where the players agreed on Minor Victory alone."""
    if settings.word("victory") != "minor":
        return ()
    board = fluents.board
    rounds, bid = fluents.round.fluent, fluents.bid.fluent
    after = board.turn_order[board.turn_order.index(board.judged_after) + 1 :]
    late = or_(gt(rounds, bid), and_(eq(sub(rounds, bid), 0), is_in(fluents.turn.fluent, after)))
    message = "the game is over: the number of turns that won the bid has been played"
    return (Requirement(not_(and_(gt(bid, 0), late)), message, cite("victory-minor/3"), GAME_OVER),)


@encodes("victory-minor/4")
def minor_victory(fluents: Fluents, settings: Settings, side: str) -> Outcome:
    """Minor Victory: a side controls the majority of the points when the bid number of turns is over."""
    points = sum(city_points(fluents.board, t) for t in fluents.board.cities)
    majority = points // 2 + 1
    text = f"the {side} control more than half of the {amount(points, VCP)} when the bid number of turns is over"
    cites = cite("victory/1", "victory-minor/1", "victory-minor/3", "victory-minor/4", "victory-minor/5")
    outcome = _outcome(fluents, "minor_victory", side, victory_points(fluents, side), majority, text, cites)
    return replace(
        outcome,
        condition=Partial(outcome.condition.value, gt(fluents.bid.fluent, 0)),
        timing=and_(outcome.timing, last_round_ended(fluents)),
        when=f"at the end of the turn of the {fluents.board.judged_after} in the round that won the bid",
        lacks="nobody has bid for the number of turns",
    )
