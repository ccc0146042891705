"""26.1, 26.2, 26.3 and 26.4: the victory conditions of a scenario, avoidance and balance."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from vclogic_encodings.asl.board import BalanceProvision, Board, Condition, VictoryConditions, ratio
from vclogic_encodings.asl.citing import cite, encodes
from vclogic_encodings.asl.game import Rules
from vclogic_encodings.asl.names import BUILDING, HEX, LOCATION, Area
from vclogic_encodings.asl.rules.casualties import casualty_points
from vclogic_encodings.asl.rules.concealment import can_know
from vclogic_encodings.asl.rules.controllers import controls
from vclogic_encodings.asl.rules.exits import exit_points

from vclogic.model.citation import Cites
from vclogic.model.rules import Outcome
from vclogic.model.system import Settings
from vclogic.terms.atoms import TRUE, integer
from vclogic.terms.build import all_of, and_, any_of, count, eq, ge, gt, ne, not_, scale, sub
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term

VICTORY = "victory"


@encodes("26.4/1")
def balanced(board: Board, settings: Settings) -> dict[str, VictoryConditions]:
    """The balance provision of a side can give other victory conditions than the scenario's own."""
    return {side: victory for balance in claimed(board, settings) for side, victory in balance.victory.items()}


@encodes("26.4/1")
def out_of_play(board: Board, settings: Settings) -> frozenset[str]:
    """The balance provision of a side can add units, which are not in play otherwise, and remove some."""
    chosen = claimed(board, settings)
    added = {u for balance in board.balance.values() if balance not in chosen for u in balance.adds}
    return frozenset(added.union(*(balance.removes for balance in chosen)))


@encodes("26.4/2")
def claimed(board: Board, settings: Settings) -> tuple[BalanceProvision, ...]:
    """The player who lost the dr for a side may claim the balance provision of the side that he plays."""
    chosen = board.balance.get(settings.word("balance"))
    return (chosen,) if chosen else ()


@encodes("26.4/1", "26.4/2")
def by_balance(met: Term) -> Term:
    """A side that has claimed its balance provision wins by the conditions that this gives it."""
    return met


def outcomes(game: Rules) -> Iterable[Outcome]:
    """One for each side: its own conditions, or that it avoids the other's."""
    given = {**game.board.victory, **balanced(game.board, game.fluents.settings)}
    for side in game.board.sides:
        if side in given:
            yield _outcome(game, side, given[side])
        elif game.board.enemy(side) in given:
            yield avoidance(game, side, given[game.board.enemy(side)])


def _outcome(game: Rules, side: str, victory: VictoryConditions) -> Outcome:
    parts = (*victory.all, *victory.any)
    at_once = victory.when == "immediately"

    def points(s: str) -> Term:  # while the game goes on, captives count once
        return casualty_points(game.units, s, doubled=not at_once)

    one = any_of(_met(game, side, x, points) for x in victory.any) if victory.any else TRUE
    met = and_(*(_met(game, side, x, points) for x in victory.all), one)
    have, need = _threshold(game, side, victory, points)
    if side in balanced(game.board, game.fluents.settings):
        met = by_balance(met)
    return Outcome(
        VICTORY,
        side,
        condition=Partial(met),
        timing=TRUE if at_once else game.fluents.ended.fluent,
        when="at every moment" if at_once else "at the end of the game",
        text=victory.text or f"the {side} side meets its victory conditions",
        cites=_cites(parts),
        won=and_(eq(game.fluents.winner.fluent, side), TRUE if at_once else game.fluents.ended.fluent),
        lost=eq(game.fluents.winner.fluent, game.board.enemy(side)),
        have=have,
        need=need,
        seen=lambda view: and_(*(_known(game, view, x) for x in parts)),
    )


@encodes("26.3/1")
def avoidance(game: Rules, side: str, theirs: VictoryConditions) -> Outcome:
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
        won=and_(eq(game.fluents.winner.fluent, side), game.fluents.ended.fluent),
        lost=eq(game.fluents.winner.fluent, enemy),
        seen=other.seen,
    )


