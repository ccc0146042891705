"""Aircraft and ships' guns as events of a record: flights to a battle or a landing place, landings, bombardment."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.axis_allies.armies.field import MODEL, Deltas, Moving, TurnBoard, Values
from vclogic_encodings.axis_allies.armies.laws import decks
from vclogic_encodings.axis_allies.armies.moves import ONE
from vclogic_encodings.axis_allies.names import NONE
from vclogic_encodings.axis_allies.wording import in_words

from vclogic.model.actions import Requirement
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import add, gt, le, scale
from vclogic.terms.term import Term


def fly(field: TurnBoard, unit: str, count: Term, start: str, to: str, goal: str) -> Moving:
    """Aircraft fly to a battle, if any, and on to where they will land."""
    game, deltas = field.game, Deltas(field.game)
    deltas.add(field.units(start, unit), scale(count, -1))
    if unit in field.roles.aircraft:
        deltas.add(game.fluents.underway.aloft[goal, unit], count)
    if to != NONE:
        deltas.help(to, unit, count)
    way = f"from {start}" + (f" to the battle for {to}" if to != NONE else "") + f", to land in {goal}"
    return Moving(
        deltas,
        (
            *flying(field, unit, start, count),
            *in_range(field, unit, start, to, goal),
            *landing_place(field, unit, goal),
            *battle_in(field, to),
        ),
        way,
    )


def flying(field: TurnBoard, unit: str, start: str, count: Term = ONE) -> tuple[Requirement, ...]:
    """Require so many aircraft."""
    return *field.of_kind(unit, field.roles.aircraft, "do not fly"), field.enough(start, unit, count)


def in_range(field: TurnBoard, unit: str, start: str, to: str, landing: str) -> Iterable[Requirement]:
    """Require that aircraft fly as far as they can, and no farther."""
    move, far = field.game.board.units[unit].move, field.game.board.units[unit].move + 1
    stop = start if to == NONE else to
    from_stop = field.game.geography.flights(stop, move)
    if start == landing and to == NONE:
        yield Requirement(FALSE, f"{MODEL}{unit} would stay in {start}")
    elif from_stop.get(start, far) + from_stop.get(landing, far) > move:
        by = "" if to == NONE else f" by {to}"
        yield Requirement(FALSE, f"{MODEL}{unit} flies {move} regions at most, and not from {start}{by} to {landing}")


def landing_place(field: TurnBoard, unit: str, landing: str) -> Iterable[Requirement]:
    """Require that aircraft of a kind may land somewhere; room on carriers is required when they do."""
    if landing in field.game.board.land:
        message = f"{MODEL}aircraft land on land that their side controlled when the turn began, not in {landing}"
        yield Requirement(field.mine(landing), message)
    elif not field.game.board.units[unit].carrier_load:
        yield Requirement(FALSE, f"{MODEL}{unit} does not land on carriers")


def battle_in(field: TurnBoard, region: str) -> Iterable[Requirement]:
    """Require that there is a battle in a region, if one is named."""
    if region == NONE:
        return
    if region in field.game.board.land:
        message = f"{MODEL}there is no battle in {region}: the enemy does not control it"
        yield Requirement(field.theirs(region), message)
    else:
        message = f"{MODEL}there is no battle in {region}: no enemy warships are there"
        yield Requirement(gt(field.warships(region), 0), message)


def land(field: TurnBoard, unit: str, count: Term, at: str) -> Moving:
    """Aircraft that have flown land at the place that their flight named."""
    game, deltas = field.game, Deltas(field.game)
    known = unit in field.roles.aircraft
    if known:
        deltas.add(game.fluents.underway.aloft[at, unit], scale(count, -1))
    deltas.add(field.units(at, unit), count)
    deltas.add(game.fluents.underway.moved[at, unit], count)
    return Moving(
        deltas,
        (*landing(field, unit, at, count),),
        f"{'lands' if in_words(count) == 1 else 'land'} in {at}",
    )


def landing(field: TurnBoard, unit: str, at: str, count: Term = ONE) -> tuple[Requirement, ...]:
    """Require that so many aircraft have flown to a place, and that there is room for them."""
    return (
        *field.of_kind(unit, field.roles.aircraft, "do not land"),
        *((_flown(field, unit, count, at),) if unit in field.roles.aircraft else ()),
        *(_room(field, unit, count, at) if at in field.game.board.sea else ()),
    )


def _flown(field: TurnBoard, unit: str, count: Term, at: str) -> Requirement:
    aloft = field.game.fluents.underway.aloft[at, unit]
    message = f"{MODEL}{field.named(count, unit)} cannot land in {at}: so many have not flown there"
    return Requirement(le(count, aloft), message)


def _room(field: TurnBoard, unit: str, count: Term, zone: str) -> Iterable[Requirement]:
    aboard, room = decks(field.game.fluents, field.side, zone)
    load = field.game.board.units[unit].carrier_load
    message = f"{MODEL}the carriers of the {field.side} in {zone} have no room for {field.named(count, unit)}"
    yield Requirement(le(add(aboard, scale(count, load)), room), message)


def bombard(field: TurnBoard, unit: str, count: Term, start: str, to: str) -> Moving:
    """Ships support a landing from their zone, in the battle that it leads to."""
    game, deltas = field.game, Deltas(field.game)
    deltas.help(to, unit, count)
    known = unit in field.roles.bombarding
    if known:
        deltas.add(game.fluents.underway.fired[start, unit], count)
    return Moving(
        deltas,
        (
            *firing(field, unit, start, count),
            *shore(field, start, to),
        ),
        f"in {start} {'supports' if in_words(count) == 1 else 'support'} the landing in {to}",
    )


def firing(field: TurnBoard, unit: str, zone: str, count: Term = ONE) -> tuple[Requirement, ...]:
    """Require so many ships that have not fired."""
    known = unit in field.roles.bombarding
    kind = field.of_kind(unit, field.roles.bombarding, "do not support landings")
    return *kind, *((_loaded(field, unit, count, zone),) if known else ())


def _loaded(field: TurnBoard, unit: str, count: Term, zone: str) -> Requirement:
    fired, there = field.game.fluents.underway.fired[zone, unit], field.units(zone, unit)

    def message(values: Values) -> str:
        have = f"the {field.power} have {values[there]} in {zone}, {values[fired]} of which fired this turn"
        return f"{MODEL}{field.named(count, unit)} cannot fire: {have}"

    return Requirement(le(add(fired, count), there), message)


def shore(field: TurnBoard, zone: str, territory: str) -> Iterable[Requirement]:
    """Require that land units went ashore in a territory from a zone, for a battle there."""
    if territory not in field.waters.shores[zone]:
        yield Requirement(FALSE, f"{MODEL}{territory} is not beside {zone}")
        return
    message = f"{MODEL}ships that fight in {zone} support no landing: enemy warships are or were there this turn"
    yield Requirement(field.waters.open(zone), message)
    coast = field.game.fluents.underway.coast(zone, territory)
    yield Requirement(coast, f"{MODEL}no land units went ashore in {territory} from {zone} this turn")
    yield from battle_in(field, territory)
