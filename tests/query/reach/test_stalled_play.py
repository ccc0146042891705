"""An idle side that freezes play: "never" is no proof then, and the answer says what froze it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.explore.graph_games import BLUE, RED, GraphGame, Way
from tests.fixtures.efforts import effort
from vclogic.model.system import ANY, IDLE, System
from vclogic.query.reach.admitted import of_events
from vclogic.query.reach.all_events import reach_by_events
from vclogic.query.reach.answer import Reach
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.query.stalled_play import unless_stalled
from vclogic.terms.build import eq
from vclogic.terms.expressions.compiled import Goal

ROUND = GraphGame(
    4, (Way(0, 1, RED), Way(1, 2, BLUE), Way(2, 0, RED)), {RED: frozenset(), BLUE: frozenset()}, frozenset()
)


def asked(system: System, node: int, opponent: str) -> Reach:
    metric = of_events(ResolvedQuestion("", system, (0,), (), RED, opponent, None, effort()), (), assumed=False)  # type: ignore[arg-type]
    goal = Goal("", eq(system.layout.fluents[0], node))
    ask = ResolvedQuestion("", system, (0,), (), RED, opponent, metric, effort(), goal=goal)
    return unless_stalled(ask, reach_by_events(ask, assumed=False, planning=False))


def test_an_idle_side_that_nothing_makes_go_on_is_named() -> None:
    found = asked(ROUND.system, 2, IDLE)
    assert (found.status, found.proof) == ("unknown", None)
    assert found.reason.startswith("after way(0) play waits for the Blue side, which is idle and need not do way(1)")


@pytest.mark.parametrize("how", ["helps", "must"])
def test_play_goes_on_where_the_other_side_helps_or_must(how: str) -> None:
    system = ROUND.system
    if how == "must":
        system = replace(system, events=tuple(replace(s, obliged=True) for s in system.events))
    found = asked(system, 2, ANY if how == "helps" else IDLE)
    assert found.status == "reachable"
    assert asked(system, 3, ANY if how == "helps" else IDLE).status == "unreachable"


def test_play_that_is_over_is_not_frozen() -> None:
    over = replace(ROUND, over=frozenset({1}))
    assert asked(over.system, 3, IDLE).status == "unreachable"
