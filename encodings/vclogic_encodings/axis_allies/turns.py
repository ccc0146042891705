"""The bid before the game, and the end of a turn with the victories that are judged then."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from vclogic_encodings.axis_allies.citing import cite
from vclogic_encodings.axis_allies.context import Context
from vclogic_encodings.axis_allies.names import BEGIN, NONE, SIDE_A, SIDE_B
from vclogic_encodings.axis_allies.production import unplaced_value
from vclogic_encodings.axis_allies.state import LAST_ROUND

from vclogic.model.actions import Action, Requirement
from vclogic.model.fluents import Value
from vclogic.terms.atoms import FALSE, TRUE, constant, integer, member
from vclogic.terms.build import add, and_, eq, ite, linear, lt, ne, or_
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term


def bid(c: Context, side_a: int, side_b: int) -> Action:
    """Both teams bid for how many turns they would play the Axis; the higher bid fixes the length of the game."""
    f = c.f
    winner = SIDE_B if side_b > side_a else SIDE_A
    in_use = c.on("victory", "minor") or c.on("victory", "all")
    before = and_(eq(f.round.fluent, 1), eq(f.turn.fluent, c.board.turn_order[0]), eq(f.phase.fluent, BEGIN))
    decided = TRUE if side_a != side_b or c.on("equal_bids", "first") else FALSE
    return Action(
        "bid",
        (("side_a", side_a), ("side_b", side_b)),
        actor=None,
        requirements=(
            Requirement(TRUE if in_use else FALSE, "the players did not agree on Minor Victory", cite("victory/1")),
            Requirement(before, "the bid comes before the start of the game", cite("victory/1", "victory-minor/1")),
            Requirement(eq(f.bid.fluent, 0), "the number of turns has been bid already", cite("victory-minor/1")),
            Requirement(
                decided,
                "the bids are equal: bid again (reading equal_bids)",
                cite("victory-minor/1", "victory-minor/2"),
            ),
        ),
        effects=(
            (f.bid.fluent, integer(max(side_a, side_b))),
            (f.axis_team.fluent, member(f.teams.sort, winner)),
        ),
        text=f"the teams bid {side_a} and {side_b} turns: {winner} plays the Axis for {max(side_a, side_b)} turns",
        cites=cite("victory-minor/1", "victory-minor/2"),
    )


def end_turn(c: Context) -> Action:
    """The end of a turn, with the victories that are judged then."""
    f = c.f
    return Action(
        "end_turn",
        (),
        actor=f.turn.fluent,
        requirements=(
            Requirement(lt(f.round.fluent, LAST_ROUND), f"rounds are counted to {LAST_ROUND} only"),
            *c.not_over(),
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
    families = [f.placed, f.bought, f.declared, f.attacked]
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
