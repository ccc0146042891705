"""Preferred landings of a player: of the places within range, one where the enemy cannot come, or hardly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from vclogic_encodings.axis_allies.armies.muster import Flow, Muster
from vclogic_encodings.axis_allies.armies.orders import Order, made, sorties
from vclogic_encodings.axis_allies.armies.waters import REACH

from vclogic.board.area import distances
from vclogic.model.fluents import numbered
from vclogic.model.memoized import memoized
from vclogic.model.transition import Chosen
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term


def safer_landings(turn: Muster, chosen: Chosen) -> Iterator[Mapping[Term, int]]:
    """The choices of a turn with aircraft landing where they are safer, best first.

    Aircraft that land on carriers stay with them.

    Args:
        turn: The turn, from a known state.
        chosen: What is chosen.

    Returns:
        First all aircraft where each is safest; then one order, or one aircraft of it, moved to one safer place.
    """
    flows, taken, cleared, _ = made(turn, chosen)
    values = Substitution({**turn.state, **{c: numbered(c, n) for c, n in chosen.items()}})
    after = _After(turn, values, frozenset((*taken, *cleared)))
    flights = [o for o in sorties(turn, flows) if o.via[0] in turn.board.land]
    back = {(f.unit, f.source, f.target): f for f in turn.flows if f.kind == "return"}
    better = [(o, _better(turn, o, back, after)) for o in flights]
    moved = [(o, fields[0], o.units[0][1]) for o, fields in better if fields]
    if moved:
        yield _moved(chosen, back, moved)
    for o, fields in better if len(moved) > 1 or any(n > 1 for _, _, n in moved) else ():
        for field in fields:
            for n in sorted({o.units[0][1], 1}, reverse=True):
                yield _moved(chosen, back, [(o, field, n)])


def _better(turn: Muster, order: Order, back: Mapping[tuple[str, str, str], Flow], after: _After) -> list[str]:
    """The places within range that are safer than where an order lands, the safest first, of equals the nearest."""
    (unit, _), battle = order.units[0], order.target
    away = turn.game.geography.flights(battle, turn.board.units[unit].move)
    left = turn.board.units[unit].move - away[order.source]
    fields = [
        t for u, b, t in back if (u, b) == (unit, battle) and t in turn.board.land and away.get(t, left + 1) <= left
    ]
    now = after.exposed(order.via[0])
    safer = [t for t in fields if after.exposed(t) < now and turn.certain(turn.mine(t))]
    return sorted(safer, key=lambda t: (after.exposed(t), away[t]))


def _moved(
    chosen: Chosen, back: Mapping[tuple[str, str, str], Flow], moves: Iterable[tuple[Order, str, int]]
) -> Mapping[Term, int]:
    found = dict(chosen)
    for order, field, n in moves:
        (unit, _), battle = order.units[0], order.target
        found[back[unit, battle, order.via[0]].count] -= n
        found[back[unit, battle, field].count] += n
    return found


@dataclass(frozen=True)
class _After:
    """The position after the moves and battles of a turn.

    Attributes:
        turn: The turn.
        values: Puts in the state before the turn and what is chosen.
        won: The regions that are taken or cleared.
    """

    turn: Muster
    values: Substitution
    won: frozenset[str]

    @memoized
    def exposed(self, territory: str) -> float:
        """The enemy's share of the strength that meets there in its next turn; 0 if no land unit can come."""
        threat = max((self._threat(territory, p) for p in self.turn.enemies), default=0)
        return threat / (threat + self._cover(territory)) if threat else 0.0

    def _threat(self, territory: str, power: str) -> int:
        """The attack that a power can bring there; 0 if none of its land units can come.

        Warships and canals that could stop its transports are not looked at.
        """
        board, roles = self.turn.board, self.turn.roles
        soldiers = self._by_land(territory, power) + self._by_sea(territory, power)
        if not soldiers:
            return 0
        from_the_air = 0
        for unit in roles.aircraft:
            near = self.turn.game.geography.flights(territory, max(board.units[unit].move - 1, 0))
            from_the_air += sum(self._enemies(r, power, unit) for r in near) * board.units[unit].attack
        return soldiers + from_the_air

    def _by_land(self, territory: str, power: str) -> int:
        """The attack of land units that march there."""
        by_land, units = self.turn.game.geography.by_land, self.turn.board.units
        near = by_land[territory]
        far = {t for n in near if self._open(n) for t in by_land[n]} - {territory, *near}
        return sum(
            self._enemies(t, power, u) * units[u].attack
            for u in self.turn.roles.soldiers
            for t in (*near, *(far if units[u].move > 1 else ()))
        )

    def _by_sea(self, territory: str, power: str) -> int:
        """The attack of land units that transports bring there: as many as there is room for, the strongest."""
        board, roles, geography = self.turn.board, self.turn.roles, self.turn.game.geography
        waters = board.map.part(board.sea)
        near = {z for shore in geography.shores[territory] for z in distances(waters, shore, REACH)}
        room = 2 * sum(self._enemies(z, power, u) for z in near for u in roles.transports)
        coast = [t for t in board.land if t != territory and near.intersection(geography.shores[t])] if room else []
        attacks = [
            board.units[u].attack for t in coast for u in roles.soldiers for _ in range(self._enemies(t, power, u))
        ]
        return sum(sorted(attacks, reverse=True)[:room])

    def _enemies(self, region: str, power: str, unit: str) -> int:
        return 0 if region in self.won else self.turn.state[self.turn.fluents.units[region, power, unit]].lo

    def _open(self, territory: str) -> bool:
        """True if enemy armour can go through a territory: nobody of the side stands in it, or it is the enemy's."""
        ours = territory in self.won or self.turn.certain(self.turn.fluents.controls(self.turn.side, territory))
        return not ours or not self._cover(territory)

    @memoized
    def _cover(self, territory: str) -> int:
        """The defence of the side's land units in a territory."""
        turn = self.turn
        allies = [p for p in turn.board.sides[turn.side] if p != turn.power]
        cover = 0
        for unit in turn.roles.soldiers:
            own = self.values(turn.after(territory, unit)).lo
            others = sum(turn.state[turn.fluents.units[territory, p, unit]].lo for p in allies)
            cover += (own + others) * turn.board.units[unit].defence
        return cover
