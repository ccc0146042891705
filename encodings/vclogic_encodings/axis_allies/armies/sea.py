"""Ships, sea zones that enemy warships close, transports with the land units they carry, and bombardment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from vclogic_encodings.axis_allies.armies.battle import can_be_taken, clear_flag
from vclogic_encodings.axis_allies.armies.land import enter, worth_entering
from vclogic_encodings.axis_allies.armies.laws import most_aboard
from vclogic_encodings.axis_allies.armies.muster import Blow, Muster
from vclogic_encodings.axis_allies.armies.waters import Waters

from vclogic.terms.atoms import integer
from vclogic.terms.build import add, eq, ge, le, linear, not_, or_
from vclogic.terms.term import Term


def put_to_sea(m: Muster, waters: Waters) -> None:
    """Every ship may go up to two zones further; transports may carry land units on the way."""
    for zone in m.c.board.sea:
        if m.possible(m.closed(zone)):
            clear_flag(m, zone)
            if any(m.spent(zone, unit) for unit in m.roles.ships):
                m.laws.append(or_(not_(m.closed(zone)), clear_flag(m, zone)))
    for zone, unit in m.places(m.roles.ships, m.c.board.sea):
        for target in waters.around(zone, waters.reach(unit)):
            way = waters.sails(unit, zone, target)
            if target != zone and m.possible(way) and _worth_sailing(m, waters, unit, target):
                count = m.flow("sail", unit, zone, target, m.most(zone, unit))
                m.leave(zone, unit, count)
                m.arrive(target, unit, count)
                m.only_if(way, count)
                _into(m, waters, target, count)
    landings: dict[str, list[Crossing]] = {}
    for unit in m.roles.transports:
        for (_, goal), crossing in _carry(m, waters, unit).items():
            landings.setdefault(goal, []).append(crossing)
    _bombard(m, waters, landings)


def _worth_sailing(m: Muster, waters: Waters, unit: str, zone: str) -> bool:
    """Whether a ship can be of use there: later, or in this turn's battles."""
    fights = m.possible(m.closed(zone)) and m.c.board.units[unit].attack > 0
    return (
        m.lasting or fights or unit in m.roles.carriers or (unit in m.roles.bombarding and bool(waters.shores[zone]))
    )


def _into(m: Muster, waters: Waters, zone: str, count: Term) -> None:
    """A zone with enemy warships is entered only to clear it."""
    if m.possible(m.closed(zone)):
        m.only_if(or_(not_(m.closed(zone)), clear_flag(m, zone)), count)


# ---- transports


@dataclass
class Crossing:
    """What is carried from one zone to another, or across one zone.

    Attributes:
        transport: A kind of transport.
        ships: Those that make it.
        loaded: Per kind of unit those that come aboard.
        landed: Per kind of unit and territory those that go ashore.
    """

    transport: str
    ships: list[Term] = field(default_factory=list)
    loaded: dict[str, list[Term]] = field(default_factory=dict)
    landed: dict[str, dict[str, Term]] = field(default_factory=dict)


def _carry(m: Muster, waters: Waters, transport: str) -> Mapping[tuple[str, str], Crossing]:
    """The crossings that transports of a kind can make, by the zones where land units come aboard and go ashore."""
    crossings: dict[tuple[str, str], Crossing] = {}
    cargo = {z: _cargo(m, waters.shores[z]) for z in m.c.board.sea}
    reach = waters.reach(transport)
    for home, _ in m.places([transport], m.c.board.sea):
        for port, first in waters.around(home, reach).items():
            if not cargo[port] or not m.possible(waters.open(port)):
                continue
            for goal in waters.around(port, reach - first):
                way = waters.carries(transport, home, port, goal)
                if _beaches(m, waters, goal) and m.possible(way):
                    ships = m.flow("carry", transport, home, goal, m.most(home, transport), via=(port,))
                    m.leave(home, transport, ships)
                    m.arrive(goal, transport, ships)
                    m.only_if(way, ships)
                    _into(m, waters, goal, ships)
                    crossings.setdefault((port, goal), Crossing(transport)).ships.append(ships)
    for (port, goal), crossing in crossings.items():
        _embark(m, port, goal, cargo[port], crossing)
        _disembark(m, goal, _beaches(m, waters, goal), port, crossing)
        m.laws += _room(m, crossing)
    return crossings


