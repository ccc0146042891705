"""The position files of a folder: those that name a game at their beginning, whatever else lies there."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from vclogic.files import folder as module
from vclogic.files.folder import HEAD, PositionFile, position_files
from vclogic.files.source import Source, read_head

LISTED = {
    "a.yaml": ("# to try\n---\ntitle:\n  Night,\n  rain\n'game' : okinawa # small\nstate: {}\n", "Night, rain"),
    "b.yml": ("game: okinawa\nstate:\n  title: of no matter\n", ""),
    "c.json": (json.dumps({"game": "okinawa", "title": "By day", "record": []}), "By day"),
    "d.yaml": ("{game: okinawa, title: By day}", "By day"),
    "large.json": ('{"title": "Großes", "game": "okinawa", "state": "' + "ä" * HEAD + '"}', "Großes"),
    "large.yaml": ("game: okinawa\ntitle: Großes\nstate:\n" + "  - ä\n" * HEAD, "Großes"),
    "maps/e.yaml": ("game: okinawa\r\n", ""),
}  # fmt: skip
NOT_LISTED: dict[str, str | bytes] = {
    "board.yaml": "areas: {}\n# of the game\n",
    "below.yaml": "setup:\n  game: okinawa\n",
    "rulings.yaml": "game: okinawa\nrulings:\n- name: a\n",
    "rulings.json": '{"game": "okinawa", "rulings": []}',
    "list.json": '[{"game": "okinawa"}]',
    "broken.yaml": "game: [\n",
    "number.json": '{"game": {"name": 1}}',
    "late.yaml": "# " + "x" * HEAD + "\ngame: okinawa\n",
    "latin.yaml": b"game: okinawa\ntitle: Gro\xdf\n",
    "empty.yaml": "",
    ".hidden.yaml": "game: okinawa\n",
    "a.txt": "game: okinawa\n",
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_is_listed(here: Path) -> None:
    (here / "maps").mkdir()
    contents: dict[str, str | bytes] = {name: text for name, (text, _) in LISTED.items()}
    for name, content in {**contents, **NOT_LISTED}.items():
        (here / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    found = position_files()
    assert {*found} == {PositionFile(name, title, "okinawa") for name, (_, title) in LISTED.items()}


def test_what_is_no_file_is_passed_over(here: Path) -> None:
    os.mkfifo(here / "pipe.yaml")
    (here / "folder.yaml").mkdir()
    (here / "nowhere.yaml").symlink_to("missing.yaml")
    (here / "null.yaml").symlink_to("/dev/null")
    (here / "zero.yaml").symlink_to("/dev/zero")
    (here / "round.yaml").symlink_to("round.yaml")
    (here / "closed.yaml").write_text("game: okinawa\n")
    (here / "closed.yaml").chmod(0)
    (here / "open.yaml").write_text("game: okinawa\n")
    assert "open.yaml" in [file.path for file in position_files()]
    assert {file.path for file in position_files()} <= {"open.yaml", "closed.yaml"}  # the superuser reads both


def test_files_are_read_again_only_once_they_were_saved(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noted(path: str, most: int) -> Source:
        read.append(path)
        return read_head(path, most)

    monkeypatch.setattr(module, "read_head", noted)
    for name in ("a.yaml", "b.yaml"):
        (here / name).write_text("game: okinawa\n")
    for title in ("", "By day", "By night"):
        (here / "a.yaml").write_text(f"game: okinawa\ntitle: {title}\n")
        for _ in range(2):
            assert [file.title for file in position_files()] == [title, ""]
    assert read == ["a.yaml", "b.yaml", "a.yaml", "a.yaml"]


def test_how_much_is_read_of_a_large_file(here: Path) -> None:
    """Its beginning: what comes after it may be anything."""
    (here / "a.yaml").write_bytes(b"game: okinawa\n" + b"x: 1\n" * HEAD + b"\xff\xfe: [")
    assert [file.path for file in position_files()] == ["a.yaml"]
