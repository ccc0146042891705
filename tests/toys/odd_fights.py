"""Random battles of Axis & Allies, from a seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from tests.oracles.odds import Question, Types
from tests.toys.army_boards import TYPES

ON_LAND = ("infantry", "artillery", "armour", "fighter", "bomber")
AT_SEA = ("transport", "battleship", "carrier", "submarine", "destroyer", "fighter", "bomber")


def force(random: Random, kinds: Sequence[str], number: int) -> dict[str, int]:
    """So many units of a few kinds."""
    some = random.sample(kinds, random.randint(1, min(4, len(kinds))))
    return dict(Counter(random.choice(some) for _ in range(number)))


def odd_types(random: Random) -> Types:
    """Kinds of units with other strengths than in the game, some ships and land units with more hits.

    Aircraft take one hit: the rules do not say whether an aircraft or a ship would be damaged first.
    """
    return {
        u: replace(
            kind,
            attack=random.choice((kind.attack, 0, 6, 5, 1)),
            defence=random.choice((kind.defence, 0, 6, 3)),
            hits=random.choice((1, 1, 2, 3)) if kind.kind != "air" else 1,
        )
        if random.random() < 0.4 and not kind.antiaircraft
        else kind
        for u, kind in TYPES.items()
    }


def fight(random: Random, most: int, *, odd: bool = False, conduct: bool = False) -> Question:
    """A battle on land or at sea with up to so many units a side.

    Args:
        random: The dice.
        most: The most units of a side.
        odd: Whether units may be of other strengths than the game's.
        conduct: Whether the sides may choose who falls, and the attacker when to retreat.
    """
    at_sea = random.random() < 0.45
    kinds = AT_SEA if at_sea else ON_LAND
    question = Question(
        odd_types(random) if odd and random.random() < 0.5 else TYPES,
        force(random, kinds, random.randint(1, most)),
        force(random, kinds if at_sea else (*kinds, "aa_gun"), random.randint(1, most)),
        force(random, ("battleship", "destroyer"), random.randint(1, 2))
        if not at_sea and random.random() < 0.3
        else {},
        at_sea,
        bombarded_fire=random.random() < 0.3,
    )
    if not conduct:
        return question
    return replace(
        question,
        keep=random.random() < 0.6,
        rounds=random.choice((None, None, 1, 2, 3)),
        retreat_at=random.choice((None, None, 1, 2)),
        attackers_fall=tuple(random.sample(kinds, 3)) if random.random() < 0.5 else None,
        defenders_fall=tuple(random.sample(kinds, 3)) if random.random() < 0.5 else None,
        landing=not at_sea and (bool(question.guns) or random.random() < 0.3),
    )
