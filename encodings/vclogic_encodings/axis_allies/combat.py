"""Attacks, the emergency infantry before the first battles, and captures."""

from __future__ import annotations

from vclogic_encodings.axis_allies.board import COMPLEX, INFANTRY, MOST
from vclogic_encodings.axis_allies.citing import cite, city_clause
from vclogic_encodings.axis_allies.context import Changes, Context
from vclogic_encodings.axis_allies.names import COMBAT, NONE, PERMANENT

from vclogic.model.actions import Action, Requirement
from vclogic.terms.atoms import FALSE, TRUE, integer, member
from vclogic.terms.build import add, eq, ite, le, not_
from vclogic.terms.term import Term


def enemy_held(c: Context, power: str, territory: str) -> Requirement:
    """That the other side controls the territory."""
    other = c.board.enemy(c.board.powers[power].side)
    owner = c.f.owner[territory]
    return Requirement(
        c.f.controls(other, territory),
        lambda values: f"{territory} is not controlled by the {other}: it belongs to the {values[owner]}",
    )


def taking(c: Context, power: str, territory: str) -> Changes:
    """What changes on the map when a power takes a territory."""
    changes: dict[Term, Term] = {c.f.owner[territory]: new_owner(c, power, territory), **c.phase(COMBAT)}
    if c.f.armies:
        enemies = c.board.sides[c.board.enemy(c.board.powers[power].side)]
        beaten = [c.f.units[territory, p, u] for p in enemies for u in c.f.forces.sort.members]
        changes |= dict.fromkeys(beaten, integer(0))
    return changes


def new_owner(c: Context, power: str, territory: str) -> Term:
    """Who owns a territory that a power takes; see the reading `liberated_territory`."""
    taker = member(c.f.powers.sort, power)
    first = c.board.territories[territory].owner
    assert first is not None, "land has an owner at the start"
    capital = c.board.capital(first)
    allied = c.board.powers[first].side == c.board.powers[power].side
    if not c.on("liberated_territory", "first_owner") or not allied or capital is None:
        return taker
    back = member(c.f.powers.sort, first)
    return back if capital == territory else ite(c.f.owns(first, capital), back, taker)


def _reached(c: Context, power: str, territory: str) -> tuple[Requirement, ...]:
    """That the power could get there, where records are to be judged by the planning model too."""
    if not c.on("legality", "captures"):
        return ()
    side = c.board.powers[power].side
    way = c.geography.reaches(
        territory,
        lambda t: eq(c.f.owner_at_turn_start[t], power) if t in c.f.territories.sort.index else FALSE,
        lambda t: c.f.controls(side, t),
    )
    message = f"the {power} cannot reach {territory} by land or sea from what they owned when the turn began"
    return (Requirement(way, f"{message} (option legality)"),)


def attack(c: Context, power: str, territory: str) -> Action:
    """An attack is announced; its battle is yet to be fought."""
    changes: dict[Term, Term] = {c.f.attacked[territory]: TRUE, **c.phase(COMBAT)}
    return Action(
        "attack",
        (("power", power), ("territory", territory)),
        actor=power,
        requirements=(
            *c.on_turn(power),
            enemy_held(c, power, territory),
            *c.no_later_than(COMBAT),
            *_reached(c, power, territory),
        ),
        effects=tuple(changes.items()),
        text=f"{power} attack {territory}",
        cites=city_clause(c.board, territory),
    )


def emergency(c: Context, power: str, territory: str, infantry: int) -> Action:
    """The defender of a city buys and places infantry just before a battle that comes before its first turn."""
    placed = c.f.emergency[territory]
    price = infantry * c.board.units[INFANTRY].cost
    there = c.reinforce(power, INFANTRY, infantry, territory)
    return Action(
        "emergency",
        (("power", power), ("territory", territory), ("infantry", infantry)),
        actor=power,
        requirements=(
            *c.not_over(),
            *_emergency_needs(c, power, territory, infantry),
            *c.money(power, price, f"{infantry} {INFANTRY}"),
        ),
        effects=((placed, add(placed, infantry)), *there.items(), *c.pay(power, price).items()),
        text=f"{power} place {infantry} infantry at {c.placement.city(territory)} before the battle",
        cites=cite("VC-infantry-p4/1", "VC-infantry-p4/2"),
    )


def _emergency_needs(c: Context, power: str, territory: str, infantry: int) -> tuple[Requirement, ...]:
    f = c.f
    if territory not in c.board.cities:
        return (Requirement(FALSE, f"{territory} has no victory city", cite("VC-infantry-p4/1")),)
    most, why = c.placement.most_infantry(power, territory)
    once = c.on("emergency_limit", "once")
    owner, placed = f.owner[territory], f.emergency[territory]
    no_attack = f"{territory} is not under attack: no `attack` on it this turn, or its battle is over"
    return (
        Requirement(
            f.owns(power, territory),
            lambda values: f"the {power} are not the defender of {territory}: it belongs to the {values[owner]}",
            cite("VC-infantry-p4/1"),
        ),
        Requirement(f.attacked[territory], no_attack, cite("VC-infantry-p4/1")),
        Requirement(
            not_(f.first_turn_done[power]),
            f"the {power} have had their first turn",
            cite("VC-infantry-p4/1", "VC-infantry-p4/2"),
        ),
        Requirement(
            le(add(placed, infantry), min(most, MOST)),
            c.placement.too_many(power, territory, most, "before its battles" if once else "before a battle", placed),
            (*cite("VC-infantry-p4/1"), *why),
        ),
    )


def capture(c: Context, power: str, territory: str, destroy_complex: str) -> Action:
    """A capture as a record holds it: the rule text alone judges it, not how the territory was reached."""
    f = c.f
    changes = {**taking(c, power, territory), f.attacked[territory]: FALSE}
    destroyed = destroy_complex == "yes"
    if destroyed:
        changes[f.complexes[territory]] = member(f.complex_kinds.sort, NONE)
    return Action(
        "capture",
        (("power", power), ("territory", territory), ("destroy_complex", destroy_complex)),
        actor=power,
        requirements=(
            *c.on_turn(power),
            enemy_held(c, power, territory),
            *c.no_later_than(COMBAT),
            *_reached(c, power, territory),
            *(_destroyable(c, territory) if destroyed else ()),
        ),
        effects=c.with_victories(changes),
        text=f"{power} take {territory}" + (", its complex destroyed by the defender" if destroyed else ""),
        cites=(*city_clause(c.board, territory), *(cite("IC-p4/2") if destroyed else ())),
    )


def _destroyable(c: Context, territory: str) -> tuple[Requirement, ...]:
    kind = c.f.complexes[territory]
    return (
        Requirement(not_(eq(kind, NONE)), f"there is no {COMPLEX} in {territory} to destroy", cite("IC-p4/2")),
        Requirement(
            not_(eq(kind, PERMANENT)),
            f"the {COMPLEX} in {territory} was there at the start of the game: it is permanent",
            cite("IC-p4/1", "IC-p4/2"),
        ),
    )
