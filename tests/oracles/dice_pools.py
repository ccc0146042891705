"""A hunt for faults of `odds`, outside CI: `python -m tests.oracles.dice_pools --minutes 5 --seed 1`.

Battles on land and single volleys are counted out by icepool (`pip install icepool`), a library for dice pools, which
shares nothing with vclogic: down to one die, to no die, and to more hits than there are units. Each difference is
printed with its battle; the exit code is 1 if there is any.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib import import_module
from random import Random
from typing import Any

import vclogic
from vclogic.game import Game

HITS: Mapping[str, tuple[int, int]] = {"infantry": (1, 2), "armour": (3, 3), "fighter": (3, 4), "bomber": (4, 1)}
"""What each kind hits with in attack and in defence, from the rules as they are printed."""
Units = tuple[tuple[str, int], ...]
"""The numbers of units by kind, who falls first standing first."""


def without(units: Units, hits: int) -> Units:
    """What is left of a side."""
    left = []
    for kind, number in units:
        taken = min(number, hits)
        hits -= taken
        left.append((kind, number - taken))
    return tuple(left)


@cache
def _icepool() -> Any:
    return import_module("icepool")


def there(units: Units) -> bool:
    return any(number for _, number in units)


@cache
def volley(units: Units, attacks: bool) -> Any:
    """The hits of a side in a round, as a die of icepool; of nobody none."""
    icepool = _icepool()
    pool = icepool.Die([0])
    for kind, number in units:
        strength = HITS[kind][0 if attacks else 1]
        pool += number @ icepool.Die({1: strength, 0: 6 - strength})
    return pool


def battle(attack: Units, defend: Units, rounds: int | None) -> dict[tuple[Units, Units], Fraction]:
    """The chance of each end; a round in which nobody hits is left out, as it leads back to itself."""

    @cache
    def ends(a: Units, d: Units, left: int | None) -> Mapping[tuple[Units, Units], Fraction]:
        if not there(a) or not there(d) or left == 0:
            return {(a, d): Fraction(1)}
        icepool = _icepool()
        both = icepool.tupleize(volley(a, True), volley(d, False))
        total, found = Fraction(1), dict[tuple[Units, Units], Fraction]()
        for (hits, losses), chance in both.items():
            share = Fraction(chance, both.denominator())
            after = without(a, losses), without(d, hits)
            if left is None and after == (a, d):
                total -= share
                continue
            for end, odds in ends(*after, None if left is None else left - 1).items():
                found[end] = found.get(end, Fraction(0)) + share * odds
        return {end: odds / total for end, odds in found.items()}

    return dict(ends(attack, defend, rounds))


def drawn(random: Random, most: int) -> Units:
    order = random.sample(sorted(HITS), len(HITS))
    return tuple((kind, random.choice((0, 0, 1, 1, 2, 3)) if random.random() < 0.8 else most) for kind in order)


def difference(random: Random, game: Game) -> str:
    """A battle about which both disagree; empty: they agree."""
    attack, defend = drawn(random, 4), drawn(random, 4)
    if not there(attack) or not there(defend):
        attack, defend = (("infantry", 1),), (("infantry", 1),)
    rounds = random.choice((None, None, 1, 2))
    found = game.odds(
        {k: n for k, n in attack if n},
        {k: n for k, n in defend if n},
        attackers_fall=[k for k, _ in attack],
        defenders_fall=[k for k, _ in defend],
        keep=False,
        rounds=rounds,
        exact=True,
    )
    if found.odds is None:
        return f"{attack} against {defend}: {found.status} {found.reason}"
    ours = {(_named(e.attackers), _named(e.defenders)): e.chance for e in found.odds.endings}
    theirs = {(_named(dict(a)), _named(dict(d))): c for (a, d), c in battle(attack, defend, rounds).items() if c}
    if ours == theirs:
        return ""
    return f"{attack} against {defend}, {rounds} rounds: {sorted(set(ours.items()) ^ set(theirs.items()))[:4]}"


def _named(units: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((k, n) for k, n in units.items() if n))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random, game = Random(given.seed), vclogic.load("axis_allies")
    end, tried, wrong = time.monotonic() + 60 * given.minutes, 0, 0
    while time.monotonic() < end:
        said = difference(random, game)
        tried, wrong = tried + 1, wrong + bool(said)
        if said:
            print(said, flush=True)
    print(f"{tried} battles, {wrong} differences")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
