"""Boards with more events than can be looked at: what the goal names is tried, and the record counts."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from unittest.mock import patch

import pytest
import yaml

import vclogic
from benchmarks.large_boards import random_areas, two_asl_boards, written
from vclogic.game import Game
from vclogic.model.grounded import number_of
from vclogic.query.question import request
from vclogic.query.reach.admitted import admitting
from vclogic.query.reach.bearing_events import MOST, by_bearing
from vclogic.query.reach.question import ReachQuestion
from vclogic.solve import budgets
from vclogic.terms.expressions.resolve import compile_value

EXAMPLE = Path(__file__).parents[3] / "examples" / "asl_whole_board.yaml"


@pytest.fixture(scope="module")
def two_boards(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """Two whole boards of ASL side by side."""
    position = two_asl_boards(yaml.safe_load(EXAMPLE.read_text(encoding="utf-8")))
    return vclogic.load(written(position, str(tmp_path_factory.mktemp("boards") / "two.yaml")))


def test_two_boards_are_twice_one(two_boards: Game) -> None:
    one, two = vclogic.load(str(EXAMPLE)).setup.system, two_boards.setup.system
    sizes = [len(s.layout.families["location_control"].fluents) for s in (one, two)]
    assert sizes[1] == 2 * sizes[0]
    assert len(two.layout.families["at"].fluents) == 60
    assert number_of(two.events) > MOST
    assert two_boards.value("controls_building(German, 23U3)") is False


def test_how_far_a_unit_is_from_a_hex_is_worked_out_place_by_place(two_boards: Game) -> None:
    words, calls = two_boards.setup.system.vocabulary, 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    unit = next(iter(two_boards.setup.board_read.units))
    compile_value(f"distance(hex(at('{unit}')), '22Q5') <= 2", words)
    sys.setprofile(count)
    compile_value(f"distance(hex(at('{unit}')), '22Q5') <= 3", words)
    sys.setprofile(None)
    assert calls < 200 * len(two_boards.setup.system.layout.families["location_control"].fluents)


@pytest.fixture(scope="module")
def areas(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A board of 1,000 areas, the last land of which borders nothing."""
    position = random_areas(1_000)
    land = [name for name, t in position["board"]["territories"].items() if "owner" in t]
    position["board"]["connections"] = [c for c in position["board"]["connections"] if land[-1] not in c]
    return written(position, str(tmp_path_factory.mktemp("areas") / "areas.yaml"))


def built(game: Game) -> int:
    """How many events a question had built."""
    return len({*game.setup.system._instances, *game.setup.system._opened})


@pytest.mark.parametrize("what", ["territories(Axis)", "vcp(Axis)"])
def test_what_many_events_bring_about_takes_those_that_bring_it_nearer(what: str, areas: str) -> None:
    game = vclogic.load(areas)
    have, system = game.value(what), game.setup.system
    assert isinstance(have, int)
    answer = game.reach(f"{what} >= {have + 8}", side="Axis", timeout=300)
    assert answer.status == "reachable"
    assert answer.record is not None
    assert answer.record.events is not None
    assert 0 < len(answer.record.events) <= 8
    assert built(game) < number_of(system.events) / 10
    end = game
    for event in answer.record.events:
        end = end.apply(event.name, **dict(event.args))
    reached = end.value(what)
    assert isinstance(reached, int)
    assert reached >= have + 8


@pytest.mark.parametrize("goal", ["vcp(Axis) >= {all} + 1", "vcp(Axis) >= 1 and vcp(Allies) >= {all}"])
def test_what_no_position_satisfies_is_proved_before_any_event_is_built(goal: str, areas: str) -> None:
    game = vclogic.load(areas)
    answer = game.reach(goal.format(all=game.value("vcp(Axis) + vcp(Allies)")), side="Axis", timeout=300)
    assert (answer.status, answer.proof and answer.proof.method) == ("unreachable", "positions")
    assert built(game) == 0


def test_what_few_events_bear_on_is_decided_by_these(areas: str) -> None:
    game = vclogic.load(areas)
    *_, alone = game.setup.system.layout.families["owner"].names
    answer = game.reach(f"owner({alone}) == Reds", side="Axis", timeout=300)
    assert answer.status == "unreachable"
    assert answer.proof is not None
    assert answer.proof.rechecked
    assert built(game) < 100


def test_all_land_but_one_is_more_than_can_be_gained(areas: str) -> None:
    game = vclogic.load(areas)
    text = f"territories(Axis) >= {game.value('territories(Axis) + territories(Allies)')}"
    question = ReachQuestion(text, side="Axis")
    asked = request(game, question)
    compiled = asked.goal(text)
    with asked.resolved(question, compiled, None) as ask:
        admits = admitting(ask, assumed=True)
        answer = by_bearing(ask, admits, assumed=True, hopeless=True)
    assert answer.status == "unreachable"
    assert answer.proof is not None
    assert (answer.proof.method, answer.proof.rechecked) == ("closure", True)


def test_a_record_stays_as_it_is_where_there_is_no_time_to_shorten_it(areas: str) -> None:
    game = vclogic.load(areas)
    have = game.value("territories(Axis)")
    assert isinstance(have, int)
    with patch.object(budgets, "TIDYING", 0.0):
        answer = game.reach(f"territories(Axis) >= {have + 3}", side="Axis", timeout=300)
    assert (answer.status, answer.depth) == ("reachable", 3)


GOALS = [
    pytest.param("controls_building(Russian, 22U3)", 3, marks=pytest.mark.slow),
    pytest.param("controls_building(Russian, 23U3)", 1, marks=pytest.mark.slow),
    ("cvp(Russian) >= 1", 1),
]


@pytest.mark.parametrize(("goal", "within"), GOALS)
def test_what_a_few_moves_bring_about_is_found_on_two_boards(goal: str, within: int, two_boards: Game) -> None:
    answer = two_boards.reach(goal, side="Russian", within=within, timeout=300)
    assert answer.status == "reachable"
    assert answer.depth == within
    assert answer.record is not None
    assert answer.record.events is not None
    assert {e.name for e in answer.record.events} <= set(answer.events.included)
    assert {*answer.events.included, *answer.events.left_out} == set(two_boards.setup.system.schemas)
    end = two_boards
    for event in answer.record.events:
        end = end.apply(event.name, **dict(event.args))
    assert end.value(goal) is True


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("areas", "units"), [(16, 0), (60, 10), (300, 0)])
def test_random_boards_load_and_are_the_same_every_time(areas: int, units: int, seed: int, tmp_path: Path) -> None:
    position = random_areas(areas, seed, units=units)
    assert position == random_areas(areas, seed, units=units)
    game = vclogic.load(written(position, str(tmp_path / "areas.yaml")))
    territories = position["board"]["territories"]
    assert len(territories) == areas
    owners = [t["owner"] for t in territories.values() if "owner" in t]
    assert game.value("territories(Axis)") == owners.count("Reds")
    assert sum(t.get("units", {}).get("Reds", {}).get("infantry", 0) for t in territories.values()) == units
    if units:
        armies = game.with_options(level="armies")
        values = armies.setup.system.layout.values(armies.state)
        assert sum(int(n) for v, n in values.items() if v.name.startswith("units[")) == 2 * units
