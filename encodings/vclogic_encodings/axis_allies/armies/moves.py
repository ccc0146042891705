"""Moves of armies as events of a record: marches, ships, transports with what they carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from vclogic_encodings.axis_allies.armies.field import MODEL, Deltas, Moving, TurnBoard
from vclogic_encodings.axis_allies.armies.laws import decks, room_for, ways_by_land
from vclogic_encodings.axis_allies.names import NONE

from vclogic.model.actions import Requirement
from vclogic.terms.atoms import FALSE, TRUE, boolean, integer
from vclogic.terms.build import add, and_, ite, le, not_, or_, scale
from vclogic.terms.term import Term

ONE = integer(1)
CARGO = ("cargo", "second")
"""The units aboard a transport by their keys in a record; each has a kind, where it comes from, where it goes."""
Cargo = tuple[str, str, str]
"""A kind of land unit, where it comes from, and where it goes ashore."""


def march(field: TurnBoard, unit: str, count: Term, start: str, via: str, to: str) -> Moving:
    """Land units go to a territory, armour by way of another; they enter one of the enemy's for a battle."""
    game, deltas = field.game, Deltas(field.game)
    deltas.add(field.units(start, unit), scale(count, -1))
    enter(field, deltas, unit, count, to)
    if via != NONE:
        underway, through = game.fluents.underway, ite(field.mine(via), integer(0), count)
        deltas.add(underway.passed[via], through)
        deltas.help(via, unit, through)
    way = f"from {start} to {to}" + (f" through {via}" if via != NONE else "")
    return Moving(
        deltas,
        (
            *marching(field, unit, start, count),
            *way_by_land(field, unit, start, via, to),
            not_taken(field, to),
        ),
        way,
    )


def marching(field: TurnBoard, unit: str, start: str, count: Term = ONE) -> tuple[Requirement, ...]:
    """Require so many units that march; as for all moves, one where it is left open how many."""
    return *field.of_kind(unit, field.roles.soldiers, "do not march"), field.enough(start, unit, count)


def enter(field: TurnBoard, deltas: Deltas, unit: str, count: Term, to: str) -> None:
    """Land units come to a territory: one of their side's, or one of the enemy's, for a battle."""
    underway, mine = field.game.fluents.underway, field.mine(to)
    deltas.add(field.units(to, unit), ite(mine, count, integer(0)))
    deltas.add(underway.moved[to, unit], ite(mine, count, integer(0)))
    deltas.add(underway.entered[to, unit], ite(mine, integer(0), count))


def not_taken(field: TurnBoard, territory: str) -> Requirement:
    """Require that a territory was not captured this turn."""
    message = f"{MODEL}{territory} was taken this turn: who enters it does so before its battle"
    return Requirement(or_(field.mine(territory), field.theirs(territory)), message)


def way_by_land(field: TurnBoard, unit: str, start: str, via: str, to: str) -> Iterable[Requirement]:
    """Require a way from one territory to another."""
    game = field.game
    ways = ways_by_land(game.geography, game.board, unit, start, to)
    if (None if via == NONE else via) not in ways:
        far = "two territories" if game.board.units[unit].move > 1 else "one territory"
        through = "" if via == NONE else f" through {via}"
        help = "; say through which (`via`)" if via == NONE and ways else ""
        yield Requirement(FALSE, f"{MODEL}{unit} goes {far} at most, and not from {start} to {to}{through}{help}")
    elif via != NONE:
        blitz = game.on("blitz", "on") and game.board.units[unit].blitzes
        message = f"{MODEL}the way is blocked: {unit} goes through what its side controlled when the turn began"
        message += ", or through an undefended territory of the enemy (option blitz)"
        message += f", and {via} is neither"
        yield Requirement(or_(field.mine(via), and_(boolean(blitz), field.undefended(via))), message)
        if start == to:
            yield Requirement(not_(field.mine(via)), f"{MODEL}{unit} would only come back to {to}")


# ---- ships


def sail(field: TurnBoard, unit: str, count: Term, start: str, to: str) -> Moving:
    """Ships go to another sea zone; one with enemy warships must be cleared before the turn ends."""
    deltas = Deltas(field.game)
    _go(field, deltas, unit, count, start, to)
    return Moving(
        deltas,
        (
            *sailing(field, unit, start, count),
            *_decks_stay(field, unit, count, start),
            *way_by_sea(field, unit, start, to),
        ),
        f"from {start} to {to}",
    )


def sailing(field: TurnBoard, unit: str, start: str, count: Term = ONE) -> tuple[Requirement, ...]:
    """Require so many ships that sail."""
    return *field.of_kind(unit, field.roles.ships, "do not sail"), field.enough(start, unit, count)


def _go(field: TurnBoard, deltas: Deltas, unit: str, count: Term, start: str, to: str) -> None:
    deltas.add(field.units(start, unit), scale(count, -1))
    deltas.add(field.units(to, unit), count)
    deltas.add(field.game.fluents.underway.moved[to, unit], count)


def _decks_stay(field: TurnBoard, unit: str, count: Term, zone: str) -> Iterable[Requirement]:
    """Require that carriers that leave are not needed by aircraft that stay."""
    room_each = field.game.board.units[unit].carrier_room
    if room_each:
        aboard, room = decks(field.game.fluents, field.side, zone)
        message = f"{MODEL}aircraft in {zone} would be left without a carrier: they fly first"
        yield Requirement(le(add(aboard, scale(count, room_each)), room), message)


