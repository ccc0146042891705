"""Every example runs, and the demo is what the README says."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from vclogic_encodings.napoleonics.encoding import ENCODING
from vclogic_encodings.napoleonics.planning.paths import Paths

from tests.fixtures.pace import HANGS
from vclogic.files.boards import read_board
from vclogic.files.registry import data_source
from vclogic.files.trees.nodes import parse
from vclogic.game import Game

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
AIS = [("axis_allies_ai", "Captures", "Lookahead"), ("napoleonics_ai", "Battle", "Commander")]


def test_an_ai_prints_the_table_of_its_games() -> None:
    """The other one does so in docs/ai_authors.md."""
    command = [sys.executable, str(EXAMPLES / "napoleonics_ai.py"), "--games", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANGS, check=False)
    assert done.returncode == 0, done.stderr
    rows = [re.fullmatch(r"\| (.*?) \| (\d) \| (\d) \| (\d) \| .*", line) for line in done.stdout.splitlines()[2:]]
    counts = [(row[1], sum(map(int, row.groups()[1:]))) for row in rows if row]
    assert [name.split(",")[0] for name, _ in counts] == ["AI against random", "AI against greedy", "greedy"]
    assert all(games == 1 for _, games in counts)


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return import_module("arena")


@pytest.mark.parametrize(("script", "contest", "ai"), AIS)
def test_a_game_of_an_ai_is_a_record_that_ends_and_the_same_seed_plays_it_again(
    arena: ModuleType, script: str, contest: str, ai: str, tmp_path: Path
) -> None:
    module = import_module(script)
    played = getattr(module, contest)()
    player = getattr(module, ai)(played)
    histories = []
    for _ in range(2):
        score = arena.Score()
        pair = {played.sides[0]: player, played.sides[1]: arena.greedy_player(played)}
        arena.play(played, pair, 3, played.sides[0], score)
        [game] = score.games
        histories.append(game.history)
        assert played.result(arena.Position(game)) is not None
        (tmp_path / "game.yaml").write_text(game.written())
        again = Game.load(str(tmp_path / "game.yaml"))
        assert again.state == game.state
        assert again.status().winner == game.status().winner
    assert histories[0] == histories[1]


def test_the_engine_of_the_battle_moves_units_as_the_planning_model_does(arena: ModuleType) -> None:
    battle = import_module("napoleonics_ai").Battle()
    paths = Paths(read_board(ENCODING, parse(data_source("napoleonics", "erlenbach.yaml"))))
    rng = Random(19)
    free = [h for h in paths.board.hexes if h not in paths.board.ground]
    for _ in range(30):
        places = dict(zip(battle.fighters, rng.sample(free, len(battle.fighters)), strict=True))
        for unit, here in places.items():
            enemies = frozenset(h for u, h in places.items() if battle.side[u] != battle.side[unit])
            ways = set(paths.from_hex(battle.kind[unit], here, enemies)) - set(places.values())
            assert set(battle.reach(unit, places)) == ways


@pytest.mark.parametrize("position", sorted(EXAMPLES.glob("*.yaml")), ids=lambda p: p.name)
def test_positions_load(position: Path) -> None:
    status = Game.load(str(position)).status()
    assert status.outcomes


def test_the_demo_is_the_command_that_the_readme_names() -> None:
    command = re.search(r"\$\(BIN\)/(vclogic plan .*)", (ROOT / "Makefile").read_text())
    assert command is not None
    assert f"`{command[1]}`" in (ROOT / "README.md").read_text()
