"""The positions that the explorer finds, against plain Python."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from tests.explore.slow_explorer import explored as slowly
from tests.fixtures.pace import examples
from tests.query.reach.test_all_events import Rules, questions
from tests.terms.specs import Spec
from tests.toys.small_war_rules import rules
from tests.toys.small_wars import war
from vclogic.clock import TIME_UP, Deadline, TimeUp, grace_period, until
from vclogic.explore import expansion, search, seen
from vclogic.explore.endings import endings
from vclogic.explore.events import TooManyEvents, possible
from vclogic.explore.expansion import STUCK, UNSEEN, Explored
from vclogic.explore.search import explore, shortest
from vclogic.explore.seen import hashed
from vclogic.model.actions import Action, Parameter, Requirement, Schema
from vclogic.model.fluents import Family, State
from vclogic.model.system import System
from vclogic.terms.atoms import integer
from vclogic.terms.build import add, ge, le
from vclogic.terms.sorts import IntSort

Graph = dict[State, tuple[int, int, frozenset[tuple[str, State]]]]
"""By position: its depth, who decides, and its events with where they lead."""


def start_of(system: System) -> State:
    return system.layout.state(system.completed({}))


def graph(found: Explored, rows: Iterable[int] | None = None) -> Graph:
    """What was found, without numbers of positions and events."""
    states = [tuple(row) for row in found.states.tolist()]
    assert len(set(states)) == len(states)
    result: Graph = {}
    for i in range(len(states)) if rows is None else rows:
        edges = range(int(found.first[i]), int(found.first[i + 1]))
        numbers = found.event[edges.start : edges.stop].tolist()
        assert numbers == sorted(set(numbers))
        targets = found.target[edges.start : edges.stop].tolist()
        leads = frozenset((str(found.events[e]), states[j]) for e, j in zip(numbers, targets, strict=True))
        result[states[i]] = int(found.depth[i]), int(found.mover[i]), leads
    return result


@pytest.mark.parametrize("seed", [*range(15), 27])
def test_everything_is_found_with_its_events(seed: int) -> None:
    system = rules(war(seed, dice=seed % 3 == 0, turns=seed % 4 != 0))
    start = start_of(system)
    found = explore(system, [start], stop=endings(system).final)
    assert found.complete
    assert tuple(found.states[0]) == start
    assert np.all(np.diff(found.depth) >= 0)
    assert graph(found) == graph(slowly(system, start))


@examples(60)
@given(questions())
def test_random_rule_sets(question: tuple[Rules, Spec]) -> None:
    rules, _ = question
    system = rules.system
    found = explore(system, [rules.small.start])
    assert {tuple(row) for row in found.states.tolist()} == rules.reachable()
    assert graph(found) == graph(slowly(system, rules.small.start))


def counters(most: int, limits: tuple[int, ...], *more: Schema) -> System:
    """A rule set of numbers that grow one by one, without a rule that ends it: only their bounds do."""
    family = [Family(f"c{i}", IntSort(-3, most), "") for i in range(len(limits))]

    def up(i: int) -> Action:
        c = family[i].fluent
        needs = (Requirement(le(c, limits[i] - 1), "as high as it may be"),)
        return Action(f"up{i}", (), ("Red", "Blue", None)[i % 3], needs, ((c, add(c, 1)),), "up")

    return System(
        sides={"Red": ("Red",), "Blue": ("Blue",)},
        families=tuple(family),
        initial={f.fluent: -3 for f in family},
        rules=(),
        invariants=(),
        outcomes=(),
        observables=(),
        events=(*(Schema(f"up{i}", (), lambda i=i: up(i), "") for i in range(len(limits))), *more),
        metrics=(),
    )


def test_what_would_leave_its_bounds_is_not_legal() -> None:
    system = counters(2, (99, 99))
    found = explore(system, [(-3, -3)])
    assert len(found.states) == 36
    assert graph(found) == graph(slowly(system, (-3, -3)))
    assert found.mover[-1] == STUCK


@pytest.mark.parametrize("most", [2, 2**20, 2**40, 2**62])
def test_states_of_any_size(most: int) -> None:
    limits = (0, 1, 2, -1, 0)
    system = counters(most, limits)
    start = (-3,) * 5
    found = explore(system, [start])
    assert len(found.states) == prod(x + 4 for x in limits)
    assert graph(found) == graph(slowly(system, start))


@pytest.mark.parametrize("limits", [(0, 1), (0, 1, 2)])  # keys of as many words
def test_two_states_of_one_hash_are_told_apart(limits: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    system, seeds = counters(2**40, limits), set()
    start = (-3,) * len(limits)

    def weak(keys: Any, seed: int) -> Any:
        seeds.add(seed)
        return hashed(keys, seed) % np.uint64(7 if seed < 3 else 2**63)

    monkeypatch.setattr(seen, "hashed", weak)
    assert graph(explore(system, [start])) == graph(slowly(system, start))
    assert seeds == {0, 1, 2, 3}


def test_a_shortest_record_is_no_longer_than_the_limit() -> None:
    system, start = counters(2, (2, 2)), (-3, -3)
    events, goal = possible(system, [start]), ge(system.layout.fluents[0], 0)
    found = [shortest(system.layout, start, goal, events, most=99, memory=10**9, within=n) for n in (2, 3)]
    assert [None if f.record is None else len(f.record) for f in found] == [None, 3]
    assert found[0].decided
    assert not found[0].exhausted


@pytest.mark.parametrize("block", [1, 7, 64])
def test_the_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    system = rules(war(27))
    whole = graph(explore(system, [start_of(system)]))
    monkeypatch.setattr(expansion, "BLOCK", block)
    assert graph(explore(system, [start_of(system)])) == whole


def test_the_order_is_the_same_in_every_run() -> None:
    system = rules(war(9))
    found = [explore(system, [start_of(system)]) for _ in range(2)]
    for name in ("states", "depth", "first", "target", "event", "mover"):
        assert np.array_equal(*(getattr(x, name) for x in found))


def test_several_starts_come_first_in_their_order() -> None:
    system = counters(5, (1, 1))
    starts = [(0, 0), (-1, 1), (0, 0), (-3, 0)]
    found = explore(system, starts)
    assert found.states.tolist()[:3] == [[0, 0], [-1, 1], [-3, 0]]
    assert found.depth.tolist()[:3] == [0, 0, 0]
    assert found.depth.max() == 2  # to (-2, 1) from the last, to (1, 1) from the others
    assert len(found.states) == 10


def test_a_search_that_is_cut_off_says_so() -> None:
    system = rules(war(27))
    start, whole = start_of(system), graph(explore(system, [start_of(system)]))
    few = explore(system, [start], most=50)
    assert (few.complete, few.reason) == (False, "there are more than 50 positions")
    small = explore(system, [start], memory=10_000)
    assert not small.complete
    assert "of memory would be needed" in small.reason
    with until(Deadline(-1)), grace_period(1e9):
        early = explore(system, [start])
    assert early.complete  # time was granted
    for found in (few, small):
        looked_at = np.flatnonzero(found.mover != UNSEEN).tolist()
        assert 0 < len(looked_at) < len(found.states) < len(whole)
        assert all(found.first[i] == found.first[i + 1] for i in set(range(len(found.states))) - set(looked_at))
        for state, seen_there in graph(found, looked_at).items():
            assert whole[state] == seen_there


def test_the_time_may_be_up_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    system = rules(war(27))
    looks = iter(range(10**9))

    def look() -> None:
        if next(looks) >= 4:
            raise TimeUp

    monkeypatch.setattr(expansion, "BLOCK", 5)
    monkeypatch.setattr(search, "check_deadline", look)
    found = explore(system, [start_of(system)])
    assert (found.complete, found.reason) == (False, TIME_UP)
    assert 0 < int((found.mover != UNSEEN).sum()) <= 20


def test_assumed_needs_count_where_they_are_asked_for() -> None:
    c = Family("c0", IntSort(-3, 5), "").fluent
    only_low = (Requirement(le(c, 0), "nobody would"),)
    jump = Action("jump", (), "Red", (), ((c, add(c, 1)),), "jumps", assumed=only_low)
    system = counters(5, (-3,), Schema("jump", (), lambda: jump, ""))
    assert len(explore(system, [(-3,)]).states) == 9
    assert len(explore(system, [(-3,)], assumed=True).states) == 5


def test_too_many_events_are_refused() -> None:
    wide = range(1, 300)
    many = Schema("many", (Parameter("a", wide), Parameter("b", wide)), lambda a, b: pytest.fail("is not built"), "")
    with pytest.raises(TooManyEvents, match="89,402 events"):
        explore(counters(1, (0,), many), [(-3,)])


def test_events_that_cannot_happen_are_left_out() -> None:
    c0, c1 = (Family(name, IntSort(-3, 5), "").fluent for name in ("c0", "c1"))
    c2 = Family("c2", IntSort(-3, 5), "").fluent
    after = Action("after", (), None, (Requirement(ge(c1, 0), "needs c1"),), ((c2, add(c2, 1)),), "then")
    last = Action("last", (), None, (Requirement(ge(c2, 0), "needs c2"),), ((c0, integer(-3)),), "at last")
    more = [Schema(a.name, (), lambda a=a: a, "") for a in (last, after)]
    system = counters(5, (2, -3, -3), *more)
    assert [str(p.event) for p in possible(system, [(-3, -3, -3)])] == ["up0()"]
    assert [str(p.event) for p in possible(system, [(-3, 0, -3)])] == ["up0()", "last()", "after()"]
    assert [str(p.event) for p in possible(system, [(-3, 0, -3), (-3, -3, -3)])] == ["up0()", "last()", "after()"]
    assert explore(system, [(-3, -3, -3)]).states.tolist() == [[x, -3, -3] for x in range(-3, 3)]
    assert graph(explore(system, [(0, 0, -3)])) == graph(slowly(system, (0, 0, -3)))
