"""Small boards of Axis & Allies on which the dice decide what a good plan is, from a seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from random import Random

from vclogic_encodings.axis_allies.board import Board, Power, Territory, flaws

from tests.toys.army_boards import TYPES

ON_LAND = (
    ("infantry", "artillery"),
    ("infantry", "armour", "fighter"),
    ("infantry", "artillery", "armour", "fighter", "bomber"),
    ("armour", "fighter"),
    ("infantry", "bomber"),
    ("infantry", "armour"),
)
"""Kinds of attackers."""
GARRISON = (
    ("infantry",),
    ("infantry", "aa_gun"),
    ("infantry", "armour", "fighter", "aa_gun"),
    ("fighter", "artillery"),
)
AT_SEA = (
    ("transport", "battleship"),
    ("transport", "destroyer", "submarine"),
    ("transport", "carrier", "submarine"),
    ("transport", "transport", "battleship", "destroyer"),
)
GUARDS = (("submarine",), ("destroyer", "submarine"), ("battleship",), ("transport", "submarine", "carrier"))
SIDE = {"Germans": "Axis", "Russians": "Allies", "Japanese": "Axis", "British": "Allies"}


def some(random: Random, kinds: Sequence[str], least: int, most: int) -> dict[str, int]:
    """A few units of some kinds."""
    return dict(Counter(random.choice(kinds) for _ in range(random.randint(least, most))))


def built(
    powers: Sequence[str], territories: dict[str, Territory], edges: Sequence[tuple[str, str]], judged_after: str
) -> Board:
    """A board of these parts."""
    board = Board(
        powers={p: Power(SIDE[p], p) for p in powers},
        turn_order=tuple(powers),
        judged_after=judged_after,
        ranks={"capital": 5, "major": 3, "moderate": 2, "minor": 1},
        major_victory={"Axis": 1, "Allies": 1},
        territories=territories,
        connections=tuple(dict.fromkeys(edges)),
        unit_types=TYPES,
    )
    assert not list(flaws(board))
    return board


def land_board(random: Random) -> Board:
    """The Germans in A, now and then also in B, against one or two enemies in the other territories."""
    lands = "ABCD"[: random.choice((2, 3, 3, 4))]
    edges = list(pairwise(lands))
    edges += [(a, b) for i, a in enumerate(lands) for b in lands[i + 2 :] if random.random() < 0.4]
    powers = ["Germans", "Russians", *random.choice(((), (), ("British",), ("Japanese",)))]
    foes = [p for p in powers if SIDE[p] == "Allies"]
    attack, guard = random.choice(ON_LAND), random.choice(GARRISON)
    places = {"A": Territory("land", "Germans", 3, units={"Germans": some(random, attack, 2, 5)})}
    for land in lands[1:]:
        if random.random() < 0.15:
            owner = random.choice([p for p in powers if SIDE[p] == "Axis"])
            places[land] = Territory("land", owner, 1, units={owner: some(random, attack, 0, 1)})
            continue
        owner = random.choice(foes)
        units = {owner: some(random, guard, 0, 3)}
        if len(foes) > 1 and random.random() < 0.4:
            units[next(p for p in foes if p != owner)] = some(random, guard, 1, 1)
        places[land] = Territory("land", owner, random.randint(0, 3), units=units)
    return built(powers, places, edges, random.choice(powers))


def sea_board(random: Random) -> Board:
    """The Germans in A and at sea, their enemies in B, now and then in C, and at sea; they may come back."""
    zones = ["S1", "S2"][: random.choice((1, 2, 2))]
    lands = ["A", "B", *(["C"] if random.random() < 0.4 else [])]
    edges = [("A", "S1"), ("B", zones[-1]), *pairwise(zones)]
    edges += [("C", random.choice(zones))] if "C" in lands else []
    edges += [("A", "B")] if random.random() < 0.2 else []
    attack = random.choice((("infantry", "artillery"), ("infantry", "fighter"), ("infantry", "armour", "bomber")))
    guard, fleet = random.choice(GARRISON), random.choice(AT_SEA)
    places = {
        "A": Territory("land", "Germans", 3, units={"Germans": some(random, attack, 1, 3)}),
        "B": Territory("land", "Russians", 2, units={"Russians": some(random, guard, 0, 2)}),
        "C": Territory("land", "Russians", 1, units={"Russians": some(random, guard, 0, 1)}),
    }
    territories = {t: places[t] for t in lands}
    ours, theirs = some(random, fleet, 1, 3), some(random, random.choice(GUARDS), 0, 2)
    ours.setdefault("transport", 1)
    for zone in zones:
        units = {"Germans": ours} if zone == "S1" else {}
        if zone == zones[-1] and theirs and random.random() < 0.7:
            units["Russians"] = theirs
        territories[zone] = Territory("sea", units=units)
    if "C" in lands and random.random() < 0.5:
        answer = {"transport": 1, **({"battleship": 1} if random.random() < 0.3 else {})}
        territories["S3"] = Territory("sea", units={"Russians": answer})
        edges += [("S3", zones[-1]), ("C", "S3")]
    return built(("Germans", "Russians"), territories, edges, "Russians")
