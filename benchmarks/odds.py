"""Battles that dice decide: one by itself, the largest that players meet, and thousands of attacks on one place."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import product

from vclogic_encodings.axis_allies.odds.chances import Chances, Force
from vclogic_encodings.axis_allies.odds.one_battle import odds
from vclogic_encodings.axis_allies.odds.sides import CombatRules

from benchmarks.runner import Comparison, Timing, side_by_side
from tests.encodings.test_odds_oracle import board
from tests.toys.army_boards import TYPES
from vclogic.model.battles import Battle, Conduct

AIM = "10 against 10 units in 5 ms, 150 against 149 in 1 s, 20,000 attacks a second on one territory"
USUAL = Conduct()
DEFENCE = {"infantry": 6, "artillery": 1, "armour": 2, "fighter": 1}
TEN = {
    "on land": Battle({"infantry": 5, "artillery": 1, "armour": 2, "fighter": 2}, DEFENCE),
    "under antiaircraft fire": Battle(
        {"infantry": 5, "artillery": 1, "armour": 2, "fighter": 2}, {**DEFENCE, "aa_gun": 1}
    ),
    "under antiaircraft fire, five aircraft": Battle(
        {"infantry": 2, "artillery": 1, "armour": 2, "fighter": 3, "bomber": 2}, {**DEFENCE, "aa_gun": 1}
    ),
    "at sea, with submarines": Battle(
        {"submarine": 2, "destroyer": 2, "carrier": 1, "fighter": 2, "battleship": 1, "bomber": 2},
        {"submarine": 2, "destroyer": 2, "carrier": 1, "fighter": 2, "battleship": 2, "transport": 1},
        at_sea=True,
    ),
}
LARGE = Battle(
    {"infantry": 80, "artillery": 20, "armour": 30, "fighter": 20},
    {"infantry": 100, "artillery": 10, "armour": 29, "fighter": 10},
)
BOXES: Mapping[str, tuple[dict[str, int], dict[str, int], bool]] = {
    "5 infantry, 1 artillery, 2 armour, 2 fighters": (
        {"infantry": 5, "artillery": 1, "armour": 2, "fighter": 2},
        {"infantry": 5, "artillery": 2, "armour": 4, "fighter": 3, "bomber": 2},
        False,
    ),
    "the same with an antiaircraft gun": (
        {"infantry": 5, "artillery": 1, "armour": 2, "fighter": 2, "aa_gun": 1},
        {"infantry": 5, "artillery": 2, "armour": 4, "fighter": 3, "bomber": 2},
        False,
    ),
    "carrier, 2 fighters, destroyer, battleship, transport": (
        {"carrier": 1, "fighter": 2, "destroyer": 1, "battleship": 1, "transport": 1},
        {"submarine": 3, "destroyer": 2, "carrier": 1, "fighter": 4, "bomber": 2, "battleship": 2},
        True,
    ),
    "the same with a submarine": (
        {"carrier": 1, "fighter": 2, "destroyer": 1, "battleship": 1, "transport": 1, "submarine": 1},
        {"submarine": 3, "destroyer": 2, "carrier": 1, "fighter": 4, "bomber": 2, "battleship": 2},
        True,
    ),
}
"""Defenders with the most attackers of each kind; every number of each is asked about."""


def run() -> Iterator[Comparison]:
    """Times are of the processor."""
    rules = CombatRules(board(TYPES))
    for name, battle in TEN.items():
        calls: dict[str, Callable[[], object]] = {
            "with arrays": partial(odds, rules, battle, USUAL),
            "in fractions": partial(odds, rules, battle, USUAL, exact=True),
        }
        yield Comparison(f"10 against 10 {name}", side_by_side(calls, rounds=3, clock=time.process_time))
    large = side_by_side({"with arrays": partial(odds, rules, LARGE, USUAL)}, rounds=3, clock=time.process_time)
    yield Comparison("150 against 149", large)
    for name, (defenders, most, at_sea) in BOXES.items():
        yield Comparison(f"all attacks in a box, against {name}", _box(defenders, most, at_sea))


def _box(defenders: dict[str, int], most: dict[str, int], at_sea: bool) -> dict[str, Timing]:
    """All together, and some of them one by one; the time of one."""
    every: list[Force] = [
        (dict(zip(most, n, strict=True)), {}) for n in product(*(range(k + 1) for k in most.values()))
    ]

    def together() -> object:
        return Chances(board(TYPES), defenders, at_sea).results(every)

    def one_by_one() -> object:
        chances = Chances(board(TYPES), defenders, at_sea)
        return [chances.take(*force) for force in every]

    calls: dict[str, Callable[[], object]] = {"together": together, "one by one, each kept": one_by_one}
    timings = side_by_side(calls, rounds=3, per=len(every), clock=time.process_time)
    return {name: replace(t, answer=f"{1 / t.best:,.0f} a second") for name, t in timings.items()}
