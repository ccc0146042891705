"""Aircraft: to a battle and back to a landing place, or from one landing place to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vclogic_encodings.axis_allies.armies.muster import Muster

from vclogic.terms.build import add, eq, le, linear, sub
from vclogic.terms.term import Term


def fly(m: Muster, targets: Iterable[str]) -> None:
    """Aircraft take part in battles, and land where their side controlled the land at its start, or on a carrier.

    Args:
        m: Takes the choices.
        targets: Where there can be battles.
    """
    battles = tuple(targets)
    for unit in m.roles.aircraft:
        origins = [r for r, _ in m.places([unit], m.c.board.regions)]
        move = m.c.board.units[unit].move
        ranges = {r: m.c.geography.flights(r, move) for r in dict.fromkeys((*origins, *battles))}
        fields = _landing_places(m, unit)
        for origin in origins:
            _ferry(m, unit, origin, ranges[origin], fields)
        for battle in battles:
            _sorties(m, unit, battle, {r: ranges[r] for r in origins}, ranges[battle], fields)
    _carriers(m)


def _landing_places(m: Muster, unit: str) -> tuple[str, ...]:
    land = [t for t in m.c.board.land if m.possible(m.mine(t))]
    if not m.c.board.units[unit].carrier_load:
        return tuple(land)
    decks = [z for z in m.c.board.sea if any(m.now(m.after(z, carrier)).hi for carrier in m.roles.carriers)]
    return (*land, *decks)


def _touch_down(m: Muster, unit: str, field: str, count: Term) -> None:
    m.arrive(field, unit, count)
    if m.c.board.territories[field].kind == "land":
        m.only_if(m.mine(field), count)


def _ferry(m: Muster, unit: str, origin: str, distance: Mapping[str, int], fields: Iterable[str]) -> None:
    for field in fields:
        if field != origin and field in distance:
            count = m.flow("fly", unit, origin, field, m.most(origin, unit))
            m.leave(origin, unit, count)
            _touch_down(m, unit, field, count)


def _sorties(
    m: Muster,
    unit: str,
    battle: str,
    origins: Mapping[str, Mapping[str, int]],
    home: Mapping[str, int],
    fields: Iterable[str],
) -> None:
    """Flights to one battle; those that came equally far have the same way left to a landing place."""
    reach = m.c.board.units[unit].move
    back = {f: home[f] for f in fields if f in home}
    by_distance: dict[int, list[Term]] = {}
    for origin, distance in origins.items():
        if battle in distance and any(distance[battle] + away <= reach for away in back.values()):
            flown = str(distance[battle])
            count = m.flow("sortie", unit, origin, battle, m.most(origin, unit), tag=flown)
            m.leave(origin, unit, count)
            m.attack(battle, count, m.c.board.units[unit].attack)
            by_distance.setdefault(distance[battle], []).append(count)
    for far, counts in by_distance.items():
        there = add(*counts)
        returning = []
        for field, away in back.items():
            if far + away <= reach:
                count = m.flow("return", unit, battle, field, there.hi, tag=str(far))
                _touch_down(m, unit, field, count)
                returning.append(count)
        m.laws.append(eq(sub(there, add(*returning)), 0))


def _carriers(m: Muster) -> None:
    """At the end of a turn there is room on the side's carriers for all its aircraft at sea."""
    board, f = m.c.board, m.c.f
    allies = [p for p in board.sides[m.side] if p != m.power]
    loads = {u: board.units[u].carrier_load for u in m.roles.aircraft}
    for zone in board.sea:
        moved = {p for p in (*m.come, *m.gone) if p[0] == zone}
        if not any(u in loads or u in m.roles.carriers for _, u in moved):
            continue
        others = [(w, f.units[zone, p, u]) for u, w in loads.items() for p in allies]
        aboard = linear([*others, *((w, m.after(zone, u)) for u, w in loads.items())])
        rooms = {u: board.units[u].carrier_room for u in m.roles.carriers}
        decks = [(w, f.units[zone, p, u]) for u, w in rooms.items() for p in allies]
        room = linear([*decks, *((w, m.after(zone, u)) for u, w in rooms.items())])
        m.laws.append(le(sub(aboard, room), 0))
