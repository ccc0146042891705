"""The bid before the game, and the end of a turn with the victories that are judged then."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from vclogic_encodings.axis_allies.citing import cite
from vclogic_encodings.axis_allies.events.production import unplaced_value
from vclogic_encodings.axis_allies.fluents import LAST_ROUND
from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.names import BEGIN, NONE
from vclogic_encodings.axis_allies.rules.victory import agreed, before_the_game, decided, not_over, winning_bid
from vclogic_encodings.axis_allies.wording import in_words

from vclogic.model.actions import Action, Requirement
from vclogic.model.fluents import Value
from vclogic.model.memoized import memoized
from vclogic.terms.atoms import constant, member
from vclogic.terms.build import add, eq, ite, linear, lt, ne, or_
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term
from vclogic.words import amount


def bid(game: Rules, side_a: Term, side_b: Term, lot: str) -> Action:
    """Both teams bid for how many turns they would play the Axis; the higher bid fixes the length of the game."""
    fluents, why = game.fluents, cite("victory-minor/1")
    turns, winner = winning_bid(fluents, side_a, side_b, lot)
    plays = f"{winner.value} plays the Axis for {amount(in_words(turns), 'turn')}" if winner.is_const else ""
    return Action(
        "bid",
        (("side_a", in_words(side_a)), ("side_b", in_words(side_b)), ("lot", lot)),
        actor=None,
        requirements=(
            agreed(game.settings),
            before_the_game(fluents),
            Requirement(eq(fluents.bid.fluent, 0), "the number of turns has been bid already", why),
            *decided(game.settings, side_a, side_b, lot),
        ),
        effects=((fluents.bid.fluent, turns), (fluents.axis_team.fluent, winner)),
        text=f"the teams bid {in_words(side_a)} and {in_words(side_b)}: {plays}",
        cites=cite("victory-minor/1", "victory-minor/2"),
    )


@memoized
def end_turn(game: Rules) -> Action:
    """The end of a turn, with the victories that are judged then."""
    fluents = game.fluents
    return Action(
        "end_turn",
        (),
        actor=fluents.turn.fluent,
        requirements=(
            Requirement(lt(fluents.round.fluent, LAST_ROUND), f"rounds are counted to {LAST_ROUND} only"),
            *not_over(fluents, game.settings),
        ),
        effects=(*game.with_victories(_next_turn(game)), *_new_start(game).items()),
        text=lambda values: f"{values[fluents.turn.fluent]} end their turn",
    )


def _next_turn(game: Rules) -> Mapping[Term, Term]:
    """The next power, its round, and whose turn ended just now."""
    fluents, order = game.fluents, game.board.turn_order
    turn, rounds = fluents.turn.fluent, fluents.round.fluent
    following: Term = member(fluents.powers.sort, order[0])
    for power, successor in pairwise(order):
        following = ite(eq(turn, power), member(fluents.powers.sort, successor), following)
    ended: Term = member(fluents.power_or_none.sort, order[0])
    for power in order[1:]:
        ended = ite(eq(turn, power), member(fluents.power_or_none.sort, power), ended)
    return {turn: following, rounds: linear([(1, rounds), (1, eq(turn, order[-1]))]), fluents.ended.fluent: ended}


def _new_start(game: Rules) -> dict[Term, Term]:
    """Reset what belongs to one turn; the power whose turn ends has had its first turn and collects income."""
    fluents = game.fluents
    new: dict[Term, Term] = {fluents.owner_at_turn_start[t]: fluents.owner[t] for t in game.board.land}
    new |= {fluents.complex_at_turn_start[t]: ne(fluents.complexes[t], NONE) for t in game.board.land}
    families = [fluents.placed, fluents.bought, fluents.declared, fluents.attacked, fluents.failed_attacks]
    for family in (*families, fluents.emergency):
        nothing: Value = 0 if isinstance(family.sort, IntSort) else False
        new |= dict.fromkeys(family.fluents.values(), constant(family.sort, nothing))
    if not game.on("emergency_limit", "each_attack"):
        new |= {fluents.earlier_emergency[t]: game.placement.infantry.in_all_emergencies(t) for t in game.board.land}
    new[fluents.phase.fluent] = member(fluents.phases.sort, BEGIN)
    for power in game.board.powers:
        on_turn = eq(fluents.turn.fluent, power)
        done = fluents.first_turn_done[power]
        new[done] = or_(done, on_turn)
        if game.counts_money:
            for treasury, filled in game.earn(power, _takings(game, power)).items():
                new[treasury] = ite(on_turn, filled, treasury)
    return new


def _takings(game: Rules, power: str) -> Term:
    """The money of a power at the end of its turn."""
    income = game.fluents.income(power)
    return add(income, unplaced_value(game)) if game.on("unplaced_units", "refunded") else income
