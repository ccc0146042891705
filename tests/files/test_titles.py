"""A position or a board of one's own bears its own name, wherever the game is named."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
import yaml

from vclogic.errors import InputError
from vclogic.game import Game

SMALL = {
    "sides": ["Russian", "German"],
    "hexes": {"22K3": {}},
    "units": {"S": {"side": "Russian", "kind": "squad"}},
    "victory": {"German": {"text": "points", "all": [{"cvp": 1}]}},
}
ALONE = Path(__file__).parents[2] / "examples" / "asl_vehicle_alone.yaml"


def named(game: Game) -> str:
    """What it is called, which has to be the same everywhere."""
    assert game.status().game == game.setup.game == game.legal().game == game.picture().title
    return game.setup.game


def test_a_scenario_and_a_position_on_its_board_go_by_the_scenario() -> None:
    assert named(Game.load("asl")) == "asl/22u3"
    assert named(Game.load({"game": "asl/22u3", "state": {}})) == "asl/22u3"


def test_a_board_of_ones_own_goes_by_its_file(tmp_path: Path) -> None:
    assert named(Game.load(str(ALONE))) == "asl: asl_vehicle_alone"
    (tmp_path / "bridge.yaml").write_text(yaml.safe_dump(SMALL))
    (tmp_path / "night.yaml").write_text("game: asl\nboard: bridge.yaml\n")
    assert named(Game.load(str(tmp_path / "night.yaml"))) == "asl: bridge"
    assert named(Game.load({"game": "asl", "board": SMALL})) == "asl: a board of one's own"


def test_a_title_goes_before_the_file(tmp_path: Path) -> None:
    (tmp_path / "night.yaml").write_text(yaml.safe_dump({"game": "asl", "title": "By night", "board": SMALL}))
    game = Game.load(str(tmp_path / "night.yaml"))
    assert named(game) == "asl: By night"
    assert named(Game.load(str(tmp_path / "night.yaml"), {"title": "At\n dawn"})) == "asl: At dawn"
    assert named(Game.load({"game": "asl", "title": "By day"})) == "asl: By day"


def test_the_name_stays(tmp_path: Path) -> None:
    """In another process, in a file that is written, at another state, and under other settings."""
    game = Game.load(str(ALONE))
    again = pickle.loads(pickle.dumps(game))
    assert named(again) == named(game)
    assert pickle.loads(pickle.dumps(again)).state == game.state
    (tmp_path / "other.yaml").write_text(game.written())
    written = Game.load(str(tmp_path / "other.yaml"))
    assert (named(written), written.state) == (named(game), game.state)
    assert named(game.at_state({})) == named(game)
    assert named(game.with_options(edition="later")) == named(game)


def test_one_planner_serves_a_board_under_two_names(tmp_path: Path) -> None:
    """What a board is called is no rule."""
    text = ALONE.read_text()
    (tmp_path / "copy.yaml").write_text(text)
    game, copy = Game.load(str(ALONE)), Game.load(str(tmp_path / "copy.yaml"))
    assert named(copy) != named(game)
    goal = f"cvp({game.setup.system.outcomes[0].side}) >= 0"
    planner = game.planner(game.setup.system.outcomes[0].side)
    assert planner.plan(goal, state=copy).status == planner.plan(goal, state=game).status


def test_the_title_is_text(tmp_path: Path) -> None:
    (tmp_path / "odd.yaml").write_text("game: asl\ntitle: [1]\n")
    with pytest.raises(InputError) as refused:
        Game.load(str(tmp_path / "odd.yaml"))
    (found,) = refused.value.diagnostics
    assert (found.code, found.line, found.column) == ("wrong-value", 2, 8)
