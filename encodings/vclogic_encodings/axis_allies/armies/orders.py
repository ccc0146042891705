"""A turn's choices as orders that a player would write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from vclogic_encodings.axis_allies.armies.muster import Flow, Muster
from vclogic_encodings.axis_allies.board import COMPLEX
from vclogic_encodings.axis_allies.rules.victory_cities import city_clause, city_points
from vclogic_encodings.axis_allies.wording import for_price, of_units

from vclogic.model.step_text import StepText, Under
from vclogic.model.transition import Chosen

Flows = Sequence[tuple[Flow, int]]
"""The choices: moves, with the number of units that make each."""
Crossing = tuple[str, str, str]
"""The zones where land units come aboard and go ashore, and the kind of transport."""
_IN_BATTLE = ("march", "blitz", "cross", "carry", "sail", "sortie", "bombard", "fly")
"""The order in which the moves of one battle are told."""


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


def made(turn: Muster, chosen: Chosen) -> tuple[Flows, list[str], list[str], list[str]]:
    """The moves that were chosen, and the regions that are captured, cleared and built in."""
    numbers = {c.name: n for c, n in chosen.items() if n}
    flows = [(f, numbers[f.count.name]) for f in turn.flows if f.count.name in numbers]
    taken, cleared, built = (
        [r for r in turn.board.regions if f"{what} {r}" in numbers] for what in ("capture", "clear", "build")
    )
    return flows, taken, cleared, built


def orders(turn: Muster, chosen: Chosen) -> list[StepText]:
    """The orders of a turn, battle by battle: those at sea first, capitals last, then what fights nowhere."""
    flows, taken, cleared, built = made(turn, chosen)
    crossings = [*_crossings(flows)]
    found = [*single(flows), *crossings, *sorties(turn, flows)]
    told = _Told(turn, {*taken}, {*cleared}, crossings, {o.source: o.target for o in found if o.kind == "bombard"})
    battles = [*cleared, *capitals_last(turn, taken), ""]
    found.sort(key=lambda o: (battles.index(told.battle(o)), _IN_BATTLE.index(o.kind), o.target))
    return [*map(told.step, found), *_purchases(turn, flows, built)]


def capitals_last(turn: Muster, taken: Iterable[str]) -> list[str]:
    """Captures with capitals last: liberation asks who held the capital as the turn began."""
    return sorted(taken, key=lambda t: any(turn.board.capital(p) == t for p in turn.board.powers))


def _purchases(turn: Muster, flows: Flows, built: Iterable[str]) -> Iterator[StepText]:
    """The purchases and placements, by place."""
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
        text = f"{_listed([of_units(turn.board, n, u) for u, n in units])}{for_price(price)}, placed in {where}"
        clauses = [c for u, _ in units for c in turn.game.placement.clauses(turn.power, u, source)]
        under = Under("", f"{turn.power} buy", text)
        yield StepText(turn.power, "buy", args, f"{turn.power}: buy {text}", tuple(dict.fromkeys(clauses)), under)


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


@dataclass(frozen=True)
class _Told:
    """The orders of a turn as steps of a plan.

    Attributes:
        turn: The turn.
        taken: The territories that it takes.
        cleared: The sea zones that it clears.
        crossings: Its orders to cross the sea.
        guns: The sea zones from which ships bombard, and what.
    """

    turn: Muster
    taken: Set[str]
    cleared: Set[str]
    crossings: Sequence[Order]
    guns: Mapping[str, str]

    def battle(self, o: Order) -> str:
        """The region that an order helps to take or clear; empty if none."""
        if o.kind == "carry":
            return next((c.target for c in self._aboard(o) if c.target in self.taken), "")
        if o.target in self.taken or o.target in self.cleared:
            return o.target
        if o.kind == "sail" and o.target in self.guns:
            return self.guns[o.target]
        return next((t for t in o.via if o.kind == "blitz" and t in self.taken), "")

    def _aboard(self, o: Order) -> Sequence[Order]:
        """The crossings that end in the zone where a transport unloads."""
        return [c for c in self.crossings if c.via[-1] == o.target]

    def step(self, o: Order) -> StepText:
        """An order as a step."""
        units = " and ".join(f"{n} {u}" for u, n in o.units)
        through = " and ".join(o.via)
        captured = [t for t in (o.target, *(o.via if o.kind == "blitz" else ())) if t in self.taken]
        captured = captured if o.kind not in ("bombard", "carry") else []
        text = self._way(o, far=True)
        if captured:
            text += f", {'taking' if o.kind != 'sortie' else 'helping to take'} " + " and ".join(
                map(self._city, captured)
            )
        if o.target in self.cleared:
            text += f", clearing {o.target}"
        power = self.turn.power
        args = {"power": power, "units": units, "from": o.source, "via": through, "to": o.target}
        args["captures"] = ", ".join(captured)
        clauses = tuple(str(c) for t in captured for c in city_clause(self.turn.board, t))
        return StepText(power, o.kind, args, f"{power}: {text}", clauses, self._under(o, captured))

    def _under(self, o: Order, captured: Sequence[str]) -> Under:
        """The battle that an order belongs to, and the order without what that says."""
        battle, power = self.battle(o), self.turn.power
        if not battle:
            also = "also " if self.taken or self.cleared else ""
            return Under("", f"{power} {also}move", self._way(o, far=True))
        others = [self._city(t) for t in captured if t != battle]
        text = self._way(o, far=o.target != battle and o.kind != "carry") + (
            f", taking {' and '.join(others)} on the way" if others else ""
        )
        does = f"clear {battle}" if battle in self.cleared else f"take {self._city(battle)}"
        return Under(battle, f"{power} {does}", text)

    def _way(self, o: Order, *, far: bool) -> str:
        """An order in words; the target is left out where that is clear, if it is not far."""
        named = _listed([of_units(self.turn.board, n, u) for u, n in o.units])
        alone = sum(n for _, n in o.units) == 1
        through = " and ".join(o.via)
        to = f" to {o.target}" if far or (o.kind in ("carry", "sail") and o.target not in self.cleared) else ""
        match o.kind:
            case "sortie":
                back = ", and back" if through == o.source else f", landing in {through}"
                return f"{named} from {o.source}" + (f" to the battle for {o.target}" if far else "") + back
            case "bombard":
                return f"{named} in {o.source} {'supports' if alone else 'support'} the landing" + (
                    f" in {o.target}" if far else ""
                )
            case "cross":
                return f"{named} from {o.source}{to} by sea ({through})"
            case "carry" if self._aboard(o) and o.source == o.target and not through:
                return f"{named} carrying in {o.source}"
            case "carry" if self._aboard(o):
                return f"{named} carrying from {o.source}{to}" + (f" through {through}" if through else "")
        return f"{named} from {o.source}{to}" + (f" through {through}" if through else "")

    def _city(self, territory: str) -> str:
        city = self.turn.board.cities.get(territory)
        points = city_points(self.turn.board, territory)
        return f"{territory} ({city.name}, {points} VCP)" if city else territory


def _listed(named: Sequence[str]) -> str:
    """Names with commas, the last with `and`."""
    return " and ".join(part for part in (", ".join(named[:-1]), *named[-1:]) if part)
