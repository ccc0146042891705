"""Prices of plans by the expected losses of battles: a choice for each battle, and lemmas about it.

The expected loss is a function of how many units of each kind attack, which the dice give (`odds`) and no formula.
So a battle has a price, which the choices of a plan include, and which the laws leave open from 0 on. That it is no
less than the expected loss is told in lemmas: sums over the numbers of attackers that are nowhere above the loss
(`bounds`), some of them at first, and some that are exact for the attackers of a plan whenever a plan pays too
little. A battle has finitely many compositions of attackers, and none pays too little twice; so the search ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import floor
from typing import Any

from vclogic_encodings.axis_allies.armies.bounds import NEVER, Bound, Point, bound
from vclogic_encodings.axis_allies.armies.opposed import GUNS, force_of, numbers_of
from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.odds.chances import chances

from vclogic.model.battles import Fight
from vclogic.model.memoized import memoized
from vclogic.model.transition import Chosen, Judged, Lemmas, TakenStep
from vclogic.terms.atoms import FALSE, TRUE, integer, var
from vclogic.terms.build import all_of, and_, ge, implies, le, linear, scale
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort, between
from vclogic.terms.term import Op, Term

Array = Any  # of numpy, which has no useful types for what is done here
Pairs = tuple[tuple[str, int], ...]
Kind = tuple[Pairs, bool, Pairs]
"""Defenders, whether it is at sea, and the most of each kind that can attack."""
_NEAREST = 1e-6  # so far below a half a number is rounded up: the same whatever the order in which floats are added
_LARGEST = 90_000  # of the numbers in a lemma
_AT_FIRST, _EACH = 250, 12  # lemmas from the start, and for each battle: more make each round slower
_FEW_UNITS = 20  # attackers of so many units at the most are priced from the start,
_CLOSE = 0.01  # until no price is farther off than this share


@dataclass(frozen=True)
class Price:
    """The part of the losses that is counted.

    Attributes:
        name: The metric.
        scale: In what parts of one it is counted.
        text: What it is, in a line.
        counted: The same after a number.
    """

    name: str
    scale: int
    text: str
    counted: str

    def of(self, result: tuple[float, float, float]) -> int:
        """The price of a battle of this result."""
        _, units, money = result
        return floor((units if self.name == UNITS else money) * self.scale + 0.5 + _NEAREST)

    def most(self, game: Rules, fight: Fight) -> int:
        """No battle costs more than all that can attack."""
        each = (
            (1 if self.name == UNITS else game.board.units[u].cost, n) for u, n in fight.most.items() if GUNS not in u
        )
        return sum(one * n for one, n in each) * self.scale


UNITS = "losses"
PRICES = (
    Price(
        UNITS, 1000, "units that the side expects to lose in its attacks, by the dice", "units expected to be lost"
    ),
    Price("value-lost", 100, "what these units cost, in IPC", "IPC expected to be lost"),
)
"""In thousandths of a unit and hundredths of an IPC: finer ones make numbers that floating point could get wrong."""


@dataclass(frozen=True)
class Prices:
    """The prices of the battles of plans.

    Attributes:
        game: The game.
        price: What is counted.
    """

    game: Rules
    price: Price

    def choice(self, fight: Fight) -> Term:
        """The price of a battle, as a choice of its turn."""
        return var(f"{self.price.name} {fight.place}", between(0, self.price.most(self.game, fight)))

    def law(self, fight: Fight) -> Term:
        """Only battles that are fought have a price."""
        paid = self.choice(fight)
        return le(paid, scale(fight.won, paid.hi))

    def lemmas(self) -> Lemmas:
        """The lemmas that prices must satisfy."""
        return Lemmas(self._first, self._judge)

    def _first(self, steps: Sequence[TakenStep]) -> Iterable[Term]:
        number = _AT_FIRST // max(sum(len(taken.step.fights) for taken in steps), 1)
        for taken in steps:
            for fight in taken.step.fights:
                table = _table(self.game, self.price, *_kind(fight))
                for point in _at_first(self.game, self.price, min(number, _EACH), _kind(fight)):
                    yield taken.here(self._lemma(fight, table, point, up_first=False))

    def _judge(self, steps: Sequence[TakenStep], values: Chosen) -> Judged:
        """The prices that were set too low, or higher than need be."""
        truth = FALSE, TRUE
        known = Substitution(
            {v: truth[n] if v.is_bool else integer(n) for v, n in values.items() if not isinstance(v.sort, EnumSort)}
        )
        lemmas: list[Term] = []
        instead: dict[Term, int] | None = {}
        for taken in steps:
            for fight in taken.step.fights:
                paid, due = taken.here(self.choice(fight)), 0
                if known(taken.here(fight.won)) is TRUE:
                    point = tuple(known(taken.here(n)).lo for n in numbers_of(fight).values())
                    table = _table(self.game, self.price, *_kind(fight))
                    due = int(table[point])
                    assert due < NEVER, f"the laws allow a battle for {fight.place} that cannot be won: {point}"
                    if known(paid).lo < due:
                        lemmas.append(taken.here(self._lemma(fight, table, point, up_first=True)))
                        near = (self._lemma(fight, table, p, up_first=False) for p in _around(table, point))
                        lemmas += map(taken.here, near)
                if known(paid).lo != due:
                    instead = None if instead is None or paid.op is not Op.VAR else {**instead, paid: due}
        return Judged(tuple(lemmas), instead)

    def _lemma(self, fight: Fight, table: Array, point: Point, *, up_first: bool) -> Term:
        """A bound of the price that is exact for some attackers."""
        numbers = numbers_of(fight)
        found = _bound(table, point, up_first=up_first)
        paid, parts = self.choice(fight), list[tuple[int, Term]]()
        linked: list[Term] = []
        for count, steps in zip(numbers.values(), found.steps, strict=True):
            enough = [and_(fight.won, ge(count, k)) for k in range(1, len(steps) + 1)]
            parts += [(-step, there) for step, there in zip(steps, enough, strict=True) if step]
            linked += [implies(b, a) for a, b in pairwise(enough)]
            linked.append(le(linear((1, there) for there in enough), count))
        return and_(ge(linear([(1, paid), (-found.least, fight.won), *parts]), 0), all_of(linked))


def _kind(fight: Fight) -> Kind:
    """The key of a battle's odds: its defenders, whether it is at sea, and the most of each kind."""
    return tuple(fight.defenders.items()), fight.at_sea, tuple((u, fight.most[u]) for u in numbers_of(fight))


