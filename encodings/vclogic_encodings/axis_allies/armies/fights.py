"""Battles of armies in a record: captures, cleared sea zones, and what must be settled before a turn ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from vclogic_encodings.axis_allies.armies.field import MODEL, Deltas, TurnBoard, Values, field_of
from vclogic_encodings.axis_allies.armies.laws import cheapest_first, defence_of, hits, needed, wins
from vclogic_encodings.axis_allies.citing import encodes
from vclogic_encodings.axis_allies.game import Changes, Rules
from vclogic_encodings.axis_allies.level import complex_needs_battle
from vclogic_encodings.axis_allies.names import COMBAT

from vclogic.model.actions import Action, Requirement
from vclogic.model.fluents import Family
from vclogic.terms.atoms import constant, integer
from vclogic.terms.build import add, and_, any_of, eq, ge, gt, le, linear, minimum, not_, or_, sub
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term, variables


def battle_won(game: Rules, power: str, territory: str) -> tuple[Requirement, ...]:
    """The requirements of a capture."""
    field = field_of(game, power)
    landed, lost = _landed(field, territory), _hits(field, territory)
    nobody = f"{MODEL}no land unit of the {power} has entered {territory} this turn"
    few = f"{MODEL}the battle for {territory} takes every land unit that has entered: none is left to hold it"
    left = sub(_entered(field, territory), lost)
    return (
        Requirement(ge(landed, 1), nobody),
        _strong_enough(field, territory, _strength_on_land(field, territory)),
        *(() if lost.hi == 0 else (Requirement(or_(eq(lost, 0), ge(left, 1)), few),)),
    )


@encodes("IC-p4/2")
def battle_over(game: Rules, power: str, territory: str) -> Requirement:
    """Require that a battle is fought for a territory whose complex its defender destroys: `undefended_complex`."""
    fought = gt(field_of(game, power).defenders(territory), 0)
    return complex_needs_battle(fought, territory, "no unit defends it")


def _strong_enough(field: TurnBoard, region: str, strength: Term) -> Requirement:
    ratio = field.game.ratio
    defence = field.enemies(region, tuple(defence_of(field.roles, region).items()))
    against = needed(defence, ratio)

    def message(values: Values) -> str:
        have, need = _number(strength, values), max(_number(against, values), 1)
        much = "" if ratio <= 1 else f", {ratio} times the defence"
        return f"{MODEL}the battle for {region} is not won: the attack is worth {have}, and {need} is needed{much}"

    return Requirement(wins(strength, defence, ratio), message)


def _number(term: Term, values: Values) -> int:
    """The value of an Int term."""
    found = Substitution({v: constant(v.sort, values[v]) for v in variables(term)})(term)
    return int(found.payload)


def _entered(field: TurnBoard, territory: str, kinds: Iterable[str] | None = None) -> Term:
    entered = field.game.fluents.underway.entered
    return linear((1, entered[territory, u]) for u in (field.roles.soldiers if kinds is None else kinds))


def _landed(field: TurnBoard, territory: str) -> Term:
    return add(_entered(field, territory), field.game.fluents.underway.passed[territory])


def _strength_on_land(field: TurnBoard, territory: str) -> Term:
    underway, roles, units = field.game.fluents.underway, field.roles, field.game.board.units
    alone = linear((units[u].attack, underway.entered[territory, u]) for u in roles.soldiers)
    guns, men = _entered(field, territory, roles.supporting), _entered(field, territory, roles.supported)
    return add(alone, minimum(guns, men), _help(field, territory))


def _help(field: TurnBoard, region: str) -> Term:
    """The attack that units add without having entered: aircraft, ships' guns, units that went on through."""
    units = field.game.board.units
    return linear((units[u].attack, n) for u, n in field.game.fluents.underway.helping(region).items())


def _hits(field: TurnBoard, territory: str) -> Term:
    """The land units that the attacker loses."""
    if not field.game.on("losses", "defence"):
        return integer(0)
    return hits(field.enemies(territory, tuple(defence_of(field.roles, territory).items())))


def _lost(field: TurnBoard, territory: str) -> Mapping[str, Term]:
    """The attacker's losses of each kind, the cheapest first."""
    left, found = _hits(field, territory), {}
    for unit in cheapest_first(field.game.board, field.roles.soldiers):
        found[unit] = minimum(left, field.game.fluents.underway.entered[territory, unit])
        left = sub(left, found[unit])
    return found


