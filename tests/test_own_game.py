"""A game of one's own, outside this repository: written, installed, tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.outside import Outside


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Outside:
    shell = Outside(tmp_path_factory.mktemp("outside"))
    assert shell("vclogic new hill_war --folder project").returncode == 0
    return shell


def test_a_game_that_is_not_installed_says_so(tmp_path: Path) -> None:
    shell = Outside(tmp_path)
    shell("vclogic new hill_war")
    done = shell("vclogic status hill_war")
    assert done.returncode == 2
    assert "pip install -e hill_war" in done.stdout
    assert "there is no game 'hill_war'; is it installed?" in shell("pytest -q hill_war").stdout


def test_it_installs_and_does_what_every_game_has_to_do(outside: Outside) -> None:
    done = outside("pip install -e project")
    assert done.returncode == 0, done.stdout
    assert "hill_war/first" in outside("vclogic games").stdout
    assert outside("vclogic test hill_war").stdout == "hill_war: 5 rulings passed.\n"
    plan = outside("vclogic plan hill_war --goal 'points(Red) >= 10'")
    assert "optimal: 2 moves" in plan.stdout
    done = outside("pytest -q -p no:cacheprovider project")
    assert done.returncode == 0, done.stdout
    assert "18 passed" in done.stdout


def test_conformance_sees_what_is_wrong(outside: Outside) -> None:
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
