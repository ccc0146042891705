"""Attacks, the emergency infantry before the first battles, and captures."""

from __future__ import annotations

from collections.abc import Mapping

from vclogic_encodings.axis_allies.board import INFANTRY
from vclogic_encodings.axis_allies.citing import cite, encodes
from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.names import COMBAT
from vclogic_encodings.axis_allies.planning.reaching import few_enough, from_its_own, next_to_the_side
from vclogic_encodings.axis_allies.rules.victory import not_over
from vclogic_encodings.axis_allies.rules.victory_cities import city_clause
from vclogic_encodings.axis_allies.wording import in_words

from vclogic.model.actions import Action, Requirement
from vclogic.terms.atoms import FALSE, TRUE, boolean, integer, member
from vclogic.terms.build import add, and_, is_in, ite, not_, scale
from vclogic.terms.term import Term

FAILED = "failed attacks"
"""Name of a requirement; see `Requirement.name`."""


def enemy_held(game: Rules, power: str, territory: str) -> Requirement:
    """Require that the other side controls the territory."""
    other = game.board.enemy(game.board.powers[power].side)
    owner = game.fluents.owner[territory]
    return Requirement(
        game.fluents.controls(other, territory),
        lambda values: f"{territory} is not controlled by the {other}: it belongs to the {values[owner]}",
    )


@encodes("VC-infantry-p3/1")
def new_owner(game: Rules, power: str, territory: str) -> Term:
    """The owner of a territory that a power takes; see the reading `liberated_territory`."""
    taker = member(game.fluents.powers.sort, power)
    first = game.board.territories[territory].owner
    assert first is not None, "land has an owner at the start"
    capital = game.board.capital(first)
    allied = game.board.powers[first].side == game.board.powers[power].side
    if not game.on("liberated_territory", "first_owner") or not allied or capital is None:
        return taker
    back = member(game.fluents.powers.sort, first)
    return back if capital == territory else ite(game.fluents.owns(first, capital), back, taker)


def owners_after(game: Rules, power: str, taken: Mapping[str, Term]) -> dict[Term, Term]:
    """The owners after a power has taken some territories.

    Args:
        taken: The territories, and whether it has taken each.
    """
    owner = game.fluents.owner
    found = {owner[t]: ite(flag, new_owner(game, power, t), owner[t]) for t, flag in taken.items()}
    return {**found, **given_back(game, game.board.powers[power].side, taken, found)}


@encodes("VC-infantry-p3/1")
def given_back(game: Rules, side: str, taken: Mapping[str, Term], owners: Mapping[Term, Term]) -> dict[Term, Term]:
    """Territories go back to their first owner when allies free its capital; see `liberated_territory`.

    Args:
        side: The side that has taken something.
        taken: What it has taken: territories, and whether it has taken each.
        owners: Who owns what then, where that has changed.
    """
    found: dict[Term, Term] = {}
    if not game.on("liberated_territory", "first_owner"):
        return found
    for first in game.board.sides[side]:
        free = taken.get(game.board.capital(first) or "", FALSE)
        home = [t for t in game.board.land if game.board.territories[t].owner == first] if free is not FALSE else []
        for owner in (game.fluents.owner[t] for t in home):
            now = owners.get(owner, owner)
            goes = and_(free, is_in(now, game.board.sides[side]))
            found[owner] = ite(goes, member(game.fluents.powers.sort, first), now)
    return found


def _in_reach(game: Rules, power: str, territory: str) -> tuple[Requirement, ...]:
    """Require that the power can reach the territory, where records are also judged by the capture level."""
    return (from_its_own(game, power, territory),) if game.on("legality", "captures") else ()


def attack(game: Rules, power: str, territory: str) -> Action:
    """An attack is announced; its battle is yet to be fought."""
    changes = _battle(game, territory, to_come=True)
    return Action(
        "attack",
        (("power", power), ("territory", territory)),
        actor=power,
        requirements=(
            *game.on_turn(power),
            enemy_held(game, power, territory),
            *game.placement.no_later_than(COMBAT),
            *_in_reach(game, power, territory),
        ),
        effects=tuple(changes.items()),
        text=f"{power} attack {territory}",
        cites=city_clause(game.board, territory),
    )


