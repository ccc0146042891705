"""The bid before the game, and the end of a turn with the victories that are judged then."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from vclogic_encodings.axis_allies.citing import cite
from vclogic_encodings.axis_allies.events.production import unplaced_value
from vclogic_encodings.axis_allies.fluents import LAST_ROUND
from vclogic_encodings.axis_allies.game import Context
from vclogic_encodings.axis_allies.names import BEGIN, NONE
from vclogic_encodings.axis_allies.rules.victory import agreed, before_the_game, decided, not_over, winning_bid
from vclogic_encodings.axis_allies.wording import in_words

from vclogic.model.actions import Action, Requirement
from vclogic.model.fluents import Value
from vclogic.model.memoized import once
from vclogic.terms.atoms import constant, member
from vclogic.terms.build import add, eq, ite, linear, lt, ne, or_
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term
from vclogic.words import amount


def bid(c: Context, side_a: Term, side_b: Term, lot: str) -> Action:
    """Both teams bid for how many turns they would play the Axis; the higher bid fixes the length of the game."""
    f = c.f
    turns, winner = winning_bid(f, side_a, side_b, lot)
    plays = f"{winner.value} plays the Axis for {amount(in_words(turns), 'turn')}" if winner.is_const else ""
    return Action(
        "bid",
        (("side_a", in_words(side_a)), ("side_b", in_words(side_b)), ("lot", lot)),
        actor=None,
        requirements=(
            agreed(c.settings),
            before_the_game(f),
            Requirement(eq(f.bid.fluent, 0), "the number of turns has been bid already", cite("victory-minor/1")),
            *decided(c.settings, side_a, side_b, lot),
        ),
        effects=(
            (f.bid.fluent, turns),
            (f.axis_team.fluent, winner),
        ),
        text=f"the teams bid {in_words(side_a)} and {in_words(side_b)}: {plays}",
        cites=cite("victory-minor/1", "victory-minor/2"),
    )


@once
def end_turn(c: Context) -> Action:
    """The end of a turn, with the victories that are judged then."""
    f = c.f
    return Action(
        "end_turn",
        (),
        actor=f.turn.fluent,
        requirements=(
            Requirement(lt(f.round.fluent, LAST_ROUND), f"rounds are counted to {LAST_ROUND} only"),
            *not_over(f, c.settings),
        ),
        effects=(*c.with_victories(_next_turn(c)), *_new_start(c).items()),
        text=lambda values: f"{values[f.turn.fluent]} end their turn",
    )


def _next_turn(c: Context) -> Mapping[Term, Term]:
    """Whose turn it is, the round, and whose turn ended just now."""
    f, order = c.f, c.board.turn_order
    turn, rounds = f.turn.fluent, f.round.fluent
    following: Term = member(f.powers.sort, order[0])
    for power, successor in pairwise(order):
        following = ite(eq(turn, power), member(f.powers.sort, successor), following)
    ended: Term = member(f.power_or_none, order[0])
    for power in order[1:]:
        ended = ite(eq(turn, power), member(f.power_or_none, power), ended)
    return {turn: following, rounds: linear([(1, rounds), (1, eq(turn, order[-1]))]), f.ended.fluent: ended}


def _new_start(c: Context) -> dict[Term, Term]:
    """What belongs to a turn begins anew; the power whose turn ends has had a turn, and collects its income."""
    f = c.f
    new: dict[Term, Term] = {f.owner_at_turn_start[t]: f.owner[t] for t in c.board.land}
    new |= {f.complex_at_turn_start[t]: ne(f.complexes[t], NONE) for t in c.board.land}
    families = [f.placed, f.bought, f.declared, f.attacked, f.failed_attacks]
    if c.on("emergency_limit", "each_attack"):
        families.append(f.emergency)
    for family in families:
        nothing: Value = 0 if isinstance(family.sort, IntSort) else False
        new |= dict.fromkeys(family.fluents.values(), constant(family.sort, nothing))
    new[f.phase.fluent] = member(f.phases.sort, BEGIN)
    for power in c.board.powers:
        on_turn = eq(f.turn.fluent, power)
        done = f.first_turn_done[power]
        new[done] = or_(done, on_turn)
        if c.counts_money:
            for treasury, filled in c.earn(power, _takings(c, power)).items():
                new[treasury] = ite(on_turn, filled, treasury)
    return new


def _takings(c: Context, power: str) -> Term:
    """What a power gets at the end of its turn."""
    income = c.f.income(power)
    return add(income, unplaced_value(c)) if c.on("unplaced_units", "refunded") else income
