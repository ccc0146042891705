"""The plan that a briefing advises is followed from turn to turn, as long as it is as good as any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from random import Random

import pytest

from tests.fixtures.pace import MORE, seeds
from tests.oracles.briefings import Walk, walked
from tests.oracles.captures import Moment
from tests.oracles.objectives import Play, plans
from tests.toys.capture_objectives import Quest, quest
from vclogic.model.actions import Event
from vclogic.query.objectives.answer import Objectives
from vclogic.query.objectives.next import AdvisedPlans, going_on, next_of
from vclogic.query.objectives.request import ObjectivesQuestion
from vclogic.query.objectives.ways import ObjectiveWay, cost_of, play
from vclogic.query.plan_search import find, holds
from vclogic.query.planner.planner import Planner
from vclogic.query.replay import replay_plan, state_after
from vclogic.terms.expressions.compiled import Goal

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
    for seed in seeds((7, 8, 9), range(18)):
        follow(seed, seen)
    assert min(seen[what] for what in ("same", "continued", "afresh", "there")) >= (4 if MORE else 2), seen
    assert seen["no plan"]


def in_turns(seed: int, seen: Counter[str]) -> None:
    """Plays the events of the first steps, not always all of a turn at once; nobody else does anything."""
    rng = Random(seed)
    q = quest(seed, led=0, metric="turns")
    state, followed = q.m.state, AdvisedPlans()
    captures: list[Event] = []
    first: list[Event] | None = None
    for _ in range(12):
        ask = replace(q.m.ask(q.side, q.opponent, "turns"), state=state)
        asked = ObjectivesQuestion(replace(ask, goal=Goal(q.terms.wish.text, q.m.term(q.terms.wish))), 100)
        way = cheapest(asked)
        if way is None:
            seen["no plan" if first is None else "there"] += 1
            assert captures == (first or []), seed
            return
        earlier = followed.find("question", None)
        rest = None if earlier is None else going_on(asked, way, earlier)
        assert (rest is None) == (earlier is None), seed
        done = play(asked, rest or way)
        advised = next_of(asked, done, cost_of(asked, done.way, None), continued=rest is not None)
        followed.put("question", advised, done.way)
        if first is None:
            first = taking(done.plan.record.events or ())
        assert taking(done.plan.record.events or ()) == first[len(captures) :], seed
        assert set(advised.takes) == done.way.takes & asked.main
        events = advised.record.events or ()
        assert all(s.actor in asked.resolved.system.sides[q.side] for s in advised.steps if s.action == "capture")
        if events != done.plan.record.events:
            assert taking(events)[-1:] == list(events[-1:]), "it ends with what the side decides"
        events = events[: rng.randint(1, len(events))] if rng.random() < 0.5 else events
        seen["parts"] += taking(events) != taking(advised.record.events or ())
        for event in events:
            after = state_after(asked.resolved.system, state, event)
            assert after is not None
            state = after
        captures += taking(events)
        seen["continued"] += rest is not None


def cheapest(asked: ObjectivesQuestion) -> ObjectiveWay | None:
    """A cheapest way; None if the goal holds, or there is none."""
    if holds(asked.resolved, asked.resolved.goal.term):
        return None
    posed = asked.resolved.problem()
    found, problem = find(asked.resolved, posed), posed.plain
    if found.steps is None:
        return None
    made = replay_plan(asked.resolved.system, asked.resolved.state, problem, found)
    return ObjectiveWay("found", found, problem, frozenset(asked.taken(made.states)))


def taking(events: Sequence[Event]) -> list[Event]:
    """The captures among some events."""
    return [e for e in events if e.name == "capture"]


def test_a_plan_of_turns_is_followed_to_its_end() -> None:
    seen: Counter[str] = Counter()
    for seed in (tried := seeds((8,), (8, 38, 64))):
        in_turns(seed, seen)
    assert seen["there"] == len(tried)
    assert min(seen["parts"], seen["continued"]) >= 1, seen


def test_the_plan_that_is_followed_is_that_of_the_answer_before() -> None:
    q = quest(11, led=0)
    follower, other = Follower(q, q.planner()), Follower(q, q.planner())
    first = follower.ask()
    assert first.next is not None
    plan = q.done(first.next.plan)
    place = walked(q.play(), plan[:1]).place
    for each in (follower, other):
        each.go_to(place)
    afresh = other.ask()
    changed = follower.ask(before=afresh)  # which is no answer of this planner
    again = follower.ask()
    back = follower.ask(before=first)
    found = [(a.next.continued, q.done(a.next.plan)) for a in (afresh, changed, again, back) if a.next is not None]
    canonical = q.done(afresh.next.plan) if afresh.next else []
    assert canonical != plan[1:]
    assert found == [(False, canonical), (False, canonical), (True, canonical), (True, plan[1:])]


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 2000, 250))
def test_on_a_thousand_boards(first: int) -> None:
    for seed in range(first, first + 250):
        follow(seed, Counter())
