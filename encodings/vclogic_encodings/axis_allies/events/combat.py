"""Attacks, the emergency infantry before the first battles, and captures."""

from __future__ import annotations

from vclogic_encodings.axis_allies.armies.fights import battle_won, no_army_entered, occupation
from vclogic_encodings.axis_allies.board import INFANTRY
from vclogic_encodings.axis_allies.citing import cite
from vclogic_encodings.axis_allies.game import Changes, Context
from vclogic_encodings.axis_allies.names import COMBAT
from vclogic_encodings.axis_allies.planning.reaching import few_enough, from_its_own, next_to_the_side
from vclogic_encodings.axis_allies.rules.victory import not_over
from vclogic_encodings.axis_allies.rules.victory_cities import city_clause
from vclogic_encodings.axis_allies.wording import in_words

from vclogic.model.actions import Action, Requirement
from vclogic.terms.atoms import boolean, integer, member
from vclogic.terms.build import add, ite, not_, scale
from vclogic.terms.term import Term

FAILED = "failed attacks"
"""Name of a requirement; see `Requirement.name`."""


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
    return {**changes, **occupation(c, power, territory)}


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


def _within_reach(c: Context) -> bool:
    """Whether records are to be judged by what the planning model assumes, too."""
    return c.on("legality", "captures")


def attack(c: Context, power: str, territory: str) -> Action:
    """An attack is announced; its battle is yet to be fought."""
    changes = _battle(c, territory, to_come=True)
    return Action(
        "attack",
        (("power", power), ("territory", territory)),
        actor=power,
        requirements=(
            *c.on_turn(power),
            enemy_held(c, power, territory),
            *c.placement.no_later_than(COMBAT),
            *((from_its_own(c, power, territory),) if _within_reach(c) else ()),
        ),
        effects=tuple(changes.items()),
        text=f"{power} attack {territory}",
        cites=city_clause(c.board, territory),
    )


def attack_fails(c: Context, power: str, territory: str) -> Action:
    """The battle of an attack is over, and the territory stays with the other side."""
    return Action(
        "attack_fails",
        (("power", power), ("territory", territory)),
        actor=power,
        requirements=(
            *c.on_turn(power),
            c.placement.infantry.under_attack(territory),
            *c.placement.no_later_than(COMBAT),
            *no_army_entered(c, power, territory),
        ),
        effects=tuple(_battle(c, territory, failed=True).items()),
        text=f"{power} fail to take {territory}",
        cites=city_clause(c.board, territory),
    )


def _battle(c: Context, territory: str, *, to_come: bool = False, failed: bool = False) -> dict[Term, Term]:
    """Where a battle over a territory stands, in a turn that has come to combat."""
    stands = {c.f.attacked[territory]: boolean(to_come), c.f.failed_attacks[territory]: boolean(failed)}
    return {**stands, **c.phase(COMBAT)}


def emergency(c: Context, power: str, territory: str, infantry: Term) -> Action:
    """The defender of a city buys and places infantry just before a battle that comes before its first turn."""
    placed = c.f.emergency[territory]
    price, number = scale(infantry, c.board.units[INFANTRY].cost), in_words(infantry)
    there = c.reinforce(power, INFANTRY, infantry, territory)
    return Action(
        "emergency",
        (("power", power), ("territory", territory), ("infantry", number)),
        actor=power,
        requirements=(
            *not_over(c.f, c.settings),
            *c.placement.infantry.emergency_needs(power, territory, infantry),
            *c.money(power, price, f"{number} {INFANTRY}"),
        ),
        effects=((placed, add(placed, infantry)), *there.items(), *c.pay(power, price).items()),
        text=f"{power} place {number} infantry at {c.placement.infantry.city(territory)} before the battle",
        cites=cite("VC-infantry-p4/1", "VC-infantry-p4/2"),
    )


def capture(c: Context, power: str, territory: str, destroy_complex: str) -> Action:
    """A capture as a record holds it: the rule text alone judges it, not how the territory was reached."""
    f, complexes = c.f, c.placement.complexes
    changes = {**taking(c, power, territory), **_battle(c, territory)}
    failed = f"the attack on {territory} has failed this turn; taking it after all needs another `attack`"
    destroyed = destroy_complex == "yes"
    if destroyed:
        changes |= complexes.destroyed(territory)
    return Action(
        "capture",
        (("power", power), ("territory", territory), ("destroy_complex", destroy_complex)),
        actor=power,
        requirements=(
            *c.on_turn(power),
            enemy_held(c, power, territory),
            *c.placement.no_later_than(COMBAT),
            *((from_its_own(c, power, territory), few_enough(c, power, integer(1))) if _within_reach(c) else ()),
            Requirement(not_(f.failed_attacks[territory]), failed, name=FAILED),
            *battle_won(c, power, territory),
            *((complexes.there_is_one(territory), complexes.not_permanent(territory)) if destroyed else ()),
        ),
        effects=c.with_victories(changes),
        text=f"{power} take {territory}" + (", its complex destroyed by the defender" if destroyed else ""),
        cites=(*city_clause(c.board, territory), *(cite("IC-p4/2") if destroyed else ())),
        assumed=() if f.armies else (next_to_the_side(c, power, territory),),
        agreed=f.owner[territory] if destroyed else None,
    )
