"""Plans of very many random goals as records; conformance looks at a few of each metric in every run."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest

from tests.fixtures.pace import MORE
from vclogic.conformance.games import NotDecided, random_play_of
from vclogic.conformance.planning import is_record, random_goals

GAMES = [
    ("axis_allies/revised-1942", "captures"),
    ("axis_allies/revised-1942", "turns"),
    ("asl/13cc5", "events"),
    ("napoleonics/erlenbach", "turns"),
    ("okinawa/small", "moves"),
    ("okinawa/small", "turns"),
    ("moscow/small", "turns"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "metric"), GAMES)
def test_plans_are_records(game: str, metric: str) -> None:
    """None is refused where steps keep to turn order, and fewer than one in twenty where they do not."""
    play = random_play_of(game)
    rng = Random(f"records {game} {metric} {MORE}")
    states = [g.state for g in play.games]
    accepted = []
    for goal in random_goals(play.system, states, rng, int(6 * (MORE or 1))):
        side, opponent = rng.choice(list(play.system.sides)), rng.choice(("idle", "idle", "helps"))
        plan = play.start.plan(goal, side=side, minimize=metric, opponent=opponent, timeout=5)
        with suppress(NotDecided):
            if plan.cost is not None:
                accepted.append(is_record(play, plan, side, goal))
    assert 20 * accepted.count(False) <= len(accepted)
