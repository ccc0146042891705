"""What README and docs show is what comes out: console blocks are run, Python blocks executed, links followed."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.outside_environment import Outside
from tests.fixtures.pages import Command, blocks, commands

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
READMES = sorted((ROOT / "encodings" / "vclogic_encodings").glob("*/README.md"))
ELSEWHERE = "own_game.md"  # a walk through one project: tests/test_own_game.py
NOT_RUN = ("make ", "git ", ". ")
LONG = ("--minimize moves --within 3", "--set level=armies --set theatre=land")  # run by `make slow`


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def shell(page: Path, folder: Path) -> Outside:
    """A shell in which the page's files are there: a YAML block that begins `# NAME.yaml` is one."""
    found = Outside(folder)
    (found.folder / "docs").mkdir()
    (found.folder / "examples").symlink_to(ROOT / "examples")
    for block in blocks(page.read_text()):
        if file := re.match(r"# (\w+\.yaml)\n", block.text):
            (found.folder / file[1]).write_text(block.text)
    return found


def shown(page: Path) -> Iterator[tuple[int, Command]]:
    for block in blocks(page.read_text()):
        if block.language == "console":
            yield from ((block.line, c) for c in commands(block) if not c.words.startswith(NOT_RUN))


def run(page: Path, folder: Path, long: bool) -> int:
    """Runs the commands of a page: those that take long, or the others."""
    at = shell(page, folder)
    ran = 0
    for line, command in shown(page):
        if any(part in command.words for part in LONG) == long:
            done = at(command.words)
            said = f"{name(page)}:{line}: {command.words}\n{done.stdout}"
            assert done.returncode in (0, 1) or "error[" in command.shown, said
            assert command.fits(done.stdout) or not command.shown.strip(), said
            ran += 1
    return ran


WITH_COMMANDS = [page for page in PAGES if page.name != ELSEWHERE and any(shown(page))]


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=name)
def test_commands_answer_as_shown(page: Path, tmp_path: Path) -> None:
    assert run(page, tmp_path, long=False)


@pytest.mark.slow
@pytest.mark.parametrize("page", WITH_COMMANDS, ids=name)
def test_commands_that_take_long_answer_as_shown(page: Path, tmp_path: Path) -> None:
    run(page, tmp_path, long=True)


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in READMES if any(shown(page))], ids=name)
def test_commands_of_the_games_readmes_run(page: Path, tmp_path: Path) -> None:
    assert run(page, tmp_path, long=False) + run(page, tmp_path / "long", long=True)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_python_answers_as_shown(page: Path) -> None:
    names: dict[str, object] = {}
    for block in blocks(page.read_text()):
        if block.language == "pycon":
            example = doctest.DocTestParser().get_doctest(block.text, names, name(page), str(page), block.line)
            said: list[str] = []
            doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=said.append, clear_globs=False)
            assert not said, "".join(said)
            names = example.globs


@pytest.mark.parametrize("page", [*PAGES, *READMES], ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    """In the repository; `make docs` follows those of the site, with their anchors."""
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 120
