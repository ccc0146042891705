"""Ships, sea zones that enemy warships close, transports with the land units they carry, and bombardment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from vclogic_encodings.axis_allies.armies.battle import can_be_taken, clear_flag
from vclogic_encodings.axis_allies.armies.land import enter, worth_entering
from vclogic_encodings.axis_allies.armies.laws import most_aboard
from vclogic_encodings.axis_allies.armies.muster import Blow, Muster
from vclogic_encodings.axis_allies.armies.waters import Waters

from vclogic.terms.atoms import FALSE, integer
from vclogic.terms.build import add, eq, ge, le, linear, not_, or_
from vclogic.terms.term import Term


def put_to_sea(turn: Muster, waters: Waters) -> None:
    """Every ship may go up to two zones further; transports may carry land units on the way."""
    for zone in turn.board.sea:
        if turn.fights_for(zone) and turn.possible(turn.closed(zone)):
            clear_flag(turn, zone)
            if any(turn.spent(zone, unit) for unit in turn.roles.ships):
                turn.laws.append(or_(not_(turn.closed(zone)), clear_flag(turn, zone)))
    for zone, unit in turn.places(turn.roles.ships, turn.board.sea):
        for target in waters.around(zone, waters.reach(unit)):
            way = waters.sails(unit, zone, target)
            if target != zone and turn.possible(way) and _worth_sailing(turn, waters, unit, target):
                count = turn.flow("sail", unit, zone, target, turn.most(zone, unit))
                turn.leave(zone, unit, count)
                turn.arrive(target, unit, count)
                turn.only_if(way, count)
                _into(turn, waters, target, count)
    landings: dict[str, list[Crossing]] = {}
    for unit in turn.roles.transports:
        for (_, goal), crossing in _carry(turn, waters, unit).items():
            landings.setdefault(goal, []).append(crossing)
    _bombard(turn, waters, landings)


def _worth_sailing(turn: Muster, waters: Waters, unit: str, zone: str) -> bool:
    """True if a ship can be of use there: later, or in this turn's battles."""
    fights = turn.fights_for(zone) and turn.possible(turn.closed(zone)) and turn.board.units[unit].attack > 0
    return (
        turn.lasting
        or turn.afloat
        or fights
        or unit in turn.roles.carriers
        or (unit in turn.roles.bombarding and bool(waters.shores[zone]))
    )


def _into(turn: Muster, waters: Waters, zone: str, count: Term) -> None:
    """A zone with enemy warships is entered only to clear it."""
    if turn.possible(turn.closed(zone)):
        cleared = clear_flag(turn, zone) if turn.fights_for(zone) else FALSE
        turn.only_if(or_(not_(turn.closed(zone)), cleared), count)


# ---- transports


