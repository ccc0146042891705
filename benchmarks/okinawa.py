"""Two player-turns of Okinawa's island: 61 units, 420 hexes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import vclogic
from benchmarks.runner import Answer, Comparison, within
from vclogic.query.game import Game

AIM = "every plan of two player-turns with 61 units on 420 hexes within 20 s on two cores"
GOALS = (
    "without_loc(US) >= 3",
    "without_loc(US) >= 10",
    "without_loc(US) >= 28",
    "without_loc(US) >= 30",
    "vp_at_end(Japan) >= 80",
)
TURNS = 2
LIMIT = 20.0
LONG = 60.0


def run() -> Iterator[Comparison]:
    """One comparison per goal, and one for the best final score."""
    game = vclogic.load("okinawa/island")
    for goal in GOALS:
        calls = {"vclogic, the whole call": partial(_plan, game, goal)}
        yield Comparison(f"fewest moves to {goal}", within(LIMIT, calls))
    best: dict[str, Callable[[float], Answer]] = {
        f"vclogic, {turns} player-turn{'s' if turns > 1 else ''}": partial(_best, game, turns) for turns in (1, TURNS)
    }
    yield Comparison("the best final score of Japan", within(LONG, best))


def _plan(game: Game, goal: str, limit: float) -> Answer:
    plan = game.plan(goal, side="Japan", within=TURNS, timeout=limit)
    if plan.status == "impossible":
        return Answer("there is no plan")
    if plan.status == "optimal":
        return Answer(f"{plan.cost} moves")
    return Answer(f"{plan.status}; at most {plan.cost} moves" if plan.cost else plan.status, finished=False)


def _best(game: Game, turns: int, limit: float) -> Answer:
    plan = game.plan(maximize="vp_at_end(Japan)", side="Japan", within=turns, timeout=limit)
    assert plan.maximum is not None
    value, most = plan.maximum.value, plan.maximum.upper_bound
    return Answer(f"{value} points" if value == most else f"{value} to {most} points", finished=value == most)
