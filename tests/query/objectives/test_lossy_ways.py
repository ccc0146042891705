"""Ways by sessions and by fresh searches, each asked about all there is, against brute force over all plans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any, Protocol

import pytest
from hypothesis import given

from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import examples
from tests.oracles.briefings import walked
from tests.oracles.objectives import Plans, Play, plans
from tests.toys import army_objectives, capture_objectives, sided_systems
from vclogic.clock import Deadline
from vclogic.query.objectives.choose import FreshSearch
from vclogic.query.objectives.request import ObjectivesQuestion
from vclogic.query.objectives.session_ways import session_search
from vclogic.query.objectives.ways import ObjectiveWay, ObjectiveWays, WaySearch, play
from vclogic.query.plan.answer import OnePlan
from vclogic.query.plan.conditions import read_conditions
from vclogic.query.planner.cache import Built
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.expressions.resolve import compile_goal

SECONDS = 60
Maker = Callable[[Built, ObjectivesQuestion], WaySearch | None]
Seen = Counter[str]


class Question(Protocol):
    """A question about objectives, with its meaning for brute force."""

    @property
    def within(self) -> int | None: ...

    @property
    def asked(self) -> Mapping[str, Any]: ...

    def ask(self) -> ResolvedQuestion: ...

    def play(self) -> Play[Any]: ...

    def done(self, plan: OnePlan) -> Sequence[Hashable]: ...


def asked_of(q: Question) -> ObjectivesQuestion:
    """A question as engines take it."""
    ask, given = q.ask(), q.asked
    goal = compile_goal(given["goal"], ask.system.vocabulary, "goal").term
    conditions = read_conditions(ask.system, ask.metric, given["require"], given["avoid"], given["keep"])
    return ObjectivesQuestion(replace(ask, goal=Goal(given["goal"], goal), conditions=conditions), 100)


def least(truth: Plans, closed: frozenset[str], first: str | None = None) -> int | None:
    """The least cost of a plan that takes nothing closed, and something first."""
    found = truth.costs.items()
    return min((c for (t, began), c in found if not t & closed and (first is None or first in began)), default=None)


def agree(q: Question, make: Maker, rng: Random, seen: Seen) -> None:
    """Asks about every set of a few closed objectives, in any order, and about what comes first."""
    truth = plans(q.play(), q.within)
    with local_sessions(SECONDS):
        asked = asked_of(q)
        search = make(Built(asked.resolved.system, asked.resolved.metric, asked.resolved.opponent), asked)
        if search is None:
            seen["left"] += 1
            return
        ways = ObjectiveWays(search)
        some = sorted(truth.new)[:4]
        sets = [frozenset(c) for n in range(len(some) + 1) for c in combinations(some, n)]
        rng.shuffle(sets)
        for closed in sets[:8]:
            best = least(truth, closed)
            cheapest = rng.random() < 0.5
            most = None if best is None or rng.random() < 0.5 else max(best + rng.randint(-1, 1), 0)
            way = ways.find(closed, Deadline(SECONDS), most=most, cheapest=cheapest)
            enough = best is not None and (most is None or best <= most)
            holds(q, asked, way, best if enough else None, closed, seen)
            assert most is None or not enough or (way.search.cost or 0) <= most
            assert not (cheapest and enough) or way.search.cost == best == way.search.lower_bound
        for name in sorted(truth.main)[:3]:
            closed = frozenset(n for n in some if n != name and rng.random() < 0.2)
            best = least(truth, closed, name)
            way = ways.find(closed, Deadline(SECONDS), cheapest=True, first=name)
            taken = holds(q, asked, way, best, closed, seen)
            assert best is None or way.search.cost == best == way.search.lower_bound
            assert all(taken[n] >= taken[name] for n in truth.main & taken.keys())


def holds(
    q: Question, asked: ObjectivesQuestion, way: ObjectiveWay, best: int | None, closed: frozenset[str], seen: Seen
) -> dict[str, int]:
    """That an answer is right: there is a way or not, and it is what it says; returns when it takes what."""
    assert way.status == ("none" if best is None else "found"), (q, closed, best, way)
    seen[way.status] += 1
    if best is None:
        assert way.search.proof or way.search.bound_by
        return {}
    walk = walked(q.play(), q.done(play(asked, way).plan))
    assert walk.met
    assert (walk.cost, walk.taken) == (way.search.cost, way.takes)
    assert not walk.taken & closed
    assert walk.cost >= best >= (way.search.lower_bound or 0)
    return dict(walk.when)


@examples(60)
@given(sided_systems.quests())
def test_sessions_on_small_systems(q: sided_systems.Quest) -> None:
    agree(q if q.within is not None else replace(q, within=3), session_search, Random(0), Counter())


@examples(25)
@given(sided_systems.quests())
def test_fresh_searches_on_small_systems(q: sided_systems.Quest) -> None:
    agree(q if q.within is not None else replace(q, within=3), FreshSearch, Random(0), Counter())


@pytest.mark.parametrize("seed", range(8))
def test_captures(seed: int) -> None:
    rng = Random(seed)
    q = capture_objectives.quest(seed)
    q = q if q.within is not None else replace(q, within=3)
    agree(q, rng.choice((session_search, FreshSearch)), rng, Counter())


@examples(6)
@given(army_objectives.quests().filter(army_objectives.small_enough))
def test_fresh_searches_with_armies(q: army_objectives.Quest) -> None:
    agree(q if q.within is not None else replace(q, within=1), FreshSearch, Random(0), Counter())