def way_by_sea(field: TurnBoard, unit: str, start: str, to: str) -> Iterable[Requirement]:
    """Require a way from one sea zone to another."""
    waters = field.waters
    reach = waters.reach(unit)
    if start == to or to not in waters.around(start, reach):
        far = "stays where it is" if start == to else f"goes {reach} sea zones at most"
        yield Requirement(FALSE, f"{MODEL}{unit} {far}, and not from {start} to {to}")
    else:
        message = f"{MODEL}the way from {start} to {to} is blocked by enemy warships or a canal"
        yield Requirement(waters.sails(unit, start, to), message)


def carry(field: TurnBoard, unit: str, count: Term, start: str, via: str, to: str, *cargo: str) -> Moving:
    """Transports load in one zone and unload in another or the same; each carries the same one or two units."""
    game, deltas = field.game, Deltas(field.game)
    loads = cargo[:3], cargo[3:]
    aboard = tuple((u, f, t) for u, f, t in loads if u != NONE)
    _go(field, deltas, unit, count, start, to)
    for kind, origin, target in aboard:
        if origin == NONE or target == NONE:
            continue
        deltas.add(field.units(origin, kind), scale(count, -1))
        enter(field, deltas, kind, count, target)
        if to in field.waters.shores and target in field.waters.shores[to]:
            deltas.set(game.fluents.underway.coast(to, target), TRUE)
    carried = " and ".join(f"{field.named(count, u)} from {f} to {t}" for u, f, t in aboard)
    return Moving(
        deltas,
        (
            *carrying(field, unit, start, count),
            *to_port(field, unit, start, via),
            *from_port(field, unit, start, via, to),
            *aboard_together(field, unit, *(u for u, _, _ in loads)),
            *(r for u, f, _ in loads for r in boarding(field, u, f, via)),
            *_enough_aboard(field, count, aboard),
            *(r for u, _, t in loads for r in going_ashore(field, u, t, to)),
            *(r for _, f, t in aboard for r in elsewhere(field, f, t)),
        ),
        f"from {start} to {to}{'' if via in (start, to) else f' by way of {via}'}, carrying {carried}",
    )


def carrying(field: TurnBoard, unit: str, start: str, count: Term = ONE) -> tuple[Requirement, ...]:
    """Require so many transports."""
    return *field.of_kind(unit, field.roles.transports, "carry no land units"), field.enough(start, unit, count)


def to_port(field: TurnBoard, unit: str, start: str, via: str) -> Iterable[Requirement]:
    """Require that a transport can load in a zone."""
    waters, reach = field.waters, field.waters.reach(unit)
    if via not in waters.around(start, reach):
        yield Requirement(FALSE, f"{MODEL}{unit} goes {reach} sea zones at most, and not from {start} to {via}")
    else:
        closed = f"{MODEL}nothing is loaded in {via}, where enemy warships are or were this turn"
        yield Requirement(waters.open(via), closed)


def from_port(field: TurnBoard, unit: str, start: str, via: str, to: str) -> Iterable[Requirement]:
    """Require that a transport can go on from where it loads to where it unloads."""
    waters, reach = field.waters, field.waters.reach(unit)
    first = waters.around(start, reach).get(via)
    if first is None:
        return
    if to not in waters.around(via, reach - first):
        far = f"{unit} goes {reach} sea zones at most, and not from {start} by {via} to {to}"
        yield Requirement(FALSE, MODEL + far)
        return
    message = f"{MODEL}the way from {start} by {via} to {to} is blocked by enemy warships or a canal"
    yield Requirement(or_(not_(waters.open(via)), waters.carries(unit, start, via, to)), message)


def aboard_together(field: TurnBoard, unit: str, *kinds: str) -> Iterable[Requirement]:
    """Require that one transport has room for what it carries."""
    some = tuple(u for u in kinds if u != NONE)
    if all(u in field.roles.soldiers for u in some) and not room_for(field.game.board, unit, some):
        yield Requirement(FALSE, f"{MODEL}one {unit} has no room for {' and '.join(some)}")


def boarding(field: TurnBoard, kind: str, origin: str, port: str) -> Iterable[Requirement]:
    """Require that a unit of a kind comes aboard in a zone, or that none is said to."""
    if kind == NONE:
        yield from _nobody(origin)
        return
    yield from field.of_kind(kind, field.roles.soldiers, "do not board")
    if origin not in field.waters.shores[port]:
        yield Requirement(FALSE, f"{MODEL}{kind} cannot board in {port} from {origin}, which is not beside it")
        return
    yield field.enough(origin, kind, ONE)
    message = f"{MODEL}{origin} was not controlled by the {field.side} when the turn began: nothing boards there"
    yield Requirement(field.mine(origin), message)


def _nobody(place: str) -> Iterable[Requirement]:
    if place != NONE:
        yield Requirement(FALSE, f"{MODEL}{place} is named, but no second unit is aboard")


def _enough_aboard(field: TurnBoard, count: Term, aboard: tuple[Cargo, ...]) -> Iterable[Requirement]:
    """Require the units for all transports together."""
    wanted = Counter((origin, kind) for kind, origin, _ in aboard if origin != NONE)
    return [field.enough(origin, kind, scale(count, each)) for (origin, kind), each in wanted.items()]


def going_ashore(field: TurnBoard, kind: str, territory: str, goal: str) -> Iterable[Requirement]:
    """Require that a unit of a kind can go ashore from a zone, or that none is said to."""
    if kind == NONE:
        yield from _nobody(territory)
    elif territory not in field.waters.shores[goal]:
        yield Requirement(FALSE, f"{MODEL}nobody goes ashore from {goal} in {territory}, which is not beside it")
    else:
        yield not_taken(field, territory)


def elsewhere(_: TurnBoard, origin: str, territory: str) -> Iterable[Requirement]:
    """Require that a unit goes ashore elsewhere than it came aboard."""
    if origin == territory != NONE:
        yield Requirement(FALSE, f"{MODEL}nobody comes aboard from {origin} to go ashore there")
