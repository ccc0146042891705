"""A game as text in a wheel: built by what most projects use, installed outside this repository, and tried there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixtures import text_game
from tests.fixtures.outside_environment import Outside
from tests.fixtures.pages import blocks
from tests.fixtures.text_game import FILES, NAME

ABOUT = '[project]\nname = "ridge"\nversion = "1"\n'
ENTRY_POINT = '[project.entry-points."vclogic.encodings"]\nridge = "ridge"\n'
PAGE = Path(__file__).parents[1] / "docs" / "own_game.md"
OF_SETUPTOOLS = next(block.text for block in blocks(PAGE.read_text()) if block.language == "toml")
PROJECTS = {
    "hatchling": '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
    f'{ABOUT}{ENTRY_POINT}[tool.hatch.build]\ndev-mode-dirs = ["."]\n'
    '[tool.hatch.build.targets.wheel]\npackages = ["ridge"]\n',
    "setuptools": '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
    f'{ABOUT}[tool.setuptools]\npackages = ["ridge"]\n{OF_SETUPTOOLS.replace("hill_war", "ridge")}',
}
TESTS = f'from vclogic.conformance.with_pytest import *  # noqa: F403\n\nGAMES = ("{NAME}",)\n'
OF_FOG = """North is enough in fog
  under fog is some
  given owner(South) is Red, owner(Middle) is Blue
  play take North
  expect holds(heights, Red)
"""


def project(folder: Path, builder: str, *, package: bool) -> Path:
    """Write the project of the game."""
    text = FILES[f"{NAME}.md"].replace("```ruling\n", f"```ruling\n{OF_FOG}\n")
    text_game.write(folder, {**FILES, f"{NAME}.md": text}, package=package)
    (folder / "pyproject.toml").write_text(PROJECTS[builder])
    (folder / "test_ridge.py").write_text(TESTS)
    return folder


@pytest.mark.parametrize("builder", PROJECTS)
def test_a_wheel_holds_the_whole_game(builder: str, tmp_path: Path) -> None:
    """Where nothing is left of the project itself; with setuptools also without `__init__.py`."""
    pytest.importorskip({"setuptools": "setuptools.command.bdist_wheel"}.get(builder, builder))
    shell = Outside(tmp_path)
    written = project(shell.folder / "project", builder, package=builder == "hatchling")
    done = shell("pip wheel --no-deps -w wheels ./project && pip install --no-deps wheels/*.whl")
    assert done.returncode == 0, done.stdout
    tests = (written / "test_ridge.py").read_text()
    shell("rm -r project")
    (shell.folder / "test_ridge.py").write_text(tests)
    assert "ridge/whole" in shell("vclogic games").stdout
    assert shell("vclogic test ridge").stdout == "ridge: 3 rulings passed.\n"
    assert "optimal: 3 events" in shell("vclogic plan ridge --goal 'points(Red) >= 6'").stdout
    done = shell("pytest -q -p no:cacheprovider test_ridge.py")
    assert done.returncode == 0, done.stdout


def test_what_new_writes_is_such_a_project(tmp_path: Path) -> None:
    shell = Outside(tmp_path)
    assert shell("vclogic new --package hill_war").returncode == 0
    done = shell("pip install -e hill_war && vclogic test --all hill_war && pytest -q -p no:cacheprovider hill_war")
    assert done.returncode == 0, done.stdout
    assert "none is not met" in done.stdout
    assert "Hill war" in shell("vclogic games").stdout


def test_whoever_works_on_it_sees_each_change(tmp_path: Path) -> None:
    shell = Outside(tmp_path)
    written = project(shell.folder / "project", "hatchling", package=True)
    assert shell("vclogic status ridge").returncode == 2
    assert shell("pip install -e project").returncode == 0
    assert shell("vclogic test ridge").stdout == "ridge: 3 rulings passed.\n"
    text = written / NAME / f"{NAME}.md"
    text.write_text(text.read_text().replace("goal - 1", "goal"))
    assert "1 ruling failed, 2 passed" in shell("vclogic test ridge").stdout
