"""Marches and blitzes of land units."""

from __future__ import annotations

from vclogic_encodings.axis_allies.armies.battle import can_be_taken, capture_flag, defenders
from vclogic_encodings.axis_allies.armies.muster import Muster

from vclogic.terms.build import and_, eq, le, not_, or_
from vclogic.terms.term import Term


def marches(m: Muster) -> None:
    """Land units go to a neighbouring territory, those with two moves one further."""
    around = m.c.geography.by_land
    for territory, unit in m.places(m.roles.soldiers, m.c.board.land):
        most = m.most(territory, unit)
        for target in around[territory]:
            if worth_entering(m, target):
                _march(m, unit, territory, target, most)
        if m.c.board.units[unit].move >= 2:
            _two_steps(m, unit, territory, most)


def worth_entering(m: Muster, territory: str) -> bool:
    """Whether land units may have a reason to go there; nobody enters what was taken earlier in the turn."""
    return can_be_taken(m, territory) or (m.lasting and territory not in m.taken)


def _march(m: Muster, unit: str, source: str, target: str, most: int, via: tuple[str, ...] = ()) -> Term:
    count = m.flow("march", unit, source, target, most, via=via)
    m.leave(source, unit, count)
    enter(m, unit, target, count)
    return count


def enter(m: Muster, unit: str, target: str, count: Term) -> None:
    """Land units enter a territory; one of the enemy's is thereby attacked."""
    m.arrive(target, unit, count)
    m.landed.setdefault(target, []).append(count)
    m.fights(target, unit, count)


def _two_steps(m: Muster, unit: str, source: str, most: int) -> None:
    around = m.c.geography.by_land
    for mid in around[source]:
        if m.possible(m.mine(mid)):
            for target in around[mid]:
                if worth_entering(m, target) and target != source and target not in around[source]:
                    m.only_if(m.mine(mid), _march(m, unit, source, target, most, via=(mid,)))
        if m.c.on("blitz", "on") and m.c.board.units[unit].blitzes and can_be_taken(m, mid):
            _blitz(m, unit, source, mid, most)


def _blitz(m: Muster, unit: str, source: str, mid: str, most: int) -> None:
    """Through an undefended enemy territory, which is taken on the way."""
    undefended = and_(not_(m.mine(mid)), eq(defenders(m, mid), 0), not_(m.fought(mid)))
    if not m.possible(undefended):
        return
    taken = capture_flag(m, mid)
    for target in m.c.geography.by_land[mid]:
        if not worth_entering(m, target):
            continue  # a march takes mid just as well
        count = m.flow("blitz", unit, source, target, most, via=(mid,))
        m.leave(source, unit, count)
        enter(m, unit, target, count)
        m.landed.setdefault(mid, []).append(count)
        m.fights(mid, unit, count)
        m.only_if(undefended, count)
        m.laws.append(or_(taken, le(count, 0)))
