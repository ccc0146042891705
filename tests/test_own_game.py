"""A game of one's own, outside this repository: written, installed, tried."""

from __future__ import annotations

import textwrap
import tomllib
from pathlib import Path

import pytest

from tests.fixtures.outside_environment import Outside
from tests.fixtures.pages import Block, Command, blocks, change, commands
from vclogic.cli import main as cli


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Outside:
    shell = Outside(tmp_path_factory.mktemp("outside"))
    assert shell("vclogic new --python hill_war --folder project").returncode == 0
    return shell


def test_a_game_that_is_not_installed_says_so(tmp_path: Path) -> None:
    shell = Outside(tmp_path)
    shell("vclogic new --python hill_war")
    done = shell("vclogic status hill_war")
    assert done.returncode == 2
    assert "pip install -e hill_war" in done.stdout
    told = shell("pytest -q hill_war").stdout
    assert "there is no game 'hill_war'" in told
    assert "is it installed?" in told


def test_it_installs_and_does_what_every_game_has_to_do(outside: Outside) -> None:
    done = outside("pip install -e project")
    assert done.returncode == 0, done.stdout
    assert "hill_war/first" in outside("vclogic games").stdout
    assert outside("vclogic test hill_war").stdout == "hill_war: 5 rulings passed.\n"
    plan = outside("vclogic plan hill_war --goal 'points(Red) >= 10'")
    assert "optimal: 2 moves" in plan.stdout
    done = outside("pytest -q -p no:cacheprovider project")
    assert done.returncode == 0, done.stdout
    assert "44 passed" in done.stdout


def test_conformance_sees_what_is_wrong(outside: Outside) -> None:
    assert outside("pip install -e project").returncode == 0
    rules = outside.folder / "project" / "hill_war" / "rules.py"
    text = rules.read_text()
    rules.write_text(text.replace('cite("2/1"), have', 'cite("2/9"), have'))
    try:
        done = outside("pytest -q -p no:cacheprovider project -k 'clause or rulings'")
    finally:
        rules.write_text(text)
    assert done.returncode == 1
    assert "FAILED project/tests/test_hill_war.py::test_every_citation_is_a_clause[hill_war]" in done.stdout
    assert "1 failed" in done.stdout
    said = "victory cites 2/9, which coverage.yaml does not list: add it there under `clauses:`, or mend the citation"
    assert said in done.stdout.splitlines()
    assert "assert" not in done.stdout
    assert "def test" not in done.stdout


# ---- docs/own_game.md

PAGE = Path(__file__).parents[1] / "docs" / "own_game.md"


def test_the_page_is_what_happens(tmp_path: Path) -> None:
    """Each command is run, each change made, in the order of the page; test_text_packages.py builds its TOML."""
    shell = Outside(tmp_path)
    ran = 0
    for block in blocks(PAGE.read_text()):
        if block.language == "diff":
            change(block, shell.folder / "hill_war")
        elif block.language == "python":
            rules = (shell.folder / "hill_war" / "hill_war" / "rules.py").read_text()
            assert textwrap.indent(block.text, "    ") in rules
        elif block.language == "toml":
            assert "hill_war" in tomllib.loads(block.text)["project"]["entry-points"]["vclogic.encodings"]
        else:
            assert block.language == "console"
            for command in commands(block):
                if command.words.split()[1] in cli.commands.commands or not command.words.startswith("vclogic"):
                    output = shell(command.words).stdout
                    assert command.fits(output), f"line {block.line}: {command.words}\n{output}"
                    ran += 1
    assert ran >= 10


def test_the_page_s_mistakes_are_seen() -> None:
    """What shows nothing is not compared with anything."""
    assert Command("x", "a\n...\nc...\n").fits("a\n\nb\nbb\ncd\n")
    assert not Command("x", "a\n...\nc\n").fits("a\nb\n")
    assert not Command("x", "").fits("error\n")
    with pytest.raises(AssertionError, match="not once"):
        change(Block("diff", "--- docs/own_game.md\n-no such line\n", 1), PAGE.parents[1])
