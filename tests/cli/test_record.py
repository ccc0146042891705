"""`--record`: a plan or a witness as a position file that `status` accepts, with the goal true at its end."""

from __future__ import annotations

from pathlib import Path

import pytest

import vclogic
from tests.cli.conftest import Run
from tests.fixtures.games import ROOT

QUESTIONS = [
    ("plan", "axis_allies", "holds(major_victory, Axis)", ()),
    ("plan", "axis_allies", "may_place(Germans, infantry, Caucasus)", ("--minimize", "turns")),
    ("plan", "moscow/small", "vp(German) >= 2", ("--minimize", "turns", "--within", "2")),
    ("plan", "napoleonics", "banners(French) >= 1", ("--within", "3")),
    ("plan", "axis_allies", "vcp(Axis) >= 29", ("--set", "level=armies", "--set", "theatre=land", "--within", "1")),
    pytest.param(
        "plan", "axis_allies", "vcp(Axis) >= 29", ("--set", "level=armies", "--within", "1"), marks=pytest.mark.slow
    ),
    ("reach", "axis_allies", "vcp(Axis) >= 33", ()),
    pytest.param("reach", "asl/points", "exit_vp(German) >= 1", ("--side", "German"), marks=pytest.mark.slow),
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
    file = tmp_path / "found.yaml"
    early = 'round == 1 and turn == "Russians" and owner(Caucasus) == "Japanese"'  # the Japanese come later
    found = run("plan", "axis_allies", "--side", "Axis", "--goal", early, "--record", str(file))
    assert found.code == 1
    assert "No record of a game: the goal does not hold after these events" in found.out
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


def test_where_two_rule_sets_part_ways_is_a_position_file_of_the_first(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "parted.yaml"
    words = ("--set", "sea_range=1", "--set-a", "second_complex=allowed", "--on", "may_build_ic")
    found = run(
        "compare", str(ROOT / "examples" / "two_islands.yaml"), *words, "--record", str(file), "--format", "json"
    )
    assert (found.code, found.document["schema"]) == (1, "vclogic/compare/2")
    assert found.document["record"] == [
        {s["action"]: s["args"]} if s["args"] else s["action"] for s in found.document["steps"]
    ]
    assert found.document["record"]
    game = vclogic.load(str(file))
    assert [e.written for e in game.history] == found.document["record"]
    settings = game.setup.settings
    assert (settings.options["sea_range"], settings.readings["second_complex"]) == (1, "allowed")
    assert run("status", str(file)).code == 0


def test_without_a_difference_nothing_is_written(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "parted.yaml"
    found = run("compare", "axis_allies", "--on", "owner", "--record", str(file), "--format", "json")
    assert (found.code, found.document["status"], found.document["record"]) == (0, "equal", None)
    assert "no_record" not in found.document
    assert not file.exists()


def test_the_text_names_the_file_or_the_option(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "found.yaml"
    words = ("plan", "napoleonics", "--goal", "banners(French) >= 1", "--within", "3")
    told = " ".join(run(*words).out.split())
    assert "As a record of a game: 3 events, start_turn and order among them; --record FILE writes a position" in told
    written = " ".join(run(*words, "--record", str(file)).out.split())
    assert "As a record of a game: 3 events, start_turn and order among them; written to " in written
    assert "--record" not in written


def test_compare_writes_over_neither_position(run: Run, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text("game: axis_allies\n")
    for name in ("a", "b"):
        file = str(tmp_path / f"{name}.yaml")
        found = run("compare", str(tmp_path / "a.yaml"), str(tmp_path / "b.yaml"), "--record", file)
        assert found.code == 2
        assert "error[output-is-input]" in found.err
