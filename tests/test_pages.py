"""What README and docs show is what comes out: console blocks are run, Python blocks executed, links followed."""

from __future__ import annotations

import doctest
import pkgutil
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.games import loaded
from tests.fixtures.outside_environment import Outside
from tests.fixtures.pace import HANGS
from tests.fixtures.pages import Command, blocks, commands, files
from vclogic.cli.main import commands as commands_of_vclogic
from vclogic.solve.problem import ProofMethod

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
READMES = sorted((ROOT / "encodings" / "vclogic_encodings").glob("*/README.md"))
DESIGN = [
    ROOT / "docs" / "architecture.md",
    ROOT / "docs" / "methods.md",
    *sorted((ROOT / "docs" / "design").glob("*.md")),
]
ELSEWHERE = (
    "own_game.md",
    "asl_situations.md",
    "rulebooks.md",
)  # test_own_game.py, test_questions.py, test_rulebook_pages.py
EXTRAS = {"vclogic.openspiel": "pyspiel", "vclogic.pettingzoo": "pettingzoo"}
"""Modules of ours that need another one, which is not among those of `dev`; `make ai` installs them."""
NOT_RUN = ("make ", "git ", ". ")
LONG = (  # run by `make slow`
    "--minimize moves --within 3",
    "--min-odds",
    "--set level=armies --set theatre=land",
    "--set-b captured_complex",
    "render napoleonics",
    "count(hex in ",
    "count(unit of ",
    "count(territory ",
    "sum(income(",
)


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def missing() -> list[str]:
    """Modules of ours that cannot be imported here."""
    return [module for module, needed in EXTRAS.items() if find_spec(needed) is None]


def shell(page: Path, folder: Path) -> Outside:
    """A shell in which the page's files are there."""
    found = Outside(folder)
    (found.folder / "docs").mkdir()
    (found.folder / "examples").symlink_to(ROOT / "examples")
    files(page.read_text(), found.folder)
    return found


def shown(page: Path, long: bool) -> list[tuple[int, Command]]:
    """The commands of a page with their lines: those that take long, or the others."""
    found = [(b.line, c) for b in blocks(page.read_text()) if b.language == "console" for c in commands(b)]
    here = [(line, c) for line, c in found if not c.words.startswith(NOT_RUN)]
    return [(line, c) for line, c in here if any(part in c.words for part in LONG) == long]


def run(page: Path, folder: Path, long: bool) -> None:
    """Runs the commands of a page: those that take long, or the others."""
    at = shell(page, folder)
    for line, command in shown(page, long):
        done = at(command.words + " --timeout 500" * long)
        said = f"{name(page)}:{line}: {command.words}\n{done.stdout}"
        assert done.returncode in (0, 1) or "error[" in command.shown, said
        assert command.fits(done.stdout) or not command.shown.strip(), said


def pages(of: list[Path], long: bool) -> list[Path]:
    return [page for page in of if page.name not in ELSEWHERE and shown(page, long)]


@pytest.mark.parametrize("page", pages(PAGES, long=False), ids=name)
def test_commands_answer_as_shown(page: Path, tmp_path: Path) -> None:
    run(page, tmp_path, long=False)


@pytest.mark.slow
@pytest.mark.parametrize("page", pages([*PAGES, *READMES], long=True), ids=name)
def test_commands_that_take_long_answer_as_shown(page: Path, tmp_path: Path) -> None:
    run(page, tmp_path, long=True)


@pytest.mark.slow
@pytest.mark.parametrize("page", pages(READMES, long=False), ids=name)
def test_commands_of_the_games_readmes_run(page: Path, tmp_path: Path) -> None:
    run(page, tmp_path, long=False)


@pytest.mark.parametrize("page", [page for page in PAGES if "```pycon\n" in page.read_text()], ids=name)
def test_python_answers_as_shown(page: Path) -> None:
    names: dict[str, object] = {}
    for block in blocks(page.read_text()):
        if block.language == "pycon" and not any(module in block.text for module in missing()):
            example = doctest.DocTestParser().get_doctest(block.text, names, name(page), str(page), block.line)
            said: list[str] = []
            doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=said.append, clear_globs=False)
            assert not said, "".join(said)
            names = example.globs


