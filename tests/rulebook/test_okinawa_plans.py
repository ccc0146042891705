"""Okinawa as text with the player-turns of the game in Python: the same plans, and what is forced."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import vclogic
from vclogic.files.text_games.functions import trusting
from vclogic.game import Game
from vclogic.query.plan.answer import Plan

HERE = Path(__file__).parent / "boards"
BOARDS = Path(__file__).parents[2] / "encodings" / "vclogic_encodings" / "okinawa"
TEXT = """```vclogic
include okinawa_whole.md
plan moves "moves without combat"
  python moves of okinawa_turns.py
plan turns "moves without combat"
  python turns of okinawa_turns.py
```
"""
SETTINGS: dict[str, dict[str, int | str]] = {
    "left": {"exits": "on"},
    "owed": {"exits": "on", "too_few_to_remove": "owed", "stop_at_zoc": "off"},
    "taken": {"exits": "on", "removed_units": "eliminated", "earlier_retreats": "taken_back"},
}
PLACES = {
    "Infantry": "5,0",
    "Guards": "6,1",
    "Mortars": "2,0",
    "Snipers": "7,2",
    "Marines": "1,1",
    "Army": "3,1",
    "Engineers": "4,2",
    "Howitzers": "0,0",
}
GOALS = ("exited >= 1", "exited >= 2 and removed >= 4", "holds(victory, Japan) and exited >= 1")


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with positions of the game in Python and of the text, which may run its functions."""
    folder = tmp_path_factory.mktemp("okinawa_plans")
    for file in ("okinawa_whole.md", "okinawa_turns.py"):
        shutil.copy(HERE / file, folder / file)
    (folder / "okinawa_plans.md").write_text(TEXT)
    shutil.copy(BOARDS / "strip.yaml", folder / "strip.yaml")
    for name, game in (("text", "okinawa_plans.md"), ("python", "okinawa")):
        position = {"game": game, "board": "strip.yaml", "state": {"at": PLACES, "retreats": 5}}
        (folder / f"{name}.yaml").write_text(json.dumps(position))
    with trusting():
        yield folder


def both(folder: Path, settings: str) -> list[Game]:
    names = ("python", "text")
    return [vclogic.load(str(folder / f"{name}.yaml"), settings=SETTINGS[settings]) for name in names]


def orders(plan: Plan) -> list[tuple[str, object, object]]:
    """What happens in a plan, without the words."""
    return [(step.action, step.args.get("unit"), step.args.get("to")) for step in plan.steps]


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("goal", GOALS)
def test_plans_are_those_of_the_game_in_python(games: Path, settings: str, goal: str) -> None:
    """Step by step, with what is removed in each turn."""
    known, found = (game.plan(goal, side="Japan", within=3) for game in both(games, settings))
    assert (found.metric, found.status, found.cost) == ("moves", known.status, known.cost)
    assert orders(found) == orders(known)
    assert found.record is not None
    assert found.record.events is not None
    assert {*known.assumptions[1:4]} <= {*found.assumptions}


@pytest.mark.parametrize(("goal", "side"), [("margin(US) >= 5", "US"), ("removed >= 3 and on_map(Army)", "Japan")])
def test_turns_cost_what_they_cost_in_python(games: Path, goal: str, side: str) -> None:
    """Where the other side helps, who is removed is chosen as serves the plan."""
    asked = [g.plan(goal, side=side, opponent="helps", within=3, minimize="turns") for g in both(games, "left")]
    assert len({(plan.status, plan.cost) for plan in asked}) == 1
    assert asked[0].cost is not None


@pytest.mark.parametrize("goal", ["exited >= 1 and not on_map(Marines)", "removed >= 1 and on_map(Army)"])
def test_the_us_player_chooses_what_is_removed_where_he_answers(games: Path, goal: str) -> None:
    """What Japan forces: the removals within its turn are those of the US, later than its moves."""
    known, found = (game.force(goal, side="Japan", within=2) for game in both(games, "left"))
    assert (found.status, found.turns, found.at_least) == (known.status, known.turns, known.at_least)
