"""Conformance looks at the same in every process: plays, events, goals and steps, however names are hashed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

SCRIPT = """
import sys
from random import Random
from vclogic.conformance.games import random_play_of
from vclogic.conformance.planning import random_goals
from vclogic.conformance.events import effects
from vclogic.conformance.games import instances
from vclogic.conformance.planning import one_step

play = random_play_of(sys.argv[1])
system = play.system
for game in play.games:
    print(*game.history, game.state)
happened = {e for g in play.games for e in g.history}
for schema in system.events:
    print([a.key for a in instances(system, schema, Random(1), happened)])
    print([(e.event, str(e.goal)) for e in effects(play, schema.name)])
for metric in system.metrics:
    print(one_step(play, metric, Random(2)))
    print(list(random_goals(system, [g.state for g in play.games], Random(3), 5)))
"""


def looked_at(game: str, seed: int) -> str:
    """What conformance looks at of a game, in a process of its own."""
    environment = os.environ | {"PYTHONHASHSEED": str(seed)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, game], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


LARGE = [pytest.param(game, marks=pytest.mark.slow) for game in ("axis_allies/revised-1942", "asl/13cc5")]


@pytest.mark.parametrize("game", ["napoleonics/erlenbach", *LARGE])
def test_every_process_looks_at_the_same(game: str) -> None:
    first = looked_at(game, 1)
    assert first.count("\n") > 30
    assert looked_at(game, 2) == first
