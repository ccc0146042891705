"""The command `solve`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.toys import skirmish
from vclogic.explore.table import BestPlayTable
from vclogic.game import Game

GAME = "skirmish/small"


@pytest.fixture(scope="module", autouse=True)
def _installed() -> Iterator[None]:
    with skirmish.installed():
        yield


def test_it_says_who_wins_and_how(run: Run, tmp_path: Path) -> None:
    table, record = tmp_path / "best.npz", tmp_path / "play.yaml"
    found = run("solve", GAME, "--table", str(table), "--record", str(record))
    assert found.code == 0
    assert "solved: Red wins in 8 turns, whatever the other side does" in found.out
    assert "8.  round 4: Blue" in found.out
    assert "These are all that play can reach." in found.out
    assert "Checked: each position's value follows" in found.out
    assert run("status", str(record), "--format", "json").document["winner"] == "Red"
    game = Game.load(GAME)
    best = BestPlayTable.load(table)[game]
    assert (best.winner, best.turns) == ("Red", 8)
    assert best.event == game.solve(check=False).record.events[0]  # type: ignore[union-attr, index]


def test_as_a_document(run: Run) -> None:
    found = run("solve", GAME, "--format", "json").document
    assert found["schema"] == "vclogic/solve/1"
    assert (found["status"], found["value"], found["winner"], found["turns"]) == ("solved", "win", "Red", 8)
    assert found["complete"]
    assert found["checked"]
    assert len(found["steps"]) == len(found["record"]) == 8
    assert run("solve", GAME, "--no-check", "--format", "json").document["checked"] is None


def test_what_is_cut_off_is_unknown(run: Run) -> None:
    found = run("solve", GAME, "--max-positions", "30")
    assert found.code == 3
    assert "unknown: there are more than 30 positions; " in found.out
    assert run("solve", GAME, "--max-positions", "0").code == 2
    assert run("solve", GAME, "--timeout", "0.000001").code == 3


def test_a_large_game_is_told_to_be_too_large(run: Run) -> None:
    found = run("solve", "axis_allies", "--timeout", "5", "--max-positions", "2000")
    assert found.code == 3
    assert "unknown" in found.out


def test_a_table_is_not_written_over_what_is_read(run: Run, tmp_path: Path) -> None:
    found = run("solve", GAME, "--table", str(tmp_path))
    assert found.code == 2
    assert "it is a folder" in found.err
