"""Plans whose battles dice decide, on small boards, against brute force with exact odds: verdict, cost and proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.fixtures.efforts import effort
from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import BUSY, seeds
from tests.oracles.army_plans import LOSSES, MOVES, VALUE
from tests.oracles.odds import Question as Battle
from tests.oracles.odds import exact
from tests.query.plan.test_armies import Question
from tests.query.plan.test_army_records import after, begin, goal_of
from tests.toys.odd_questions import Asked, question
from vclogic.encode.python.evaluator import interpret
from vclogic.model.system import IDLE
from vclogic.query.plan.answer import Plan
from vclogic.query.plan.cheapest import plan
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.expressions.compiled import Goal

ROUNDED = 3
"""Costs are rounded battle by battle: by so many of their smallest parts a plan may be off."""


def answer(asked: Asked) -> tuple[Question, Plan]:
    """What vclogic answers."""
    q = Question(asked.board, asked.chosen, asked.aim, "Axis", "Germans", asked.within, None, {})  # type: ignore[arg-type]
    metric = q.system.metric(asked.wishes.metric)
    assert metric
    ask = ResolvedQuestion("tiny", q.system, begin(q), (), "Axis", IDLE, metric, effort(8.0 + BUSY), asked.within)
    with local_sessions(8.0 + BUSY):
        return q, plan(replace(ask, goal=Goal(asked.aim.text, goal_of(q))))


def check(asked: Asked, q: Question, found: Plan) -> None:
    """That the answer is that of brute force, and the plan a record that the rules accept."""
    assert found.status == ("impossible" if asked.best is None else "optimal"), asked
    if asked.best is None:
        return
    metric = q.system.metric(asked.wishes.metric)
    assert found.cost is not None
    assert metric
    error = Fraction(ROUNDED, metric.scale) if metric.scale > 1 else 0
    assert abs(Fraction(found.cost, metric.scale) - asked.best) <= error, (asked, found.cost)
    assert found.replayed is True
    assert found.record is not None
    assert found.record.events is not None, (asked, found.record.reason)
    assert interpret(goal_of(q), q.system.layout.slot, after(q, begin(q), found.record.events)), asked
    battles_check(asked, found)


def battles_check(asked: Asked, found: Plan) -> None:
    """That the battles of the answer have the odds of the oracle, which are good enough."""
    fought = found.battles.fought if found.battles else ()
    product, units, value = Fraction(1), Fraction(0), Fraction(0)
    for b in fought:
        result = exact(Battle(asked.board.units, b.attackers, b.defenders, b.guns, b.at_sea))
        assert b.chance == pytest.approx(float(result.take), abs=1e-9), (asked, b)
        assert result.take * 100 >= asked.wishes.min_odds, (asked, b)
        product, units, value = (product * result.take, units + result.units_lost(), value + result.value_lost())
    if found.battles:
        assert found.battles.chance == pytest.approx(float(product), abs=1e-9), asked
        assert found.battles.losses == pytest.approx(float(units), abs=1e-9), asked
        assert found.battles.value_lost == pytest.approx(float(value), abs=1e-9), asked
    told = {MOVES: asked.best, LOSSES: units, VALUE: value}[asked.wishes.metric]
    assert float(told or 0) == pytest.approx(float(asked.best or 0), abs=0.03), (asked, fought)


def hunt(numbers: Iterable[int], *, sea: bool, metrics: tuple[str, ...], hold: bool = False) -> Counter[str]:
    """Compare, and count what brute force said."""
    said = Counter[str]()
    for seed in numbers:
        asked = question(seed, sea=sea, metrics=metrics, hold=hold)
        if asked is None:
            said["left out"] += 1
            continue
        check(asked, *answer(asked))
        same = "as at any odds" if asked.best == asked.anyhow else "dearer"
        said["impossible" if asked.best is None else same] += 1
    return said


def is_mixed(said: Counter[str], least: float) -> bool:
    """Whether each answer has a fair share of the questions."""
    asked = said.total() - said["left out"]
    return all(said[k] >= least * asked for k in ("impossible", "as at any odds", "dearer"))


@pytest.mark.parametrize(
    ("sea", "hold", "metrics"),
    [
        (False, False, (MOVES,)),
        (True, False, (MOVES,)),
        (False, False, (LOSSES, VALUE)),
        (True, False, (LOSSES, VALUE)),
        (False, True, (MOVES, LOSSES)),
        (True, True, (MOVES,)),
    ],
)
def test_plans_are_those_of_brute_force(sea: bool, hold: bool, metrics: tuple[str, ...]) -> None:
    said = hunt(seeds((2, 3, 4), range(8)), sea=sea, metrics=metrics, hold=hold)
    assert said.total() > said["left out"] + 2, said


def test_a_battle_at_sea_is_won_by_who_is_left() -> None:
    """A transport and a carrier against a carrier: 38.8 % with an attacker left, 49.0 % without that."""
    assert hunt(range(20002, 20003), sea=True, metrics=(LOSSES, VALUE))["left out"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("metrics", [(MOVES,), (LOSSES, VALUE)])
@pytest.mark.parametrize("sea", [False, True])
def test_many_plans_with_odds(sea: bool, metrics: tuple[str, ...]) -> None:
    assert is_mixed(said := hunt(range(5000, 5600), sea=sea, metrics=metrics), 0.05), said


@pytest.mark.slow
@pytest.mark.parametrize("sea", [False, True])
def test_many_plans_that_hold(sea: bool) -> None:
    assert is_mixed(said := hunt(range(6000, 6300), sea=sea, metrics=(MOVES, LOSSES), hold=True), 0.05), said
