"""Purchases and placing as choices of a plan, by the same rules as in records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from vclogic_encodings.axis_allies.armies.muster import Muster
from vclogic_encodings.axis_allies.armies.waters import Waters
from vclogic_encodings.axis_allies.board import COMPLEX, INFANTRY, MOST
from vclogic_encodings.axis_allies.rules.possession import owned_since_start

from vclogic.terms.build import add, implies, ite, le, linear, sub
from vclogic.terms.term import Term

Changes = Mapping[Term, Term]
Spent = Sequence[tuple[int, Term]]
"""Prices, and how many are bought for each."""


def supply(turn: Muster, waters: Waters) -> Changes:
    """The purchases that the power may make this turn, and the places for them once all moves are done.

    Ships go to a zone beside the complex, if no enemy warship is there as the turn begins.

    Returns:
        What becomes of the treasury and of complexes. New units are in `m.new`.
    """
    spent: list[tuple[int, Term]] = []
    changes: dict[Term, Term] = {}
    for territory in turn.board.land:
        if turn.possible(owned_since_start(turn.fluents, turn.power, territory)):
            spent += _infantry(turn, territory)
            built, kinds = _complex(turn, territory)
            changes |= kinds
            spent += built
            spent += _units(turn, waters, territory, built)
    treasury = turn.fluents.treasury[turn.power]
    turn.laws.append(le(linear(spent), treasury))
    return {**changes, treasury: sub(treasury, linear(spent))}


def _infantry(turn: Muster, territory: str) -> Iterable[tuple[int, Term]]:
    limit = turn.game.placement.infantry.limit_now(turn.power, territory)
    left = sub(limit, turn.fluents.placed[territory, INFANTRY])
    most = turn.now(left).hi
    if most <= 0:
        return
    count = turn.flow("buy", INFANTRY, territory, territory, most)
    turn.new.setdefault((territory, INFANTRY), []).append(count)
    turn.laws.append(le(count, left))
    yield turn.board.units[INFANTRY].cost, count


def _complex(turn: Muster, territory: str) -> tuple[Spent, Changes]:
    may = turn.game.placement.complexes.may_build(turn.power, territory)
    if not turn.possible(may):
        return (), {}
    fluents = turn.fluents
    built, kind = turn.flag(f"build {territory}"), fluents.complexes[territory]
    turn.laws.append(implies(built, may))
    new = turn.game.placement.complexes.placed(territory)
    return [(turn.game.placement.complexes.price(territory), built)], {kind: ite(built, new, kind)}


def _units(turn: Muster, waters: Waters, territory: str, built: Spent) -> Spent:
    """Units at a complex, within the limit of its territory, for which a new complex may count too."""
    places = turn.game.placement.complexes
    most = places.most_value(territory) - turn.now(places.value_placed(territory)).lo
    ready = places.takes_units(turn.power, territory)
    worth: list[tuple[int, Term]] = []
    if most > 0 and turn.possible(ready):
        for unit in (*turn.roles.soldiers, *turn.roles.aircraft, *turn.roles.ships):
            if unit == INFANTRY:
                continue
            each = places.worth(unit, territory)
            number = most // each if each else MOST
            worth += ((each, n) for n in _places(turn, waters, unit, territory, number))
        for _, count in worth:
            turn.only_if(ready, count)
    counted = [*worth, *((places.worth(COMPLEX, territory), flag) for _, flag in built)]
    if worth:
        turn.laws.append(places.within_value(territory, linear(counted)))
    return worth


def _places(turn: Muster, waters: Waters, unit: str, territory: str, most: int) -> Iterable[Term]:
    """Int choices: how many new units of a kind appear in each place beside or at a complex."""
    if most <= 0:
        return
    afloat = turn.board.units[unit].kind == "sea"
    shores = [z for z in turn.board.map.neighbours[territory] if z in turn.board.sea]
    for place in shores if afloat else [territory]:
        free = waters.open(place) if afloat else None
        if free is None or turn.possible(free):
            count = turn.flow("buy", unit, territory, place, most)
            turn.new.setdefault((place, unit), []).append(count)
            if free is not None:
                turn.only_if(free, count)
            yield count


def with_new_units(turn: Muster, after: Changes) -> Changes:
    """The units after moves and battles with the new ones added."""
    new = {turn.units(*place): counts for place, counts in turn.new.items()}
    return {**after, **{x: add(after.get(x, x), *counts) for x, counts in new.items()}}
