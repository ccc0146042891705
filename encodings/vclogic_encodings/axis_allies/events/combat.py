"""Attacks, the emergency infantry before the first battles, and captures."""

from __future__ import annotations

from collections.abc import Mapping

from vclogic_encodings.axis_allies.armies.fights import battle_won, no_army_entered, occupation
from vclogic_encodings.axis_allies.board import COMPLEX, INFANTRY, MOST
from vclogic_encodings.axis_allies.citing import cite, encodes
from vclogic_encodings.axis_allies.game import Changes, Context
from vclogic_encodings.axis_allies.names import COMBAT, NONE, PERMANENT
from vclogic_encodings.axis_allies.planning.reaching import few_enough, from_its_own, next_to_the_side
from vclogic_encodings.axis_allies.rules.victory_cities import city_clause
from vclogic_encodings.axis_allies.wording import in_words

from vclogic.model.actions import Action, Requirement
from vclogic.model.fluents import Value
from vclogic.terms.atoms import FALSE, boolean, integer, member
from vclogic.terms.build import add, eq, ite, le, not_, scale
from vclogic.terms.term import Term

FIRST_TURN = "in emergencies and its first turn together"
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
            *c.no_later_than(COMBAT),
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
            under_attack(c, territory),
            *c.no_later_than(COMBAT),
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


@encodes("VC-infantry-p4/1")
def under_attack(c: Context, territory: str) -> Requirement:
    """That a territory is under attack and the battle is yet to come."""
    failed = c.f.failed_attacks[territory]

    def message(values: Mapping[Term, Value]) -> str:
        why = (
            "the attack on it has failed" if values[failed] else "no `attack` on it this turn, or its battle is over"
        )
        return f"{territory} is not under attack: {why}"

    return Requirement(c.f.attacked[territory], message, cite("VC-infantry-p4/1"))


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
            *c.not_over(),
            *emergency_needs(c, power, territory, infantry),
            *c.money(power, price, f"{number} {INFANTRY}"),
        ),
        effects=((placed, add(placed, infantry)), *there.items(), *c.pay(power, price).items()),
        text=f"{power} place {number} infantry at {c.placement.city(territory)} before the battle",
        cites=cite("VC-infantry-p4/1", "VC-infantry-p4/2"),
    )


@encodes("VC-infantry-p4/1")
def emergency_needs(c: Context, power: str, territory: str, infantry: Term) -> tuple[Requirement, ...]:
    """That the defender of an attacked city places no more infantry than it may per turn, before its first turn."""
    f = c.f
    if territory not in c.board.cities:
        return (Requirement(FALSE, f"{territory} has no victory city", cite("VC-infantry-p4/1")),)
    most, why = c.placement.most_infantry(power, territory)
    before = {"each_attack": "before a battle", "once": "before its battles", "first_turn": FIRST_TURN}
    when = before[c.settings.readings["emergency_limit"]]
    owner, placed = f.owner[territory], f.emergency[territory]
    return (
        Requirement(
            f.owns(power, territory),
            lambda values: f"the {power} are not the defender of {territory}: it belongs to the {values[owner]}",
            cite("VC-infantry-p4/1"),
        ),
        under_attack(c, territory),
        before_first_turn(c, power),
        Requirement(
            le(add(placed, infantry), min(most, MOST)),
            c.placement.too_many(power, territory, most, when, lambda values: int(values[placed])),
            (*cite("VC-infantry-p4/1"), *why),
        ),
    )


@encodes("VC-infantry-p4/2")
def before_first_turn(c: Context, power: str) -> Requirement:
    """That the defender has not had its first turn."""
    message = f"the {power} have had their first turn"
    return Requirement(not_(c.f.first_turn_done[power]), message, cite("VC-infantry-p4/1", "VC-infantry-p4/2"))


def capture(c: Context, power: str, territory: str, destroy_complex: str) -> Action:
    """A capture as a record holds it: the rule text alone judges it, not how the territory was reached."""
    f = c.f
    changes = {**taking(c, power, territory), **_battle(c, territory)}
    failed = f"the attack on {territory} has failed this turn; taking it after all needs another `attack`"
    destroyed = destroy_complex == "yes"
    if destroyed:
        changes |= destruction(c, territory)
    return Action(
        "capture",
        (("power", power), ("territory", territory), ("destroy_complex", destroy_complex)),
        actor=power,
        requirements=(
            *c.on_turn(power),
            enemy_held(c, power, territory),
            *c.no_later_than(COMBAT),
            *((from_its_own(c, power, territory), few_enough(c, power, integer(1))) if _within_reach(c) else ()),
            Requirement(not_(f.failed_attacks[territory]), failed, name=FAILED),
            *battle_won(c, power, territory),
            *((there_is_one(c, territory), not_permanent(c, territory)) if destroyed else ()),
        ),
        effects=c.with_victories(changes),
        text=f"{power} take {territory}" + (", its complex destroyed by the defender" if destroyed else ""),
        cites=(*city_clause(c.board, territory), *(cite("IC-p4/2") if destroyed else ())),
        assumed=() if f.armies else (next_to_the_side(c, power, territory),),
        agreed=f.owner[territory] if destroyed else None,
    )


@encodes("IC-p4/2")
def there_is_one(c: Context, territory: str) -> Requirement:
    """That there is a complex in a territory."""
    none = eq(c.f.complexes[territory], NONE)
    return Requirement(not_(none), f"there is no {COMPLEX} in {territory} to destroy", cite("IC-p4/2"))


@encodes("IC-p4/1")
def not_permanent(c: Context, territory: str) -> Requirement:
    """That a complex was bought: those that were there at the start of the game are never destroyed."""
    message = f"the {COMPLEX} in {territory} was there at the start of the game: it is permanent"
    return Requirement(not_(eq(c.f.complexes[territory], PERMANENT)), message, cite("IC-p4/1", "IC-p4/2"))


@encodes("IC-p4/2")
def destruction(c: Context, territory: str) -> Changes:
    """The defender may destroy a complex as its territory is taken: it is gone then."""
    return {c.f.complexes[territory]: member(c.f.complex_kinds.sort, NONE)}
