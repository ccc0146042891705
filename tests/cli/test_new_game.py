"""`vclogic new` writes a rulebook that is played, tried and checked as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    return tmp_path


def test_the_rulebook_is_complete_and_sound(run: Run) -> None:
    found = run("new", "Hill war", "--folder", "games", "--format", "json")
    assert found.document == {
        "schema": "vclogic/new/1",
        "name": "Hill war",
        "folder": "games",
        "files": ["Hill war.md"],
    }
    game = "games/Hill war.md"
    assert Path(game).read_text().startswith("# Hill war\n")
    assert (run("test", game).out, run("check", game).code) == (f"{game}: 7 rulings passed.\n", 0)
    plan = run("plan", game, "--goal", "linked(Red)", "--format", "json").document
    assert (plan["status"], plan["cost"]) == ("optimal", 7)
    assert "9 regions" in run("render", game, "-o", "map.svg").out


def test_nothing_is_overwritten_and_names_are_names(run: Run, folder: Path) -> None:
    assert run("new", "mine.md").out.startswith("mine.md: a rulebook")
    for words, said in (
        (("mine",), "'mine.md' is not written: it is there already"),
        (("../mine",), "'../mine' is no name for a game"),
        (("other", "--folder", "gone"), "there is no such folder"),
        (("--case", "asl", "--python"), "--case and --python do not go together"),
        (("--case", "asl", "--package"), "--case and --package do not go together"),
        (("other", "--python", "--package"), "--python and --package do not go together"),
        (("asl", "--package"), "there is a game 'asl' already"),
        (("other", "--package", "--folder", "games"), "vclogic new --package other --folder PATH"),
    ):
        found = run("new", *words)
        assert (found.code, said in " ".join(found.err.split())) == (2, True)
    assert sorted(p.name for p in folder.iterdir()) == ["games", "mine.md"]
