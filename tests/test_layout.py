"""How the project is laid out: what must never be there, and what an import may cost."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = [ROOT / "vclogic", ROOT / "encodings" / "vclogic_encodings"]
MODULES = sorted(p for folder in SOURCES for p in folder.rglob("*.py"))


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter that runs some code."""
    return subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, timeout=300
    )


# ---- encodings/ is a source root, not a package


def test_encodings_is_no_package() -> None:
    assert not (ROOT / "encodings" / "__init__.py").exists(), "Python's own `encodings` would be shadowed"
    assert not (ROOT / "encodings" / "vclogic_encodings" / "__init__.py").exists(), "others may add games to it"


def test_python_starts_with_the_root_on_its_path() -> None:
    code = "import codecs, encodings.idna; print('é'.encode('cp1252'), encodings.__file__)"
    done = python(code, PYTHONPATH=str(ROOT), PYTHONSAFEPATH="1")
    assert done.returncode == 0, done.stderr
    assert str(ROOT / "encodings") not in done.stdout


def test_the_games_are_found_from_the_root() -> None:
    done = python("from vclogic.files.registry import encoding_names; print(encoding_names())", PYTHONPATH=str(ROOT))
    assert "axis_allies" in done.stdout, done.stderr


# ---- imports go one way


def name_of(module: Path) -> str:
    """The dotted name of a module, such as `vclogic.terms.term`."""
    root = ROOT if module.is_relative_to(ROOT / "vclogic") else ROOT / "encodings"
    return ".".join(module.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Wherever an import stands: at the top, in a function, or for types alone."""
    known = {name_of(p): p for p in MODULES}
    graph = {}
    for name, module in known.items():
        graph[name] = {n if n in known else n.rpartition(".")[0] for n in imports(module)} & known.keys()
    assert "vclogic.terms.term" in graph["vclogic.terms.build"]
    TopologicalSorter(graph).prepare()  # a CycleError names the modules


# ---- what an import costs


@pytest.mark.parametrize(
    "code",
    [
        "import vclogic",
        "import vclogic; vclogic.load('axis_allies').status()",
        "import vclogic; vclogic.load('axis_allies').apply('end_turn').status(view='Axis')",
        "import vclogic; vclogic.load('axis_allies').value('vcp(Axis)')",
    ],
)
def test_a_status_needs_no_solver_and_no_graphs(code: str) -> None:
    dear = ["z3", "networkx", "rich", "importlib.metadata"]
    done = python(f"{code}; import sys; print([m for m in {dear} if m in sys.modules])")
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_the_package_itself_imports_nothing_heavy() -> None:
    done = python("import sys, vclogic; print(sorted(m for m in sys.modules if m.startswith('vclogic')))")
    assert done.stdout.strip() == "['vclogic']", done.stdout + done.stderr


def test_one_module_knows_graphs() -> None:
    """Its functions import them when called, so that nothing else waits for that."""
    known = {p.relative_to(ROOT).as_posix() for p in MODULES if "networkx" in imported(p)}
    assert known == {"vclogic/board/graphs.py"}


def test_only_few_modules_know_z3() -> None:
    known = {p.relative_to(ROOT).as_posix() for p in MODULES if "z3" in imported(p)}
    assert known <= {"vclogic/solve/backends/z3_engine.py", "vclogic/conformance/meaning.py"}


def test_one_module_starts_processes() -> None:
    """So that there is one place to see what they may import, and what is left of them.

    Studies hand their work to an executor of the standard library, so that a cluster's can take its place.
    """
    starting = {"subprocess", "multiprocessing", "pty", "concurrent"}
    known = {p.relative_to(ROOT).as_posix() for p in MODULES if imported(p) & starting}
    assert known == {"vclogic/child_process.py", "vclogic/studies/run.py"}
    calls = [f"os.{name}" for name in ("system", "popen", "fork", "spawn", "exec", "posix_spawn")]
    calls += ["asyncio.subprocess", "create_subprocess", "subprocess_exec"]
    assert not [p for p in MODULES if any(call in p.read_text() for call in calls)]


@cache
def imports(module: Path) -> frozenset[str]:
    """Whatever is imported anywhere in a file: modules, and names with the module that they come from."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


def imported(module: Path) -> set[str]:
    """The first part of every module name that is imported anywhere in a file."""
    return {name.partition(".")[0] for name in imports(module)}


# ---- a name stands for one thing


PARTS_OF_A_GAME = {
    "Board",
    "Fluents",
    "Names",
    "Paths",
    "PlanningModel",
    "PlayerTurn",
    "Rules",
    "Score",
    "Terrain",
    "Unit",
}
PARTS_OF_A_GAME |= {"Victory", "_Drawer"}
"""Classes that play the same role in each game that has them."""


def repeated_classes(modules: Iterable[Path]) -> dict[str, list[Path]]:
    """The names of classes that are defined more than once, and where."""
    found: dict[str, list[Path]] = defaultdict(list)
    for module in modules:
        if "templates" not in module.parts:  # what `vclogic new` writes is no part of the project
            for node in ast.walk(ast.parse(module.read_text())):
                if isinstance(node, ast.ClassDef):
                    found[node.name].append(module)
    return {name: where for name, where in found.items() if len(where) > 1}


def test_a_class_has_a_name_of_its_own() -> None:
    engine, everything = (
        repeated_classes(m for m in MODULES if m.is_relative_to(SOURCES[0])),
        repeated_classes(MODULES),
    )
    assert len(engine) <= 2, sorted(engine)
    assert len(everything) <= 18, sorted(everything)
    assert len(everything.keys() - PARTS_OF_A_GAME) <= 5, sorted(everything.keys() - PARTS_OF_A_GAME)


def test_a_part_of_a_game_is_there_once_in_each() -> None:
    repeated = repeated_classes(MODULES)
    for name in sorted(PARTS_OF_A_GAME):
        games = [m.relative_to(SOURCES[1]).parts[0] for m in repeated[name]]
        assert len(games) == len(set(games)), f"{name}: {games}"


# ---- documents and docstrings


def test_modules_that_a_text_names_exist() -> None:
    roots = ("vclogic", "encodings", "tests", "docs", "examples", "mutants", "benchmarks")
    files = [f"/{p.relative_to(ROOT).as_posix()}" for root in roots for p in (ROOT / root).rglob("*.py")]
    made = ("own_game.md", "from_python.md", "rulebook_reference.md")  # files of games that they make
    documents = [p for p in (ROOT / "docs").rglob("*.md") if p.name not in made]
    for text in [ROOT / "README.md", *documents, *MODULES]:
        named = set(re.findall(r"`([\w/]*\w\.py)\b", text.read_text()))
        assert not [n for n in named if not any(f.endswith(f"/{n}") for f in files)], text


# ---- the lists above are not empty


def test_there_are_modules() -> None:
    assert len(MODULES) > 40
    assert {"vclogic/terms/term.py", "encodings/vclogic_encodings/axis_allies/board.py"} <= {
        p.relative_to(ROOT).as_posix() for p in MODULES
    }


# ---- adding a game touches its folder and one line


def test_no_module_of_the_engine_names_a_game() -> None:
    games = [p.name for p in (ROOT / "encodings" / "vclogic_encodings").iterdir() if (p / "scenarios").is_dir()]
    assert games
    written = re.compile("[\"'](" + "|".join(games) + ")[\"']")
    for module in MODULES:
        if module.is_relative_to(ROOT / "vclogic") and written.search(text := module.read_text()):
            for node in ast.walk(ast.parse(text)):  # a docstring may give one as an example
                if isinstance(node, ast.Compare | ast.Dict | ast.Match):
                    words = {c.value for c in ast.walk(node) if isinstance(c, ast.Constant)}
                    assert not words & set(games), module


def test_the_init_of_a_package_does_nothing() -> None:
    for module in (ROOT / "vclogic").rglob("*/__init__.py"):
        if module.parent.name != "conformance":  # its tests are imported from there
            body = ast.parse(module.read_text()).body
            assert all(isinstance(node, ast.Expr) for node in body), f"{module}: re-exports make import circles"


def test_the_guide_says_how_many_examples_a_usual_run_draws() -> None:
    from tests.fixtures.pace import USUAL

    assert f"a usual run draws {USUAL:g} of them" in (ROOT / "CONTRIBUTING.md").read_text()


def test_pages_name_files_that_are_there() -> None:
    """Paths in code marks with a folder before them, as those of the guides for developers."""
    for page in (
        ROOT / "CONTRIBUTING.md",
        ROOT / "docs" / "architecture.md",
        *(ROOT / "docs" / "design").glob("*.md"),
    ):
        for path in re.findall(
            r"`((?:tests|page|mutants|benchmarks|docs|examples|vclogic)/[\w/.]+)`", page.read_text()
        ):
            assert (ROOT / path).exists(), f"{page.name}: {path}"


def test_files_of_the_design_are_named_by_their_whole_path() -> None:
    """From the root, from `vclogic`, from the games or from the page's source; but for those that each folder has."""
    each = {"question.py", "answer.py", "encoding.py", "rules.py", "coverage.yaml", "checks.yaml"}
    roots = [ROOT, *SOURCES, ROOT / "page" / "src"]
    for page in (ROOT / "docs" / "architecture.md", *(ROOT / "docs" / "design").glob("*.md")):
        named = set(re.findall(r"`([\w/]+\.(?:py|mjs|yaml))`", page.read_text())) - each
        assert not [n for n in named if not any((root / n).exists() for root in roots)], page.name


def test_the_overview_fits_on_a_page() -> None:
    assert len((ROOT / "docs" / "architecture.md").read_text().splitlines()) <= 160


def test_every_page_of_the_design_is_reached_from_the_overview() -> None:
    overview = (ROOT / "docs" / "architecture.md").read_text()
    assert [p.name for p in (ROOT / "docs" / "design").iterdir() if f"](design/{p.name})" not in overview] == []