OTHERS = [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs" / "questions").glob("*.md"))]


@pytest.mark.parametrize("page", [*PAGES, *READMES, *OTHERS, *DESIGN[2:]], ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    """In the repository; `make docs` follows those of the site."""
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]+)(#[^)]*)?\)", page.read_text()):
        found = page.parent / target
        assert found.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)", found.read_text(), re.MULTILINE)
            assert anchor in {"#" + re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}, anchor


@pytest.mark.parametrize("page", DESIGN, ids=name)
def test_modules_that_pages_name_are_there(page: Path) -> None:
    modules = [p for folder in ("vclogic", "encodings", "tests", "docs") for p in (ROOT / folder).rglob("*.py")]
    named = set(re.findall(r"`([\w/]+\.py)\b", page.read_text()))
    assert named
    assert sorted(n for n in named if not any(p.as_posix().endswith(f"/{n}") for p in modules)) == []


def test_what_pages_and_docstrings_name_can_be_imported() -> None:
    """In commands and programs that no test runs, too."""
    said = [*PAGES, *READMES, *DESIGN[2:], *sorted((ROOT / "vclogic").rglob("*.py"))]
    texts = {page: page.read_text() for page in said}
    named = {(page, n) for page, text in texts.items() for n in re.findall(r"`(vclogic(?:\.\w+)+)`", text)}
    imports = [(page, i) for page, text in texts.items() if page.suffix == ".md" for i in re.findall(IMPORTED, text)]
    named |= {(page, f"{module}.{n}") for page, (module, names) in imports for n in re.findall(r"\w+", names)}
    assert sorted(f"{name(page)}: {dotted}" for page, dotted in named if not _is_there(dotted)) == []


IMPORTED = r"from (vclogic(?:\.\w+)*) import (\w+(?:, \w+)*)"


def test_what_the_reference_lists_stands_where_it_says() -> None:
    listed = re.findall(r"automodule:: ([\w.]+)\n +:members: (.+)", (ROOT / "docs" / "api.md").read_text())
    named = [f"{module}.{member}" for module, members in listed for member in members.split(", ")]
    assert named
    assert [n for n in named if not _is_there(n) or n.rpartition(".")[0] != pkgutil.resolve_name(n).__module__] == []


def _is_there(dotted: str) -> bool:
    """Whether a module has this name, or is called so."""
    if dotted.startswith(tuple(missing())):
        return find_spec(".".join(dotted.split(".")[:2])) is not None
    try:
        pkgutil.resolve_name(dotted)
    except (ImportError, AttributeError):
        return False
    return True


def test_every_kind_of_proof_is_in_the_glossary() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text()
    assert [m for m in ProofMethod if f"| `{m}` |" not in glossary] == []
    assert [w for w in ("landmark cuts", "HiGHS", "bounded model checking") if w not in glossary] == []


def test_every_command_is_explained_somewhere() -> None:
    """With each of its options, `--help` apart."""
    prose = "".join(page.read_text() for page in PAGES if page.name not in ELSEWHERE)
    table = (ROOT / "docs" / "commands.md").read_text()
    assert [c for c in commands_of_vclogic.commands if f"| `{c}" not in table] == []
    options = {
        o for c in commands_of_vclogic.commands.values() for p in c.params for o in p.opts if o.startswith("--")
    }
    assert sorted(o for o in options if not re.search(rf"{o}\b", prose)) == []


def test_the_site_has_all_that_a_game_declares(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "docs" / "pages.py", tmp_path], check=True, timeout=HANGS)
    for game in ("axis_allies", "asl", "moscow", "napoleonics", "okinawa"):
        page = (tmp_path / "games" / f"{game}_reference.md").read_text()
        book = loaded(game).rules()
        named: list[Any] = [
            *book.outcomes,
            *book.readings,
            *book.options,
            *book.observables,
            *book.events,
            *book.metrics,
        ]
        assert [x.name for x in named if not re.search(rf"^(- .?.?`|### ){x.name}\b", page, re.MULTILINE)] == []
        clauses = (tmp_path / "games" / f"{game}_clauses.md").read_text()
        assert [c.clause for c in book.clauses if f"\n### {c.clause}\n" not in clauses] == []
        assert [c.name for c in book.cases if c.cites and f"\n- {c.name}\n" not in clauses] == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 120
