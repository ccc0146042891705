"""Battles of armies in a record: what a capture takes and costs, zones cleared, and what a turn must not leave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from vclogic_encodings.axis_allies.armies.field import MODEL, Deltas, Field, Values, field_of
from vclogic_encodings.axis_allies.armies.laws import cheapest_first, defence_of, hits, needed, wins
from vclogic_encodings.axis_allies.game import Changes, Context
from vclogic_encodings.axis_allies.names import COMBAT

from vclogic.model.actions import Action, Requirement
from vclogic.model.fluents import Family
from vclogic.terms.atoms import constant, integer
from vclogic.terms.build import add, and_, any_of, eq, ge, gt, le, linear, minimum, not_, or_, sub
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term, variables


def battle_won(c: Context, power: str, territory: str) -> tuple[Requirement, ...]:
    """What a capture needs of the army that has entered; nothing where units are not on the board."""
    if not c.f.armies:
        return ()
    field = field_of(c, power)
    landed, lost = _landed(field, territory), _hits(field, territory)
    nobody = f"{MODEL}no land unit of the {power} has entered {territory} this turn"
    few = f"{MODEL}the battle for {territory} takes every land unit that has entered: none is left to hold it"
    left = sub(_entered(field, territory), lost)
    return (
        Requirement(ge(landed, 1), nobody),
        _strong_enough(field, territory, _strength_on_land(field, territory)),
        *(() if lost.hi == 0 else (Requirement(or_(eq(lost, 0), ge(left, 1)), few),)),
    )


def _strong_enough(field: Field, region: str, strength: Term) -> Requirement:
    ratio = field.c.settings.number("ratio")
    defence = field.enemies(region, tuple(defence_of(field.roles, region).items()))
    against = needed(defence, ratio)

    def message(values: Values) -> str:
        have, need = _number(strength, values), max(_number(against, values), 1)
        much = "" if ratio == 1 else f", {ratio} times the defence"
        return f"{MODEL}the battle for {region} is not won: the attack is worth {have}, and {need} is needed{much}"

    return Requirement(wins(strength, defence, ratio), message)


def _number(term: Term, values: Values) -> int:
    """The number that a term comes to."""
    found = Substitution({v: constant(v.sort, values[v]) for v in variables(term)})(term)
    return int(found.payload)


def _entered(field: Field, territory: str, kinds: Iterable[str] | None = None) -> Term:
    entered = field.c.f.underway.entered
    return linear((1, entered[territory, u]) for u in (field.roles.soldiers if kinds is None else kinds))


def _landed(field: Field, territory: str) -> Term:
    return add(_entered(field, territory), field.c.f.underway.passed[territory])


def _strength_on_land(field: Field, territory: str) -> Term:
    turn, roles, units = field.c.f.underway, field.roles, field.c.board.units
    alone = linear((units[u].attack, turn.entered[territory, u]) for u in roles.soldiers)
    guns, men = _entered(field, territory, roles.supporting), _entered(field, territory, roles.supported)
    return add(alone, minimum(guns, men), turn.help[territory])


def _hits(field: Field, territory: str) -> Term:
    """The land units that the attacker loses."""
    if not field.c.on("losses", "defence"):
        return integer(0)
    return hits(field.enemies(territory, tuple(defence_of(field.roles, territory).items())))


def _lost(field: Field, territory: str) -> Mapping[str, Term]:
    """Of each kind those that fall: the cheapest first."""
    left, found = _hits(field, territory), {}
    for unit in cheapest_first(field.c.board, field.roles.soldiers):
        found[unit] = minimum(left, field.c.f.underway.entered[territory, unit])
        left = sub(left, found[unit])
    return found


def occupation(c: Context, power: str, territory: str) -> Changes:
    """What becomes of the armies when a territory is taken: those that entered hold it, the enemy's are gone."""
    if not c.f.armies:
        return {}
    field, turn, deltas = field_of(c, power), c.f.underway, Deltas(c)
    for unit, lost in _lost(field, territory).items():
        left = sub(turn.entered[territory, unit], lost)
        deltas.add(field.units(territory, unit), left)
        deltas.add(turn.moved[territory, unit], left)
        deltas.set(turn.entered[territory, unit], integer(0))
    deltas.set(turn.passed[territory], integer(0))
    return {**deltas.changes, **_over(field, territory)}


