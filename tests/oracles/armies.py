"""The fewest unit moves to a goal on tiny boards, by brute force: plain Python from the words of the planning model.

A step is a player-turn. Of the power on turn every unit gets one order; all sets of orders are tried, and each is
judged as a whole. What may be passed, entered or landed on is as the turn begins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations_with_replacement, count, product
from math import ceil, prod

from vclogic_encodings.axis_allies.board import Board, UnitType

Owners = tuple[str, ...]
Stack = tuple[str, str, str]
"""Units by region, power and kind."""
Pair = tuple[str, str]


class TooLarge(Exception):
    """There are too many sets of orders to try them all."""


@dataclass(frozen=True)
class Position:
    """Who owns each land, and the units on the board."""

    owners: Owners
    units: frozenset[tuple[Stack, int]]


@dataclass(frozen=True)
class Aim:
    """A goal: its text, and whether it holds, given the owners and whose turn has ended just now."""

    text: str
    met: Callable[[Mapping[str, str], str], bool]


@dataclass(frozen=True)
class Order:
    """What one unit does.

    Attributes:
        kind: The kind of unit.
        start: Where it is.
        to: Where it ends.
        enters: The enemy lands that it goes into.
        strikes: Where it fights from the air.
        ride: The loading and the unloading zone, for what is carried and for what carries.
    """

    kind: str
    start: str
    to: str
    enters: tuple[str, ...] = ()
    strikes: str | None = None
    ride: Pair | None = None

    @property
    def cost(self) -> int:
        """What it counts; an order to stay counts nothing."""
        return int(self.to != self.start or bool(self.enters or self.strikes or self.ride))


@dataclass(frozen=True)
class War:
    """A board and the rules in use.

    Attributes:
        board: The board.
        full: Whether ships and aircraft move.
        blitz: Whether armour passes through undefended enemy lands.
        ratio: How many times the defence an attack must be worth.
        losses: Whether the attacker loses units.
        most: The most sets of orders that are tried.
    """

    board: Board
    full: bool = False
    blitz: bool = True
    ratio: int = 1
    losses: bool = False
    most: int = 30_000

    @cached_property
    def near(self) -> Mapping[str, frozenset[str]]:
        """The regions beside each region, without impassable ones."""
        board, both = self.board, [*self.board.connections, *((b, a) for a, b in self.board.connections)]
        return {r: frozenset(b for a, b in both if a == r and b in board.regions) for r in board.regions}

    @cached_property
    def beside(self) -> Mapping[str, tuple[str, ...]]:
        """The lands beside each region."""
        return {r: tuple(n for n in self.board.land if n in near) for r, near in self.near.items()}

    @cached_property
    def flight(self) -> Mapping[Pair, int]:
        """The distance between regions by air."""
        found = {}
        for start in self.board.regions:
            ring, seen, steps = {start}, set[str](), 0
            while ring:
                found.update(dict.fromkeys(((start, r) for r in ring), steps))
                seen |= ring
                ring, steps = {n for r in ring for n in self.near[r]} - seen, steps + 1
        return found

    def side(self, power: str) -> str:
        """The side of a power."""
        return self.board.powers[power].side

    def start(self) -> Position:
        """The position at the start of the game."""
        where = self.board.territories
        stacks = {
            (r, p, u): n
            for r, t in where.items()
            for p, units in t.units.items()
            for u, n in units.items()
            if n and u != "complex"
        }
        return Position(tuple(str(where[t].owner) for t in self.board.land), frozenset(stacks.items()))


@dataclass(frozen=True)
class Turn:
    """What a power can do in its turn."""

    war: War
    position: Position
    power: str

    # ---- as the turn begins

    @cached_property
    def friendly(self) -> frozenset[str]:
        """The lands that the power's side controls."""
        lands = zip(self.war.board.land, self.position.owners, strict=True)
        return frozenset(t for t, p in lands if self.war.side(p) == self.war.side(self.power))

    @cached_property
    def enemies(self) -> Mapping[str, Counter[str]]:
        """The enemy units in each region."""
        return self._units(lambda p: self.war.side(p) != self.war.side(self.power))

    @cached_property
    def own(self) -> Mapping[str, Counter[str]]:
        """The power's own units in each region."""
        return self._units(lambda p: p == self.power)

    def _units(self, wanted: Callable[[str], bool]) -> Mapping[str, Counter[str]]:
        found = {r: Counter[str]() for r in self.war.board.regions}
        for (region, power, kind), n in self.position.units:
            if wanted(power):
                found[region][kind] += n
        return found

    def type(self, kind: str) -> UnitType:
        """What a kind of unit can do."""
        return self.war.board.units[kind]

    @cached_property
    def closed(self) -> frozenset[str]:
        """The zones with enemy warships."""
        return frozenset(z for z in self.war.board.sea if any(self._warship(u) for u in self.enemies[z]))

    def _warship(self, kind: str) -> bool:
        return self.type(kind).kind == "sea" and not self.type(kind).transport_room

    def defence(self, region: str) -> int:
        """The defence of the enemy units in a region."""
        return sum(n * self.type(u).defence for u, n in self.enemies[region].items())

    @cached_property
    def channels(self) -> Mapping[str, tuple[str, ...]]:
        """The zones beside each zone that ships can sail to."""
        war = self.war
        shut = {frozenset(c.zones) for c in war.board.canals.values() if not self.friendly.issuperset(c.land)}
        return {z: tuple(y for y in war.board.sea if y in war.near[z] and {y, z} not in shut) for z in war.board.sea}

    # ---- orders

    def orders(self, kind: str, start: str) -> list[Order]:
        """What a unit may be told, alone; the first is to stay."""
        unit = self.type(kind)
        stay = Order(kind, start, start)
        if unit.antiaircraft or (unit.kind != "land" and not self.war.full):
            return [stay]
        some = {"land": self._by_land, "sea": self._by_sea, "air": self._by_air}[unit.kind](kind, start)
        return [stay, *dict.fromkeys(some)]

    def _by_land(self, kind: str, start: str) -> Iterator[Order]:
        beside, unit = self.war.beside, self.type(kind)
        for to in beside[start]:
            yield Order(kind, start, to, self._hostile(to))
            if unit.move < 2:
                continue
            through = to in self.friendly or (self.war.blitz and unit.blitzes and not self.enemies[to].total())
            for end in beside[to] if through else ():
                if end != start or to not in self.friendly:
                    yield Order(kind, start, end, self._hostile(to, end))
        if self.war.full and unit.transport_load:
            for load, unload in self._rides:
                if start in beside[load]:
                    for end in beside[unload]:
                        if end != start:
                            yield Order(kind, start, end, self._hostile(end), ride=(load, unload))

    def _hostile(self, *lands: str) -> tuple[str, ...]:
        return tuple(t for t in lands if t not in self.friendly)

    @cached_property
    def _rides(self) -> frozenset[Pair]:
        some = ((u, z) for z in self.war.board.sea for u in self.own[z] if self.type(u).transport_room)
        return frozenset(o.ride for u, z in some for o in self._by_sea(u, z) if o.ride)

    def _by_sea(self, kind: str, start: str) -> Iterator[Order]:
        move, room = self.type(kind).move, self.type(kind).transport_room
        for course in self._courses(start, move):
            if len(course) > 1 and course[-1] != start:
                yield Order(kind, start, course[-1])
            for load in course if room else ():
                if load not in self.closed:
                    yield Order(kind, start, course[-1], ride=(load, course[-1]))

    def _courses(self, start: str, move: int) -> Iterator[tuple[str, ...]]:
        """The ways from a zone: only their first and last zone may have enemy warships."""
        ways: list[tuple[str, ...]] = [(start,)]
        yield (start,)
        for _ in range(move):
            ways = [
                (*way, z)
                for way in ways
                if len(way) == 1 or way[-1] not in self.closed
                for z in self.channels[way[-1]]
            ]
            yield from ways

    def _by_air(self, kind: str, start: str) -> Iterator[Order]:
        fly, unit, far = self.war.flight, self.type(kind), 99
        places = [*self.friendly, *(self.war.board.sea if unit.carrier_load else ())]
        for to in places:
            if to != start and fly.get((start, to), far) <= unit.move:
                yield Order(kind, start, to)
            for battle in (*self.closed, *self._hostile(*self.war.board.land)):
                if fly.get((start, battle), far) + fly.get((battle, to), far) <= unit.move:
                    yield Order(kind, start, to, strikes=battle)

    def sets(self) -> Iterator[list[Order]]:
        """Every set of orders, each unit having one.

        Raises:
            TooLarge: There are too many.
        """
        choices = []
        for region, units in self.own.items():
            for kind, n in units.items():
                choices.append(list(combinations_with_replacement(self.orders(kind, region), n)))
        if prod(map(len, choices)) > self.war.most:
            raise TooLarge
        for some in product(*choices):
            yield [*chain.from_iterable(some)]

    # ---- judgement

    def after(self, orders: list[Order]) -> Position | None:
        """The position after the orders, or None if they are not allowed together."""
        taken = {t for o in orders for t in o.enters}
        cleared = {z for z in self.closed if self._worth_at_sea(orders, z) >= self._needed(z)}
        sailed = {o.to for o in orders if o.cost and self.type(o.kind).kind == "sea"} & self.closed
        struck = {o.strikes for o in orders if o.strikes}
        if not sailed <= cleared or not struck <= taken | cleared or not self._carried(orders):
            return None
        if not self._won(orders, taken):
            return None
        lost = self._lost(orders, taken)
        return None if lost is None else self._placed(orders, taken, cleared, lost)

    def _lost(self, orders: list[Order], taken: set[str]) -> Counter[tuple[str, str]] | None:
        """Whom the option `losses` takes; None if nobody would be left."""
        lost = Counter[tuple[str, str]]()
        for t in taken:
            entered = sorted((o.kind for o in orders if o.to == t and o.enters), key=lambda u: self.type(u).cost)
            hits = ceil(self.defence(t) / 6) if self.war.losses else 0
            if hits and hits >= len(entered):
                return None
            lost.update((t, u) for u in entered[:hits])
        return lost

    def _needed(self, region: str) -> int:
        return max(1, self.war.ratio * self.defence(region))

    def _worth_at_sea(self, orders: list[Order], zone: str) -> int:
        ships = sum(self.type(o.kind).attack for o in orders if o.to == zone and self.type(o.kind).kind == "sea")
        return ships + sum(self.type(o.kind).attack for o in orders if o.strikes == zone)

    def _worth_on_land(self, orders: list[Order], land: str) -> int:
        units = [self.type(o.kind) for o in orders if land in o.enters]
        worth = sum(u.attack for u in units) + sum(self.type(o.kind).attack for o in orders if o.strikes == land)
        if not self.war.full:
            return worth
        return worth + min(sum(u.supports_infantry for u in units), sum(u.supported_by_artillery for u in units))

    def _won(self, orders: list[Order], taken: set[str]) -> bool:
        """Whether every battle on land is won, ships shelling where that is best."""
        short = {t: self._needed(t) - self._worth_on_land(orders, t) for t in taken}
        if all(n <= 0 for n in short.values()):
            return True
        targets, shells = [], []
        for o in orders:
            if self.war.full and self.type(o.kind).bombards and o.to not in self.closed:
                landed = {x.to for x in orders if x.enters and x.ride and x.ride[1] == o.to}
                if landed:
                    targets.append(landed)
                    shells.append(self.type(o.kind).attack)
        for choice in product(*targets):
            if all(n <= sum(s for s, x in zip(shells, choice, strict=True) if x == t) for t, n in short.items()):
                return True
        return False

    def _carried(self, orders: list[Order]) -> bool:
        """Whether all that rides has a place in a transport, and no transport says that it carries in vain."""
        for ride in {o.ride for o in orders if o.ride}:
            on = [self.type(o.kind) for o in orders if o.ride == ride]
            loads = sorted((u.transport_load for u in on if u.kind == "land"), reverse=True)
            rooms = [u.transport_room for u in on if u.kind == "sea"]
            if not loads or not packed(loads, rooms):
                return False
        return True

    def _placed(
        self, orders: list[Order], taken: set[str], cleared: set[str], lost: Counter[tuple[str, str]]
    ) -> Position | None:
        units = Counter[Stack]()
        for (region, power, kind), n in self.position.units:
            gone = region in taken | cleared and self.war.side(power) != self.war.side(self.power)
            if power != self.power and not gone:
                units[region, power, kind] += n
        units.update((o.to, self.power, o.kind) for o in orders)
        units.subtract({(t, self.power, u): n for (t, u), n in lost.items()})
        for zone in self.war.board.sea:
            there = [(self.type(u), n) for (r, p, u), n in units.items() if r == zone and self._ally(p)]
            if sum(u.carrier_load * n for u, n in there) > sum(u.carrier_room * n for u, n in there):
                return None
        lands = zip(self.war.board.land, self.position.owners, strict=True)
        owners = tuple(self.power if t in taken else p for t, p in lands)
        return Position(owners, frozenset((s, n) for s, n in units.items() if n))

    def _ally(self, power: str) -> bool:
        return self.war.side(power) == self.war.side(self.power)

    def results(self, tried: Iterator[int]) -> Iterator[tuple[Position, int]]:
        """Every position that can follow, with the number of moves to it.

        Args:
            tried: Counts the sets of orders.

        Raises:
            TooLarge: There have been too many.
        """
        for orders in self.sets():
            if next(tried) > self.war.most:
                raise TooLarge
            after = self.after(orders)
            if after is not None:
                yield after, sum(o.cost for o in orders)


