"""Plans of the hex games on their large scenarios: 60 units and more on 400 hexes and more, but for the banners."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import vclogic
from benchmarks.runner import Answer, Comparison, within
from vclogic.query.game import Game

AIM = "plans of two turns with 60 units on 400 hexes within 20 s on two cores"
LIMIT = 20.0
LONG = 60.0


class Questions(NamedTuple):
    """Goals of one side in one scenario.

    Attributes:
        game: The scenario.
        side: Who moves.
        goals: The goals.
        asked: How they are asked.
        settings: Options.
    """

    game: str
    side: str
    goals: tuple[str, ...]
    asked: Mapping[str, Any]
    settings: Mapping[str, int | str]


CUT_OFF = tuple(f"without_loc(US) >= {n}" for n in (3, 10, 28, 30))
QUESTIONS = (
    Questions("okinawa/island", "Japan", (*CUT_OFF, "vp_at_end(Japan) >= 80"), {"within": 2}, {}),
    Questions("moscow/campaign", "German", ("uncovered_rows(German) == 0", "holds(moscow, German)"), {}, {}),
    Questions(
        "napoleonics/erlenbach",
        "French",
        ("banners(French) >= 5",),
        {"within": 5, "minimize": "turns"},
        {"combat": "adjacent"},
    ),
)


def run() -> Iterator[Comparison]:
    """One comparison per goal, and one for the best final score on Okinawa."""
    for q in QUESTIONS:
        game = vclogic.load(q.game, settings=q.settings)
        for goal in q.goals:
            calls = {"vclogic, the whole call": partial(_plan, game, goal, q)}
            yield Comparison(f"{q.game}: cheapest way to {goal}", within(LIMIT, calls))
    island = vclogic.load("okinawa/island")
    best: dict[str, Callable[[float], Answer]] = {
        f"vclogic, {turns} player-turn{'s' if turns > 1 else ''}": partial(_best, island, turns) for turns in (1, 2)
    }
    yield Comparison("okinawa/island: the best final score of Japan", within(LONG, best))


def _plan(game: Game, goal: str, q: Questions, limit: float) -> Answer:
    plan = game.plan(goal, side=q.side, timeout=limit, **q.asked)
    if plan.status == "impossible":
        return Answer("there is no plan")
    if plan.status == "optimal":
        return Answer(f"{plan.cost} {plan.metric}")
    found = f"at most {plan.cost} {plan.metric}" if plan.cost is not None else "no plan yet"
    return Answer(f"{plan.status}: {found}", finished=False)


def _best(game: Game, turns: int, limit: float) -> Answer:
    plan = game.plan(maximize="vp_at_end(Japan)", side="Japan", within=turns, timeout=limit)
    assert plan.maximum is not None
    value, most = plan.maximum.value, plan.maximum.upper_bound
    return Answer(f"{value} points" if value == most else f"{value} to {most} points", finished=value == most)
