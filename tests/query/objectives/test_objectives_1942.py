"""Objectives on the 1942 board by captures, against all captures tried in plain Python."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.fixtures.games import loaded
from tests.oracles.objectives import Plans
from tests.oracles.objectives_1942 import Conquest, Reach, dual
from tests.toys.questions_1942 import board, read_board
from vclogic.query.objectives.answer import Objectives

SECONDS = 60
MANY = 1_000


def conquest(side: str, points: int, within: int) -> Conquest:
    """A side wants so many points within so many captures."""
    wide, territories = board(), read_board().territories
    return Conquest.points(wide, {t: str(territories[t].owner) for t in wide.world.land}, side, points, within)


def sets_agree(answer: Objectives, truth: Plans) -> None:
    """Winning sets, landmarks and denial sets are all there, and no others."""
    assert answer.winning.complete
    assert answer.winning.all_cheapest
    smallest, best = truth.smallest, truth.cost
    found = {frozenset(w.takes): (w.cost.cost, w.smallest, w.cheapest) for w in answer.winning.sets}
    assert found == {some: (cost, some in smallest, cost == best) for some, cost in truth.winning.items()}
    assert answer.denial.complete
    assert {frozenset(d.keeps) for d in answer.denial.sets} == (dual(smallest) if truth.costs else set())
    assert not answer.landmarks.open
    assert {m.name for m in answer.landmarks.found} == truth.landmarks
    takes = {w.n: frozenset(w.takes) for w in answer.winning.sets}
    assert all(takes[leak.winning] & set(d.keeps) == {leak.name} for d in answer.denial.sets for leak in d.leaks)


@pytest.mark.parametrize(
    ("side", "points", "within", "winning", "denial", "landmarks"),
    [
        ("Axis", 40, 3, 1, 3, 3),
        ("Axis", 27, 1, 13, 1, 0),
        ("Allies", 50, 2, 0, 0, 0),
        pytest.param("Axis", 40, 4, 124, 35, 0, marks=pytest.mark.slow),
        pytest.param("Axis", 36, 3, 56, 13, 0, marks=pytest.mark.slow),
        pytest.param("Allies", 50, 3, 10, 6, 0, marks=pytest.mark.slow),
        pytest.param("Axis", 43, 5, 202, 67, 0, marks=pytest.mark.slow),
        pytest.param("Allies", 52, 4, 24, 12, 0, marks=pytest.mark.slow),
    ],
)
def test_all_sets_are_those_of_brute_force(
    side: str, points: int, within: int, winning: int, denial: int, landmarks: int
) -> None:
    question = conquest(side, points, within)
    planner = loaded("axis_allies").planner(side)
    answer = planner.objectives(f"vcp({side}) >= {points}", within=within, limit=MANY, budget_s=SECONDS)
    sets_agree(answer, question.plans())
    numbers = len(answer.winning.sets), len(answer.denial.sets), len(answer.landmarks.found)
    assert numbers == (winning, denial, landmarks)


@pytest.mark.parametrize(
    ("side", "points", "within", "fewest"),
    [
        ("Axis", 40, 3, 1),
        pytest.param("Axis", 40, 4, 2, marks=pytest.mark.slow),
        pytest.param("Allies", 50, 4, 2, marks=pytest.mark.slow),
        pytest.param("Axis", 36, 4, 3, marks=pytest.mark.slow),
        pytest.param("Allies", 45, 4, 3, marks=pytest.mark.slow),
    ],
)
def test_the_fewest_captures_that_stop_an_enemy(side: str, points: int, within: int, fewest: int) -> None:
    enemy = conquest(side, points, within)
    wide = enemy.wide
    reach = Reach(enemy, {wide.bit[t]: n for t, n in wide.world.points.items() if n}, points)
    defender = "Allies" if side == "Axis" else "Axis"
    own = replace(enemy, held=sum(wide.bit.values()) & ~enemy.held, within=fewest - 1, met=lambda _: True)
    after = {own.held, *own.ends([{own.held}])}
    assert all(reach.can(enemy.held & ~mine, within) for mine in after), "fewer captures are enough"

    ask = loaded("axis_allies").planner(defender)
    (threat,) = ask.objectives(
        "vcp(Axis) >= 0", within=within, threat=f"vcp({side}) >= {points}", budget_s=SECONDS
    ).threats
    stop = threat.stop
    assert stop is not None
    assert stop.plan is not None
    assert (stop.status, stop.cost.status, stop.cost.cost) == ("stopped", "optimal", fewest)
    taken = wide.lands(str(s.args["territory"]) for s in stop.plan.steps)
    assert taken.bit_count() == fewest
    assert own.held | taken in set(replace(own, within=fewest).ends([{own.held}]))
    assert not reach.can(enemy.held & ~taken, within)
