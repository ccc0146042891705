"""A turn's choices as orders that a player would write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from vclogic_encodings.axis_allies.armies.muster import Flow, Muster
from vclogic_encodings.axis_allies.board import COMPLEX
from vclogic_encodings.axis_allies.rules.victory_cities import city_clause, city_points
from vclogic_encodings.axis_allies.wording import for_price, of_units

from vclogic.model.transition import Chosen, StepText

Flows = Sequence[tuple[Flow, int]]
"""What was chosen: moves, and how many units make each."""
Crossing = tuple[str, str, str]
"""The zones where land units come aboard and go ashore, and the kind of transport."""


@dataclass(frozen=True)
class Order:
    """Units of one or more kinds that make the same move.

    Attributes:
        kind: `march`, `blitz`, `sail`, `cross`, `sortie`, `fly` or `bombard`.
        units: Their kinds and numbers.
        source: Where from.
        via: What they pass through.
        target: Where to.
    """

    kind: str
    units: tuple[tuple[str, int], ...]
    source: str
    via: tuple[str, ...]
    target: str


def orders(turn: Muster, chosen: Chosen) -> list[StepText]:
    """The orders of a turn; those of one battle stand together."""
    chosen_by_name = {c.name: n for c, n in chosen.items() if n}
    flows = [(f, chosen_by_name[f.count.name]) for f in turn.flows if f.count.name in chosen_by_name]
    found = [*single(flows), *_crossings(flows), *sorties(turn, flows)]
    taken = [t for t in turn.board.land if f"capture {t}" in chosen_by_name]
    cleared = [z for z in turn.board.sea if f"clear {z}" in chosen_by_name]
    battles = {*taken, *cleared}
    found.sort(key=lambda o: (o.target not in battles, o.target))
    steps = [_step(turn, o, {*taken}, {*cleared}) for o in found]
    built = [t for t in turn.board.land if f"build {t}" in chosen_by_name]
    return [*steps, *_purchases(turn, flows, built)]


def _purchases(turn: Muster, flows: Flows, built: Iterable[str]) -> Iterator[StepText]:
    """What is bought and placed, by place."""
    places: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for f, n in flows:
        if f.kind == "buy":
            places.setdefault((f.source, f.target), []).append((f.unit, n))
    for t in built:
        places.setdefault((t, t), []).append((COMPLEX, 1))
    for (source, target), units in places.items():
        bought = " and ".join(f"{n} {u}" for u, n in units)
        price = sum(
            n * (turn.game.placement.complexes.price(target) if u == COMPLEX else turn.board.units[u].cost)
            for u, n in units
        )
        where = target if source == target else f"{target} (at {source})"
        args = {"power": turn.power, "units": bought, "from": source, "via": "", "to": target, "captures": ""}
        named = " and ".join(of_units(turn.board, n, u) for u, n in units)
        text = f"{turn.power}: buy {named}{for_price(price)}, placed in {where}"
        clauses = [c for u, _ in units for c in turn.game.placement.clauses(turn.power, u, source)]
        yield StepText(turn.power, "buy", args, text, tuple(dict.fromkeys(clauses)))


def single(flows: Flows) -> Iterator[Order]:
    """Moves of one kind along one way, whatever the units."""
    groups: dict[tuple[str, str, tuple[str, ...], str], list[tuple[str, int]]] = {}
    for f, n in flows:
        if f.kind in ("march", "blitz", "sail", "carry", "fly", "bombard"):
            groups.setdefault((f.kind, f.source, f.via, f.target), []).append((f.unit, n))
    for (kind, source, via, target), units in groups.items():
        through = tuple(z for z in via if z not in (source, target))
        yield Order(kind, tuple(units), source, through, target)


def matched(a: list[tuple[str, int]], b: list[tuple[str, int]]) -> Iterator[tuple[str, str, int]]:
    """Pair two lists of places with numbers of the same sum."""
    a, b = a[:], b[:]
    while a and b:
        (x, n), (y, k) = a.pop(), b.pop()
        both = min(n, k)
        yield x, y, both
        a += [(x, n - both)] if n > both else []
        b += [(y, k - both)] if k > both else []


def carried(flows: Flows) -> Iterator[tuple[Crossing, str, str, str, int]]:
    """Land units that are carried over the sea: the crossing, their kind, where from, where to, and how many."""
    loads: dict[tuple[Crossing, str], list[tuple[str, int]]] = {}
    lands: dict[tuple[Crossing, str], list[tuple[str, int]]] = {}
    for f, n in flows:
        if f.kind == "load":
            loads.setdefault(((f.target, f.tag, f.ship), f.unit), []).append((f.source, n))
        elif f.kind == "land":
            lands.setdefault(((f.tag, f.source, f.ship), f.unit), []).append((f.target, n))
    for (crossing, unit), sources in loads.items():
        for source, target, n in matched(sources, lands.get((crossing, unit), [])):
            yield crossing, unit, source, target, n


def _crossings(flows: Flows) -> Iterator[Order]:
    """Crossings from territory to territory."""
    groups: dict[tuple[str, tuple[str, ...], str], list[tuple[str, int]]] = {}
    for (port, goal, _), unit, source, target, n in carried(flows):
        groups.setdefault((source, tuple(dict.fromkeys((port, goal))), target), []).append((unit, n))
    for (source, via, target), units in groups.items():
        yield Order("cross", tuple(units), source, via, target)


def sorties(turn: Muster, flows: Flows) -> Iterator[Order]:
    """Flights to a battle and on to a landing place."""
    out: dict[tuple[str, str], list[tuple[str, int]]] = {}
    back: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for f, n in flows:
        if f.kind == "sortie":
            out.setdefault((f.unit, f.target), []).append((f.source, n))
        elif f.kind == "return":
            back.setdefault((f.unit, f.source), []).append((f.target, n))
    for (unit, battle), origins in out.items():
        away = turn.game.geography.flights(battle, turn.board.units[unit].move)
        # Who came from farthest lands nearest; matched begins with the last ones.
        origins.sort(key=lambda o: away[o[0]])
        fields = sorted(back.get((unit, battle), []), key=lambda o: -away[o[0]])
        for source, field, n in matched(origins, fields):
            yield Order("sortie", ((unit, n),), source, (field,), battle)


def _city(turn: Muster, territory: str) -> str:
    city = turn.board.cities.get(territory)
    return f"{territory} ({city.name}, {city_points(turn.board, territory)} VCP)" if city else territory


def _step(turn: Muster, o: Order, taken: set[str], cleared: set[str]) -> StepText:
    units = " and ".join(f"{n} {u}" for u, n in o.units)
    named = " and ".join(of_units(turn.board, n, u) for u, n in o.units)
    through = " and ".join(o.via)
    way = f"from {o.source} to {o.target}"
    if o.kind == "sortie":
        text = f"{named} from {o.source} to the battle for {o.target}"
        text += ", and back" if through == o.source else f", landing in {through}"
    elif o.kind == "carry":
        text = f"{named} carrying " + (f"in {o.source}" if o.source == o.target and not through else way)
        text += f" through {through}" if through else ""
    elif o.kind == "bombard":
        alone = sum(n for _, n in o.units) == 1
        text = f"{named} in {o.source} {'supports' if alone else 'support'} the landing in {o.target}"
    elif o.kind == "cross":
        text = f"{named} {way} by sea ({through})"
    else:
        text = f"{named} {way}" + (f" through {through}" if through else "")
    captured = [t for t in (o.target, *(o.via if o.kind == "blitz" else ())) if t in taken and o.kind != "bombard"]
    if captured:
        text += f", {'taking' if o.kind != 'sortie' else 'helping to take'} " + " and ".join(
            _city(turn, t) for t in captured
        )
    if o.target in cleared:
        text += f", clearing {o.target}"
    args = {"power": turn.power, "units": units, "from": o.source, "via": through, "to": o.target}
    args["captures"] = ", ".join(captured)
    clauses = tuple(str(c) for t in captured for c in city_clause(turn.board, t))
    return StepText(turn.power, o.kind, args, f"{turn.power}: {text}", clauses)
