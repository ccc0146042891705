"""What plans leave exposed, and plans that hold what they take, against brute force on tiny boards."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from vclogic_encodings.axis_allies.board import Board, Territory
from vclogic_encodings.axis_allies.encoding import ENCODING

from tests.fixtures.efforts import effort
from tests.fixtures.pace import BUSY, MORE, seeds
from tests.oracles.armies import Aim, TooLarge, War
from tests.oracles.army_plans import Dice, Wishes
from tests.oracles.counterattacks import Answers, best_held
from tests.toys.odd_boards import built as boards_of
from tests.toys.odd_boards import land_board, sea_board
from vclogic.clock import Deadline
from vclogic.model.system import IDLE, System
from vclogic.query.plan.answer import Plan
from vclogic.query.plan.battles import battles_of
from vclogic.query.plan.cheapest import check_held, plan
from vclogic.query.replay import ReplayError
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve.backends.highs import Engines
from vclogic.solve.searches.strongest import Threats
from vclogic.terms.expressions.resolve import compile_goal

TIMES = int(MORE) or 1


def built(board: Board, **chosen: int | str) -> System:
    """The game on a board."""
    return ENCODING.build(board, ENCODING.settings({"level": "armies", **chosen}))


def exposed_lands(board: Board, side: str, engines: Engines) -> int:
    """That the strongest attack on each land of a side is that of the brute force; how many can be attacked."""
    system, war = built(board), War(board, full=True, most=3_000)
    assert system.counter is not None
    state = system.layout.state(system.completed(dict(system.initial)))
    threats = Threats(system.counter, system.layout.constants(state), engines)
    answers = Answers(war, Dice(war))
    found = 0
    for power in system.counter.enemies(side):
        chances = answers.chances(war.start(), power)
        for place in board.land:
            if board.powers[str(board.territories[place].owner)].side == side:
                attack = threats.on(place, power, Deadline(60))
                have = 0.0 if attack is None else attack.chance
                assert have == pytest.approx(float(chances.get(place, Fraction(0))), abs=1e-9), (board, place, power)
                assert attack is None or attack.at_most == have
                found += have > 0
    return found


@pytest.mark.parametrize("make", [land_board, sea_board])
def test_the_strongest_attack_is_that_of_all_turns(make: type) -> None:
    engines, found, seed = Engines(), 0, 0
    try:
        for seed in range(12 * TIMES):
            board = make(Random(seed))
            for side in ("Axis", "Allies"):
                try:
                    found += exposed_lands(board, side, engines)
                except TooLarge:
                    continue
    finally:
        engines.close()
    assert found > 5 * TIMES


# ---- plans that hold what they take


def asking(board: Board, within: int | None, first: str, *, bid: int = 0, **chosen: int | str) -> ResolvedQuestion:
    """A question of the Axis."""
    system = built(board, **chosen)
    by_name = system.layout.by_name
    values = dict(system.initial) | {by_name["turn"]: first, by_name["bid"]: bid}
    state = system.layout.state(system.completed(values))
    metric = system.metric("moves")
    assert metric
    return ResolvedQuestion("tiny", system, state, (), "Axis", IDLE, metric, effort(8.0 + BUSY), within)


def asked(board: Board, goal: str, within: int | None, first: str, *, bid: int = 0, **chosen: int | str) -> Plan:
    """The answer of vclogic for the Axis."""
    ask = asking(board, within, first, bid=bid, **chosen)
    return plan(replace(ask, goal=compile_goal(goal, ask.system.vocabulary)))


def agrees_with_all_plans(board: Board, random: Random) -> str:
    """That the fewest moves of a plan that holds what it takes are those of all plans; the status."""
    level, odds = random.choice((20, 50, 50, 80)), random.choice((0, 60, 80))
    within, land = random.choice((1, 1, 2)), random.choice([t for t in board.land if t != "A"])
    losses = random.choice(("none", "none", "defence"))
    war = War(board, full=True, losses=losses == "defence", most=4_000)
    answers, wishes = Answers(war, Dice(war)), Wishes(odds)
    aim = Aim(f"controls(Axis, {land})", lambda o, e: board.powers[o[land]].side == "Axis")
    try:
        best = best_held(answers, wishes, "Axis", "Germans", within, Fraction(level, 100), aim)
    except TooLarge:
        return "too large"
    if board.powers[str(board.territories[land].owner)].side == "Axis":
        return "held already"
    found = asked(board, aim.text, within, "Germans", hold=level, min_odds=odds, losses=losses)
    said = (board, level, odds, losses, within, land, best, found.cost, found.reason)
    assert found.status in ("optimal", "impossible"), said
    assert found.cost == best, said
    for turn in found.exposed.turns if found.exposed else ():
        for place in turn.places:
            assert not place.taken or place.lost <= 1 - level / 100 + 1e-9, said
    return found.status


@pytest.mark.parametrize("make", [land_board, sea_board])
def test_plans_that_hold_are_the_cheapest_of_all_such_plans(make: type) -> None:
    said = Counter(
        agrees_with_all_plans(make(Random(seed)), Random(seed)) for seed in seeds((2, 3, 4), range(9 * TIMES))
    )
    assert said["optimal"] >= 2 * TIMES
    assert said["impossible"] >= TIMES


# ---- what an answer says


def road(judged_after: str = "Russians", **units: dict[str, dict[str, int]]) -> Board:
    """The Germans in A, the Russians in B and C, in a row; who is judged after moves last."""
    owners = {"A": "Germans", "B": "Russians", "C": "Russians"}
    places = {t: Territory("land", p, 1, units=units.get(t, {})) for t, p in owners.items()}
    order = sorted(("Germans", "Russians"), key=lambda p: p == judged_after)
    return boards_of(order, places, [("A", "B"), ("B", "C")], judged_after)


ROAD = road(
    A={"Germans": {"infantry": 4, "armour": 1}}, B={"Russians": {"infantry": 1}}, C={"Russians": {"armour": 2}}
)


def test_an_answer_says_who_takes_back_what_was_taken_and_left() -> None:
    found = asked(ROAD, "controls(Axis, B)", 1, "Germans", min_odds=60)
    assert (found.status, found.cost, found.exposed is not None) == ("optimal", 2, True)
    assert found.exposed is not None
    (turn,) = found.exposed.turns
    assert (turn.turn, turn.taken, turn.left, found.exposed.complete) == ({"round": 1, "turn": "Germans"}, 1, 1, True)
    (taken,) = turn.places  # A is out of reach behind it
    assert (taken.place, taken.taken) == ("B", True)
    (attack,) = taken.attacks
    assert (attack.power, attack.attackers) == ("Russians", {"armour": 2})
    assert 0.05 < attack.chance == attack.at_most < 1
    assert any("what the enemy can take back" in a for a in found.assumptions)


def test_a_plan_that_is_weaker_than_was_asked_is_refused_once_it_is_played() -> None:
    weak = asked(ROAD, "controls(Axis, B)", 1, "Germans")
    assert weak.record is not None
    assert weak.battles is not None
    assert weak.exposed is not None
    (battle,) = weak.battles.fought
    ask = asking(ROAD, 1, "Germans", hold=80, min_odds=80)
    assert (battle.chance or 1) < 0.8
    with pytest.raises(ReplayError, match="the battle for B has a chance of"):
        battles_of(ask, weak.record)
    with pytest.raises(ReplayError, match="the plan does not hold B"):
        check_held(ask, weak.exposed)


def test_more_units_go_in_to_hold_and_none_is_sent_in_vain() -> None:
    costs = [asked(ROAD, "controls(Axis, B)", 1, "Germans", min_odds=60, hold=n).cost for n in (0, 60)]
    assert costs == sorted(costs, key=lambda n: n or 99)
    assert costs[0] == 2
    assert costs[1] is not None
    assert costs[1] > 2
    found = asked(ROAD, "controls(Axis, B)", 1, "Germans", min_odds=60, hold=60)
    assert found.exposed is not None
    assert max(p.lost for t in found.exposed.turns for p in t.places if p.taken) <= 0.4
    assert any("at least 60 %" in a for a in found.assumptions)


def test_what_cannot_be_held_is_not_taken() -> None:
    strong = road(A={"Germans": {"infantry": 2}}, C={"Russians": {"armour": 9}})
    assert asked(strong, "controls(Axis, B)", 1, "Germans").cost == 1
    found = asked(strong, "controls(Axis, B)", 1, "Germans", hold=50)
    assert (found.status, found.exposed) == ("impossible", None)
    assert any("option hold" in a for a in found.assumptions)


def test_what_is_taken_as_the_game_ends_is_held() -> None:
    units = {"A": {"Germans": {"infantry": 4}}, "B": {"Russians": {"infantry": 1}}, "C": {"Russians": {"armour": 9}}}

    def found(within: int | None) -> Plan:  # before the last round the Russians answer
        board = road("Germans", **units)
        return asked(board, "controls(Axis, B)", within, "Russians", bid=2, hold=90, victory="minor")

    plans = [found(within) for within in (1, 2, 3)]
    assert [plan.cost for plan in plans] == [None, 2, 2]
    assert {step.turn["round"] for plan in plans for step in plan.steps if step.turn} == {2}
    assert found(None).status == "unknown"  # it may pay to wait longer


@pytest.mark.slow
def test_where_nothing_can_be_held_a_search_without_a_limit_ends_with_the_time() -> None:
    weak = road(A={"Germans": {"infantry": 2}}, B={"Russians": {"infantry": 1}}, C={"Russians": {"armour": 6}})
    found = asked(weak, "controls(Axis, B)", None, "Germans", hold=90)
    assert (found.status, found.steps) == ("unknown", ())
