"""The engine of battles against what was written from the rules alone: fractions by recursion, and dice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from vclogic_encodings.axis_allies.board import Board, Territory
from vclogic_encodings.axis_allies.odds.chances import Chances
from vclogic_encodings.axis_allies.odds.one_battle import odds
from vclogic_encodings.axis_allies.odds.sides import CombatRules

from tests.oracles.odds import Question, Types, estimated, exact
from tests.toys.army_boards import TYPES
from tests.toys.odd_boards import built
from tests.toys.odd_fights import fight
from vclogic.model.battles import Battle, Conduct, Odds

ROLLS = 10_000
RARE = 15
"""What happens less often in so many rolls is not compared: its estimate is not near a normal curve."""


def board(types: Types) -> Board:
    """A board with these kinds of units."""
    lands = {"A": Territory("land", "Germans"), "B": Territory("land", "Russians")}
    return replace(built(("Germans", "Russians"), lands, [("A", "B")], "Russians"), unit_types=types)


def chances(question: Question) -> Chances:
    """The engine for a battle."""
    bombarded = "fires" if question.bombarded_fire else "removed"
    return Chances(board(question.types), question.defenders, question.at_sea, bombarded=bombarded)  # type: ignore[arg-type]


def compare(seeds: range, most: int) -> None:
    """Compare the chance to take and the losses with the fractions of the oracle."""
    for seed in seeds:
        question = fight(Random(seed), most, odd=True)
        wanted, engine = exact(question), chances(question)
        told = (wanted.take, wanted.units_lost(), wanted.value_lost())
        assert engine.exact(question.attackers, question.guns) == told, (seed, question)
        floats = engine.result(question.attackers, question.guns)
        assert floats == pytest.approx([float(x) for x in told], rel=1e-9, abs=1e-12), (seed, question)


def told(question: Question, *, fractions: bool) -> Odds:
    """What the engine says of a battle."""
    q = question
    rules = CombatRules(board(q.types), bombarded="fires" if q.bombarded_fire else "removed")
    battle = Battle(q.attackers, q.defenders, q.guns, at_sea=q.at_sea, landing=q.landing)
    conduct = Conduct(q.attackers_fall, q.defenders_fall, q.keep, q.rounds, q.retreat_at)
    return odds(rules, battle, conduct, fractions)


def compare_endings(seeds: range, most: int) -> None:
    """Compare all endings, whatever the two sides decide."""
    for seed in seeds:
        question = fight(Random(seed), most, odd=True, conduct=True)
        wanted, answer = exact(question), told(question, fractions=True)
        endings = {
            (tuple(sorted(e.attackers.items())), tuple(sorted(e.defenders.items()))): e.chance for e in answer.endings
        }
        assert endings == wanted.endings, (seed, question)
        figures = (wanted.take, wanted.clear, wanted.draw)
        assert (answer.take, answer.clear, answer.draw) == figures, (seed, question)
        for losses, attackers in ((answer.attacker, True), (answer.defender, False)):
            assert losses.kinds == wanted.lost(attackers=attackers), (seed, question)
            assert losses.units == wanted.units_lost(attackers=attackers), (seed, question)
            assert losses.value == wanted.value_lost(attackers=attackers), (seed, question)
        near = told(question, fractions=False)
        for value, figure in zip((near.take, near.clear, near.draw), figures, strict=True):
            assert abs(Fraction(value) - figure) <= Fraction(near.error), (seed, question)
            assert (value in (0, 1)) == (figure in (0, 1)), (seed, question)
        assert abs(Fraction(near.attacker.value) - wanted.value_lost()) <= Fraction(near.error), (seed, question)


def test_the_same_endings() -> None:
    compare_endings(range(50), 3)


@pytest.mark.slow
def test_the_same_endings_in_larger_fights() -> None:
    compare_endings(range(1000, 4000), 5)


def test_the_same_fractions() -> None:
    compare(range(80), 3)


@pytest.mark.slow
def test_the_same_fractions_in_larger_fights() -> None:
    compare(range(1000, 4000), 6)


def outside(seeds: Iterable[int], most: int, errors: float) -> list[int]:
    """The seeds of fights whose chance or losses are more standard errors away from what dice give."""
    found = []
    for seed in seeds:
        question = fight(Random(seed), most)
        rolled = estimated(question, ROLLS, seed)
        take, units, value = chances(question).result(question.attackers, question.guns)
        usual = max((abs(take * (1 - take)) / ROLLS) ** 0.5, rolled["take"].error)
        far = abs(take - rolled["take"].mean) > errors * usual and RARE < take * ROLLS < ROLLS - RARE
        for name, expected in (("units", units), ("value", value)):
            frequent = rolled[name].error > 0.002 * rolled[name].mean > 0
            far |= frequent and abs(expected - rolled[name].mean) > errors * rolled[name].error
        if far:
            found.append(seed)
    return found


def test_near_what_dice_give() -> None:
    assert not outside(range(12), 10, 4)


@pytest.mark.slow
def test_five_hundred_fights() -> None:
    found = outside(range(5000, 5500), 15, 3)
    assert len(found) <= 5
    assert not outside(found, 15, 5)


def test_published_fractions() -> None:
    """Armour and a bomber against armour and a fighter: the tests of AlliesCalc hold these."""
    result = exact(Question(TYPES, {"armour": 1, "bomber": 1}, {"armour": 1, "fighter": 1}))
    assert result.take == Fraction(2351, 6545)
    assert result.chance(attackers=False, defenders=True) == Fraction(2726, 6545)
    assert result.draw == Fraction(1468, 6545)
