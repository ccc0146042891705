"""Purchases, and the placing of what was bought."""

from __future__ import annotations

from vclogic_encodings.axis_allies.board import COMPLEX, INFANTRY, MOST
from vclogic_encodings.axis_allies.citing import cite
from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.names import MOBILIZE, NONE, PURCHASE
from vclogic_encodings.axis_allies.wording import for_price, in_words, of_units

from vclogic.model.actions import Action, Requirement
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import add, ite, le, linear, scale
from vclogic.terms.term import Term

PLACED_BY = {INFANTRY: ("VC-infantry/1", "VC-infantry/2", "VC-infantry/3"), COMPLEX: ("IC-p2/3", "IC-p3/1")}
"""The clauses by which units are placed; all other kinds are built at complexes."""


def purchase(game: Rules, power: str, unit: str, count: Term, at: str) -> Action:
    """The power on turn buys units; for a complex it says where that will stand."""
    fluents, bought, complexes = game.fluents, game.fluents.bought[unit], game.placement.complexes
    price = price_of(game, unit, count, at)
    changes: dict[Term, Term] = {bought: add(bought, count), **game.phase(PURCHASE), **game.pay(power, price)}
    if unit == COMPLEX and at != NONE:
        changes[fluents.declared[at]] = TRUE
    where, units = "" if at == NONE else f" for {at}", of_units(game.board, in_words(count), unit)
    return Action(
        "purchase",
        (("power", power), ("unit", unit), ("count", in_words(count)), ("at", at)),
        actor=power,
        requirements=(
            *game.on_turn(power),
            *game.placement.no_later_than(PURCHASE),
            Requirement(le(add(bought, count), MOST), f"units are counted to {MOST}"),
            *(complexes.declaration(count, at) if unit == COMPLEX else ()),
            *(game.placement.infantry.bought_within_limits(power, count) if unit == INFANTRY else ()),
            *(game.placement.needs(power, unit, count, at) if at != NONE else ()),
            *game.money(power, price, f"{units}{where}"),
        ),
        effects=tuple(changes.items()),
        text=f"{power} buy {units}{where}" + (for_price(in_words(price)) if game.counts_money else ""),
        cites=cite("IC-p2/1", "IC-p2/2", "IC-p2/4") if unit == COMPLEX else cite("VC-infantry/3"),
    )


def price_of(game: Rules, unit: str, count: Term, at: str) -> Term:
    """The price of some units; a complex's depends on its place."""
    if unit == COMPLEX and at != NONE:
        return scale(count, game.placement.complexes.price(at))
    return scale(count, game.board.units[unit].cost)


def place(game: Rules, power: str, unit: str, count: Term, territory: str, zone: str = NONE) -> Action:
    """The power on turn places units that it has bought; ships in a sea zone, where units are on the board."""
    placed, complexes = game.fluents.placed[territory, unit], game.placement.complexes
    changes: dict[Term, Term] = {placed: add(placed, count), **game.phase(MOBILIZE)}
    changes |= game.level.new_units(power, unit, count, territory if zone == NONE else zone)
    if unit == COMPLEX:
        fluents = game.fluents
        changes |= {fluents.complexes[territory]: complexes.placed(territory), fluents.declared[territory]: FALSE}
    where = () if zone == NONE else (("zone", zone),)
    there = territory if zone == NONE else f"{zone}, from {territory}"
    return Action(
        "place" if zone == NONE else "launch",
        (("power", power), ("unit", unit), ("count", in_words(count)), ("territory", territory), *where),
        actor=power,
        requirements=(
            *game.on_turn(power),
            Requirement(le(add(placed, count), MOST), f"units are counted to {MOST}"),
            *game.placement.needs(power, unit, count, territory),
            *(
                complexes.as_declared(count, territory)
                if unit == COMPLEX
                else game.placement.bought_before(unit, count, game.counts_money)
            ),
            *game.level.where_ships_go(power, unit, territory, zone),
        ),
        effects=tuple(changes.items()),
        text=f"{power} place {of_units(game.board, in_words(count), unit)} in {there}",
        cites=cite(*PLACED_BY.get(unit, ("IC/1", "VC-infantry/3"))),
    )


def unplaced_value(game: Rules) -> Term:
    """The price of units bought this turn and not placed; complexes with a negative price count 0."""
    left = []
    for name, unit in game.board.units.items():
        if name != COMPLEX:
            placed = linear((1, game.fluents.placed[t, name]) for t in game.board.land)
            more = linear([(1, game.fluents.bought[name]), (-1, placed)])
            left.append((unit.cost, ite(le(more, 0), linear([]), more)))
    complexes = ((max(game.placement.complexes.price(t), 0), game.fluents.declared[t]) for t in game.board.land)
    return linear([*left, *complexes])
