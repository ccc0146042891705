"""Plans of winning sets hold nothing that is of no use, and are the same in every run."""

from __future__ import annotations

from dataclasses import replace

from tests.fixtures.pace import seeds
from tests.oracles.captures import Moment
from tests.oracles.objectives import Play, plans
from tests.toys.capture_objectives import quest

LONG = 60.0
MANY = 1000


def with_captures(play: Play[Moment]) -> Play[Moment]:
    """The same where each capture costs a little."""

    def moves(at: Moment) -> list[object]:
        return [replace(m, cost=m.cost * MANY + len(m.what)) for m in play.moves(at)]  # type: ignore[arg-type]

    return replace(play, moves=moves)  # type: ignore[arg-type]


def test_plans_of_turns_hold_the_fewest_captures_and_are_the_same_in_every_run() -> None:
    several = 0
    tried = seeds((4,), (4, 10))
    for seed in tried:
        q = quest(seed, led=0, metric="turns")
        answer, again = (q.planner().objectives(**q.asked, budget_s=LONG) for _ in range(2))
        truth = plans(with_captures(q.play()), answer.horizon.n)
        for chosen, other in zip(answer.winning.sets, again.winning.sets, strict=True):
            fewest = truth.only(frozenset(chosen.takes))
            assert fewest is not None
            captures = [s for s in chosen.plan.steps if s.action == "capture"]
            assert (chosen.cost.cost, len(captures)) == divmod(fewest, MANY), (seed, chosen.takes)
            assert captures == [s for s in other.plan.steps if s.action == "capture"], (seed, chosen.takes)
            several += len(captures) > 1
    assert several >= len(tried)
