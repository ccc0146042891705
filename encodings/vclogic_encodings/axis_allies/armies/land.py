"""Marches and blitzes of land units."""

from __future__ import annotations

from vclogic_encodings.axis_allies.armies.battle import can_be_taken, capture_flag, defenders
from vclogic_encodings.axis_allies.armies.muster import Muster

from vclogic.terms.build import and_, eq, le, not_, or_
from vclogic.terms.term import Term


def marches(turn: Muster) -> None:
    """Land units go to a neighbouring territory, those with two moves one further."""
    around = turn.game.geography.by_land
    for territory, unit in turn.places(turn.roles.soldiers, turn.board.land):
        most = turn.most(territory, unit)
        for target in around[territory]:
            if worth_entering(turn, target):
                _march(turn, unit, territory, target, most)
        if turn.board.units[unit].move >= 2:
            _two_steps(turn, unit, territory, most)


def worth_entering(turn: Muster, territory: str) -> bool:
    """True if land units may have a reason to go there; nobody enters a territory taken earlier in the turn."""
    return can_be_taken(turn, territory) or (turn.lasting and territory not in turn.taken)


def _march(turn: Muster, unit: str, source: str, target: str, most: int, via: tuple[str, ...] = ()) -> Term:
    count = turn.flow("march", unit, source, target, most, via=via)
    turn.leave(source, unit, count)
    enter(turn, unit, target, count)
    return count


def enter(turn: Muster, unit: str, target: str, count: Term) -> None:
    """Land units enter a territory; one of the enemy's is thereby attacked."""
    turn.arrive(target, unit, count)
    turn.landed.setdefault(target, []).append(count)
    turn.fights(target, unit, count)


def _two_steps(turn: Muster, unit: str, source: str, most: int) -> None:
    around = turn.game.geography.by_land
    for mid in around[source]:
        if turn.possible(turn.mine(mid)):
            for target in around[mid]:
                if worth_entering(turn, target) and target != source and target not in around[source]:
                    turn.only_if(turn.mine(mid), _march(turn, unit, source, target, most, via=(mid,)))
        if turn.game.on("blitz", "on") and turn.board.units[unit].blitzes and can_be_taken(turn, mid):
            _blitz(turn, unit, source, mid, most)


def _blitz(turn: Muster, unit: str, source: str, mid: str, most: int) -> None:
    """Through an undefended enemy territory, which is taken on the way."""
    undefended = and_(not_(turn.mine(mid)), eq(defenders(turn, mid), 0), not_(turn.fought(mid)))
    if not turn.possible(undefended):
        return
    taken = capture_flag(turn, mid)
    for target in turn.game.geography.by_land[mid]:
        if not worth_entering(turn, target):
            continue  # a march takes mid just as well
        count = turn.flow("blitz", unit, source, target, most, via=(mid,))
        turn.leave(source, unit, count)
        enter(turn, unit, target, count)
        turn.landed.setdefault(mid, []).append(count)
        turn.fights(mid, unit, count)
        turn.only_if(undefended, count)
        turn.laws.append(or_(taken, le(count, 0)))
