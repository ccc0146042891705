"""Questions about small boards on which dice decide, with the answer of brute force, from a seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from vclogic_encodings.axis_allies.board import Board

from tests.oracles.armies import Aim, Owners, TooLarge, War
from tests.oracles.army_plans import LOSSES, MOVES, VALUE, Dice, Wishes, best_costs, least
from tests.query.plan.test_armies import held, joined, owned
from tests.toys.odd_boards import land_board, sea_board

MOST = 6_000
"""Sets of orders that the brute force tries."""
LEVELS = (0, 10, 25, 40, 50, 60, 75, 80, 90, 95, 99, 100)
"""What is asked of a battle, in per cent."""
Costs = Mapping[tuple[Owners, str], Fraction]


@dataclass(frozen=True)
class Asked:
    """A question, and its answer.

    Attributes:
        board: The board.
        chosen: The options of the level.
        wishes: What is asked of the plan beside its goal.
        aim: The goal, for the Axis; it is the Germans' turn.
        within: How many rounds there are.
        best: The least cost; None if there is no plan.
        anyhow: The least cost if battles could be fought at any odds, and nothing need be held.
    """

    board: Board
    chosen: Mapping[str, int | str]
    wishes: Wishes
    aim: Aim
    within: int
    best: Fraction | None
    anyhow: Fraction | None

    def __repr__(self) -> str:
        places = [
            f"  {n}: {t.kind} {t.owner or ''} { {p: dict(u) for p, u in t.units.items()} }"
            for n, t in self.board.territories.items()
        ]
        lines = [
            *places,
            f"  connections {self.board.connections}, order {self.board.turn_order}",
            f"  judged after {self.board.judged_after}; {dict(self.chosen)} within {self.within}",
            f"  {self.wishes}; goal {self.aim.text}: {self.best} (at any odds {self.anyhow})",
        ]
        return "\n" + "\n".join(lines)


def question(
    seed: int, *, sea: bool, metrics: tuple[str, ...] = (MOVES, MOVES, LOSSES, VALUE), hold: bool = False
) -> Asked | None:
    """A question; None where the board is too large for brute force, or nothing can be taken."""
    random = Random(seed)
    board = (sea_board if sea else land_board)(random)
    rules: dict[str, int | str] = {
        "theatre": "full",
        "blitz": random.choice(("on", "on", "off")),
        "ratio": random.choice((1, 1, 1, 2)),
        "losses": random.choice(("none", "none", "defence")),
    }
    war = War(board, True, rules["blitz"] == "on", int(rules["ratio"]), rules["losses"] == "defence", MOST)
    metric, odds = random.choice(metrics), random.choice(LEVELS)
    wishes = Wishes(odds, metric, random.choice((10, 25, 50, 75, 90, 100)) if hold else 0)
    within, dice = random.choice((1, 1, 2)), Dice(war)
    try:
        found = best_costs(war, wishes, dice, "Axis", "Germans", within)
        free = best_costs(war, Wishes(1, metric), dice, "Axis", "Germans", within)
        aim = _aim(random, board, war.start().owners, free)
    except TooLarge:
        return None
    if aim is None:
        return None
    if odds:
        rules["min_odds"] = odds
    if hold:
        rules["hold"] = wishes.hold
    return Asked(board, rules, wishes, aim, within, least(war, found, aim), least(war, free, aim))


def _aim(random: Random, board: Board, begin: Owners, free: Costs) -> Aim | None:
    """Something that can be had at some odds, mostly much of it."""
    changed = [k for k in free if k[0] != begin]
    if not changed:
        return None
    many = sorted(changed, key=lambda k: (-sum(a != b for a, b in zip(k[0], begin, strict=True)), free[k], k))
    there = many[0] if random.random() < 0.5 else random.choice(many)
    new = [i for i in range(len(begin)) if there[0][i] != begin[i]]
    return joined(
        [
            held(board, "Axis", board.land[i]) if random.random() < 0.6 else owned(there[0][i], board.land[i])
            for i in new
        ]
    )