def attack_fails(game: Rules, power: str, territory: str) -> Action:
    """The battle of an attack is over, and the territory stays with the other side."""
    return Action(
        "attack_fails",
        (("power", power), ("territory", territory)),
        actor=power,
        requirements=(
            *game.on_turn(power),
            game.placement.infantry.under_attack(territory),
            *game.placement.no_later_than(COMBAT),
            *game.level.no_army_entered(power, territory),
        ),
        effects=tuple(_battle(game, territory, failed=True).items()),
        text=f"{power} fail to take {territory}",
        cites=city_clause(game.board, territory),
    )


def _battle(game: Rules, territory: str, *, to_come: bool = False, failed: bool = False) -> dict[Term, Term]:
    """The state of a battle after an event of the combat phase."""
    attacked, failed_attack = game.fluents.attacked[territory], game.fluents.failed_attacks[territory]
    return {attacked: boolean(to_come), failed_attack: boolean(failed), **game.phase(COMBAT)}


def emergency(game: Rules, power: str, territory: str, infantry: Term) -> Action:
    """The defender of a city buys and places infantry just before a battle that comes before its first turn."""
    placed = game.fluents.emergency[territory]
    price, number = scale(infantry, game.board.units[INFANTRY].cost), in_words(infantry)
    there = game.reinforce(power, INFANTRY, infantry, territory)
    return Action(
        "emergency",
        (("power", power), ("territory", territory), ("infantry", number)),
        actor=power,
        requirements=(
            *not_over(game.fluents, game.settings),
            *game.placement.infantry.emergency_needs(power, territory, infantry),
            *game.money(power, price, f"{number} {INFANTRY}"),
        ),
        effects=((placed, add(placed, infantry)), *there.items(), *game.pay(power, price).items()),
        text=f"{power} place {number} infantry at {game.placement.infantry.city(territory)} before the battle",
        cites=cite("VC-infantry-p4/1", "VC-infantry-p4/2"),
    )


def capture(game: Rules, power: str, territory: str, destroy_complex: str) -> Action:
    """A capture as a record holds it: the rule text alone judges it, not how the territory was reached."""
    fluents, complexes = game.fluents, game.placement.complexes
    changes: dict[Term, Term] = {**owners_after(game, power, {territory: TRUE}), **game.phase(COMBAT)}
    changes |= {**game.level.occupation(power, territory), **_battle(game, territory)}
    failed = f"the attack on {territory} has failed this turn; taking it after all needs another `attack`"
    destroyed = destroy_complex == "yes"
    destroys = [complexes.there_is_one(territory), complexes.not_permanent(territory)] if destroyed else []
    if destroyed and game.on("undefended_complex", "battle"):
        destroys.append(game.level.battle_over(power, territory))
    if destroyed:
        changes |= complexes.destroyed(territory)
    return Action(
        "capture",
        (("power", power), ("territory", territory), ("destroy_complex", destroy_complex)),
        actor=power,
        requirements=(
            *game.on_turn(power),
            enemy_held(game, power, territory),
            *game.placement.no_later_than(COMBAT),
            *_in_reach(game, power, territory),
            *((few_enough(game, power, integer(1)),) if game.on("legality", "captures") else ()),
            Requirement(not_(fluents.failed_attacks[territory]), failed, name=FAILED),
            *game.level.battle_won(power, territory),
            *destroys,
        ),
        effects=game.with_victories(changes),
        text=f"{power} take {territory}" + (", its complex destroyed by the defender" if destroyed else ""),
        cites=(*city_clause(game.board, territory), *(cite("IC-p4/2") if destroyed else ())),
        assumed=() if fluents.armies else (next_to_the_side(game, power, territory),),
        agreed=fluents.owner[territory] if destroyed else None,
    )
