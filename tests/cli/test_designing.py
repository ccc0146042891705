"""The commands for a game of one's own, in this process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_new_says_what_it_wrote_and_what_comes_next(run: Run) -> None:
    found = run("new", "hill_war", "--python", "--folder", "project")
    assert (found.code, found.err) == (0, "")
    assert found.out.startswith("project: the game hill_war, 11 files\n")
    assert "\n  hill_war/rules.py\n" in found.out
    assert "\n  pip install -e 'project[test]'\n" in found.out


def test_new_as_a_document(run: Run) -> None:
    found = run("new", "hill_war", "--python", "--format", "json").document
    assert list(found) == ["schema", "name", "folder", "files"]
    assert (found["schema"], found["name"], found["folder"]) == ("vclogic/new/1", "hill_war", "hill_war")
    assert all((Path("hill_war") / file).is_file() for file in found["files"])


def test_new_refuses_with_everything_that_is_wrong(run: Run, tmp_path: Path) -> None:
    found = run("new", "Hill-War", "--python", "--folder", "not/there")
    assert (found.code, found.out) == (2, "")
    assert found.err.count("error[") == 2
    assert list(tmp_path.iterdir()) == []
    assert run("new").code == 2


def test_schema_is_one_document_whatever_the_format(run: Run) -> None:
    text, document = run("schema", "case", "napoleonics"), run("schema", "case", "napoleonics", "--format", "json")
    assert json.loads(text.out) == document.document
    assert document.document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert run("schema").document["title"] == "vclogic: position"


def test_schema_of_an_answer(run: Run) -> None:
    text = run("schema", "plan")
    assert text.code == 0
    assert json.loads(text.out) == run("schema", "plan", "--format", "json").document
    assert json.loads(text.out)["properties"]["schema"] == {"const": "vclogic/plan/2"}
    assert "the same for every game" in run("schema", "reach", "napoleonics").err
    assert "did you mean 'compare'?" in run("schema", "compar").err


def test_schema_of_what_there_is_not(run: Run) -> None:
    kind, game = run("schema", "positon"), run("schema", "position", "napoleonic")
    assert (kind.code, game.code) == (2, 2)
    assert "did you mean 'position'?" in kind.err
    assert "did you mean 'napoleonics'?" in game.err
