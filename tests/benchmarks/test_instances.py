"""What peers get is what vclogic answers: compared with its rules, with its plans and with brute force."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random

import pytest

import vclogic
from benchmarks.large_boards import random_areas, written
from benchmarks.race import instances, judge, ours
from benchmarks.race.instances import Question
from benchmarks.race.peers import by_hand, by_highs, by_search, by_z3
from benchmarks.race.peers.borders import Captures
from benchmarks.race.peers.told import Timer
from benchmarks.race.runs import Run
from benchmarks.written_campaigns import grid
from tests.fixtures.games import loaded
from tests.fixtures.pace import BUSY
from vclogic.encode.python.evaluator import compile_terms
from vclogic.model.system import IDLE
from vclogic.model.transition import actions_of
from vclogic.terms.sorts import EnumSort

REAL = "axis_allies"


def timer() -> Timer:
    return Timer(60 + BUSY)


# ---- captures


@pytest.mark.parametrize("side", ["Axis", "Allies"])
@pytest.mark.parametrize("sea_range", [0, 2])
def test_an_area_can_be_taken_where_the_rules_let_it_be(side: str, sea_range: int) -> None:
    """The canals of the real board among them, open and shut."""
    game = loaded(REAL, sea_range=sea_range)
    system = game.setup.system
    question = Captures(instances.captures(game, side, "vcp", 65))
    owner = {territory: f for (territory,), f in system.layout.families["owner"].fluents.items()}
    power = next(p for p, facts in instances.board_of(game).powers.items() if facts.side == side)
    actions = actions_of(system.metrics[0].transition(side, IDLE, {})).values()
    guards = {dict(a.args)["territory"]: a.guard for a in actions if dict(a.args)["power"] == power}
    allowed = compile_terms([guards[area] for area in question.free], system.layout.slot)
    chance = Random(17)
    for _ in range(60):
        held = set(chance.sample(range(len(question.free)), chance.randrange(len(question.free))))
        state = list(game.state)
        for i in held:
            fluent = owner[question.free[i]]
            assert isinstance(fluent.sort, EnumSort)
            state[system.layout.slot[fluent]] = fluent.sort.index[power]
        expected = allowed(state)
        for i in set(range(len(question.free))) - held:
            assert question.can_take(i, held) == expected[i], (question.free[i], sorted(held))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("more", [2, 5, 8])
def test_the_fewest_captures_are_those_of_vclogic_and_of_brute_force(seed: int, more: int, tmp_path: Path) -> None:
    game = vclogic.load(written(random_areas(24, seed), str(tmp_path / "board.yaml")))
    least = int(game.value("vcp(Axis)") or 0) + more
    instance = instances.captures(game, "Axis", "vcp", least)
    expected = brute_force(Captures(instance))
    plan = game.plan(f"vcp(Axis) >= {least}", side="Axis", timeout=60 + BUSY)
    assert plan.cost == expected
    assert plan.status == ("impossible" if expected is None else "optimal")
    for solve in (by_search.captures, by_z3.captures):
        found = solve(instance, timer(), "")
        assert (found.cost, found.proved) == (expected, True)
        assert judge.flaw(instance, Run(found._asdict(), 0.0)) is None


def brute_force(question: Captures) -> int | None:
    """The fewest captures, all sets of areas tried in the order of their size."""
    numbers = range(len(question.free))
    for size in range(6):
        if any(question.played(some) for some in combinations(numbers, size)):
            return size
    return None if not question.played(i for i in numbers if question.soonest[i] is not None) else -1


def test_territories_are_counted_one_by_one() -> None:
    question = Captures(instances.captures(loaded(REAL), "Axis", "territories", 63))
    assert len(question.free) == question.need == 40
    assert question.played(range(40))
    assert not question.played(range(39))


@pytest.mark.parametrize(
    "peer", ["by_clingo", "by_cp_sat", "by_exact", "by_downward"], ids=lambda name: name.removeprefix("by_")
)
@pytest.mark.parametrize("least", [40, 50])
def test_each_peer_that_is_installed_finds_the_fewest(peer: str, least: int) -> None:
    needed = {"by_clingo": "clingo", "by_cp_sat": "ortools", "by_exact": "exact", "by_downward": "up_fast_downward"}
    pytest.importorskip(needed[peer])
    from importlib import import_module

    instance = instances.captures(loaded(REAL), "Axis", "vcp", least)
    for variant in ("usc", "bb") if peer == "by_clingo" else ("",):
        found = import_module(f"benchmarks.race.peers.{peer}").captures(instance, timer(), variant)
        assert (found.cost, found.proved) == ({40: 3, 50: 6}[least], True)
        assert judge.flaw(instance, Run(found._asdict(), 0.0)) is None


# ---- the others


@pytest.fixture
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many threads of HiGHS as vclogic has in this process, which cannot be changed any more."""
    monkeypatch.setattr(by_highs, "_THREADS", 1)


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("rounds", [1, 2])
def test_a_program_of_armies_costs_what_the_plan_costs(rounds: int) -> None:
    settings = {"level": "armies", "theatre": "land", "blitz": "off"}
    question = Question("vcp(Axis) >= 33", "Axis", "moves", rounds, settings=settings)
    game = loaded(REAL, **settings)
    plan = game.plan(question.goal, timeout=60 + BUSY, **question.asked)
    for instance in instances.armies(game, question).values():
        found = by_highs.programs(instance, timer(), "")
        assert (found.cost, found.proved) == (plan.cost, plan.status in ("optimal", "impossible"))
        assert judge.flaw(instance, Run(found._asdict(), 0.0)) is None