@dataclass
class Crossing:
    """The cargo carried from one zone to another, or across one zone.

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


def _carry(turn: Muster, waters: Waters, transport: str) -> Mapping[tuple[str, str], Crossing]:
    """The crossings that transports of a kind can make, by the zones where land units come aboard and go ashore."""
    crossings: dict[tuple[str, str], Crossing] = {}
    cargo = {z: _cargo(turn, waters.shores[z]) for z in turn.board.sea}
    reach = waters.reach(transport)
    for home, _ in turn.places([transport], turn.board.sea):
        for port, first in waters.around(home, reach).items():
            if not cargo[port] or not turn.possible(waters.open(port)):
                continue
            for goal in waters.around(port, reach - first):
                way = waters.carries(transport, home, port, goal)
                if _beaches(turn, waters, goal) and turn.possible(way):
                    ships = turn.flow("carry", transport, home, goal, turn.most(home, transport), via=(port,))
                    turn.leave(home, transport, ships)
                    turn.arrive(goal, transport, ships)
                    turn.only_if(way, ships)
                    _into(turn, waters, goal, ships)
                    crossings.setdefault((port, goal), Crossing(transport)).ships.append(ships)
    for (port, goal), crossing in crossings.items():
        _embark(turn, port, goal, cargo[port], crossing)
        _disembark(turn, goal, _beaches(turn, waters, goal), port, crossing)
        turn.laws += _room(turn, crossing)
    return crossings


def _beaches(turn: Muster, waters: Waters, zone: str) -> tuple[str, ...]:
    """The territories where land units go ashore from a zone."""
    return tuple(t for t in waters.shores[zone] if worth_entering(turn, t))


def _cargo(turn: Muster, shores: Iterable[str]) -> list[tuple[str, str]]:
    """The land units, by territory, that can come aboard."""
    carried = [u for u in turn.roles.soldiers if turn.board.units[u].transport_load]
    return [(t, u) for t, u in turn.places(carried, shores) if turn.possible(turn.mine(t))]


def _embark(turn: Muster, port: str, goal: str, cargo: Iterable[tuple[str, str]], crossing: Crossing) -> None:
    for territory, unit in cargo:
        count = turn.flow(
            "load", unit, territory, port, turn.most(territory, unit), tag=goal, ship=crossing.transport
        )
        turn.leave(territory, unit, count)
        turn.only_if(turn.mine(territory), count)
        crossing.loaded.setdefault(unit, []).append(count)


def _disembark(turn: Muster, goal: str, shores: Iterable[str], port: str, crossing: Crossing) -> None:
    for unit, loaded in crossing.loaded.items():
        most = sum(n.hi for n in loaded)
        ashore = crossing.landed.setdefault(unit, {})
        for territory in shores:
            ashore[territory] = turn.flow("land", unit, goal, territory, most, tag=port, ship=crossing.transport)
            enter(turn, unit, territory, ashore[territory])
        turn.laws.append(eq(linear([*((1, n) for n in loaded), *((-1, n) for n in ashore.values())]), 0))


def _room(turn: Muster, crossing: Crossing) -> Iterable[Term]:
    """The room of the transports: by load, by number of units, and one unit of the heavier kinds each."""
    board, transport = turn.board, crossing.transport
    room = board.units[transport].transport_room
    aboard = [(board.units[u].transport_load, n) for u, counts in crossing.loaded.items() for n in counts]

    def hold(each: int, load: Iterable[tuple[int, Term]]) -> Term:
        return ge(linear([*((each, n) for n in crossing.ships), *((-k, n) for k, n in load)]), 0)

    yield hold(room, aboard)
    most = most_aboard(board, transport, turn.roles.soldiers)
    yield hold(most, ((1, n) for _, n in aboard))
    for least in sorted({load for load, _ in aboard}):
        if room // least < most:  # else that has been said
            yield hold(room // least, ((1, n) for load, n in aboard if load >= least))


# ---- bombardment


def _bombard(turn: Muster, waters: Waters, landings: Mapping[str, list[Crossing]]) -> None:
    """Ships that did not fight at sea support landings from their zone, one territory each."""
    for zone in turn.board.sea:
        crossings = landings.get(zone, [])
        if not crossings and not any(
            turn.underway(turn.fluents.underway.coast(zone, t)) for t in waters.shores[zone]
        ):
            continue
        for unit in turn.roles.bombarding:
            ships = turn.after(zone, unit)
            if turn.now(ships).hi > 0 and turn.possible(waters.open(zone)):
                _support(turn, waters, zone, unit, ships, crossings)


def _support(turn: Muster, waters: Waters, zone: str, unit: str, ships: Term, crossings: list[Crossing]) -> None:
    fire: list[Term] = []
    for territory in waters.shores[zone]:
        if can_be_taken(turn, territory):
            guns = turn.flow("bombard", unit, zone, territory, turn.now(ships).hi)
            came = integer(turn.underway(turn.fluents.underway.coast(zone, territory)))
            landing = add(came, *(c.landed[u][territory] for c in crossings for u in c.landed))
            turn.attack(territory, Blow("guns", unit, guns, turn.board.units[unit].attack))
            turn.laws.append(or_(le(guns, 0), ge(landing, 1)))
            turn.only_if(waters.open(zone), guns)
            fire.append(guns)
    if fire:
        fired = turn.underway(turn.fluents.underway.fired[zone, unit])
        turn.laws.append(le(add(*fire, fired), ships))
