"""Purchases, and the placing of what was bought."""

from __future__ import annotations

from collections.abc import Mapping

from vclogic_encodings.axis_allies.armies.arrivals import new_units, where_ships_go
from vclogic_encodings.axis_allies.board import COMPLEX, INFANTRY, MOST
from vclogic_encodings.axis_allies.citing import cite, encodes
from vclogic_encodings.axis_allies.game import Changes, Context
from vclogic_encodings.axis_allies.names import BOUGHT, MOBILIZE, NONE, PURCHASE
from vclogic_encodings.axis_allies.wording import already_placed, for_price, in_words, of_units

from vclogic.model.actions import Action, Requirement
from vclogic.model.fluents import Value
from vclogic.model.memoized import once
from vclogic.terms.atoms import FALSE, TRUE, member
from vclogic.terms.build import add, eq, ite, le, linear, not_, or_, scale
from vclogic.terms.term import Term


def purchase(c: Context, power: str, unit: str, count: Term, at: str) -> Action:
    """The power on turn buys units; for a complex it says where that will stand."""
    f, bought = c.f, c.f.bought[unit]
    price = price_of(c, unit, count, at)
    changes: dict[Term, Term] = {bought: add(bought, count), **c.phase(PURCHASE), **c.pay(power, price)}
    if unit == COMPLEX and at != NONE:
        changes[f.declared[at]] = TRUE
    where, units = "" if at == NONE else f" for {at}", of_units(c.board, in_words(count), unit)
    return Action(
        "purchase",
        (("power", power), ("unit", unit), ("count", in_words(count)), ("at", at)),
        actor=power,
        requirements=(
            *c.on_turn(power),
            *c.no_later_than(PURCHASE),
            Requirement(le(add(bought, count), MOST), f"units are counted to {MOST}"),
            *(declaration(c, count, at) if unit == COMPLEX else ()),
            *(_within_limits(c, power, count) if unit == INFANTRY else ()),
            *(c.placement.needs(power, unit, count, at) if at != NONE else ()),
            *c.money(power, price, f"{units}{where}"),
        ),
        effects=tuple(changes.items()),
        text=f"{power} buy {units}{where}" + (for_price(in_words(price)) if c.counts_money else ""),
        cites=cite("IC-p2/1", "IC-p2/2", "IC-p2/4") if unit == COMPLEX else cite("VC-infantry/3"),
    )


def _within_limits(c: Context, power: str, count: Term) -> tuple[Requirement, ...]:
    """That all cities of the power together take what it buys; see the reading `bought_infantry`."""
    if not c.on("bought_infantry", "within_limits"):
        return ()
    message = f"the cities of the {power} together take no more infantry this turn (reading bought_infantry)"
    enough = le(add(c.f.bought[INFANTRY], count), c.placement.infantry_capacity(power))
    return (Requirement(enough, message, cite("VC-infantry-p2/1", "VC-infantry-p3/2", "VC-infantry-p3/3")),)


def price_of(c: Context, unit: str, count: Term, at: str) -> Term:
    """What units cost; a complex by the place that it is for."""
    if unit == COMPLEX and at != NONE:
        return scale(count, c.placement.price(at))
    return scale(count, c.board.units[unit].cost)


@encodes("IC-p2/2")
def declaration(c: Context, count: Term, at: str) -> tuple[Requirement, ...]:
    """That whoever buys a complex says where it will stand."""
    why = cite("IC-p2/2")
    if at == NONE:
        return (Requirement(FALSE, "say where the industrial complex will be placed (`at`)", why),)
    declared = not_(c.f.declared[at])
    return (
        Requirement(eq(count, 1), "buy industrial complexes one by one, each with its place", why),
        Requirement(declared, f"an industrial complex for {at} has been bought this turn already", why),
    )


def place(c: Context, power: str, unit: str, count: Term, territory: str, zone: str = NONE) -> Action:
    """The power on turn places units that it has bought; ships in a sea zone, where units are on the board."""
    placed = c.f.placed[territory, unit]
    changes: dict[Term, Term] = {placed: add(placed, count), **c.phase(MOBILIZE)}
    changes |= new_units(c, power, unit, count, territory if zone == NONE else zone)
    if unit == COMPLEX:
        changes |= new_complex(c, territory)
    where = () if zone == NONE else (("zone", zone),)
    return Action(
        "place" if zone == NONE else "launch",
        (("power", power), ("unit", unit), ("count", in_words(count)), ("territory", territory), *where),
        actor=power,
        requirements=(
            *c.on_turn(power),
            Requirement(le(add(placed, count), MOST), f"units are counted to {MOST}"),
            *c.placement.needs(power, unit, count, territory),
            *(declared_there(c, count, territory) if unit == COMPLEX else bought_before(c, unit, count)),
            *where_ships_go(c, power, unit, territory, zone),
        ),
        effects=tuple(changes.items()),
        text=f"{power} place {of_units(c.board, in_words(count), unit)} in {territory if zone == NONE else zone}",
        cites=cite("IC-p2/3") if unit == COMPLEX else cite("VC-infantry/3"),
    )


@encodes("IC-p2/3")
def new_complex(c: Context, territory: str) -> Changes:
    """A complex that was bought stands there once it is placed; one that stands there already stays of its kind."""
    f, kind = c.f, c.f.complexes[territory]
    return {kind: ite(eq(kind, NONE), member(f.complex_kinds.sort, BOUGHT), kind), f.declared[territory]: FALSE}


@encodes("IC-p2/2")
def declared_there(c: Context, count: Term, territory: str) -> tuple[Requirement, ...]:
    """That a complex is placed where it was declared to stand."""
    why = cite("IC-p2/2", "IC-p2/3")
    declared = c.f.declared[territory]
    return (
        Requirement(eq(count, 1), "one complex at a time is placed in a territory", why),
        Requirement(declared, f"no complex was bought for {territory} this turn", why),
    )


@encodes("VC-infantry/3")
@once
def bought_before(c: Context, unit: str, count: Term) -> tuple[Requirement, ...]:
    """That units of any kind, infantry too, were bought in the turn before they are placed."""
    bought, everywhere = c.f.bought[unit], [c.f.placed[t, unit] for t in c.board.land]
    placed = linear((1, there) for there in everywhere)
    enough = le(add(placed, count), bought)
    if c.on("missing_purchases", "allowed") and not c.counts_money:
        enough = or_(eq(bought, 0), enough)

    def message(values: Mapping[Term, Value]) -> str:
        done = sum(int(values[there]) for there in everywhere)
        had = int(values[bought])
        already = f"; {already_placed(done)}" if done else ""
        number = of_units(c.board, had, unit) if had else f"no {unit}"
        were = "were" if had > 1 else "was"
        return f"{number} {were} bought this turn{already}: {in_words(count)} more cannot be placed"

    return (Requirement(enough, message, cite("VC-infantry/3")),)


def unplaced_value(c: Context) -> Term:
    """What the units cost that were bought this turn and are not placed; nothing for what cost less than nothing."""
    left = []
    for name, unit in c.board.units.items():
        if name != COMPLEX:
            placed = linear((1, c.f.placed[t, name]) for t in c.board.land)
            more = linear([(1, c.f.bought[name]), (-1, placed)])
            left.append((unit.cost, ite(le(more, 0), linear([]), more)))
    complexes = ((max(c.placement.price(t), 0), c.f.declared[t]) for t in c.board.land)
    return linear([*left, *complexes])