def _beaches(m: Muster, waters: Waters, zone: str) -> tuple[str, ...]:
    """Where land units go ashore from a zone."""
    return tuple(t for t in waters.shores[zone] if worth_entering(m, t))


def _cargo(m: Muster, shores: Iterable[str]) -> list[tuple[str, str]]:
    """The land units, by territory, that can come aboard."""
    carried = [u for u in m.roles.soldiers if m.c.board.units[u].transport_load]
    return [(t, u) for t, u in m.places(carried, shores) if m.possible(m.mine(t))]


def _embark(m: Muster, port: str, goal: str, cargo: Iterable[tuple[str, str]], crossing: Crossing) -> None:
    for territory, unit in cargo:
        count = m.flow("load", unit, territory, port, m.most(territory, unit), tag=goal, ship=crossing.transport)
        m.leave(territory, unit, count)
        m.only_if(m.mine(territory), count)
        crossing.loaded.setdefault(unit, []).append(count)


def _disembark(m: Muster, goal: str, shores: Iterable[str], port: str, crossing: Crossing) -> None:
    for unit, loaded in crossing.loaded.items():
        most = sum(n.hi for n in loaded)
        ashore = crossing.landed.setdefault(unit, {})
        for territory in shores:
            ashore[territory] = m.flow("land", unit, goal, territory, most, tag=port, ship=crossing.transport)
            enter(m, unit, territory, ashore[territory])
        m.laws.append(eq(linear([*((1, n) for n in loaded), *((-1, n) for n in ashore.values())]), 0))


def _room(m: Muster, crossing: Crossing) -> Iterable[Term]:
    """What the transports can hold: by load, by number of units, and one unit of the heavier kinds each."""
    board, transport = m.c.board, crossing.transport
    room = board.units[transport].transport_room
    aboard = [(board.units[u].transport_load, n) for u, counts in crossing.loaded.items() for n in counts]

    def hold(each: int, load: Iterable[tuple[int, Term]]) -> Term:
        return ge(linear([*((each, n) for n in crossing.ships), *((-k, n) for k, n in load)]), 0)

    yield hold(room, aboard)
    most = most_aboard(board, transport, m.roles.soldiers)
    yield hold(most, ((1, n) for _, n in aboard))
    for least in sorted({load for load, _ in aboard}):
        if room // least < most:  # else that has been said
            yield hold(room // least, ((1, n) for load, n in aboard if load >= least))


# ---- bombardment


def _bombard(m: Muster, waters: Waters, landings: Mapping[str, list[Crossing]]) -> None:
    """Ships that did not fight at sea support landings from their zone, one territory each."""
    for zone in m.c.board.sea:
        crossings = landings.get(zone, [])
        if not crossings and not any(m.underway(m.c.f.underway.coast(zone, t)) for t in waters.shores[zone]):
            continue
        for unit in m.roles.bombarding:
            ships = m.after(zone, unit)
            if m.now(ships).hi > 0 and m.possible(waters.open(zone)):
                _support(m, waters, zone, unit, ships, crossings)


def _support(m: Muster, waters: Waters, zone: str, unit: str, ships: Term, crossings: list[Crossing]) -> None:
    fire: list[Term] = []
    for territory in waters.shores[zone]:
        if can_be_taken(m, territory):
            guns = m.flow("bombard", unit, zone, territory, m.now(ships).hi)
            came = integer(m.underway(m.c.f.underway.coast(zone, territory)))
            landing = add(came, *(c.landed[u][territory] for c in crossings for u in c.landed))
            m.attack(territory, Blow("guns", unit, guns, m.c.board.units[unit].attack))
            m.laws.append(or_(le(guns, 0), ge(landing, 1)))
            m.only_if(waters.open(zone), guns)
            fire.append(guns)
    if fire:
        fired = m.underway(m.c.f.underway.fired[zone, unit])
        m.laws.append(le(add(*fire, fired), ships))
