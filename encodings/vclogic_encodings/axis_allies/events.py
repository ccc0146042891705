"""What happens in a game: territories are taken, turns end."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from vclogic_encodings.axis_allies.board import Board
from vclogic_encodings.axis_allies.state import LAST_ROUND, NONE, Fluents
from vclogic_encodings.axis_allies.victory import cite

from vclogic.model.actions import Action, Parameter, Requirement, Schema
from vclogic.model.rules import Cites, Outcome
from vclogic.terms.atoms import member
from vclogic.terms.build import and_, eq, ite, linear, lt
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term


def city_clause(board: Board, territory: str) -> Cites:
    """The line of the rule text that lists the city of a territory, if it has one."""
    city = board.territories[territory].city
    return cite(city.clause) if city and city.clause else ()


def on_turn(f: Fluents, power: str) -> Requirement:
    """That it is the power's turn."""
    return Requirement(eq(f.turn.fluent, power), f"it is not the turn of the {power}")


def enemy_held(f: Fluents, power: str, territory: str) -> Requirement:
    """That the other side controls the territory."""
    other = f.board.enemy(f.board.powers[power].side)
    return Requirement(f.controls(other, territory), f"{territory} is not controlled by the {other}")


def taking(f: Fluents, power: str, territory: str) -> tuple[tuple[Term, Term], ...]:
    """What changes when a power takes a territory."""
    return (
        (f.owner[territory], member(f.powers.sort, power)),
        (f.ended.fluent, member(f.power_or_none, NONE)),
    )


def capture(f: Fluents, power: str, territory: str) -> Action:
    """A capture as a record holds it: the rule text alone judges it, not how the territory was reached."""
    return Action(
        "capture",
        (("power", power), ("territory", territory)),
        actor=power,
        requirements=(on_turn(f, power), enemy_held(f, power, territory)),
        effects=taking(f, power, territory),
        text=f"{power} take {territory}",
        cites=city_clause(f.board, territory),
    )


def end_turn(f: Fluents, judged: Iterable[Outcome]) -> Action:
    """The end of a turn, with the victories that are judged then."""
    return Action(
        "end_turn",
        (),
        actor=f.turn.fluent,
        requirements=(Requirement(lt(f.round.fluent, LAST_ROUND), f"rounds are counted to {LAST_ROUND} only"),),
        effects=_after_turn(f, judged),
        text=lambda values: f"{values[f.turn.fluent]} end their turn",
    )


def schemas(f: Fluents, turn_over: Action) -> Iterable[Schema]:
    """What a record may hold."""
    arguments = (Parameter("power", f.powers), Parameter("territory", f.territories))
    yield Schema(
        "capture",
        arguments,
        lambda power, territory: capture(f, power, territory),
        "the power on turn takes a territory from the other side",
    )
    yield Schema(
        "end_turn",
        (),
        lambda: turn_over,
        f"the turn ends; victory is judged after the turn of the {f.board.judged_after}",
        cite("victory-total/1", "victory-major/1", "victory-major/2", "victory-minor/3"),
    )


def _after_turn(f: Fluents, judged: Iterable[Outcome]) -> tuple[tuple[Term, Term], ...]:
    """What the end of a turn changes: whose turn it is, the round, and who has won by now."""
    order = f.board.turn_order
    turn, rounds = f.turn.fluent, f.round.fluent
    following: Term = member(f.powers.sort, order[0])
    for power, successor in pairwise(order):
        following = ite(eq(turn, power), member(f.powers.sort, successor), following)
    ended: Term = member(f.power_or_none, order[0])
    for power in order[1:]:
        ended = ite(eq(turn, power), member(f.power_or_none, power), ended)
    moment = {turn: following, rounds: linear([(1, rounds), (1, eq(turn, order[-1]))]), f.ended.fluent: ended}
    then = Substitution(moment)
    latches = dict.fromkeys((*f.won.fluents.values(), f.winner.fluent))
    new: dict[Term, Term] = {latch: latch for latch in latches}
    for o in judged:
        wins = then(and_(o.timing, o.condition.holds))
        for latch in (f.won[o.name], f.winner.fluent):
            first = and_(eq(latch, NONE), wins)
            new[latch] = ite(first, member(f.side_or_none, o.side), new[latch])
    return (*moment.items(), *new.items())
