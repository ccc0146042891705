"""The plan that a briefing advises is followed from turn to turn, as long as it is as good as any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from random import Random

import pytest

from tests.oracles.briefings import Walk, walked
from tests.oracles.captures import Moment
from tests.oracles.objectives import Play, plans
from tests.toys.capture_objectives import Quest, quest
from vclogic.query.objectives.answer import Objectives
from vclogic.query.planner import Planner

LONG = 60.0
Done = Sequence[Hashable]


@dataclass
class Follower:
    """Follows what a planner advises, turn after turn.

    Attributes:
        q: The question, as it stands now.
        planner: The planner.
    """

    q: Quest
    planner: Planner

    def ask(self, before: Objectives | None = None) -> Objectives:
        """The briefing from the position now."""
        return self.planner.objectives(**self.q.asked, state=self.q.m.state, before=before, budget_s=LONG)

    def go_to(self, place: Moment) -> None:
        """The position is another one."""
        self.q = replace(self.q, m=replace(self.q.m, start=place))


def legal(play: Play[Moment], done: Done) -> Walk | None:
    """A plan as brute force plays it; None if a step is not possible."""
    try:
        return walked(play, done)
    except AssertionError:
        return None


def enemy_move(rng: Random, q: Quest, place: Moment) -> Moment:
    """The enemy takes something, or nothing."""
    world = q.m.world
    moves = [
        world.taken(place.owners, power, (land,))
        for power in world.order
        if world.side_of[power] != q.side
        for land in world.captures(place.owners, power, own_only=False)
    ]
    return replace(place, owners=rng.choice([place.owners, *moves]), ended="none")


def follow(seed: int, seen: Counter[str]) -> None:
    """Goes from position to position by the first step; the enemy moves between."""
    rng = Random(seed)
    q = quest(seed, led=0)
    follower = Follower(q, q.planner())
    earlier: Done = ()
    for _ in range(6):
        play = follower.q.play()
        answer = follower.ask()
        best = plans(play, q.within).cost
        assert answer.cost.cost == best
        assert (answer.next is None) == (best is None)
        if answer.next is None:
            seen["no plan"] += 1
            return
        done = q.done(answer.next.plan)
        now = walked(play, done)
        assert (now.met, now.cost) == (True, best)
        rest = legal(play, earlier[1:]) if earlier[1:] else None
        if rest is not None and rest.met and rest.cost == best:
            assert done == earlier[1:], seed
            assert answer.next.continued, seed
            seen["same"] += 1
        assert not answer.next.continued or set(done) <= set(earlier), seed
        seen["continued" if answer.next.continued else "afresh"] += 1
        if not done:
            seen["there"] += 1
            return
        step = walked(play, done[:1]).place
        assert done[:1] == q.done(replace(answer.next.plan, steps=answer.next.steps))
        follower.go_to(enemy_move(rng, q, step))
        earlier = done


def test_on_random_boards_a_plan_is_followed_while_it_is_as_good_as_any() -> None:
    seen: Counter[str] = Counter()
    for seed in range(40):
        follow(seed, seen)
    assert min(seen[what] for what in ("same", "continued", "afresh", "there")) >= 10, seen
    assert seen["no plan"]


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 2000, 250))
def test_on_a_thousand_boards(first: int) -> None:
    for seed in range(first, first + 250):
        follow(seed, Counter())
