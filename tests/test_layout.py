"""What holds of the source tree as a whole."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from vclogic.files.registry import GROUP, encoding_names

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SOURCES = sorted([*(ROOT / "vclogic").rglob("*.py"), *(ROOT / "encodings").rglob("*.py")])
TEXTS = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "encodings").rglob("*.md")])
LONGEST = 420
LATE = ("z3", "networkx", "rich", "vclogic.solve")
"""What nobody has to wait for who asks who has won."""
DOCUMENTED = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def shown(path: Path) -> str:
    """A file's name from the root."""
    return path.relative_to(ROOT).as_posix()


def tree(path: Path) -> ast.Module:
    """A source file, parsed."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def python(code: str, cwd: Path, *paths: Path) -> str:
    """What a fresh Python prints, started elsewhere."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


# ---- the folder `encodings` is no package


def test_there_is_no_package_encodings() -> None:
    assert not (ROOT / "encodings" / "__init__.py").exists()


def test_python_starts_with_the_root_on_its_path(tmp_path: Path) -> None:
    code = "import encodings, encodings.latin_1; print('ü'.encode('latin-1').hex(), encodings.__file__)"
    said = python(code, tmp_path, ROOT)
    first, _, file = said.partition(" ")
    assert first == "fc"
    assert Path(file).resolve().parents[1] == Path(sysconfig.get_path("stdlib")).resolve()


# ---- what is loaded when


def loaded(code: str, cwd: Path) -> list[str]:
    """The modules of `LATE`, and those below them, that some code loads."""
    tail = f"import sys; print(*sorted(m for m in sys.modules for n in {LATE!r} if m == n or m.startswith(n + '.')))"
    return python(f"{code}\n{tail}", cwd, ROOT, ROOT / "encodings").split()


def test_vclogic_is_imported_without_solvers(tmp_path: Path) -> None:
    assert loaded("import vclogic", tmp_path) == []


@pytest.mark.parametrize("game", encoding_names())
def test_status_needs_no_solver(game: str, tmp_path: Path) -> None:
    assert loaded(f"import vclogic; vclogic.load({game!r}).status()", tmp_path) == []


def test_what_is_not_loaded_would_be_seen(tmp_path: Path) -> None:
    assert "vclogic.solve.session" in loaded("import vclogic.solve.session", tmp_path)


# ---- the text of the sources


def public(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, DOCUMENTED]]:
    """Public classes, functions and methods below a module or a class; not what stands in functions."""
    for node in body:
        if isinstance(node, DOCUMENTED) and not node.name.startswith("_"):
            yield f"{prefix}{node.name}", node
            if isinstance(node, ast.ClassDef):
                yield from public(node.body, f"{prefix}{node.name}.")


@pytest.mark.parametrize("path", SOURCES, ids=shown)
def test_what_is_public_is_documented(path: Path) -> None:
    module = tree(path)
    missing = [name for name, node in public(module.body, "") if not ast.get_docstring(node)]
    assert not missing
    assert ast.get_docstring(module)


@pytest.mark.parametrize("path", SOURCES, ids=shown)
def test_a_file_can_be_read_in_one_go(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


def helps(module: ast.Module) -> Iterator[ast.AST]:
    """Docstrings, and the help of commands."""
    for node in ast.walk(module):
        if isinstance(node, ast.Module | DOCUMENTED) and ast.get_docstring(node):
            yield node.body[0]
        elif isinstance(node, ast.keyword) and node.arg in ("help", "epilog"):
            yield node.value


def test_no_part_of_vclogic_knows_a_game() -> None:
    names = ("vclogic_encodings", *encoding_names())
    for path in SOURCES:
        if not path.is_relative_to(ROOT / "vclogic"):
            continue
        excused: set[int] = set()
        if path.name == "cli.py":
            for part in helps(tree(path)):
                assert isinstance(part, ast.stmt | ast.expr)
                excused.update(range(part.lineno, (part.end_lineno or part.lineno) + 1))
        for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            known = [name for name in names if name in line and n not in excused]
            assert not known, f"{shown(path)}:{n}"


# ---- what is named exists


def named(text: str) -> set[str]:
    """Files and folders that a text links to or names in full."""
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text)
    written = re.findall(r"(?<![\w./-])((?:examples|docs|benchmarks|vclogic|encodings)/[\w./-]*[\w/])", text)
    return {name for name in (*links, *written) if "://" not in name}


@pytest.mark.parametrize("path", TEXTS, ids=shown)
def test_files_that_a_text_names_exist(path: Path) -> None:
    names = named(path.read_text(encoding="utf-8"))
    schemas = {n for n in names if re.fullmatch(r"vclogic/[a-z]+/\d+", n)}  # names of documents, not of files
    missing = [n for n in names - schemas if not (path.parent / n).exists() and not (ROOT / n).exists()]
    assert not missing


def test_the_readme_names_an_example() -> None:
    names = named((ROOT / "README.md").read_text(encoding="utf-8"))
    assert any(n.startswith("examples/") and (ROOT / n).is_file() for n in names)


# ---- entry points


def declared() -> list[tuple[str, str, str]]:
    """Group, name and target of each entry point of pyproject."""
    groups = {"console_scripts": PROJECT["scripts"], **PROJECT["entry-points"]}
    return [(group, name, target) for group, points in groups.items() for name, target in points.items()]


@pytest.mark.parametrize(("group", "name", "target"), declared(), ids=str)
def test_entry_points_load(group: str, name: str, target: str) -> None:
    (installed,) = entry_points(group=group, name=name)
    assert installed.value == target
    module, _, attribute = target.partition(":")
    loaded_object = installed.load()
    if attribute:
        assert callable(loaded_object)
        assert loaded_object is getattr(import_module(module), attribute)
    else:
        assert loaded_object is import_module(module)


def test_every_folder_of_a_game_is_declared() -> None:
    folders = (p.parent for p in (ROOT / "encodings" / "vclogic_encodings").glob("*/rules.py"))
    assert {f.name for f in folders} == set(PROJECT["entry-points"][GROUP])
