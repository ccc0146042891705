"""Battles: what it takes to capture a territory or to clear a sea zone of enemy warships, and what it costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vclogic_encodings.axis_allies.armies.laws import cheapest_first, defence_of, hits, needed, wins
from vclogic_encodings.axis_allies.armies.muster import Blow, Muster
from vclogic_encodings.axis_allies.armies.waters import Waters

from vclogic.terms.atoms import integer
from vclogic.terms.build import add, and_, eq, ge, implies, le, linear, not_, or_, sub
from vclogic.terms.term import Term


def defenders(m: Muster, region: str) -> Term:
    """How many enemy units there are while the enemy has a region."""
    return _enemies(m, region, dict.fromkeys(m.roles.all, 1))


def defence(m: Muster, region: str) -> Term:
    """The sum of the defence of the enemy units that fight for a region that the enemy has."""
    return _enemies(m, region, defence_of(m.roles, region))


def _enemies(m: Muster, region: str, weights: Mapping[str, int]) -> Term:
    known = m.standing(region, weights)
    return m.enemy_total(region, weights) if known is None else integer(known)


def can_be_taken(m: Muster, territory: str) -> bool:
    """Whether a territory can be the enemy's as the turn begins."""
    return territory not in m.taken and not m.certain(m.mine(territory))


def capture_flag(m: Muster, territory: str) -> Term:
    """Whether the territory is captured this turn."""
    return m.flag(f"capture {territory}")


def clear_flag(m: Muster, zone: str) -> Term:
    """Whether the sea zone is cleared of the enemy this turn."""
    return m.flag(f"clear {zone}")


def captures(m: Muster) -> dict[str, Term]:
    """Each territory that can be captured, with the choice whether it is; adds what that takes."""
    found = {}
    for territory, entering in m.landed.items():
        if not can_be_taken(m, territory):
            continue
        taken = found[territory] = capture_flag(m, territory)
        number = add(integer(0), *entering)
        mine = m.mine(territory)
        m.laws.append(or_(mine, taken, le(number, 0)))
        m.laws.append(implies(taken, not_(mine)))
        m.laws.append(implies(taken, ge(number, 1)))
        _artillery(m, territory)
        m.laws += _strong_enough(m, territory, taken)
        if m.c.on("losses", "defence"):
            _losses(m, territory, taken)
    return found


def _artillery(m: Muster, territory: str) -> None:
    """Each artillery that attacks strengthens one infantry beside it by 1."""

    def entering(units: Iterable[str]) -> Term:
        return add(integer(0), *(n for u in units for n in m.come.get((territory, u), ())))

    guns, men = entering(m.roles.supporting), entering(m.roles.supported)
    most = min(m.now(guns).hi, m.now(men).hi)
    if most > 0:
        support = m.flow("support", m.roles.supporting[0], territory, territory, most)
        m.laws += (le(support, guns), le(support, men))
        m.attack(territory, Blow("support", m.roles.supporting[0], support, 1))


def _losses(m: Muster, territory: str, taken: Term) -> None:
    """The land units that an attacker loses: the cheapest first; one at least must be left to hold the territory."""
    fall = hits(defence(m, territory))
    if m.now(fall).hi == 0:
        return
    cheapest = cheapest_first(m.c.board, m.roles.soldiers)
    entered = {u: add(integer(0), *m.come.get((territory, u), ())) for u in cheapest}
    falling = {u: m.fallen(territory, u, m.now(n).hi) for u, n in entered.items() if m.now(n).hi}
    lost = add(integer(0), *falling.values())
    m.laws.append(implies(taken, and_(eq(lost, fall), ge(sub(add(*entered.values()), fall), 1))))
    m.laws.append(or_(taken, le(lost, 0)))
    cheaper: list[str] = []
    for unit, count in falling.items():
        m.laws.append(le(count, entered[unit]))
        m.laws += (or_(le(count, 0), ge(falling[u], entered[u])) for u in cheaper)
        cheaper.append(unit)


def clearings(m: Muster, waters: Waters) -> dict[str, Term]:
    """Each sea zone that can be cleared, with the choice whether it is; adds what that takes."""
    found = {}
    for zone in m.c.board.sea:
        flag = f"clear {zone}"
        if flag not in m.flags:
            continue
        cleared = found[zone] = m.flags[flag]
        for unit in m.roles.ships:
            m.fights(zone, unit, m.after(zone, unit))
        m.laws.append(implies(cleared, m.closed(zone)))
        m.laws += _strong_enough(m, zone, cleared)
    return found


def _strong_enough(m: Muster, region: str, won: Term) -> Iterable[Term]:
    """That a battle that is won has an attack of `ratio` times the defence, and of at least 1."""
    force = m.force.get(region, [])
    against, ratio = defence(m, region), m.c.settings.number("ratio")
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
