"""The page's own checks: types, lint, unit tests, size; and that it is in the wheel."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.fixtures.pace import HANGS
from tests.page.conftest import ROOT

PAGE = ROOT / "page"
MOST = 75_572
"""Bytes of the page's own code, compressed."""
TOOLS = {
    "types": ["npx", "--no-install", "tsc", "--noEmit"],
    "lint": ["npx", "--no-install", "eslint", "."],
    "units": ["node", "--test", *(str(p) for p in sorted((PAGE / "test").glob("*.test.mjs")))],
}


@pytest.mark.parametrize("words", TOOLS.values(), ids=TOOLS)
def test_the_pages_own_checks(words: list[str]) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed: the page's types, lint and unit tests are not tried")
    if not (PAGE / "node_modules" / "typescript").is_dir():
        pytest.skip("the page's tools are not installed: run `npm ci` in page/")
    done = subprocess.run(words, cwd=PAGE, capture_output=True, text=True, timeout=HANGS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_browser_that_is_missing_is_noticed_before_anything_is_started(request: pytest.FixtureRequest) -> None:
    used = [item.fixturenames for item in request.session.items if isinstance(item, pytest.Function)]
    for names in used:
        begun = [names.index(one) for one in ("address", "static_folder", "static") if one in names]
        assert all(names.index(one) < min(begun, default=99) for one in ("browser", "firefox") if one in names), names


def test_the_libraries_are_those_that_were_installed() -> None:
    """What src/vendor holds is what `npm run vendor` copies."""
    if shutil.which("node") is None or not (PAGE / "node_modules" / "preact").is_dir():
        pytest.skip("the page's libraries are not installed: run `npm ci` in page/")
    code = "import('./vendor.mjs').then(m => console.log(JSON.stringify(m.vendored())))"
    done = subprocess.run(["node", "-e", code], cwd=PAGE, capture_output=True, text=True, timeout=HANGS, check=True)
    for name, text in json.loads(done.stdout).items():
        assert (PAGE / "src" / "vendor" / name).read_text() == text, name


def test_the_pages_own_code_is_small() -> None:
    """Without the libraries, which have another 7 KB."""
    files = [p for p in sorted((PAGE / "src").rglob("*")) if p.suffix in (".mjs", ".css", ".html", ".svg")]
    own = [p for p in files if "vendor" not in p.parts]
    assert sum(len(gzip.compress(p.read_bytes())) for p in own) <= MOST


def test_the_wheel_holds_the_page(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True, timeout=HANGS)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as parts:
        names = {*parts.namelist()}
    own = [p.relative_to(PAGE / "src").as_posix() for p in (PAGE / "src").rglob("*") if p.is_file()]
    assert {f"vclogic/page/{name}" for name in own} <= names
