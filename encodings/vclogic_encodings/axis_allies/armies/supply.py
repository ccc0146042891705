"""Purchases and what is placed where, by the same limits that records are judged by."""

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


def supply(m: Muster, waters: Waters) -> Changes:
    """What the power may buy this turn, and where it may place it once all moves are done.

    Ships go to a zone beside the complex, if no enemy warship is there as the turn begins.

    Returns:
        What becomes of the treasury and of complexes. New units are in `m.new`.
    """
    spent: list[tuple[int, Term]] = []
    changes: dict[Term, Term] = {}
    for territory in m.c.board.land:
        if m.possible(owned_since_start(m.c.f, m.power, territory)):
            spent += _infantry(m, territory)
            built, kinds = _complex(m, territory)
            changes |= kinds
            spent += built
            spent += _units(m, waters, territory, built)
    treasury = m.c.f.treasury[m.power]
    m.laws.append(le(linear(spent), treasury))
    return {**changes, treasury: sub(treasury, linear(spent))}


def _infantry(m: Muster, territory: str) -> Iterable[tuple[int, Term]]:
    limit = m.c.placement.infantry.limit_now(m.power, territory)
    left = sub(limit, m.c.f.placed[territory, INFANTRY])
    most = m.now(left).hi
    if most <= 0:
        return
    count = m.flow("buy", INFANTRY, territory, territory, most)
    m.new.setdefault((territory, INFANTRY), []).append(count)
    m.laws.append(le(count, left))
    yield m.c.board.units[INFANTRY].cost, count


def _complex(m: Muster, territory: str) -> tuple[Spent, Changes]:
    may = m.c.placement.complexes.may_build(m.power, territory)
    if not m.possible(may):
        return (), {}
    f = m.c.f
    built, kind = m.flag(f"build {territory}"), f.complexes[territory]
    m.laws.append(implies(built, may))
    new = m.c.placement.complexes.placed(territory)
    return [(m.c.placement.complexes.price(territory), built)], {kind: ite(built, new, kind)}


def _units(m: Muster, waters: Waters, territory: str, built: Spent) -> Spent:
    """Units at a complex, within the limit of its territory, for which a new complex may count too."""
    places = m.c.placement.complexes
    most = places.most_value(territory) - m.now(places.value_placed(territory)).lo
    ready = places.takes_units(m.power, territory)
    worth: list[tuple[int, Term]] = []
    if most > 0 and m.possible(ready):
        for unit in _kinds(m):
            each = places.worth(unit, territory)
            number = most // each if each else MOST
            worth += ((each, n) for n in _places(m, waters, unit, territory, number))
        for _, count in worth:
            m.only_if(ready, count)
    counted = [*worth, *((places.worth(COMPLEX, territory), flag) for _, flag in built)]
    if worth:
        m.laws.append(places.within_value(territory, linear(counted)))
    return worth


def _kinds(m: Muster) -> list[str]:
    kinds = [*m.roles.soldiers, *m.roles.aircraft, *m.roles.ships]
    return [u for u in kinds if u not in (INFANTRY, COMPLEX)]


def _places(m: Muster, waters: Waters, unit: str, territory: str, most: int) -> Iterable[Term]:
    """How many new units of a kind stand in each place for them."""
    if most <= 0:
        return
    afloat = m.c.board.units[unit].kind == "sea"
    shores = [z for z in m.c.board.map.neighbours[territory] if z in m.c.board.sea]
    for place in shores if afloat else [territory]:
        free = waters.open(place) if afloat else None
        if free is None or m.possible(free):
            count = m.flow("buy", unit, territory, place, most)
            m.new.setdefault((place, unit), []).append(count)
            if free is not None:
                m.only_if(free, count)
            yield count


def with_new_units(m: Muster, after: Changes) -> Changes:
    """The units after moves and battles together with the new ones."""
    new = {m.units(*place): counts for place, counts in m.new.items()}
    return {**after, **{x: add(after.get(x, x), *counts) for x, counts in new.items()}}
