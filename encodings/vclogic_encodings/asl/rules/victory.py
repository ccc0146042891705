"""26.1, 26.2, 26.3 and 26.4: the victory conditions of a scenario, avoidance and balance."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from vclogic_encodings.asl.board import Balance, Board, Condition, Victory, ratio
from vclogic_encodings.asl.citing import cite, encodes
from vclogic_encodings.asl.fluents import BUILDING, HEX, LOCATION
from vclogic_encodings.asl.game import Game
from vclogic_encodings.asl.rules.casualties import casualty_points
from vclogic_encodings.asl.rules.concealment import can_know
from vclogic_encodings.asl.rules.controllers import controls
from vclogic_encodings.asl.rules.exits import exit_points

from vclogic.model.citation import Cites
from vclogic.model.rules import Outcome
from vclogic.model.system import Settings
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import all_of, and_, any_of, count, eq, ge, gt, ne, not_, scale, sub
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term

VICTORY = "victory"


@encodes("26.4/1")
def balanced(board: Board, settings: Settings) -> dict[str, Victory]:
    """The balance provision of a side can give other victory conditions than the scenario's own."""
    return {side: victory for balance in claimed(board, settings) for side, victory in balance.victory.items()}


@encodes("26.4/1")
def out_of_play(board: Board, settings: Settings) -> frozenset[str]:
    """The balance provision of a side can add units, which are not in play otherwise, and remove some."""
    chosen = claimed(board, settings)
    added = {u for balance in board.balance.values() if balance not in chosen for u in balance.adds}
    return frozenset(added.union(*(balance.removes for balance in chosen)))


@encodes("26.4/2")
def claimed(board: Board, settings: Settings) -> tuple[Balance, ...]:
    """The side that was not given its choice may claim the balance provision for the side that it plays."""
    chosen = board.balance.get(settings.word("balance"))
    return (chosen,) if chosen else ()


def outcomes(game: Game) -> Iterable[Outcome]:
    """One for each side: its own conditions, or that it avoids the other's."""
    given = {**game.board.victory, **balanced(game.board, game.fluents.settings)}
    for side in game.board.sides:
        if side in given:
            yield _outcome(game, side, given[side])
        elif game.board.enemy(side) in given:
            yield avoidance(game, side, given[game.board.enemy(side)])


def _outcome(game: Game, side: str, v: Victory) -> Outcome:
    parts = (*v.all, *v.any)
    at_once = v.when == "immediately"

    def points(s: str) -> Term:  # while the game goes on, captives count once
        return casualty_points(game.units, s, doubled=not at_once)

    one = any_of(_met(game, side, x, points) for x in v.any) if v.any else TRUE
    met = and_(*(_met(game, side, x, points) for x in v.all), one)
    have, need = _threshold(game, side, v, points)
    return Outcome(
        VICTORY,
        side,
        condition=Partial(met),
        timing=TRUE if at_once else game.fluents.ended.fluent,
        when="at every moment" if at_once else "at the end of the game",
        text=v.text or f"the {side} side meets its victory conditions",
        cites=_cites(parts),
        won=and_(eq(game.fluents.winner.fluent, side), TRUE if at_once else game.fluents.ended.fluent),
        lost=eq(game.fluents.winner.fluent, game.board.enemy(side)),
        have=have,
        need=need,
        seen=lambda view: and_(*(_known(game, view, x) for x in parts)),
    )


@encodes("26.3/1")
def avoidance(game: Game, side: str, theirs: Victory) -> Outcome:
    """A side without victory conditions of its own wins by avoiding those of the other side."""
    enemy = game.board.enemy(side)
    other = _outcome(game, enemy, theirs)
    return Outcome(
        VICTORY,
        side,
        condition=Partial(and_(not_(other.condition.value), ne(game.fluents.winner.fluent, enemy))),
        timing=game.fluents.ended.fluent,
        when="at the end of the game",
        text=f"the {enemy} side does not meet its victory conditions",
        cites=cite("26.3/1"),
        won=FALSE,
        lost=eq(game.fluents.winner.fluent, enemy),
        seen=other.seen,
    )


def _known(game: Game, view: str, x: Condition) -> Term:
    """Whether a side can know how it stands with a condition."""
    if any(n is not None for n in (x.cvp, x.cvp_lead, x.cvp_ratio, x.exit_vp)):
        return TRUE
    kind, names = _places(game, x)
    return all_of(can_know(game.units, view, kind, n) for n in names)


def _met(game: Game, side: str, x: Condition, points: Callable[[str], Term]) -> Term:
    found = _plain(game, side, x, points)
    return not_(found) if x.negate else found


def _plain(game: Game, side: str, x: Condition, points: Callable[[str], Term]) -> Term:
    if x.exit_vp is not None:
        return ge(exit_points(game.units, side), x.exit_vp)
    by_points = any(n is not None for n in (x.cvp, x.cvp_lead, x.cvp_ratio))
    return (
        enough_casualties(x, points(side), points(game.board.enemy(side))) if by_points else controlled(game, side, x)
    )


@encodes("26.2/1")
def enough_casualties(x: Condition, ours: Term, theirs: Term) -> Term:
    """Victory can depend on casualty points: on a number of them, on a lead, or on their ratio."""
    if x.cvp is not None:
        return ge(ours, x.cvp)
    if x.cvp_lead is not None:
        return ge(sub(ours, theirs), x.cvp_lead)
    numerator, denominator = ratio(str(x.cvp_ratio)) or (1, 1)
    return ge(scale(ours, denominator), scale(theirs, numerator))


@encodes("26.1/1")
def controlled(game: Game, side: str, x: Condition) -> Term:
    """Victory can depend on Control: of all of some Locations, hexes or buildings, of so many, or of most of them."""
    kind, names = _places(game, x)
    held = [controls(game.units, side, kind, n) for n in names]
    if x.more:
        return gt(count(held), count(controls(game.units, game.board.enemy(side), kind, n) for n in names))
    return all_of(held) if x.at_least is None else ge(count(held), x.at_least)


def _places(game: Game, x: Condition) -> tuple[str, tuple[str, ...]]:
    if x.location or x.locations:
        return LOCATION, x.locations or (str(x.location),)
    if x.hex or x.hexes:
        return HEX, x.hexes or (str(x.hex),)
    buildings = game.fluents.buildings
    assert buildings is not None
    return BUILDING, tuple(buildings.resolve(n) for n in x.buildings or (str(x.building),))


def _threshold(game: Game, side: str, v: Victory, points: Callable[[str], Term]) -> tuple[Term | None, Term | None]:
    """How far a side is, where it needs one number of something."""
    parts = (*v.all, *v.any)
    if len(parts) != 1 or parts[0].negate or parts[0].more or parts[0].cvp_ratio is not None:
        return None, None
    x = parts[0]
    if x.cvp is not None:
        return points(side), integer(x.cvp)
    if x.exit_vp is not None:
        return exit_points(game.units, side), integer(x.exit_vp)
    if x.cvp_lead is not None:
        return None, None
    kind, names = _places(game, x)
    need = len(names) if x.at_least is None else x.at_least
    return count(controls(game.units, side, kind, n) for n in names), integer(need)


def _cites(parts: tuple[Condition, ...]) -> Cites:
    found: list[str] = []
    for x in parts:
        if x.exit_vp is not None:
            found.append("26.23/1")
        elif x.cvp is not None or x.cvp_lead is not None or x.cvp_ratio is not None:
            found.append("26.2/1")
        else:
            found.append("26.1/1")
    return cite(*dict.fromkeys(found))
