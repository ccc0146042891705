"""Distribution of one battle: the chance of each ending, and the losses of both sides."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Generic, TypeVar

from vclogic_encodings.axis_allies.odds.exact import Battles, Counting, State, bombarded, two_sides
from vclogic_encodings.axis_allies.odds.floats import Floats
from vclogic_encodings.axis_allies.odds.sides import NO_DICE, CombatRules, Composition, Left, Side

from vclogic.clock import check_deadline
from vclogic.model.battles import Battle, BattleEnd, Chance, Conduct, Losses, Odds
from vclogic.shortage import libraries_missing

N = TypeVar("N", float, Fraction)
Ends = tuple[Composition, Composition]
"""The attackers and the defenders that are left."""
Endings = dict[Ends, N]
"""The chance of each ending."""


def odds(rules: CombatRules, battle: Battle, conduct: Conduct, exact: bool = False) -> Odds:
    """The odds of a battle.

    Antiaircraft guns neither fight nor fall, so they are not among the defenders of an ending. A retreat takes place
    after a round at the earliest. Where land units come from the sea, they fight on as aircraft retreat.

    Args:
        rules: How battles are fought.
        conduct: What the two sides decide in it.
        exact: Whether to count in fractions.

    Returns:
        The odds. In floats a chance that is certain is exactly 1, one that is impossible exactly 0, and no other
        chance to take, to clear or of a draw is 1.
    """
    if exact or libraries_missing():  # floats are counted with NumPy
        return _summary(rules, battle, Fight(Counting[Fraction](Fraction), rules, battle, conduct).endings(), 0.0)
    counting = Floats()
    endings = Fight(counting, rules, battle, conduct).endings()
    return _summary(rules, battle, endings, counting.error, swept=counting.swept)


class Fight(Generic[N]):
    """One battle, counted in a type of numbers."""

    def __init__(self, counting: Counting[N], rules: CombatRules, battle: Battle, conduct: Conduct):
        self._counting: Counting[N] = counting
        self._rules, self._battle, self._conduct = rules, battle, conduct
        self._defenders = rules.fighting(battle.defenders, battle.at_sea)
        self._found: Endings[N] = {}
        self._met: dict[bool, Side] = {}

    def endings(self) -> Endings[N]:
        """All endings with their chances."""
        battle, counting, rules = self._battle, self._counting, self._rules
        attackers = rules.fighting(battle.attackers, battle.at_sea)
        shells = rules.shells(battle.guns, battle.at_sea)
        forces = [(attackers, counting.one)]
        if rules.guarded(battle.defenders, battle.at_sea):
            forces = list(counting.shot_down(rules, attackers))
        sides = [self._sides(force) for force, _ in forces]
        starts = [(a, d, bombarded(counting, rules, a, d, shells)) for a, d in sides]
        fires = rules.bombarded == "fires" and shells != NO_DICE and bool(self._defenders)
        ends = self._until_the_end(starts, fought=int(fires))
        for (a, d), (_, chance), each in zip(sides, forces, ends, strict=True):
            self._add(a, d, each, chance)
        return self._found

    def _sides(self, attackers: Composition) -> tuple[Side, Side]:
        check_deadline()
        conduct = self._conduct
        fall = conduct.attackers_fall, conduct.defenders_fall
        at_sea, keep = self._battle.at_sea, conduct.keep_land_unit
        a, d = two_sides(self._rules, attackers, self._defenders, at_sea, fall=fall, keep=keep)
        return a, self._met.setdefault(d.apart, d)

    def _until_the_end(self, starts: Battles[N], fought: int) -> list[dict[State, N]]:
        """The states in which battles end, or in which the attacker retreats.

        Args:
            fought: How many rounds have been fought, with the bombardment.
        """
        counting, few = self._counting, self._conduct.retreat_at
        if self._conduct.rounds is None:
            if few is None or fought:
                return counting.all_fought(starts, few)
            return counting.all_fought(_go_on(starts, counting.all_one_round(starts)), few)
        reached = [dict(start) for _, _, start in starts]
        for number in range(fought, self._conduct.rounds):
            before = reached
            reached = counting.all_one_round(_go_on(starts, before), few if number else None)
            if before == reached:
                break
        return reached

    def _add(self, a: Side, d: Side, ends: Mapping[State, N], chance: N) -> None:
        """Add endings; after a landing, land units fight on where aircraft retreat."""
        for state, p in ends.items():
            left, there = state
            ours, theirs = a.remaining(left), d.remaining(there)
            if self._battle.landing and not self._counting.over(a, d, state):
                self._fight_on(a, left, d, there, chance * p)
            else:
                key = ours, theirs
                self._found[key] = self._found.get(key, self._counting.none) + chance * p

    def _fight_on(self, a: Side, left: Left, d: Side, there: Left, chance: N) -> None:
        """Add the endings of what land units do once aircraft have retreated."""
        counting, kinds = self._counting, self._rules.kinds
        force = a.remaining(left)
        landed = tuple((u, n) for u, n in force if kinds[u].kind == "land")
        alone, _ = self._sides(landed)
        begin = (min(a.dents(left, "land"), alone.dents(alone.most, "land")), 0)
        for (after, beaten), p in counting.fought(alone, d, {(begin, there): counting.one}).items():
            now = dict(alone.remaining(after))
            ours = tuple(
                (u, now[u] if u in dict(landed) else n) for u, n in force if u not in dict(landed) or now.get(u)
            )
            key = ours, d.remaining(beaten)
            self._found[key] = self._found.get(key, counting.none) + chance * p


def _go_on(battles: Battles[N], reached: Sequence[Mapping[State, N]]) -> Battles[N]:
    """The battles from the states that they have reached."""
    return [(a, d, states) for (a, d, _), states in zip(battles, reached, strict=True)]


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