def _beaten(c: Context, power: str, region: str) -> Changes:
    """That the enemy's units in a region are gone."""
    enemies = c.board.sides[c.board.enemy(c.board.powers[power].side)]
    return {c.f.units[region, p, u]: integer(0) for p in enemies for u in c.f.forces.sort.members}


def _over(field: Field, region: str) -> Changes:
    turn, fought = field.c.f.underway, field.c.f.underway.fought[region]
    there = gt(field.defenders(region), 0)
    return {**_beaten(field.c, field.power, region), turn.help[region]: integer(0), fought: or_(fought, there)}


def no_army_entered(c: Context, power: str, territory: str) -> tuple[Requirement, ...]:
    """That no land unit waits for the battle of an attack that is given up."""
    if not c.f.armies:
        return ()
    message = f"{MODEL}land units of the {power} have entered {territory}: they do so only to take it"
    return (Requirement(eq(_landed(field_of(c, power), territory), 0), message),)


def clear(c: Context, power: str, zone: str) -> Action:
    """The power's ships in a zone, and aircraft over it, beat the enemy's; the ships stay there."""
    field, deltas = field_of(c, power), Deltas(c)
    strength = linear((c.board.units[u].attack, field.units(zone, u)) for u in field.roles.ships)
    for unit in field.roles.ships:
        deltas.set(c.f.underway.moved[zone, unit], field.units(zone, unit))
    return Action(
        "clear",
        (("power", power), ("zone", zone)),
        actor=power,
        requirements=(
            *c.on_turn(power),
            Requirement(gt(field.warships(zone), 0), f"{MODEL}no enemy warships are in {zone}"),
            _strong_enough(field, zone, add(strength, c.f.underway.help[zone])),
        ),
        effects=tuple({**deltas.changes, **_over(field, zone), **c.phase(COMBAT)}.items()),
        text=f"{power}: {zone} is cleared of enemy ships",
    )


# ---- the end of a turn


def all_decided(c: Context) -> tuple[Requirement, ...]:
    """That no battle is left to be fought and nobody is left in the air, whoever is on turn."""
    turn = c.f.underway
    waiting = (turn.entered, turn.passed)
    found = [_none(waiting, "land units have entered {}, which is not taken: they do so only to take it")]
    if c.on("theatre", "full"):
        found += [_none((turn.aloft,), "aircraft that have flown are to land in {} (`land`)")] if aircraft(c) else []
        found += (_not_among_enemies(c, zone) for zone in c.board.sea)
    return tuple(found)


def with_armies(c: Context, turn_over: Action) -> Action:
    """The end of a turn, which also asks that no army's move is left open; the next turn begins without any."""
    if not c.f.armies:
        return turn_over
    effects = (*turn_over.effects, *c.f.underway.reset().items())
    return replace(turn_over, requirements=(*turn_over.requirements, *all_decided(c)), effects=effects)


def aircraft(c: Context) -> bool:
    """Whether there are any on this board."""
    return any(u.kind == "air" for u in c.board.units.values())


def _none(families: tuple[Family, ...], said: str) -> Requirement:
    """That all numbers of some families are 0."""
    fluents = {x: index[0] for family in families for index, x in family.fluents.items()}

    def message(values: Values) -> str:
        places = dict.fromkeys(place for x, place in fluents.items() if values[x])
        return MODEL + said.format(" and ".join(places))

    return Requirement(le(linear((1, x) for x in fluents), 0), message)


def _not_among_enemies(c: Context, zone: str) -> Requirement:
    """That ships which went to a zone with enemy warships have cleared it."""
    turn, ships = c.f.underway, [n for n, u in c.board.units.items() if u.kind == "sea"]
    came = gt(linear((1, turn.moved[zone, u]) for u in ships), 0)
    closed = (and_(_on_turn(c, p), gt(field_of(c, p).warships(zone), 0)) for p in c.board.powers)
    message = f"{MODEL}ships went to {zone}, where enemy warships are, and have not cleared it (`clear`)"
    return Requirement(not_(and_(came, any_of(closed))), message)


def _on_turn(c: Context, power: str) -> Term:
    return eq(c.f.turn.fluent, power)
