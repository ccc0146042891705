"""The battles of a plan: those of its orders, with the chances that the dice give when asked anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.fixtures.games import loaded
from tests.fixtures.pace import HANGS
from vclogic.clock import Deadline, TimeUp
from vclogic.game import Game
from vclogic.model.actions import Event
from vclogic.model.battles import Battle, BattleRules, Conduct, Odds
from vclogic.model.fluents import Value
from vclogic.model.system import System
from vclogic.query.answers import Step
from vclogic.query.plan.answer import Plan
from vclogic.query.plan.battles import battles
from vclogic.query.plan.risks import Battles, FoughtBattle


@pytest.fixture(scope="module")
def game() -> Game:
    return loaded("axis_allies", level="armies")


@pytest.fixture(scope="module")
def plan(game: Game) -> Plan:
    return game.plan(
        'controls(Axis, China) and controls(Axis, "Anglo Egypt")',
        side="Axis",
        minimize="moves",
        within=1,
    )


def rules_of(system: System) -> BattleRules:
    assert system.battles is not None
    return system.battles


def again(b: FoughtBattle) -> Battle:
    return Battle(b.attackers, b.defenders, b.guns, b.place, b.attacker, b.at_sea, b.landing)


def sent(steps: Sequence[Step], place: str) -> Counter[str]:
    """The units that the orders of a plan send into the battle for a place."""
    found = Counter[str]()
    for step in steps:
        if step.args["to"] == place and step.action != "bombard":
            for part in str(step.args["units"]).split(" and "):
                n, unit = part.split()
                found[unit] += int(n)
    return found


def found_in(plan: Plan) -> Battles:
    assert plan.battles is not None
    return plan.battles


def test_they_are_those_of_the_orders(plan: Plan) -> None:
    found = found_in(plan)
    taken = {t for step in plan.steps for t in str(step.args["captures"]).split(", ") if t}
    assert {b.place for b in found.fought if not b.at_sea} <= taken
    assert {"China", "Anglo Egypt"} <= {b.place for b in found.fought}
    assert [b.n for b in found.fought] == list(range(1, len(found.fought) + 1))
    for b in found.fought:
        assert b.attackers == sent(plan.steps, b.place)
        assert plan.record is not None
        assert plan.record.events is not None
        assert b.place in dict(plan.record.events[b.event - 1].args).values()
        assert b.turn == {"round": 1, "turn": b.attacker}


def test_chances_are_those_of_the_dice_asked_anew(game: Game, plan: Plan) -> None:
    found, product = found_in(plan), Fraction(1)
    for b in found.fought:
        exact = rules_of(game.setup.system).odds(again(b), Conduct(), True)
        assert isinstance(exact.take, Fraction)
        assert b.chance is not None
        assert abs(b.chance - exact.take) <= b.error < 1e-6
        assert b.losses == pytest.approx(float(exact.attacker.units), abs=1e-6)
        assert b.value_lost == pytest.approx(float(exact.attacker.value), abs=1e-6)
        product *= exact.take
    assert found.chance is not None
    assert abs(found.chance - product) <= found.error < 1e-6
    assert found.losses == pytest.approx(sum(b.losses or 0 for b in found.fought))
    assert found.value_lost == pytest.approx(sum(b.value_lost or 0 for b in found.fought))
    assert found.weakest == min(found.fought, key=lambda b: b.chance or 0).n
    assert rules_of(game.setup.system).assumptions[0] in plan.assumptions


def test_a_plan_of_captures_has_none() -> None:
    answer = loaded("axis_allies").plan("controls(Axis, Caucasus)", side="Axis")
    assert answer.status == "optimal"
    assert answer.battles is None


@pytest.mark.slow
def test_each_of_several_plans_has_its_own(game: Game) -> None:
    answer = game.plan("controls(Axis, China)", side="Axis", minimize="moves", within=1, plans=2)
    assert answer.plans is not None
    first, second = answer.plans.found
    assert first.battles == answer.battles
    assert second.battles is not None
    (battle,) = second.battles.fought
    assert battle.attackers == sent(second.steps, "China")


# ---- what the time and the dice allow


KARELIA = "Karelia S.S.R."


def attack(game: Game, *moves: tuple[str, dict[str, Value]]) -> tuple[System, tuple[int, ...], list[Event]]:
    """Moves of the Germans and the capture of Karelia, with the state before them."""
    system, schemas = game.setup.system, game.setup.system.schemas
    events = [schemas[name].event({"power": "Germans", **args}) for name, args in moves]
    return system, game.state, [*events, schemas["capture"].event({"power": "Germans", "territory": KARELIA})]


WALK: tuple[str, dict[str, Value]] = ("march", {"unit": "infantry", "count": 3, "from": "Norway", "to": KARELIA})
FLY: tuple[str, dict[str, Value]] = (
    "fly",
    {"unit": "fighter", "count": 1, "from": "Norway", "to": KARELIA, "landing": "Norway"},
)


def against(there: dict[str, int]) -> Game:
    state = {"turn": "Germans", "units": {KARELIA: {"Russians": there}}}
    return Game.load({"game": "axis_allies", "options": {"level": "armies"}, "state": state})


def test_a_battle_that_only_guns_defend_is_certain() -> None:
    found = battles(*attack(against({"aa_gun": 1}), FLY, WALK), Deadline(HANGS))
    assert found is not None
    assert (found.chance, found.weakest) == (1.0, None)
    assert found.fought[0].losses == pytest.approx(1 / 6)


def test_no_battle_where_nobody_defends() -> None:
    assert battles(*attack(against({}), FLY, WALK), Deadline(HANGS)) is None


def test_what_takes_too_long_is_left_out() -> None:
    system, state, events = attack(against({"infantry": 1}), FLY, WALK)

    def slow(battle: Battle, conduct: Conduct, exact: bool) -> Odds:
        raise TimeUp

    late = replace(system, battles=replace(rules_of(system), odds=slow))
    found = battles(late, state, events, Deadline(HANGS))
    assert found is not None
    (battle,) = found.fought
    assert (battle.chance, battle.losses) == (None, None)
    assert (found.chance, found.weakest, found.losses, found.value_lost) == (None, None, None, None)
    assert battle.reason == "left out, as the time was up"
    assert found.at_most == 1.0


def test_what_is_nearly_certain_is_asked_in_fractions() -> None:
    system, state, events = attack(against({"infantry": 1}), FLY, WALK)
    asked: list[bool] = []

    def blurred(battle: Battle, conduct: Conduct, exact: bool) -> Odds:
        asked.append(exact)
        found = rules_of(system).odds(battle, conduct, exact)
        return found if exact else replace(found, take=1.0, error=1e-9)

    found = battles(replace(system, battles=replace(rules_of(system), odds=blurred)), state, events, Deadline(HANGS))
    assert asked == [False, True]
    assert found is not None
    assert found.chance is not None
    assert 0.9 < found.chance < 1


@pytest.mark.parametrize("many", [1, 60])
def test_what_rounds_to_certain_is_not_told_as_certain(many: int) -> None:
    """With one unit more or less, in fractions; with many, in floats alone."""
    system = loaded("axis_allies", level="armies").setup.system
    attackers = {"infantry": 5 * many, "armour": 5 * many, "fighter": 3, "bomber": 2}
    battle = Battle(attackers, {"infantry": 1}, {}, KARELIA, "Germans")
    capture = system.schemas["capture"].event({"power": "Germans", "territory": KARELIA})
    given = replace(rules_of(system), decided=lambda values, event: battle)
    game = against({"infantry": 1}).apply("march", power="Germans", **WALK[1])
    found = battles(replace(system, battles=given), game.state, [capture], Deadline(HANGS))
    assert found is not None
    assert found.overall == "over 99.9 %"


def test_an_advice_goes_with_a_metric() -> None:
    made = attack(against({"infantry": 1}), FLY, WALK)
    found = [battles(*made, Deadline(HANGS), metric) for metric in ("moves", "losses")]
    assert ["--min-odds" in b.advice for b in found if b] == [True, False]


@pytest.mark.parametrize("ahead", [1e-9, -5.0])
def test_a_deadline_that_has_passed_leaves_a_little_time(game: Game, plan: Plan, ahead: float) -> None:
    assert plan.record is not None
    assert plan.record.events is not None
    found = battles(game.setup.system, game.state, plan.record.events, Deadline(ahead))
    assert found is not None
    assert found.fought == found_in(plan).fought
