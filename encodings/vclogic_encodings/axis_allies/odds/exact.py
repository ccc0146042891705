"""A battle counted out state by state, in fractions or in floats: the rules of a round are written here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb
from typing import Generic, TypeVar

from vclogic_encodings.axis_allies.odds.sides import (
    NO_DICE,
    SIDES,
    CombatRules,
    Composition,
    Dice,
    Left,
    Side,
    harmless,
    together,
)

from vclogic.clock import check_deadline
from vclogic.model.memoized import memoized

N = TypeVar("N", float, Fraction)
State = tuple[Left, Left]
"""The hits that the attacker and the defender have taken."""
Battles = Sequence[tuple[Side, Side, Mapping[State, N]]]
"""Attackers and defenders, with the states that they are in and their chances."""


class Counting(Generic[N]):
    """Chances in a type of numbers.

    Args:
        part: A fraction of two whole numbers, in that type.
    """

    def __init__(self, part: Callable[[int, int], N]):
        self.part: Callable[[int, int], N] = part
        self.one: N = part(1, 1)
        self.none: N = part(0, 1)

    @memoized
    def hits(self, thrown: Dice) -> tuple[N, ...]:
        """The chance of 0, 1, 2 ... hits with some dice."""
        found: tuple[N, ...] = (self.one,)
        for strength, number in enumerate(thrown):
            if number and strength:
                found = self._folded(found, self.binomial(number, strength))
        return found

    @memoized
    def binomial(self, number: int, strength: int) -> tuple[N, ...]:
        """The chance of each number of hits with dice of one strength."""
        return tuple(
            self.part(comb(number, k) * strength**k * (SIDES - strength) ** (number - k), SIDES**number)
            for k in range(number + 1)
        )

    def _folded(self, one: tuple[N, ...], other: tuple[N, ...]) -> tuple[N, ...]:
        found = [self.none] * (len(one) + len(other) - 1)
        for i, p in enumerate(one):
            check_deadline()
            for j, q in enumerate(other):
                found[i + j] += p * q
        return tuple(found)

    # ---- a round

    def round(self, a: Side, d: Side, state: State, shells: Dice = NO_DICE) -> dict[State, N]:
        """The states after a round from one state; `shells` are those of ships that bombard as it is fought."""
        found: dict[State, N] = {}
        for middle, first, narrow, answering in self._surprise(a, d, state):
            ours = self._fire(a.dice(middle[0]), narrow, shells)
            theirs = self._fire(d.dice(middle[1]), answering, NO_DICE)
            for (low, high), p in ours:
                check_deadline()
                new = d.after(middle[1], low, high)
                share = first * p
                for (by_sub, by_other), q in theirs:
                    after = a.after(middle[0], by_sub, by_other), new
                    found[after] = found.get(after, self.none) + share * q
        return found

    def _surprise(self, a: Side, d: Side, state: State) -> Iterator[tuple[State, N, bool, bool]]:
        """States after submarines have fired first, with their chances and whose submarines still fire."""
        left, there = state
        ours = self.hits(a.dice(left)[0]) if d.surprised(there) else (self.one,)
        theirs = self.hits(d.dice(there)[0]) if a.surprised(left) else (self.one,)
        for hit, p in enumerate(ours):
            for taken, q in enumerate(theirs):
                middle = a.after(left, taken, 0), d.after(there, hit, 0)
                yield middle, p * q, not d.surprised(there), not a.surprised(left)

    def _fire(self, rolled: tuple[Dice, Dice], submarines: bool, shells: Dice) -> list[tuple[tuple[int, int], N]]:
        """The hits of submarines, where they fire now, and of all others, with their chances."""
        narrow = self.hits(rolled[0]) if submarines else (self.one,)
        wide = self.hits(together(rolled[1], shells))
        return [((i, j), p * q) for i, p in enumerate(narrow) for j, q in enumerate(wide)]

    # ---- a whole battle

    def over(self, a: Side, d: Side, state: State) -> bool:
        """True if a battle ends here: one side is gone, or neither can hit the other any more."""
        left, there = state
        return a.gone(left) or d.gone(there) or not (can_hit(a, left, d, there) or can_hit(d, there, a, left))

    def fought(self, a: Side, d: Side, start: Mapping[State, N], few: int | None = None) -> dict[State, N]:
        """The states in which a battle ends, with their chances.

        Args:
            a: The attacker.
            d: The defender.
            start: The states that it goes on from, with their chances.
            few: The attacker retreats once there are so many units at most; None: never.
        """
        ends: dict[State, N] = {}
        pending: list[dict[State, N]] = [{} for _ in range(sum(a.most) + sum(d.most) + 1)]
        for state, p in start.items():
            pending[_taken(state)][state] = p
        for states in pending:
            for state, p in states.items():
                check_deadline()
                if self.over(a, d, state) or (few is not None and a.number(state[0]) <= few):
                    ends[state] = p
                    continue
                after = self.round(a, d, state)
                again = after.pop(state, self.none)
                share = p / (self.one - again)
                for new, q in after.items():
                    later = pending[_taken(new)]
                    later[new] = later.get(new, self.none) + share * q
        return ends

    def one_round(self, a: Side, d: Side, start: Mapping[State, N], few: int | None = None) -> dict[State, N]:
        """The states after one round from several; those in which the battle is over stay."""
        found: dict[State, N] = {}
        for state, p in start.items():
            check_deadline()
            done = self.over(a, d, state) or (few is not None and a.number(state[0]) <= few)
            for new, q in ({state: self.one} if done else self.round(a, d, state)).items():
                found[new] = found.get(new, self.none) + p * q
        return found

    def all_fought(self, battles: Battles[N], few: int | None = None) -> list[dict[State, N]]:
        """The states in which each of several battles ends; see `fought`."""
        return [self.fought(a, d, start, few) for a, d, start in battles]

    def all_one_round(self, battles: Battles[N], few: int | None = None) -> list[dict[State, N]]:
        """The states after one round of each of several battles; see `one_round`."""
        return [self.one_round(a, d, start, few) for a, d, start in battles]

    # ---- before the first round

    def shot_down(self, rules: CombatRules, attackers: Composition) -> Iterator[tuple[Composition, N]]:
        """The attackers left by antiaircraft fire: one die for each aircraft, which hits with a 1."""
        aircraft = [(u, n) for u, n in attackers if rules.kinds[u].kind == "air"]
        for down in product(*(range(n + 1) for _, n in aircraft)):
            chance = self.one
            for (_, n), k in zip(aircraft, down, strict=True):
                chance *= self.binomial(n, 1)[k]
            shot = {u: k for (u, _), k in zip(aircraft, down, strict=True)}
            yield tuple((u, n - shot.get(u, 0)) for u, n in attackers if n > shot.get(u, 0)), chance


def can_hit(one: Side, left: Left, other: Side, there: Left) -> bool:
    """True if one side can hit the other: submarines can hit ships only."""
    narrow, wide = one.dice(left)
    return not harmless(wide) or (not harmless(narrow) and other.targets(there))


def _taken(state: State) -> int:
    return sum(state[0]) + sum(state[1])


def two_sides(
    rules: CombatRules,
    attackers: Composition,
    defenders: Composition,
    at_sea: bool,
    *,
    fall: tuple[tuple[str, ...] | None, tuple[str, ...] | None] = (None, None),
    keep: bool = True,
) -> tuple[Side, Side]:
    """The two sides of a battle.

    Args:
        rules: How battles are fought.
        attackers: Who attacks.
        defenders: Who defends.
        at_sea: Whether the battle is for a sea zone.
        fall: The orders in which the attacker and the defender lose kinds of units; None: the usual one.
        keep: Whether the attacker keeps a land unit to the last.
    """
    ours, theirs = (any(rules.kinds[u].submarine for u, _ in units) for units in (attackers, defenders))
    a = Side(rules, attackers, attacking=True, at_sea=at_sea, apart=theirs, fall=fall[0], keep=keep)
    return a, Side(rules, defenders, attacking=False, at_sea=at_sea, apart=ours, fall=fall[1])


def bombarded(counting: Counting[N], rules: CombatRules, a: Side, d: Side, shells: Dice) -> dict[State, N]:
    """The states after bombardment: before the first round, or after it where those who are hit still fire."""
    start: Left = (0, 0)
    if shells == NO_DICE:
        return {(start, start): counting.one}
    if rules.bombarded == "fires" and not a.gone(start) and not d.gone(start):
        return counting.round(a, d, (start, start), shells)
    found: dict[State, N] = {}
    for hits, p in enumerate(counting.hits(shells)):
        state = start, d.after(start, 0, hits)
        found[state] = found.get(state, counting.none) + p
    return found
