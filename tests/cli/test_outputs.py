"""What commands write with `-o`, `--dump-smt2` and `--witnesses`: never over what they read, nothing beside it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_process import VCLOGIC
from tests.fixtures.pace import HANGS

GAME = "axis_allies"
POSITION = "game: axis_allies\nboard: board.yaml\n"
BOARD = Path(__file__).resolve().parent.parent.parent / "examples" / "two_islands.yaml"
GOAL = ("--goal", "vcp(Axis) >= 2", "--side", "Axis")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Path:
    """A position with its board, a plan, and other names for each; all of the same game."""
    import yaml

    monkeypatch.chdir(tmp_path)
    (tmp_path / "board.yaml").write_text(yaml.safe_dump(yaml.safe_load(BOARD.read_text())["board"]))
    (tmp_path / "pos.yaml").write_text(POSITION)
    (tmp_path / "record.yaml").write_text("[]\n")
    (tmp_path / "plan.json").write_text(run("plan", GAME, "--goal", "vcp(Axis) >= 33", "--format", "json").out)
    (tmp_path / "VC101-1.yaml").write_text(f"game: {GAME}\n")
    for name in ("pos.yaml", "board.yaml"):
        os.symlink(name, f"link-{name}")
        os.link(name, f"hard-{name}")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.iterdir()}


@pytest.mark.parametrize(
    "words",
    [
        ("render", "pos.yaml", "-o", "pos.yaml"),
        ("render", "pos.yaml", "-o", "./pos.yaml"),
        ("render", "pos.yaml", "-o", "link-pos.yaml"),
        ("render", "link-pos.yaml", "-o", "hard-pos.yaml"),
        ("render", "pos.yaml", "-o", "board.yaml"),
        ("render", "pos.yaml", "-o", "link-board.yaml"),
        ("render", "pos.yaml", "--at", "record.yaml", "-o", "record.yaml"),
        ("render", GAME, "--plan-file", "plan.json", "-o", "plan.json"),
        ("plan", "pos.yaml", *GOAL, "--dump-smt2", "pos.yaml"),
        ("plan", "pos.yaml", *GOAL, "--dump-smt2", "board.yaml"),
        ("reach", "pos.yaml", "--at", "record.yaml", *GOAL, "--dump-smt2", "record.yaml"),
        ("missing", "pos.yaml", "--goal", "round == 2", "--dump-smt2", "hard-pos.yaml"),
        ("compare", GAME, "pos.yaml", "--dump-smt2", "pos.yaml"),
        ("render", "pos.yaml", *GOAL, "-o", "map.svg", "--dump-smt2", "pos.yaml"),
        ("check", "VC101-1.yaml", "--witnesses", "."),
    ],
)
def test_no_input_is_replaced(run: Run, folder: Path, words: tuple[str, ...]) -> None:
    before = contents(folder)
    found = run(*words, "--format", "json")
    assert found.code == 2
    assert [e["code"] for e in found.document["errors"]] == ["output-is-input"]
    assert contents(folder) == before


def test_the_board_of_a_game_is_an_input(run: Run, folder: Path) -> None:
    from vclogic_encodings.axis_allies import encoding

    board = Path(encoding.__file__).parent / "board.yaml"
    before = board.read_bytes()
    assert (
        run("render", GAME, "-o", str(board), "--format", "json").document["errors"][0]["code"] == "output-is-input"
    )
    assert board.read_bytes() == before


def test_two_outputs_are_two_files(run: Run, folder: Path) -> None:
    os.symlink("out", "link")
    for dump in ("out", "./out", "link"):
        found = run("render", GAME, "--goal", "vcp(Axis) >= 33", "-o", "out", "--dump-smt2", dump, "--format", "json")
        assert found.code == 2
        assert "both name" in found.document["errors"][0]["message"]
    assert not Path("out").exists()


def test_only_what_is_named_is_written(run: Run, folder: Path) -> None:
    for name in ("map.svg.unfinished", "dump.smt2.unfinished"):
        Path(name).write_text("mine")
    before = contents(folder)
    words = ("--goal", "vcp(Axis) >= 33", "-o", "map.svg", "--dump-smt2", "dump.smt2")
    assert run("render", GAME, *words).code == 0
    after = contents(folder)
    assert set(after) - set(before) == {"map.svg", "dump.smt2"}
    assert {name: after[name] for name in before} == before


def test_standard_output_by_its_own_name_is_added_to(folder: Path) -> None:
    """Standard output that goes to a file is no file to be replaced: what stood there would be lost."""
    Path("log").write_text("before\n")
    with open("log", "a") as log:
        subprocess.run([*VCLOGIC, "render", GAME, "-o", "/dev/stdout"], stdout=log, check=True, timeout=HANGS)
    text = Path("log").read_text()
    assert text.startswith(("before\n<?xml", "before\n<svg"))
    assert "143 regions" in text
    piped = subprocess.run(
        [*VCLOGIC, "render", GAME, "-o", "/dev/stdout"], capture_output=True, check=True, timeout=300
    )
    assert piped.stdout.decode() == text.removeprefix("before\n")


def test_a_device_takes_a_dump(run: Run) -> None:
    assert run("reach", GAME, "--goal", "vcp(Axis) >= 33", "--dump-smt2", os.devnull).code == 0


def test_an_interrupt_leaves_nothing(folder: Path) -> None:
    before = contents(folder)
    code = (
        "import os, sys, signal; from vclogic.files import output; from vclogic.cli.main import run\n"
        "replace = os.replace\n"
        "def slow(a, b): os.kill(os.getpid(), signal.SIGINT); replace(a, b)\n"
        "os.replace = slow\n"
        "sys.exit(run(sys.argv[1:]))"
    )
    found = subprocess.run([sys.executable, "-c", code, "render", GAME, "-o", "map.svg"], check=False, timeout=HANGS)
    assert found.returncode == 130
    assert contents(folder) == before
