"""Positions in the middle of games on the board of 1942, and questions for plans under conditions there."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from vclogic.game import Game

SIDES = ("Axis", "Allies")


@dataclass(frozen=True)
class Question:
    """A question for a plan from a position.

    Attributes:
        now: The position.
        side: Who plans.
        goal: The goal.
        conditions: What is required, avoided and kept, as a planner takes it.
    """

    now: Game
    side: str
    goal: str
    conditions: dict[str, Any] = field(default_factory=dict)


def played(rng: Random, game: Game, events: int) -> Game:
    """The game after random captures and ends of turns, as the rules allow them."""
    for _ in range(events):
        allowed = [a for kind in game.legal(event="capture").kinds for a in kind.allowed]
        if allowed and rng.random() < 0.6:
            game = game.apply("capture", **dict(rng.choice(allowed).args))
        else:
            game = game.apply("end_turn")
    return game


def question(rng: Random, game: Game) -> Question:
    """A question after up to forty events of a game."""
    now, side = played(rng, game, rng.randint(0, 40)), rng.choice(SIDES)
    have = {what: int(now.value(f"{what}({side})") or 0) for what in ("vcp", "territories")}
    what = rng.choice(tuple(have))
    goal = f"{what}({side}) >= {have[what] + rng.randint(1, 10)}"
    return Question(now, side, goal, _conditions(rng, now, side, have["vcp"]))


def _conditions(rng: Random, now: Game, side: str, points: int) -> dict[str, Any]:
    lands, powers = sorted(now.state_dict()["owner"]), sorted(now.setup.system.sides[side])

    def captures() -> str:
        power, land = f"power: {rng.choice(powers)}", f'territory: "{rng.choice(lands)}"'
        return f"capture: {{{rng.choice((power, land, f'{power}, {land}'))}}}"

    found: dict[str, Any] = {}
    kinds = rng.choice((("keep",), ("require",), ("avoid",), ("require", "keep")))
    if "require" in kinds:
        found["require"] = [captures() for _ in range(rng.randint(1, 3))]
    if "avoid" in kinds:
        found["avoid"] = [captures() for _ in range(rng.randint(1, 2))]
    if "keep" in kinds:
        held = f'controls({rng.choice(SIDES)}, "{rng.choice(lands)}")'
        soon = f"round <= {int(now.value('round') or 0) + rng.randint(0, 3)}"
        found["keep"] = rng.choice((held, f"vcp({side}) >= {points - rng.randint(0, 2)}", soon))
    return found
