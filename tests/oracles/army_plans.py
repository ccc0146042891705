"""The best plans of armies on tiny boards where dice decide the battles, by brute force over all sets of orders.

Moves are those of `armies.py`, chances those of `odds.py`; neither knows the planner. An attacker loses in the plan
what the option `losses` takes; what the dice would cost is only counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, count, product

from tests.oracles.armies import Aim, Order, Owners, Position, TooLarge, Turn, War
from tests.oracles.odds import Question, Result, exact

Numbers = tuple[tuple[str, int], ...]
"""Numbers of units by kind, in the order of their names."""
MOVES, LOSSES, VALUE = "moves", "losses", "value-lost"


def numbers(units: Mapping[str, int]) -> Numbers:
    """Numbers of units in one order, without what is not there."""
    return tuple(sorted((u, n) for u, n in units.items() if n))


@dataclass(frozen=True)
class Wishes:
    """What is asked of a plan beside its goal.

    Attributes:
        min_odds: The least chance of every battle, in per cent; 0: the ratio of the war is asked instead.
        metric: What is to be as small as possible.
        hold: The least chance, in per cent, that a land just taken is not taken back by one power's next turn, the
            other powers being idle until then; 0: that is not asked.
    """

    min_odds: int = 0
    metric: str = MOVES
    hold: int = 0


@dataclass
class Dice:
    """The battles of one board, each judged once."""

    war: War
    known: dict[tuple[Numbers, Numbers, Numbers, bool], Result] = field(default_factory=dict)
    answers: dict[tuple[Position, str, str], Fraction] = field(default_factory=dict)

    def result(self, attackers: Numbers, defenders: Numbers, guns: Numbers, at_sea: bool) -> Result:
        """What comes of a battle."""
        key = (attackers, defenders, guns, at_sea)
        if key not in self.known:
            types = self.war.board.units
            self.known[key] = exact(Question(types, dict(attackers), dict(defenders), dict(guns), at_sea))
        return self.known[key]

    def strongest(self, position: Position, power: str, land: str) -> Fraction:
        """The greatest chance with which a power takes a land in its turn, fighting for nothing else on land."""
        key = (position, power, land)
        if key not in self.answers:
            turn = Judged(self.war, position, power, Wishes(), self)
            self.answers[key] = max((turn.chance(orders, land) for orders in turn.sets()), default=Fraction(0))
        return self.answers[key]


@dataclass(frozen=True)
class Judged(Turn):
    """What a power can do in its turn where the chances of battles count."""

    wishes: Wishes
    dice: Dice

    def outcomes(self, orders: list[Order]) -> Iterator[tuple[Position, Fraction]]:
        """The positions after some orders, and what they cost; none if the orders are not allowed together."""
        taken = {t for o in orders for t in o.enters}
        sailed = {o.to for o in orders if o.cost and self.type(o.kind).kind == "sea"} & self.closed
        struck = {o.strikes for o in orders if o.strikes}
        there = {z for z in self.closed if self._worth_at_sea(orders, z)}
        must = sailed | (struck - taken)
        if not must <= there or not self._carried(orders):
            return
        lost = self._lost(orders, taken)
        on_land = self._on_land(orders, taken)
        if lost is None or on_land is None:
            return
        moves = Fraction(sum(o.cost for o in orders))
        costs = {z: self._at_sea(orders, z) for z in there}
        for cleared in self._clearings(must, {z for z in there if costs[z] is not None}):
            after = self._placed(orders, taken, set(cleared), lost)
            if after is not None and self._held(after, taken):
                fought = sum((costs[z] or Fraction(0) for z in cleared), on_land)
                yield after, moves if self.wishes.metric == MOVES else fought

    def _clearings(self, must: set[str], can: set[str]) -> Iterator[tuple[str, ...]]:
        """The zones that are cleared: those that must be, and any others where ships began beside the enemy's."""
        if not must <= can:
            return
        more = sorted(can - must)
        for size in range(len(more) + 1):
            for some in combinations(more, size):
                yield (*must, *some)

    # ---- answers of the enemy

    def _held(self, after: Position, taken: set[str]) -> bool:
        """Whether no single enemy is too likely to take back what was taken."""
        if not self.wishes.hold:
            return True
        enemies = [p for p in self.war.board.powers if self.war.side(p) != self.war.side(self.power)]
        most = 1 - Fraction(self.wishes.hold, 100)
        return all(self.dice.strongest(after, p, t) <= most for t in taken for p in enemies)

    def chance(self, orders: list[Order], land: str) -> Fraction:
        """The chance with which some orders take a land, and clear the zones that this asks for."""
        taken = {t for o in orders for t in o.enters}
        if land not in taken or any(self.enemies[t].total() for t in taken - {land}):
            return Fraction(0)
        sailed = {o.to for o in orders if o.cost and self.type(o.kind).kind == "sea"} & self.closed
        zones = sailed | ({o.strikes for o in orders if o.strikes} - taken)
        if not zones <= self.closed or not self._carried(orders):
            return Fraction(0)
        if self._placed(orders, taken, zones, Counter()) is None:
            return Fraction(0)
        ships = list(self._shelling(orders))
        best = Fraction(0)
        for aimed in product(*(targets for _, targets in ships)):
            fire = Counter(u for (u, _), x in zip(ships, aimed, strict=True) if x == land)
            best = max(best, self._fought(orders, land, fire).take)
        for zone in zones:
            best *= self._fought_at_sea(orders, zone).take
        return best

    # ---- battles

    def _accepted(self, worth: int, region: str, result: Result) -> bool:
        if not self.wishes.min_odds:
            return worth >= self._needed(region)
        return worth >= 1 and result.take * 100 >= self.wishes.min_odds

    def _cost(self, result: Result) -> Fraction:
        return result.units_lost() if self.wishes.metric == LOSSES else result.value_lost()

    def _at_sea(self, orders: list[Order], zone: str) -> Fraction | None:
        """What a battle for a zone costs; None if it must not be fought."""
        result = self._fought_at_sea(orders, zone)
        return self._cost(result) if self._accepted(self._worth_at_sea(orders, zone), zone, result) else None

    def _fought_at_sea(self, orders: list[Order], zone: str) -> Result:
        ships = [o.kind for o in orders if o.to == zone and self.type(o.kind).kind == "sea"]
        flying = [o.kind for o in orders if o.strikes == zone]
        return self.dice.result(numbers(Counter(ships + flying)), numbers(self.enemies[zone]), (), True)

    def _on_land(self, orders: list[Order], taken: set[str]) -> Fraction | None:
        """What the battles on land cost, ships shelling where that is best; None if one must not be fought."""
        best: Fraction | None = None
        ships = list(self._shelling(orders))
        for aimed in product(*(targets for _, targets in ships)):
            fire = {t: Counter(u for (u, _), x in zip(ships, aimed, strict=True) if x == t) for t in taken}
            costs = [self._battle(orders, t, fire[t]) for t in taken]
            sums = [c for c in costs if c is not None]
            if len(sums) == len(costs) and (best is None or sum(sums, Fraction(0)) < best):
                best = sum(sums, Fraction(0))
        return best

    def _shelling(self, orders: list[Order]) -> Iterator[tuple[str, Sequence[str | None]]]:
        for o in orders:
            if self.war.full and self.type(o.kind).bombards and o.to not in self.closed:
                landed = {t for x in orders if x.ride and x.ride[1] == o.to for t in x.enters}
                if landed:
                    yield o.kind, (None, *sorted(landed))

    def _battle(self, orders: list[Order], land: str, fire: Counter[str]) -> Fraction | None:
        result = self._fought(orders, land, fire)
        worth = self._worth_on_land(orders, land) + sum(self.type(u).attack * n for u, n in fire.items())
        return self._cost(result) if self._accepted(worth, land, result) else None

    def _fought(self, orders: list[Order], land: str, fire: Counter[str]) -> Result:
        attackers = Counter(o.kind for o in orders if land in o.enters or o.strikes == land)
        return self.dice.result(numbers(attackers), numbers(self.enemies[land]), numbers(fire), False)


