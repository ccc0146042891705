"""Aircraft: to a battle and back to a landing place, or from one landing place to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from vclogic_encodings.axis_allies.armies.muster import Muster

from vclogic.terms.build import eq, ge, le, linear
from vclogic.terms.term import Term

Distances = Mapping[str, int]


def fly(turn: Muster, targets: Iterable[str]) -> None:
    """Add flights to battles, and landings on land that the side controlled as the turn began or on a carrier.

    Args:
        turn: Receives the choices and laws.
        targets: Where there can be battles.
    """
    battles = tuple(targets)
    for unit in turn.roles.aircraft:
        origins = [r for r, _ in turn.places([unit], turn.board.regions)]
        move = turn.board.units[unit].move
        away = {r: turn.game.geography.flights(r, move) for r in dict.fromkeys((*origins, *battles))}
        fields = _landing_places(turn, unit)
        _ferries(turn, unit, {r: away[r] for r in _worth_leaving(turn, origins)}, fields)
        if turn.afloat and not turn.lasting:
            aboard = [f for f in fields if turn.board.territories[f].kind == "sea"]
            _ferries(turn, unit, {r: away[r] for r in origins if r not in _worth_leaving(turn, origins)}, aboard)
        for battle in battles:
            flown = {r: away[r][battle] for r in origins if battle in away[r]}
            _sorties(turn, unit, battle, flown, {f: away[battle][f] for f in fields if f in away[battle]})
    _carriers(turn)


def _worth_leaving(turn: Muster, origins: Iterable[str]) -> list[str]:
    """Places that aircraft leave for another: if later positions matter, or to make room on a carrier."""
    return [r for r in origins if turn.lasting or (turn.decks and turn.board.territories[r].kind == "sea")]


def _landing_places(turn: Muster, unit: str) -> tuple[str, ...]:
    land = [t for t in turn.board.land if turn.possible(turn.mine(t))]
    if not turn.board.units[unit].carrier_load:
        return tuple(land)
    decks = [z for z in turn.board.sea if any(turn.now(turn.after(z, carrier)).hi for carrier in turn.roles.carriers)]
    return (*land, *decks)


def _touch_down(turn: Muster, unit: str, field: str, count: Term) -> None:
    turn.arrive(field, unit, count)
    if turn.board.territories[field].kind == "land":
        turn.only_if(turn.mine(field), count)


def _ferries(turn: Muster, unit: str, origins: Mapping[str, Distances], fields: Iterable[str]) -> None:
    for origin, away in origins.items():
        for field in fields:
            if field != origin and field in away:
                count = turn.flow("fly", unit, origin, field, turn.most(origin, unit))
                turn.leave(origin, unit, count)
                _touch_down(turn, unit, field, count)


def _sorties(turn: Muster, unit: str, battle: str, flown: Distances, home: Distances) -> None:
    """Choices of flights to one battle and on to landing places within range.

    The further an aircraft has flown, the nearer it must land. The return flights do not say whose they are: it is
    enough that for each distance at least as many land near enough as came from so far or further.
    """
    move = turn.board.units[unit].move
    fields = _near_enough(turn, home, move - min(flown.values(), default=move))
    if not fields:
        return
    nearest = min(home[f] for f in fields)
    out: dict[int, list[Term]] = {}
    for origin, way in flown.items():
        if way + nearest <= move:
            count = turn.flow("sortie", unit, origin, battle, turn.most(origin, unit))
            turn.leave(origin, unit, count)
            turn.fights(battle, unit, count)
            out.setdefault(way, []).append(count)
    if not out:
        return
    everybody = [n for counts in out.values() for n in counts]
    most = sum(n.hi for n in everybody)
    back: dict[str, Term] = {}
    for field in fields:
        back[field] = turn.flow("return", unit, battle, field, most)
        _touch_down(turn, unit, field, back[field])
    turn.laws.append(eq(linear([*((1, n) for n in everybody), *((-1, n) for n in back.values())]), 0))
    _land_near_enough(turn, out, {n: home[f] for f, n in back.items()}, move)


def _near_enough(turn: Muster, home: Distances, left: int) -> Sequence[str]:
    """Reachable landing places; if later positions do not matter, keep just one unconditional place."""
    fields = [f for f, away in home.items() if away <= left]
    if not turn.lasting:
        sure = [f for f in fields if turn.board.territories[f].kind == "land" and turn.certain(turn.mine(f))]
        if sure:
            nearest = min(home[f] for f in sure)
            kept = min((f for f in sure if home[f] == nearest), key=fields.index)
            return [kept, *(f for f in fields if home[f] < nearest or (turn.afloat and f != kept and f not in sure))]
    return fields


def _land_near_enough(turn: Muster, out: Mapping[int, Sequence[Term]], back: Mapping[Term, int], move: int) -> None:
    farther: list[Term] = []
    for way in sorted(out, reverse=True):
        farther += out[way]
        near = [n for n, away in back.items() if way + away <= move]
        if len(near) < len(back):
            turn.laws.append(ge(linear([*((1, n) for n in near), *((-1, n) for n in farther)]), 0))


def _carriers(turn: Muster) -> None:
    """Require that the side's carriers have room for all its aircraft at sea at the end of the turn."""
    board, fluents = turn.board, turn.fluents
    allies = [p for p in board.sides[turn.side] if p != turn.power]
    loads = {u: board.units[u].carrier_load for u in turn.roles.aircraft}
    moved = {zone for zone, u in (*turn.come, *turn.gone) if u in loads or u in turn.roles.carriers}
    for zone in board.sea:
        if zone not in moved:
            continue
        others = [(w, fluents.units[zone, p, u]) for u, w in loads.items() for p in allies]
        aboard = linear([*others, *((w, turn.after(zone, u)) for u, w in loads.items())])
        rooms = {u: board.units[u].carrier_room for u in turn.roles.carriers}
        decks = [(w, fluents.units[zone, p, u]) for u, w in rooms.items() for p in allies]
        room = linear([*decks, *((w, turn.after(zone, u)) for u, w in rooms.items())])
        turn.laws.append(le(aboard, room))
