"""A turn's choices as events of a record, in an order in which they can be judged one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from vclogic_encodings.axis_allies.armies.laws import room_for
from vclogic_encodings.axis_allies.armies.moves import CARGO
from vclogic_encodings.axis_allies.armies.muster import Muster
from vclogic_encodings.axis_allies.armies.orders import (
    Crossing,
    Flows,
    Order,
    capitals_last,
    carried,
    made,
    single,
    sorties,
)
from vclogic_encodings.axis_allies.board import COMPLEX
from vclogic_encodings.axis_allies.names import NONE

from vclogic.model.actions import Event
from vclogic.model.fluents import Value
from vclogic.model.transition import Chosen

Cargo = tuple[str, str, str]
Sail = tuple[str, str, str]
"""A kind of ship, where it comes from, and where it goes."""


def happened(turn: Muster, chosen: Chosen) -> list[Event]:
    """The events of a turn: purchases, flights, ships, marches, battles, landings, what is placed, the end of it.

    Aircraft leave before their carriers and land after them; ships leave a zone before it is fought for.
    """
    flows, taken, cleared, built = made(turn, chosen)
    flights = [*_flights(turn, flows, {*taken, *cleared})]
    orders = [*single(flows)]
    return [
        *_purchases(turn, flows, built),
        *flights,
        *_at_sea(turn, flows, orders),
        *(_move(turn, o, u, n, via=o.via[0] if o.via else NONE) for o, u, n in _of(orders, "march", "blitz")),
        *(_move(turn, o, u, n) for o, u, n in _of(orders, "bombard")),
        *(_event("clear", power=turn.power, zone=z) for z in cleared),
        *(_capture(turn, t) for t in capitals_last(turn, taken)),
        *_landings(turn, flights),
        *_placed(turn, flows, built),
        Event("end_turn"),
    ]


def _event(name: str, **args: Value) -> Event:
    return Event(name, tuple(args.items()))


def _units(turn: Muster, unit: str, count: int, start: str) -> dict[str, Value]:
    return {"power": turn.power, "unit": unit, "count": count, "from": start}


def _of(orders: Iterable[Order], *kinds: str) -> list[tuple[Order, str, int]]:
    return [(o, u, n) for o in orders if o.kind in kinds for u, n in o.units]


def _move(turn: Muster, o: Order, unit: str, count: int, **more: Value) -> Event:
    name = "march" if o.kind == "blitz" else o.kind
    return _event(name, **_units(turn, unit, count, o.source), **more, to=o.target)


def _capture(turn: Muster, territory: str) -> Event:
    return _event("capture", power=turn.power, territory=territory, destroy_complex="no")


# ---- aircraft


def _flights(turn: Muster, flows: Flows, battles: set[str]) -> Iterator[Event]:
    for o, unit, count in _of([*single(flows), *sorties(turn, flows)], "fly", "sortie"):
        stop = o.target if o.kind == "sortie" and o.target in battles else NONE
        field = o.via[0] if o.kind == "sortie" else o.target
        if stop != NONE or field != o.source:
            yield _event("fly", **_units(turn, unit, count, o.source), to=stop, landing=field)


def _landings(turn: Muster, flights: Iterable[Event]) -> Iterator[Event]:
    """The landings of those that flew, with any that were in the air when the plan begins."""
    numbers = Counter[tuple[Value, Value]]()
    for flight in flights:
        args = dict(flight.args)
        numbers[args["landing"], args["unit"]] += int(args["count"])
    for region in turn.board.regions:
        for unit in turn.roles.aircraft:
            numbers[region, unit] += turn.underway(turn.fluents.underway.aloft[region, unit])
    for (at, landing), count in numbers.items():
        if count:
            yield _event("land", power=turn.power, unit=landing, count=count, at=at)


# ---- ships


def _at_sea(turn: Muster, flows: Flows, orders: Iterable[Order]) -> Iterator[Event]:
    sails = Counter[Sail]()
    for o, unit, count in _of(orders, "sail"):
        sails[unit, o.source, o.target] += count
    loaded: list[Event] = []
    for crossing, ships in _transports(flows).items():
        loaded += _carried(turn, crossing, ships, _cargo(flows, crossing), sails)
    yield from (_event("sail", **_units(turn, u, n, start), to=to) for (u, start, to), n in _relieved(sails))
    yield from loaded


def _relieved(sails: Mapping[tuple[str, str, str], int]) -> Iterator[tuple[tuple[str, str, str], int]]:
    """Sailings ordered so that ships arrive in a zone before others leave it, where possible."""
    left = dict(sails)
    while left:
        targets = {to for _, _, to in left}
        found = next((s for s in left if s[1] not in targets), next(iter(left)))
        yield found, left.pop(found)


def _transports(flows: Flows) -> dict[Crossing, list[str]]:
    """The transports of each crossing, one by one: where they come from."""
    found: dict[Crossing, list[str]] = {}
    for f, n in flows:
        if f.kind == "carry":
            found.setdefault((f.via[0], f.target, f.unit), []).extend([f.source] * n)
    return found


def _cargo(flows: Flows, crossing: Crossing) -> list[Cargo]:
    """The land units of a crossing, one by one: their kind, where they come from, and where they go."""
    return [
        (unit, source, target)
        for this, unit, source, target, n in carried(flows)
        if this == crossing
        for _ in range(n)
    ]


def _carried(
    turn: Muster, crossing: Crossing, ships: Iterable[str], cargo: list[Cargo], sails: Counter[Sail]
) -> Iterator[Event]:
    """Transports with what they carry, heavy units first; those that are left empty sail."""
    port, goal, unit = crossing
    left = sorted(cargo, key=lambda one: -turn.board.units[one[0]].transport_load)
    loaded = Counter[tuple[str, Cargo, Cargo]]()
    for home in ships:
        if not left:
            if home != goal:
                sails[unit, home, goal] += 1
            continue
        first = left.pop(0)
        second = next((one for one in left if room_for(turn.board, unit, [first[0], one[0]])), (NONE, NONE, NONE))
        if second in left:
            left.remove(second)
        loaded[home, first, second] += 1
    for (home, first, second), count in loaded.items():
        way = {**_units(turn, unit, count, home), "via": port, "to": goal}
        for name, (kind, source, target) in zip(CARGO, (first, second), strict=True):
            way |= {name: kind, f"{name}_from": source, f"{name}_to": target}
        yield _event("carry", **way)


# ---- new units


def _purchases(turn: Muster, flows: Flows, built: Iterable[str]) -> Iterator[Event]:
    numbers = Counter[str]()
    for f, n in flows:
        if f.kind == "buy":
            numbers[f.unit] += n
    for t in sorted(built, key=turn.game.placement.complexes.price):  # what is received for one may pay for the next
        yield _event("purchase", power=turn.power, unit=COMPLEX, count=1, at=t)
    for unit, n in numbers.items():
        yield _event("purchase", power=turn.power, unit=unit, count=n, at=NONE)


def _placed(turn: Muster, flows: Flows, built: Iterable[str]) -> Iterator[Event]:
    for f, n in flows:
        if f.kind == "buy":
            new: dict[str, Value] = {"power": turn.power, "unit": f.unit, "count": n, "territory": f.source}
            yield _event("place", **new) if f.source == f.target else _event("launch", **new, zone=f.target)
    for t in built:
        yield _event("place", power=turn.power, unit=COMPLEX, count=1, territory=t)
