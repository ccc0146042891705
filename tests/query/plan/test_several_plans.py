"""Several cheapest plans: all of them, by brute force on random boards, each legal and each taking something else."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from tests.fixtures.games import loaded
from tests.oracles.captures import IDLE, Moment, Wish, World, fewest_captures
from tests.toys.small_maps import SIDES, SmallMap
from tests.toys.wide_maps import far, wide_map
from vclogic.errors import InputError
from vclogic.query.plan.answer import Plan
from vclogic.query.plan.cheapest import plan
from vclogic.report import json
from vclogic.terms.expressions.compiled import Goal


def all_cheapest(world: World, start: Moment, side: str, least: int, cost: int) -> set[frozenset[str]]:
    """The sets of so many lands that a side can take, in some order, after which it has so many points."""

    def takeable(lands: frozenset[str]) -> bool:
        owners, left = start.owners, set(lands)
        power = next(p for p in world.order if world.side_of[p] == side)
        while left:
            now = left.intersection(world.captures(owners, power, own_only=False))
            if not now:
                return False
            owners, left = world.taken(owners, power, tuple(now)), left - now
        return world.vcp(owners, side) >= least

    return {s for s in map(frozenset, combinations(world.land, cost)) if takeable(s)}


def asked(m: SmallMap, side: str, goal: str, plans: int) -> Plan:
    sought = Goal(goal, m.term(points(goal, side, 0)))
    return plan(replace(m.ask(side, IDLE, timeout=60), plans=plans, goal=sought))


def test_all_cheapest_plans_of_random_boards_are_found() -> None:
    most = 0
    for seed in range(16):
        rng = Random(seed)
        m, side = wide_map(rng), rng.choice(SIDES)
        least = m.world.vcp(far(rng, m, side).owners, side)
        cost = fewest_captures(m.world, m.start, points("", side, least), side, IDLE)
        if not cost:
            continue
        expected = all_cheapest(m.world, m.start, side, least, cost)
        answer = asked(m, side, f"vcp({side}) >= {least}", 50)
        assert answer.plans is not None
        found = [frozenset(str(s.args["territory"]) for s in p.steps) for p in answer.plans.found]
        assert len(found) == len(set(found))
        assert set(found) == expected, seed
        assert answer.plans.complete
        assert answer.plans.found[0].steps == answer.steps
        assert all(p.record.events for p in answer.plans.found)
        if len(found) > 1:
            fewer = asked(m, side, f"vcp({side}) >= {least}", len(found) - 1)
            if fewer.plans is not None:  # not asked for where it is one
                assert len(fewer.plans.found) == len(found) - 1
                assert (fewer.plans.complete, bool(fewer.plans.reason)) == (False, True)
        most = max(most, len(found))
    assert most >= 4


def points(text: str, side: str, least: int) -> Wish:
    """A goal of so many points."""
    return Wish(text, lambda w, at: w.vcp(at.owners, side) >= least)


def test_the_document_has_all_plans() -> None:
    answer = loaded("axis_allies").plan("vcp(Axis) >= 34", plans=3)
    document = json.document("plan", answer)
    assert [len(p["steps"]) for p in document["plans"]["found"]] == [2, 2, 2]
    assert document["plans"]["found"][0]["record"] == document["record"]
    assert document["plans"]["complete"] is False
    assert document["plans"]["reason"]
    assert "plans" not in json.document("plan", loaded("axis_allies").plan("vcp(Axis) >= 34"))


def test_what_holds_already_has_one_plan() -> None:
    answer = loaded("axis_allies").plan("vcp(Axis) >= 1", plans=3)
    assert answer.plans is not None
    assert answer.plans.complete
    assert [p.steps for p in answer.plans.found] == [()]


@pytest.mark.parametrize("wrong", [0, -1])
def test_a_number_of_plans_is_at_least_one(wrong: int) -> None:
    with pytest.raises(InputError, match="from 1"):
        loaded("axis_allies").plan("vcp(Axis) >= 34", plans=wrong)