def packed(loads: list[int], rooms: list[int]) -> bool:
    """Whether all loads fit into the rooms."""
    if not loads:
        return True
    first, *rest = loads
    return any(
        packed(rest, [*rooms[:i], room - first, *rooms[i + 1 :]]) for i, room in enumerate(rooms) if room >= first
    )


Reached = Mapping[tuple[Owners, str], int]
"""Who owns each land and whose turn has ended just now, with the fewest moves to it."""


def reached(war: War, side: str, first: str, within: int) -> Reached:
    """All that a side can come to, the other being idle.

    Args:
        war: The board, at its start, and the rules.
        side: The side that moves.
        first: Whose turn it is.
        within: How many rounds there are.

    Raises:
        TooLarge: There is too much to try.
    """
    order, begin, tried = war.board.turn_order, war.board.turn_order.index(first), count(1)
    layer = {war.start(): 0}
    found = {(war.start().owners, "none"): 0}
    for turn in range(begin, begin + within * len(order)):
        power = order[turn % len(order)]
        if war.side(power) == side:
            following: dict[Position, int] = {}
            for position, cost in layer.items():
                for after, more in Turn(war, position, power).results(tried):
                    following[after] = min(cost + more, following.get(after, cost + more))
            layer = following
        for position, cost in layer.items():
            key = (position.owners, power)
            found[key] = min(cost, found.get(key, cost))
    return found


def fewest_moves(war: War, found: Reached, aim: Aim) -> int | None:
    """The fewest unit moves after which the goal holds, of all that can be come to; None if it never does."""
    met = (
        cost
        for (owners, ended), cost in found.items()
        if aim.met(dict(zip(war.board.land, owners, strict=True)), ended)
    )
    return min(met, default=None)
