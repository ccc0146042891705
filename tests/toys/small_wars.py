"""Small games of moving and attacking on a few areas, from a seed: their facts.

Two sides have units in areas joined by roads. In its turn a side does one thing: it moves a unit along a road to an
area without enemies, or removes an enemy unit by attacking its area from two others (or from one). What ends the game
is one of several things, or nothing: units then go round in circles. `small_war_rules.py` makes rule sets of these
facts, `tests/oracles/small_wars.py` plays the same games in plain Python.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

RED, BLUE = SIDES = ("Red", "Blue")
MISSES = 6
"""How much a miss weighs."""


@dataclass(frozen=True)
class War:
    """The facts of a game.

    Attributes:
        areas: The areas.
        roads: Pairs of areas.
        units: How many units each side has in each area at the start, in the order of the areas.
        limit: The most units in an area.
        attackers: From how many areas an attack is made, 1 or 2.
        first: Who is on turn at the start; empty: there are no turns, either side acts when it likes.
        rounds: After so many rounds the game is over; 0: there is no limit.
        may_pass: Whether a turn can be ended before anything was done in it.
        single: Whether what a side does ends its turn; else the turn is ended by an event of its own.
        goals: The area that each side wants to enter, or None; it wins as it stands there at the end of a turn.
        removal: Whether a side wins when the other has no units.
        points: What each area is worth; when the rounds are over, who stands on more points wins.
        latched: Whether a fluent keeps who won first; else the state shows it, and nothing happens after that.
        odds: How much a hit weighs beside a miss, and one more for each area that the attacker has around; 0: there
            is no die, attacks always succeed.
        declared: Whether the rule set says so; else it leaves open how the die falls.
    """

    areas: tuple[str, ...]
    roads: frozenset[frozenset[str]]
    units: Mapping[str, tuple[int, ...]]
    limit: int
    attackers: int
    first: str
    rounds: int
    may_pass: bool
    single: bool
    goals: Mapping[str, str | None]
    removal: bool
    points: tuple[int, ...]
    latched: bool
    odds: int = 0
    declared: bool = False

    def touch(self, a: str, b: str) -> bool:
        """Whether a road joins two areas."""
        return frozenset((a, b)) in self.roads


def war(seed: int, *, dice: bool = False, turns: bool = True, declared: bool = False) -> War:
    """A game of 3 to 5 areas.

    Args:
        seed: The number it is made of.
        dice: Whether attacks are decided by a die.
        turns: Whether the sides take turns.
        declared: Whether the rule set says how the die falls.
    """
    rng = Random(seed)
    while True:
        game = _war(rng, dice and turns, turns)
        if not any(_decided(game, side) for side in SIDES):
            return replace(game, declared=declared)


def _war(rng: Random, dice: bool, turns: bool) -> War:
    areas = tuple("ABCDE"[: rng.choice((3, 4, 4, 5))])
    roads = {frozenset((areas[rng.randrange(i)], areas[i])) for i in range(1, len(areas))}
    roads |= {frozenset(p) for p in combinations(areas, 2) if rng.random() < 0.4}
    limit = rng.choice((1, 1, 2))
    units: dict[str, list[int]] = {s: [0] * len(areas) for s in SIDES}
    for side in SIDES:
        for _ in range(rng.choice((1, 2, 2, 3) if len(areas) < 5 else (1, 2))):
            free = [i for i in range(len(areas)) if not units[enemy(side)][i] and units[side][i] < limit]
            if free:
                units[side][rng.choice(free)] += 1
    wants = rng.random() < 0.6
    goals = {s: rng.choice(areas) if wants and rng.random() < 0.85 else None for s in SIDES}
    return War(
        areas=areas,
        roads=frozenset(roads),
        units={s: tuple(u) for s, u in units.items()},
        limit=limit,
        attackers=rng.choice((1, 2, 2)),
        first=rng.choice(SIDES) if turns else "",
        rounds=rng.choice((0, 0, 2, 3)) if turns else 0,
        may_pass=rng.random() < 0.4,
        single=not turns or rng.random() < 0.6,
        goals=goals,
        removal=rng.random() < 0.7 or not any(goals.values()),
        points=tuple(rng.randint(0, 2) for _ in areas),
        latched=rng.random() < 0.5,
        odds=rng.randint(1, 5) if dice else 0,
    )


def _decided(game: War, side: str) -> bool:
    """Whether a side stands on its goal or has no units at the start."""
    units, goal = game.units[side], game.goals[side]
    return not any(units) or (goal is not None and units[game.areas.index(goal)] > 0)


def enemy(side: str) -> str:
    """The other side."""
    return SIDES[1 - SIDES.index(side)]
