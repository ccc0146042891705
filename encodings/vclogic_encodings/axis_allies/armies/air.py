"""Aircraft: to a battle and back to a landing place, or from one landing place to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from vclogic_encodings.axis_allies.armies.muster import Muster

from vclogic.terms.build import eq, ge, le, linear
from vclogic.terms.term import Term

Distances = Mapping[str, int]


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
        away = {r: m.c.geography.flights(r, move) for r in dict.fromkeys((*origins, *battles))}
        fields = _landing_places(m, unit)
        _ferries(m, unit, {r: away[r] for r in _worth_leaving(m, origins)}, fields)
        for battle in battles:
            flown = {r: away[r][battle] for r in origins if battle in away[r]}
            _sorties(m, unit, battle, flown, {f: away[battle][f] for f in fields if f in away[battle]})
    _carriers(m)


def _worth_leaving(m: Muster, origins: Iterable[str]) -> list[str]:
    """Where aircraft have a reason to leave: being elsewhere later, or making room on a carrier."""
    return [r for r in origins if m.lasting or (m.decks and m.c.board.territories[r].kind == "sea")]


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


def _ferries(m: Muster, unit: str, origins: Mapping[str, Distances], fields: Iterable[str]) -> None:
    for origin, away in origins.items():
        for field in fields:
            if field != origin and field in away:
                count = m.flow("fly", unit, origin, field, m.most(origin, unit))
                m.leave(origin, unit, count)
                _touch_down(m, unit, field, count)


def _sorties(m: Muster, unit: str, battle: str, flown: Distances, home: Distances) -> None:
    """Flights to one battle, and from there to landing places that are near enough.

    The further an aircraft has flown, the nearer it must land. So the flights home need not say who makes them: there
    are enough of them if for each distance at least as many land near enough as came so far or further.
    """
    move = m.c.board.units[unit].move
    fields = _near_enough(m, home, move - min(flown.values(), default=move))
    if not fields:
        return
    nearest = min(home[f] for f in fields)
    out: dict[int, list[Term]] = {}
    for origin, way in flown.items():
        if way + nearest <= move:
            count = m.flow("sortie", unit, origin, battle, m.most(origin, unit))
            m.leave(origin, unit, count)
            m.fights(battle, unit, count)
            out.setdefault(way, []).append(count)
    if not out:
        return
    everybody = [n for counts in out.values() for n in counts]
    most = sum(n.hi for n in everybody)
    back: dict[str, Term] = {}
    for field in fields:
        back[field] = m.flow("return", unit, battle, field, most)
        _touch_down(m, unit, field, back[field])
    m.laws.append(eq(linear([*((1, n) for n in everybody), *((-1, n) for n in back.values())]), 0))
    _land_near_enough(m, out, {n: home[f] for f, n in back.items()}, move)


def _near_enough(m: Muster, home: Distances, left: int) -> Sequence[str]:
    """The landing places within reach; only one of those that are sure, where it does not matter who lands where."""
    fields = [f for f, away in home.items() if away <= left]
    if not m.lasting:
        sure = [f for f in fields if m.c.board.territories[f].kind == "land" and m.certain(m.mine(f))]
        if sure:
            nearest = min(home[f] for f in sure)
            kept = min((f for f in sure if home[f] == nearest), key=fields.index)
            return [kept, *(f for f in fields if home[f] < nearest)]
    return fields


def _land_near_enough(m: Muster, out: Mapping[int, Sequence[Term]], back: Mapping[Term, int], move: int) -> None:
    farther: list[Term] = []
    for way in sorted(out, reverse=True):
        farther += out[way]
        near = [n for n, away in back.items() if way + away <= move]
        if len(near) < len(back):
            m.laws.append(ge(linear([*((1, n) for n in near), *((-1, n) for n in farther)]), 0))


def _carriers(m: Muster) -> None:
    """At the end of a turn there is room on the side's carriers for all its aircraft at sea."""
    board, f = m.c.board, m.c.f
    allies = [p for p in board.sides[m.side] if p != m.power]
    loads = {u: board.units[u].carrier_load for u in m.roles.aircraft}
    moved = {zone for zone, u in (*m.come, *m.gone) if u in loads or u in m.roles.carriers}
    for zone in board.sea:
        if zone not in moved:
            continue
        others = [(w, f.units[zone, p, u]) for u, w in loads.items() for p in allies]
        aboard = linear([*others, *((w, m.after(zone, u)) for u, w in loads.items())])
        rooms = {u: board.units[u].carrier_room for u in m.roles.carriers}
        decks = [(w, f.units[zone, p, u]) for u, w in rooms.items() for p in allies]
        room = linear([*decks, *((w, m.after(zone, u)) for u, w in rooms.items())])
        m.laws.append(le(aboard, room))
