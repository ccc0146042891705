"""Battles: what it takes to capture a territory or to clear a sea zone of enemy warships, and what it costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vclogic_encodings.axis_allies.armies.laws import cheapest_first, defence_of, hits, needed, wins
from vclogic_encodings.axis_allies.armies.muster import Blow, Muster
from vclogic_encodings.axis_allies.armies.profiles import likely_enough
from vclogic_encodings.axis_allies.armies.waters import Waters

from vclogic.terms.atoms import integer
from vclogic.terms.build import add, and_, eq, ge, implies, le, linear, not_, or_, sub
from vclogic.terms.term import Term


def defenders(turn: Muster, region: str) -> Term:
    """The number of enemy units in a region that the enemy holds."""
    return _enemies(turn, region, dict.fromkeys(turn.roles.all, 1))


def defence(turn: Muster, region: str) -> Term:
    """The total defence of the enemy units in a region that the enemy holds."""
    return _enemies(turn, region, defence_of(turn.roles, region))


def _enemies(turn: Muster, region: str, weights: Mapping[str, int]) -> Term:
    known = turn.standing(region, weights)
    return turn.enemy_total(region, weights) if known is None else integer(known)


def can_be_taken(turn: Muster, territory: str) -> bool:
    """True if a territory can be the enemy's as the turn begins."""
    return turn.fights_for(territory) and territory not in turn.taken and not turn.certain(turn.mine(territory))


def capture_flag(turn: Muster, territory: str) -> Term:
    """True if the territory is captured this turn."""
    return turn.flag(f"capture {territory}")


def clear_flag(turn: Muster, zone: str) -> Term:
    """True if the sea zone is cleared of the enemy this turn."""
    return turn.flag(f"clear {zone}")


def captures(turn: Muster) -> dict[str, Term]:
    """The capture flag of each territory that can be captured; adds the laws of its battle."""
    found = {}
    for territory, entering in turn.landed.items():
        if not can_be_taken(turn, territory):
            continue
        taken = found[territory] = capture_flag(turn, territory)
        number = add(integer(0), *entering)
        mine = turn.mine(territory)
        turn.laws.append(or_(mine, taken, le(number, 0)))
        turn.laws.append(implies(taken, not_(mine)))
        turn.laws.append(implies(taken, ge(number, 1)))
        if turn.game.ratio:
            _artillery(turn, territory)
        turn.laws += _strong_enough(turn, territory, taken)
        if turn.game.on("losses", "defence") and turn.aim is None:
            _losses(turn, territory, taken)
    return found


def _artillery(turn: Muster, territory: str) -> None:
    """Each artillery that attacks strengthens one infantry beside it by 1."""

    def entering(units: Iterable[str]) -> Term:
        return add(integer(0), *(n for u in units for n in turn.come.get((territory, u), ())))

    guns, men = entering(turn.roles.supporting), entering(turn.roles.supported)
    most = min(turn.now(guns).hi, turn.now(men).hi)
    if most > 0:
        support = turn.flow("support", turn.roles.supporting[0], territory, territory, most)
        turn.laws += (le(support, guns), le(support, men))
        turn.attack(territory, Blow("support", turn.roles.supporting[0], support, 1))


def _losses(turn: Muster, territory: str, taken: Term) -> None:
    """The land units that an attacker loses: the cheapest first; one at least must be left to hold the territory."""
    fall = hits(defence(turn, territory))
    if turn.now(fall).hi == 0:
        return
    cheapest = cheapest_first(turn.board, turn.roles.soldiers)
    entered = {u: add(integer(0), *turn.come.get((territory, u), ())) for u in cheapest}
    falling = {u: turn.fallen(territory, u, turn.now(n).hi) for u, n in entered.items() if turn.now(n).hi}
    lost = add(integer(0), *falling.values())
    turn.laws.append(implies(taken, and_(eq(lost, fall), ge(sub(add(*entered.values()), fall), 1))))
    turn.laws.append(or_(taken, le(lost, 0)))
    cheaper: list[str] = []
    for unit, count in falling.items():
        turn.laws.append(le(count, entered[unit]))
        turn.laws += (or_(le(count, 0), ge(falling[u], entered[u])) for u in cheaper)
        cheaper.append(unit)


def clearings(turn: Muster, waters: Waters) -> dict[str, Term]:
    """The flag of each sea zone that can be cleared; adds the laws of its battle."""
    found = {}
    for zone in turn.board.sea:
        flag = f"clear {zone}"
        if flag not in turn.flags:
            continue
        cleared = found[zone] = turn.flags[flag]
        for unit in turn.roles.ships:
            turn.fights(zone, unit, turn.after(zone, unit))
        turn.laws.append(implies(cleared, turn.closed(zone)))
        turn.laws += _strong_enough(turn, zone, cleared)
    return found


def _strong_enough(turn: Muster, region: str, won: Term) -> Iterable[Term]:
    """Laws: a battle is won only with an attack of `ratio` times the defence, and of at least 1, or good odds."""
    if turn.aim is not None:
        return ()
    if not turn.game.ratio:
        return likely_enough(turn, region, won)
    force = turn.force.get(region, [])
    against, ratio = defence(turn, region), turn.game.ratio
    if not against.is_const:
        return [implies(won, wins(linear((blow.strength, blow.count) for blow in force), against, ratio))]
    # Nothing fights with less than no strength, so where the need is known this is a sum. Rounded up to whole units
    # of each strength it says the same, and bounds more closely what fractions of units could do.
    least = max(needed(against, ratio).lo, 1)
    sums = []
    for share in (1, *sorted({blow.strength for blow in force if blow.strength > 1})):
        rounded = ((-(-blow.strength // share), blow.count) for blow in force)
        sums.append(ge(linear([*rounded, (-least // share, won)]), 0))
    return sums
