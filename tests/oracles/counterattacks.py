"""Counter-attacks on tiny boards by brute force: all sets of orders of an enemy, with exact chances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count, product

from tests.oracles.armies import Aim, Order, Owners, Position, TooLarge, War
from tests.oracles.army_plans import Dice, Judged, Wishes, numbers


@dataclass(frozen=True)
class Answering(Judged):
    """An enemy's turn in which any battle may be fought."""

    def chances(self) -> Mapping[str, Fraction]:
        """The greatest chance to take each land, over all sets of orders."""
        found: dict[str, Fraction] = {}
        for orders in self.sets():
            taken = {t for o in orders for t in o.enters}
            if taken:
                chance = max(self._together(orders, taken), default=Fraction(0))
                for t in taken:
                    found[t] = max(chance, found.get(t, Fraction(0)))
        return found

    def _together(self, orders: list[Order], taken: set[str]) -> Iterator[Fraction]:
        """The chance that all battles are won that some orders lead to, for each way to shell; none: not allowed."""
        sailed = {o.to for o in orders if o.cost and self.type(o.kind).kind == "sea"} & self.closed
        struck = {o.strikes for o in orders if o.strikes}
        must = sailed | (struck - taken)
        if not must <= self.closed or not self._carried(orders):
            return
        if self._placed(orders, taken, must, Counter()) is None:
            return
        at_sea = Fraction(1)
        for zone in must:
            ships = [o.kind for o in orders if o.to == zone and self.type(o.kind).kind == "sea"]
            flying = [o.kind for o in orders if o.strikes == zone]
            there = numbers(Counter(ships + flying))
            at_sea *= self.dice.result(there, numbers(self.enemies[zone]), (), True).take
        ships_that_fire = list(self._shelling(orders))
        for aimed in product(*(targets for _, targets in ships_that_fire)):
            chance = at_sea
            for t in taken:
                fire = Counter(u for (u, _), x in zip(ships_that_fire, aimed, strict=True) if x == t)
                attackers = Counter(o.kind for o in orders if t in o.enters or o.strikes == t)
                chance *= self.dice.result(numbers(attackers), numbers(self.enemies[t]), numbers(fire), False).take
            yield chance


@dataclass
class Answers:
    """What enemies can take back, each position judged once."""

    war: War
    dice: Dice
    known: dict[tuple[Position, str], Mapping[str, Fraction]] = field(default_factory=dict)

    def chances(self, position: Position, power: str) -> Mapping[str, Fraction]:
        """The greatest chance of a power to take each land in its next turn, everybody being idle until then."""
        key = position, power
        if key not in self.known:
            self.known[key] = Answering(self.war, position, power, Wishes(1), self.dice).chances()
        return self.known[key]

    def held(self, before: Owners, position: Position, side: str, level: Fraction) -> bool:
        """Whether each land that a turn took is held with some chance against each enemy."""
        lands = self.war.board.land
        ours = [p for p in self.war.board.powers if self.war.side(p) == side]
        new = [
            t for t, was, now in zip(lands, before, position.owners, strict=True) if was not in ours and now in ours
        ]
        enemies = [p for p in self.war.board.powers if p not in ours]
        return all(1 - self.chances(position, p).get(t, Fraction(0)) >= level for t in new for p in enemies)


def best_held(
    answers: Answers, wishes: Wishes, side: str, first: str, within: int, level: Fraction, aim: Aim
) -> Fraction | None:
    """The least cost of a plan that holds what it takes; None if there is none.

    Raises:
        TooLarge: There is too much to try.
    """
    war = answers.war
    order, begin, tried = war.board.turn_order, war.board.turn_order.index(first), count(1)
    layer = {war.start(): Fraction(0)}
    costs: list[Fraction] = []
    for turn in range(begin, begin + within * len(order)):
        power = order[turn % len(order)]
        if war.side(power) == side:
            following: dict[Position, Fraction] = {}
            for position, cost in layer.items():
                judged = Judged(war, position, power, wishes, answers.dice)
                for orders in judged.sets():
                    if next(tried) > war.most:
                        raise TooLarge
                    for after, more in judged.outcomes(orders):
                        if answers.held(position.owners, after, side, level):
                            following[after] = min(cost + more, following.get(after, cost + more))
            layer = following
        lands = war.board.land
        costs += [c for p, c in layer.items() if aim.met(dict(zip(lands, p.owners, strict=True)), power)]
    return min(costs, default=None)