@pytest.mark.usefixtures("one_thread")
def test_steps_on_hexes_as_programs_and_as_text_cost_what_the_plan_costs() -> None:
    settings = {"combat": "adjacent"}
    question = Question("banners(French) >= 1", "French", "turns", 3, settings=settings)
    game = loaded("napoleonics/erlenbach", **settings)
    plan = game.plan(question.goal, timeout=60 + BUSY, **question.asked)
    found = by_highs.programs(instances.steps(game, question), timer(), "")
    assert (found.cost, found.proved) == (plan.cost, True)
    hexes = Question("without_loc(US) >= 5", "Japan", "moves", 2)
    island = loaded("okinawa")
    texts = by_z3.smt(instances.smt(island, hexes), timer(), "")
    assert texts.proved
    assert texts.cost == island.plan(hexes.goal, timeout=60 + BUSY, **hexes.asked).cost


def test_what_can_never_be_is_so_for_spacer_too() -> None:
    goal = "first_turn_done(Germans) and not first_turn_done(Russians)"
    never = Question(goal, "Allies", "captures", opponent="helps")
    assert by_z3.horn(instances.horn(loaded(REAL), never), timer(), "").proved
    soon = Question("vcp(Axis) >= 27", "Axis", "captures", opponent="helps")
    assert not by_z3.horn(instances.horn(loaded(REAL), soon), Timer(3.0), "").proved


def test_events_lead_as_soon_to_a_goal_as_a_plan() -> None:
    question = Question("vcp(Axis) >= 32", "Axis", "captures")
    game = loaded(REAL)
    found = by_search.events(instances.events(game, question), timer(), "")
    assert (found.cost, found.proved) == (game.plan(question.goal, side="Axis", timeout=60 + BUSY).cost, True)


def test_all_say_the_same_of_who_has_won() -> None:
    game = loaded(REAL)
    instance = instances.statuses(game)
    expected = ours._judged(game)["solution"][1]
    assert len(expected) == len(instance["states"])
    assert by_hand.status(instance, timer(), "").solution[1] == expected  # type: ignore[index]
    assert by_z3.status(instance, timer(), "").solution[1] == expected  # type: ignore[index]


# ---- what is legal


def test_moves_are_legal_where_no_enemy_and_fewer_than_two_friends_stand(tmp_path: Path) -> None:
    file = tmp_path / "moves.md"
    file.write_text(grid(4, 3, 6))
    game = vclogic.load(str(file)).apply("move", side="Red", unit="u0", to="B2")
    made = instances.moves(game)
    at = {unit: (side, place) for unit, side, place in made["units"]}
    found = []
    for unit, (side, place) in at.items():
        for to in made["hexes"] if side == made["turn"] else ():
            there = [s for s, here in at.values() if here == to]
            if to != place and len(there) < 2 and {*there} <= {side}:
                found.append([unit, to])
    assert any(here == to for _, here in at.values() for _, to in found), "some go where a friend is"
    told = ours._listed(game, 0.0)["solution"][1]
    assert told == sorted(found)
