"""What the page's server looks at to notice changes, and that it goes on looking."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.fixtures.loops import in_a_loop
from tests.fixtures.pace import BUSY
from vclogic.serve.web import changes as module
from vclogic.serve.web.changes import Changes


def noticed(changes: Changes, change: Callable[[], object], then: Callable[[], Awaitable[None]]) -> None:
    """Returns once a change is told of."""

    async def talk() -> None:
        watching = asyncio.create_task(changes.watch(then))
        await asyncio.sleep(0.1)
        while not changes.number:  # the first look may come after the first change
            change()
            await asyncio.sleep(0.1)
        watching.cancel()

    in_a_loop(talk(), BUSY)


async def nothing() -> None:
    pass


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PAUSE", 0.01)


def longer(file: Path) -> Callable[[], object]:
    return lambda: file.write_text(file.read_text() + "\n")


def test_what_fails_after_a_change_is_tried_again(tmp_path: Path) -> None:
    file, tries = tmp_path / "a.yaml", []
    file.write_text("")

    async def then() -> None:
        tries.append(0)
        if len(tries) < 3:
            raise OSError("no process")

    changes = Changes(str(tmp_path))
    noticed(changes, longer(file), then)
    assert len(tries) >= 3


def test_rules_are_noticed_beside_a_full_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, folder = tmp_path / "game" / "rules.py", tmp_path / "folder"
    for file in (rules, *(folder / f"{n}.yaml" for n in range(10))):
        file.parent.mkdir(exist_ok=True)
        file.write_text("")
    monkeypatch.setattr(module, "_MOST_FILES", 3)
    monkeypatch.setattr(module, "_folders", lambda: [str(rules.parent)])
    noticed(Changes(str(folder)), longer(rules), nothing)


def test_what_is_looked_at(tmp_path: Path) -> None:
    """Not what is hidden, nor installed packages: where `python -m venv .` was called, what else is in the folder."""
    seen = ("a.yaml", "maps/b.yml", "pyvenv.cfg/c.json", "deep/er/d.py")
    unseen = (".hidden.yaml", ".git/a.yaml", "env/lib/a.py", "node_modules/a.json", "__pycache__/a.py", "a.txt")
    for name in (*seen, *unseen, "env/pyvenv.cfg"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    assert {*module._files(str(tmp_path))} == {str(tmp_path / name) for name in seen}
    (tmp_path / "pyvenv.cfg" / "c.json").unlink()
    (tmp_path / "pyvenv.cfg").rmdir()
    (tmp_path / "pyvenv.cfg").write_text("")
    assert str(tmp_path / "a.yaml") in {*module._files(str(tmp_path))}
