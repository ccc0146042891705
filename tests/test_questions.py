"""The questions of players in `docs/questions` are answered as printed there, and situations are as short as said."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.fixtures.pages import Block, blocks, commands, files
from vclogic.cli import main as cli
from vclogic.game import Game

ROOT = Path(__file__).parents[1]
TEN = sorted((ROOT / "docs" / "questions").glob("*.md"))
SITUATIONS = ROOT / "docs" / "asl_situations.md"
GAMES = ("asl", "axis_allies", "moscow", "napoleonics", "okinawa")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which commands are run, with the examples beside it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "110")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    return tmp_path


@pytest.mark.parametrize("page", [*TEN, SITUATIONS], ids=lambda p: p.stem)
def test_some_questions_are_answered_as_printed(page: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In this process, and each tenth only."""
    answered(page, folder, capsys, 10)


@pytest.mark.slow
@pytest.mark.parametrize("page", [*TEN, SITUATIONS], ids=lambda p: p.stem)
def test_all_questions_are_answered_as_printed(page: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answered(page, folder, capsys, 1)


def answered(page: Path, folder: Path, capsys: pytest.CaptureFixture[str], step: int) -> None:
    """Runs every so many-th command of a page among its files."""
    text = page.read_text()
    files(text, folder)
    shown = [(b.line, c) for b in blocks(text) if b.language == "console" for c in commands(b)]
    for line, command in shown[::step]:
        _, *words = shlex.split(command.words)
        code = cli.run([*words, "--timeout", "500"] if words[0] == "ask" else words)  # a busy machine may need them
        wrote = capsys.readouterr()
        said = f"{page.name}:{line}: {command.words}\n{wrote.out}{wrote.err}"
        assert code in ((3,) if command.shown.partition("\n")[0].endswith(": undefined") else (0, 1)), said
        assert command.fits(wrote.out), said


def test_each_game_has_ten_questions_each_asked_by_one_command() -> None:
    assert [page.stem for page in TEN] == list(GAMES)
    for page in TEN:
        questions = re.split(r"^## ", page.read_text(), flags=re.MULTILINE)[1:]
        asked = [re.findall(r"^\$ (vclogic \w+)", question, re.MULTILINE) for question in questions]
        assert asked == [["vclogic ask"]] * 10, page.name


def test_situations_are_as_short_as_the_table_says() -> None:
    text = SITUATIONS.read_text()
    table = [tuple(map(int, row)) for row in re.findall(r"^\| \[.*\| (\d+) \| (\d+) \|$", text, re.MULTILINE)]
    counted = [(length(named(n, "before")), length(named(n, "now"))) for n in range(1, 6)]
    assert table == counted


@pytest.mark.parametrize(
    ("number", "question"),
    [
        (3, "building_controller(20O5)"),
        (4, "building_controller(1K2)"),
        (5, "holds(victory, German)"),
    ],
)
def test_a_situation_is_the_same_before_and_now(number: int, question: str, folder: Path) -> None:
    files(SITUATIONS.read_text(), folder)
    answers = {Game.load(f"{when}_{number}.yaml").value(question) for when in ("before", "now")}
    assert len(answers) == 1
    assert answers != {None}


def named(number: int, when: str) -> list[Block]:
    """The files of a situation."""
    return [b for b in blocks(SITUATIONS.read_text()) if b.text.startswith(f"# {when}_{number}")]


def length(of: list[Block]) -> int:
    """How many lines some files have, without empty ones and comments."""
    lines = [line.strip() for block in of for line in block.text.splitlines()]
    assert max(map(len, lines)) <= 120
    return sum(not line.startswith("#") for line in lines if line)