def occupation(game: Rules, power: str, territory: str) -> Changes:
    """The effects of a capture on armies: those that entered hold the territory, the enemy's are removed."""
    field, underway, deltas = field_of(game, power), game.fluents.underway, Deltas(game)
    for unit, lost in _lost(field, territory).items():
        left = sub(underway.entered[territory, unit], lost)
        deltas.add(field.units(territory, unit), left)
        deltas.add(underway.moved[territory, unit], left)
        deltas.set(underway.entered[territory, unit], integer(0))
    deltas.set(underway.passed[territory], integer(0))
    return {**deltas.changes, **_over(field, territory)}


def _beaten(game: Rules, power: str, region: str) -> Changes:
    """Remove the enemy's units in a region."""
    enemies = game.board.sides[game.board.enemy(game.board.powers[power].side)]
    return {game.fluents.units[region, p, u]: integer(0) for p in enemies for u in game.fluents.forces.sort.members}


def _over(field: TurnBoard, region: str) -> Changes:
    underway, fought = field.game.fluents.underway, field.game.fluents.underway.fought[region]
    there = gt(field.defenders(region), 0)
    gone = dict.fromkeys(underway.helping(region).values(), integer(0))
    return {**_beaten(field.game, field.power, region), **gone, fought: or_(fought, there)}


def no_army_entered(game: Rules, power: str, territory: str) -> tuple[Requirement, ...]:
    """Require that no land unit has entered a territory whose attack is given up."""
    message = f"{MODEL}land units of the {power} have entered {territory}: they do so only to take it"
    return (Requirement(eq(_landed(field_of(game, power), territory), 0), message),)


def clear(game: Rules, power: str, zone: str) -> Action:
    """The power's ships in a zone, and aircraft over it, beat the enemy's; the ships stay there."""
    field, deltas = field_of(game, power), Deltas(game)
    strength = linear((game.board.units[u].attack, field.units(zone, u)) for u in field.roles.ships)
    for unit in field.roles.ships:
        deltas.set(game.fluents.underway.moved[zone, unit], field.units(zone, unit))
    return Action(
        "clear",
        (("power", power), ("zone", zone)),
        actor=power,
        requirements=(
            *game.on_turn(power),
            Requirement(gt(field.warships(zone), 0), f"{MODEL}no enemy warships are in {zone}"),
            _strong_enough(field, zone, add(strength, _help(field, zone))),
        ),
        effects=tuple({**deltas.changes, **_over(field, zone), **game.phase(COMBAT)}.items()),
        text=f"{power}: {zone} is cleared of enemy ships",
    )


# ---- the end of a turn


def all_decided(game: Rules) -> tuple[Requirement, ...]:
    """Require that every battle is settled and all aircraft have landed."""
    underway = game.fluents.underway
    waiting = (underway.entered, underway.passed)
    found = [_none(waiting, "land units have entered {}, which is not taken: they do so only to take it")]
    if game.on("theatre", "full"):
        if game.roles.aircraft:
            found.append(_none((underway.aloft,), "aircraft that have flown are to land in {} (`land`)"))
        found += (_not_among_enemies(game, zone) for zone in game.board.sea)
    return tuple(found)


def with_armies(game: Rules, turn_over: Action) -> Action:
    """The end of a turn with the requirements and effects of the army level."""
    effects = (*turn_over.effects, *game.fluents.underway.reset().items())
    return replace(turn_over, requirements=(*turn_over.requirements, *all_decided(game)), effects=effects)


def _none(families: tuple[Family, ...], said: str) -> Requirement:
    """Require that all numbers of some families are 0."""
    fluents = {x: index[0] for family in families for index, x in family.fluents.items()}

    def message(values: Values) -> str:
        places = dict.fromkeys(place for x, place in fluents.items() if values[x])
        return MODEL + said.format(" and ".join(places))

    return Requirement(le(linear((1, x) for x in fluents), 0), message)


def _not_among_enemies(game: Rules, zone: str) -> Requirement:
    """Require that ships which went to a zone with enemy warships have cleared it."""
    underway, ships = game.fluents.underway, game.board.kinds("sea")
    came = gt(linear((1, underway.moved[zone, u]) for u in ships), 0)
    turn = game.fluents.turn.fluent
    closed = (and_(eq(turn, p), gt(field_of(game, p).warships(zone), 0)) for p in game.board.powers)
    message = f"{MODEL}ships went to {zone}, where enemy warships are, and have not cleared it (`clear`)"
    return Requirement(not_(and_(came, any_of(closed))), message)
