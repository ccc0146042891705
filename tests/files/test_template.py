from __future__ import annotations

import builtins
import os
from pathlib import Path
from typing import Any

import pytest

from vclogic.errors import InputError
from vclogic.files.template import write_game


def codes(name: str, folder: str | None = None) -> list[str]:
    with pytest.raises(InputError) as caught:
        write_game(name, folder)
    return [d.code for d in caught.value.diagnostics]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_game_is_written_under_its_own_name(tmp_path: Path) -> None:
    new = write_game("hill_war")
    assert (new.name, new.folder) == ("hill_war", "hill_war")
    files = {p.relative_to(tmp_path / "hill_war").as_posix(): p for p in (tmp_path / "hill_war").rglob("*.*")}
    assert set(new.files) == {name for name, p in files.items() if p.is_file()}
    assert {"pyproject.toml", "hill_war/rules.py", "hill_war/board.yaml", "tests/test_hill_war.py"} <= set(new.files)
    texts = [(tmp_path / "hill_war" / name).read_text() for name in new.files]
    assert not any("my_game" in text or "My game" in text for text in texts)
    assert any('title="Hill war"' in text for text in texts)
    assert os.listdir(tmp_path) == ["hill_war"]


def test_the_folder_may_be_chosen(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    assert write_game("hill_war", "deep/project/").folder == "deep/project"
    assert (tmp_path / "deep" / "project" / "hill_war" / "rules.py").is_file()


@pytest.mark.parametrize(
    "name", ["", "My_game", "my-game", "2nd", "_x", "class", "a b", "größe", "../x", "a.b", "x\n"]
)
def test_what_is_no_name_of_a_package_is_refused(tmp_path: Path, name: str) -> None:
    assert codes(name, "new") == ["bad-name"]
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["axis_allies", "vclogic", "json", "pytest"])
def test_what_is_there_is_not_hidden(name: str) -> None:
    assert codes(name, "new") == ["bad-name"]


def test_all_that_is_wrong_is_reported_at_once(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("nowhere")
    assert codes("json", "there") == ["bad-name", "folder-exists"]
    assert codes("hill_war", "link") == ["folder-exists"]
    assert codes("X", "not/there") == ["bad-name", "no-such-folder"]


def test_nothing_is_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []

    def full(file: Any, mode: str = "r", **more: Any) -> Any:
        if mode == "w":
            written.append(str(file))
            if len(written) > 3:
                raise OSError(28, "No space left on device")
        return real(file, mode, **more)

    real = builtins.open
    monkeypatch.setattr(builtins, "open", full)
    assert codes("hill_war") == ["cannot-write"]
    assert len(written) == 4
    assert os.listdir(tmp_path) == []
