"""`--record`: a plan or a witness as a position file that `status` accepts, with the goal true at its end."""

from __future__ import annotations

from pathlib import Path

import pytest

import vclogic
from tests.cli.conftest import Run

QUESTIONS = [
    ("plan", "axis_allies", "holds(major_victory, Axis)", ()),
    ("plan", "axis_allies", "may_place(Germans, infantry, Caucasus)", ("--minimize", "turns")),
    ("plan", "moscow/small", "vp(German) >= 2", ("--minimize", "turns", "--within", "2")),
    ("plan", "napoleonics", "banners(French) >= 1", ("--within", "3")),
    ("plan", "axis_allies", "vcp(Axis) >= 29", ("--set", "level=armies", "--set", "theatre=land", "--within", "1")),
    ("plan", "axis_allies", "vcp(Axis) >= 29", ("--set", "level=armies", "--within", "1")),
    ("reach", "axis_allies", "vcp(Axis) >= 33", ()),
    ("reach", "asl/points", "exit_vp(German) >= 1", ("--side", "German")),
]


@pytest.mark.parametrize(("command", "game", "goal", "more"), QUESTIONS)
def test_what_is_found_is_a_position_file(
    run: Run, tmp_path: Path, command: str, game: str, goal: str, more: tuple[str, ...]
) -> None:
    file = tmp_path / "found.yaml"
    found = run(command, game, "--goal", goal, *more, "--record", str(file), "--format", "json")
    assert found.code == 0
    assert found.document["record"]
    assert vclogic.load(str(file)).value(goal) is True
    assert run("status", str(file)).code == 0


def test_the_record_follows_the_one_that_there_is(run: Run, tmp_path: Path) -> None:
    position, file = tmp_path / "position.yaml", tmp_path / "found.yaml"
    position.write_text("game: axis_allies\noptions: {sea_range: 1}\nstate: {bid: 4}\nrecord: [end_turn]\n")
    assert run("plan", str(position), "--goal", "vcp(Axis) >= 33", "--record", str(file)).code == 0
    game = vclogic.load(str(file))
    assert (str(game.history[0]), game.value("bid"), game.value("vcp(Axis) >= 33")) == ("end_turn()", 4, True)
    assert game.setup.settings.options["sea_range"] == 1


def test_what_is_no_record_is_not_written(run: Run, tmp_path: Path) -> None:
    position, file = tmp_path / "position.yaml", tmp_path / "found.yaml"
    position.write_text("game: axis_allies\noptions: {victory: minor}\nstate: {bid: 1, round: 2}\n")
    found = run("plan", str(position), "--goal", "vcp(Axis) >= 33", "--record", str(file))
    assert found.code == 1
    assert "No record of a game: the rules refuse capture" in found.out
    assert run("plan", "axis_allies", "--goal", "vcp(Axis) >= 66", "--record", str(file)).code == 1
    assert not file.exists()


def test_a_file_that_is_read_is_not_written(run: Run, tmp_path: Path) -> None:
    position = tmp_path / "position.yaml"
    position.write_text("game: axis_allies\n")
    for command in ("plan", "reach"):
        found = run(command, str(position), "--goal", "vcp(Axis) >= 33", "--record", str(position))
        assert found.code == 2
        assert "error[output-is-input]" in found.err
        both = ("--record", str(tmp_path / "x"), "--dump-smt2", str(tmp_path / "x"))
        assert "both name" in run(command, str(position), "--goal", "vcp(Axis) >= 33", *both).err
    assert position.read_text() == "game: axis_allies\n"
