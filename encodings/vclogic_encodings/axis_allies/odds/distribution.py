"""Distribution of one battle: the chance of each ending, and the losses of both sides."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Generic, Protocol, TypeVar

from vclogic_encodings.axis_allies.odds.sides import (
    NO_DICE,
    CombatRules,
    Composition,
    Dice,
    Row,
    Side,
    State,
    dice,
    is_over,
)

from vclogic.clock import check_deadline
from vclogic.model.battles import Battle, BattleEnd, Chance, Conduct, Losses, Odds

N = TypeVar("N", float, Fraction)
K = TypeVar("K")
Ends = tuple[Composition, Composition]
"""The attackers and the defenders that are left."""
Endings = dict[Ends, N]
"""The chance of each ending."""


def counted(chances: ChancesOfBattle[N], battle: Battle, conduct: Conduct) -> Odds:
    """The odds of a battle by the chances of its two sides."""
    endings = BattleCourse(chances, battle, conduct).endings()
    return _summary(chances.a.rules, battle, endings, chances.error, swept=chances.swept)


class ChancesOfBattle(Protocol[N]):
    """How chances are counted: as fractions (`Exact`) or in floats (`Forward`)."""

    a: Side
    d: Side
    one: N

    @property
    def error(self) -> float:
        """The largest distance of the chances so far from the exact ones, as a share of them."""

    @property
    def swept(self) -> bool:
        """True if chances that are next to nothing were left out, so that endings may be missing."""

    def hits(self, thrown: Dice) -> Sequence[N]:
        """The chance of 0, 1, 2 ... hits with some dice."""

    def fought(self, start: Mapping[State, N], few: int | None = None) -> dict[State, N]:
        """The states in which a battle ends."""

    def one_round(self, start: Mapping[State, N], few: int | None = None) -> dict[State, N]:
        """The states after one round from several; those in which the battle is over stay."""

    def fired(self, start: Mapping[State, N], shells: Dice) -> dict[State, N]:
        """The states after a round from each state, in which ships bombard."""


class BattleCourse(Generic[N]):
    """One battle, from antiaircraft fire to its endings."""

    def __init__(self, chances: ChancesOfBattle[N], battle: Battle, conduct: Conduct):
        self._chances: ChancesOfBattle[N] = chances
        self._a, self._d, self._rules = chances.a, chances.d, chances.a.rules
        self._battle, self._conduct = battle, conduct

    def endings(self) -> Endings[N]:
        """All endings with their chances."""
        battle, rules = self._battle, self._rules
        there = self._d.row(rules.fighting(battle.defenders, battle.at_sea))
        start = {(ours, there): p for ours, p in self._under_fire().items()}
        shells = rules.shells(battle.guns, battle.at_sea)
        still_fire = rules.bombarded == "fires" and shells != NO_DICE and any(there)
        ends = self._until_the_end(self._bombarded(start, shells), fought=int(still_fire))
        found: Endings[N] = {}
        for (ours, theirs), p in (self._fought_on(ends) if battle.landing else ends).items():
            _add(found, (self._a.remaining(ours), self._d.remaining(theirs)), p)
        return found

    def _under_fire(self) -> dict[Row, N]:
        """What antiaircraft fire leaves of the attackers: one die for each aircraft, which hits with a 1."""
        battle, rules = self._battle, self._rules
        attackers = rules.fighting(battle.attackers, battle.at_sea)
        if not rules.guarded(battle.defenders, battle.at_sea):
            return {self._a.row(attackers): self._chances.one}
        aircraft = [(u, n) for u, n in attackers if rules.kinds[u].kind == "air"]
        chances = [self._chances.hits(dice([1] * n)) for _, n in aircraft]
        found: dict[Row, N] = {}
        for down in product(*(range(n + 1) for _, n in aircraft)):
            check_deadline()
            chance = self._chances.one
            for each, shot in zip(chances, down, strict=True):
                chance *= each[shot]
            left = {**dict(attackers), **{u: n - shot for (u, n), shot in zip(aircraft, down, strict=True)}}
            found[self._a.row(tuple(left.items()))] = chance
        return found

    def _bombarded(self, start: Mapping[State, N], shells: Dice) -> dict[State, N]:
        """The states after bombardment: before the first round, or after it where those who are hit still fire."""
        if shells == NO_DICE:
            return dict(start)
        fires = self._rules.bombarded == "fires"
        in_round = {state: p for state, p in start.items() if fires and any(state[0]) and any(state[1])}
        found: dict[State, N] = self._chances.fired(in_round, shells)
        for (ours, theirs), p in start.items():
            check_deadline()
            if (ours, theirs) not in in_round:
                for chance in self._chances.hits(shells):
                    _add(found, (ours, theirs), p * chance)
                    theirs = self._d.after(theirs, False)
        return found

    def _until_the_end(self, start: Mapping[State, N], fought: int) -> Mapping[State, N]:
        """The states in which the battle ends, or in which the attacker retreats.

        Args:
            start: The states as it begins.
            fought: How many rounds have been fought, with the bombardment.
        """
        chances, few = self._chances, self._conduct.retreat_at
        if self._conduct.rounds is None:
            return chances.fought(start if few is None or fought else chances.one_round(start), few)
        reached = start
        for number in range(fought, self._conduct.rounds):
            before = reached
            reached = chances.one_round(before, few if number else None)
            if before == reached:
                break
        return reached

    def _fought_on(self, ends: Mapping[State, N]) -> dict[State, N]:
        """The ends once land units that came from the sea have fought on where aircraft retreat."""
        land = [u for u in self._a.units if self._rules.kinds[u].kind == "land"]
        found: dict[State, N] = {}
        going: dict[Row, dict[State, N]] = {}
        for (ours, theirs), p in ends.items():
            if is_over(self._a, self._d, (ours, theirs)):
                _add(found, (ours, theirs), p)
            else:
                alone = self._a.only(ours, land)
                flown = tuple(n - m for n, m in zip(ours, alone, strict=True))
                _add(going.setdefault(flown, {}), (alone, theirs), p)
        for flown, start in going.items():
            for (alone, theirs), p in self._chances.fought(start).items():
                _add(found, (tuple(n + m for n, m in zip(alone, flown, strict=True)), theirs), p)
        return found


def _add(found: dict[K, N], key: K, p: N) -> None:
    found[key] = found[key] + p if key in found else p


# ---- what follows from the endings


def _summary(rules: CombatRules, battle: Battle, endings: Endings[N], error: float, *, swept: bool = False) -> Odds:
    """The odds from the chances of all endings; `swept`: of all but some that are next to nothing."""
    kinds, at_sea = rules.kinds, battle.at_sea
    found = {ending: p for ending, p in endings.items() if p}
    sides = rules.fighting(battle.attackers, at_sea), rules.fighting(battle.defenders, at_sea)
    worth = max(sum(n * max(kinds[u].cost, 1) for u, n in units) for units in sides)
    holds = {e: not e[1] and rules.can_hold((u for u, _ in e[0]), at_sea) for e in found}
    can_take = rules.can_hold((u for u, _ in sides[0]), at_sea)
    each = (BattleEnd(dict(ours), dict(theirs), p) for (ours, theirs), p in found.items())
    return Odds(
        take=_chance(found, holds, swept and can_take),
        clear=_chance(found, {e: not e[1] for e in found}, swept),
        draw=_chance(found, {e: not e[0] and not e[1] for e in found}, swept),
        attacker=_losses(rules, sides[0], [(ours, p) for (ours, _), p in found.items()]),
        defender=_losses(rules, sides[1], [(theirs, p) for (_, theirs), p in found.items()]),
        endings=tuple(sorted(each, key=lambda e: -e.chance)),
        error=error * max(worth, 1),
    )


def _chance(found: Endings[N], those: Mapping[Ends, bool], swept: bool) -> Chance:
    """The chance of some endings; in floats 1 only if there are no others, and 0 only if there is none of them."""
    total: Chance = sum((p for e, p in found.items() if those[e]), _none(found.values()))
    if isinstance(total, Fraction):
        return total
    if all(those.values()) and not swept:
        return 1.0
    least = sys.float_info.min if swept else 0.0
    return min(max(float(total), least), math.nextafter(1.0, 0.0))


def _losses(rules: CombatRules, units: Composition, left: Sequence[tuple[Composition, N]]) -> Losses:
    """The expected losses of a side, from its possible remains with their chances."""
    none = _none([p for _, p in left])
    lost: dict[str, Chance] = {u: none for u, _ in units}
    for force, p in left:
        now = dict(force)
        for u, n in units:
            if fallen := n - now.get(u, 0):
                lost[u] += p * fallen
    value = sum((rules.kinds[u].cost * n for u, n in lost.items()), none)
    return Losses(units=sum(lost.values(), none), value=value, kinds=lost)


def _none(chances: Iterable[Chance]) -> Chance:
    """0 in the type of numbers of some chances."""
    return Fraction(0) if isinstance(next(iter(chances), 0.0), Fraction) else 0.0
