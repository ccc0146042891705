"""Ways to a goal that leave objectives alone, against brute force over all plans on random small boards."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import MORE, examples, seeds
from tests.oracles.briefings import Question, walked
from tests.oracles.objectives import Plans, plans
from tests.toys.capture_objectives import quest
from tests.toys.sided_systems import Quest, quests
from vclogic.clock import Deadline
from vclogic.query.objectives.choose import CheapestSearch, ProgramSearch, ways_of
from vclogic.query.objectives.request import ObjectivesQuestion
from vclogic.query.objectives.ways import ObjectiveWays, Sought, play
from vclogic.query.plan.conditions import read_conditions
from vclogic.query.planner.cache import Built
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.expressions.resolve import compile_goal

SECONDS = 60
_FINDS = 6
Seen = Counter[tuple[str, object]]


def asked_of(q: Question) -> tuple[ObjectivesQuestion, ObjectiveWays]:
    """A question as engines take it, and who answers it."""
    ask, given = q.ask(), q.asked
    goal = compile_goal(given["goal"], ask.system.vocabulary, "goal").term
    conditions = read_conditions(ask.system, ask.metric, given["require"], given["avoid"], given["keep"])
    asked = ObjectivesQuestion(replace(ask, goal=Goal(given["goal"], goal), conditions=conditions), 100)
    return asked, ways_of(Built(ask.system, ask.metric, ask.opponent), asked, Deadline(SECONDS))


def agree(q: Question, rng: Random, seen: Seen) -> None:
    """Asks for ways around some objectives; there are as many and as cheap ones as brute force finds."""
    truth, start = plans(q.play(), q.within), q.play()
    with local_sessions(SECONDS):
        asked, ways = asked_of(q)
        assert frozenset(o.name for o in asked.new) == truth.new
        assert asked.main == truth.main
        for _ in range(_FINDS):
            closed = frozenset(n for n in truth.new if rng.random() < 0.3)
            open_main = sorted(truth.main - closed)
            first = rng.choice(open_main) if open_main and rng.random() < 0.3 else None
            costs = sorted(allowed(truth, closed, first))
            most = rng.choice((None, None, max(costs[0] + rng.randint(-1, 2), 0) if costs else 2))
            cheapest = rng.random() < 0.5
            assert isinstance(ways.search, CheapestSearch)
            by = ways.search.of(Sought(closed, most, cheapest, first))
            way = ways.find(closed, Deadline(SECONDS), most=most, cheapest=cheapest, first=first)
            best = next((c for c in costs if most is None or c <= most), None)
            what = q.asked, closed, first, most, cheapest, best
            assert way.status == ("none" if best is None else "found"), (what, way.search.reason)
            seen[type(by).__name__, way.status] += 1
            if best is None:
                assert way.search.proof or way.search.bound_by, what
                continue
            done = play(asked, way)
            walk = walked(start, q.done(done.plan))
            assert walk.met, what
            assert (walk.cost, walk.taken) == (way.search.cost, way.takes), what
            assert walk.cost >= best, what
            assert not walk.taken & closed, what
            assert most is None or walk.cost <= most, what
            if cheapest:
                assert walk.cost == best == way.search.lower_bound, what
            assert (way.search.lower_bound or 0) <= costs[0], what
            if first is not None:
                before = [n for n in truth.main if walk.when.get(n, walk.when[first]) < walk.when[first]]
                assert not before, what


def allowed(truth: Plans, closed: frozenset[str], first: str | None) -> list[int]:
    """The least costs of the plans that take nothing closed, and something first."""
    found = truth.costs.items()
    return [c for (taken, began), c in found if not taken & closed and (first is None or first in began)]


def test_captures() -> None:
    seen: Seen = Counter()
    for seed in seeds(range(8), range(30)):
        agree(quest(seed), Random(seed), seen)
    assert all(seen[ProgramSearch.__name__, status] >= (15 if MORE else 1) for status in ("found", "none")), seen


@examples(60)
@given(quests(lossy=True), st.randoms(use_true_random=True))
def test_small_systems_in_which_things_are_lost(q: Quest, rng: Random) -> None:
    agree(q, rng, Counter())


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1_000, 3_000, 500))
def test_thousands_of_captures(first: int) -> None:
    for seed in range(first, first + 500):
        agree(quest(seed), Random(seed), Counter())
