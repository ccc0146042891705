"""Boards with more events than can be looked at: what the goal names is tried, and the record counts."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import vclogic
from benchmarks.large_boards import random_areas, two_asl_boards, written
from vclogic.model.grounded import number_of
from vclogic.query.over_events import MOST

EXAMPLE = Path(__file__).parents[2] / "examples" / "asl_whole_board.yaml"


@pytest.fixture(scope="module")
def two_boards(tmp_path_factory: pytest.TempPathFactory) -> vclogic.Game:
    """Two whole boards of ASL side by side."""
    position = two_asl_boards(yaml.safe_load(EXAMPLE.read_text(encoding="utf-8")))
    return vclogic.load(written(position, str(tmp_path_factory.mktemp("boards") / "two.yaml")))


def test_two_boards_are_twice_one(two_boards: vclogic.Game) -> None:
    one, two = vclogic.load(str(EXAMPLE)).setup.system, two_boards.setup.system
    sizes = [len(s.layout.families["location_control"].fluents) for s in (one, two)]
    assert sizes[1] == 2 * sizes[0]
    assert len(two.layout.families["at"].fluents) == 60
    assert number_of(two.events) > MOST
    assert two_boards.value("controls_building(German, 23U3)") is False


GOALS = [("controls_building(Russian, 22U3)", 3), ("controls_building(Russian, 23U3)", 1), ("cvp(Russian) >= 1", 1)]


@pytest.mark.parametrize(("goal", "within"), GOALS)
def test_what_a_few_moves_bring_about_is_found_on_two_boards(
    goal: str, within: int, two_boards: vclogic.Game
) -> None:
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