def best_costs(
    war: War, wishes: Wishes, dice: Dice, side: str, first: str, within: int
) -> Mapping[tuple[Owners, str], Fraction]:
    """All that a side can come to with the other being idle: owners, whose turn has ended, and the least cost.

    Raises:
        TooLarge: There is too much to try.
    """
    order, begin, tried = war.board.turn_order, war.board.turn_order.index(first), count(1)
    layer = {war.start(): Fraction(0)}
    found = {(war.start().owners, "none"): Fraction(0)}
    for turn in range(begin, begin + within * len(order)):
        power = order[turn % len(order)]
        if war.side(power) == side:
            following: dict[Position, Fraction] = {}
            for position, cost in layer.items():
                judged = Judged(war, position, power, wishes, dice)
                for orders in judged.sets():
                    if next(tried) > war.most:
                        raise TooLarge
                    for after, more in judged.outcomes(orders):
                        following[after] = min(cost + more, following.get(after, cost + more))
            layer = following
        for position, cost in layer.items():
            key = (position.owners, power)
            found[key] = min(cost, found.get(key, cost))
    return found


def least(war: War, found: Mapping[tuple[Owners, str], Fraction], aim: Aim) -> Fraction | None:
    """The least cost at which the goal holds; None if it never does."""
    lands = war.board.land
    met = (cost for (owners, ended), cost in found.items() if aim.met(dict(zip(lands, owners, strict=True)), ended))
    return min(met, default=None)