def in_question(game: Rules) -> tuple[Area, ...]:
    """The Locations, hexes and buildings whose Control the victory conditions ask for."""
    given = {**game.board.victory, **balanced(game.board, game.fluents.settings)}
    conditions = (x for victory in given.values() for x in (*victory.all, *victory.any))
    places = (_places(game, x) for x in conditions if not x.casualties and x.exit_vp is None)
    return tuple(dict.fromkeys((kind, name) for kind, names in places for name in names))


def _known(game: Rules, view: str, condition: Condition) -> Term:
    """True if a side can know how it stands with a condition."""
    if condition.casualties or condition.exit_vp is not None:
        return TRUE
    kind, names = _places(game, condition)
    return all_of(can_know(game.units, view, kind, n) for n in names)


def _met(game: Rules, side: str, condition: Condition, points: Callable[[str], Term]) -> Term:
    found = _plain(game, side, condition, points)
    return not_(found) if condition.negate else found


def _plain(game: Rules, side: str, condition: Condition, points: Callable[[str], Term]) -> Term:
    if condition.exit_vp is not None:
        return ge(exit_points(game.units, side), condition.exit_vp)
    if condition.casualties:
        return enough_casualties(condition, points(side), points(game.board.enemy(side)))
    return controlled(game, side, condition)


@encodes("26.2/1")
def enough_casualties(condition: Condition, ours: Term, theirs: Term) -> Term:
    """Victory can depend on casualty points: on a number of them, on a lead, or on their ratio."""
    if condition.cvp is not None:
        return ge(ours, condition.cvp)
    if condition.cvp_lead is not None:
        return ge(sub(ours, theirs), condition.cvp_lead)
    numerator, denominator = ratio(str(condition.cvp_ratio)) or (1, 1)
    return ge(scale(ours, denominator), scale(theirs, numerator))


@encodes("26.1/1")
def controlled(game: Rules, side: str, condition: Condition) -> Term:
    """Victory can depend on Control: of all of some Locations, hexes or buildings, of so many, or of most of them."""
    kind, names = _places(game, condition)
    held = [controls(game.units, side, kind, n) for n in names]
    if condition.more:
        return gt(count(held), count(controls(game.units, game.board.enemy(side), kind, n) for n in names))
    return all_of(held) if condition.at_least is None else ge(count(held), condition.at_least)


def _places(game: Rules, condition: Condition) -> tuple[str, tuple[str, ...]]:
    if condition.location or condition.locations:
        return LOCATION, condition.locations or (str(condition.location),)
    if condition.hex or condition.hexes:
        return HEX, condition.hexes or (str(condition.hex),)
    buildings = game.fluents.buildings
    assert buildings is not None
    return BUILDING, tuple(buildings.resolve(n) for n in condition.buildings or (str(condition.building),))


def _threshold(
    game: Rules, side: str, victory: VictoryConditions, points: Callable[[str], Term]
) -> tuple[Term | None, Term | None]:
    """The progress of a side, where it needs one number of something."""
    parts = (*victory.all, *victory.any)
    if len(parts) != 1 or parts[0].negate or parts[0].more or parts[0].cvp_ratio is not None:
        return None, None
    condition = parts[0]
    if condition.cvp is not None:
        return points(side), integer(condition.cvp)
    if condition.exit_vp is not None:
        return exit_points(game.units, side), integer(condition.exit_vp)
    if condition.cvp_lead is not None:
        return None, None
    kind, names = _places(game, condition)
    need = len(names) if condition.at_least is None else condition.at_least
    return count(controls(game.units, side, kind, n) for n in names), integer(need)


def _cites(parts: tuple[Condition, ...]) -> Cites:
    found: list[str] = []
    for condition in parts:
        if condition.exit_vp is not None:
            found.append("26.23/1")
        elif condition.casualties:
            found.append("26.2/1")
        else:
            found.append("26.1/1")
    return cite(*dict.fromkeys(found))