@memoized
def _table(game: Rules, price: Price, defenders: Pairs, at_sea: bool, most: Pairs) -> Array:
    """The price for each composition of attackers; `NEVER` where a plan does not win."""
    import numpy as np

    shape = [n + 1 for _, n in most]
    points = list(product(*map(range, shape)))
    results = chances(game, dict(defenders), at_sea=at_sea).results(
        force_of([u for u, _ in most], point) for point in points
    )
    prices = np.array([price.of(result) for result in results], dtype=np.int64).reshape(shape)
    return np.where(
        _lost(game, defenders, at_sea, most, np.array([r[0] for r in results]).reshape(shape)), NEVER, prices
    )


def _lost(game: Rules, defenders: Pairs, at_sea: bool, most: Pairs, take: Array) -> Array:
    """The attackers that win in no plan: none can hold the land, or their chance or strength is too small."""
    import numpy as np

    numbers = {u: n for (u, _), n in zip(most, np.indices(take.shape), strict=True)}
    none = np.zeros(take.shape, dtype=int)

    def of(kinds: Iterable[str]) -> Array:
        return sum((numbers[u] for u in kinds if u in numbers), none)

    nobody = none > 0 if at_sea else of(game.roles.soldiers) == 0
    least = game.settings.number("min_odds")
    if least:
        return nobody | (take < least / 100 - _NEAREST)
    units = game.board.units
    strength = sum((units[u.removeprefix(GUNS)].attack * n for u, n in numbers.items()), none)
    strength = strength + np.minimum(of(game.roles.supporting), of(game.roles.supported))
    against = sum(units[u].defence * n for u, n in defenders) * game.settings.number("ratio")
    return nobody | (strength < max(against, 1))


@memoized
def _at_first(game: Rules, price: Price, number: int, kind: Kind) -> tuple[Point, ...]:
    """The compositions for which there are lemmas from the start.

    The first is the cheapest of all; then, one by one, that of few units which is priced worst so far, as a share of
    what it costs.
    """
    import numpy as np

    table = _table(game, price, *kind)
    if (table >= NEVER).all():
        return ()
    points = [_where(table, table.min())]
    likely = (np.indices(table.shape).sum(axis=0) <= _FEW_UNITS) & (table < NEVER)
    priced = np.zeros(table.shape, dtype=np.int64)
    while len(points) < number:
        priced = np.maximum(priced, _bound(table, points[-1], up_first=False).table(table.shape))
        gap = np.where(likely, (table - priced) / (table + price.scale), 0)
        if gap.max() < _CLOSE:
            break
        points.append(_where(gap, gap.max()))
    return tuple(points)


def _around(table: Array, point: Point) -> Iterator[Point]:
    """A composition, and those of one unit more or less: a solver turns to them next."""
    yield point
    for axis, n in enumerate(point):
        for other in (n - 1, n + 1):
            near = (*point[:axis], other, *point[axis + 1 :])
            if 0 <= other < table.shape[axis] and table[near] < NEVER:
                yield near


def _where(table: Array, entry: int) -> Point:
    """The first point with an entry."""
    import numpy as np

    return tuple(map(int, np.unravel_index(int((table == entry).argmax()), table.shape)))


def _bound(table: Array, point: Point, *, up_first: bool) -> Bound:
    return bound(table, point, up_first=up_first, most=_LARGEST // (2 * table.ndim))
