"""Files that are written: whole or not at all, nothing else touched, nothing lost."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from vclogic.errors import Diagnostic, InputError
from vclogic.files.output import check_output, same_file, write_text
from vclogic.files.source import STDIN_NAME

Wrong = Callable[..., tuple[Diagnostic, ...]]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names() -> list[str]:
    return sorted(os.listdir("."))


def test_a_new_file_gets_what_the_umask_leaves() -> None:
    before = os.umask(0o027)
    try:
        write_text("new", "é\n")
    finally:
        os.umask(before)
    assert Path("new").read_bytes() == b"\xc3\xa9\n"
    assert stat.S_IMODE(os.stat("new").st_mode) == 0o640
    assert names() == ["new"]


def test_a_replaced_file_keeps_its_permissions() -> None:
    Path("old").write_text("old")
    os.chmod("old", 0o604)
    write_text("old", "new")
    assert Path("old").read_text() == "new"
    assert stat.S_IMODE(os.stat("old").st_mode) == 0o604


def test_no_file_beside_it_is_touched() -> None:
    for name in ("map.svg.unfinished", "map.svg.tmp", ".map.svg"):
        Path(name).write_text("mine")
    os.symlink("mine", "map.svg~")
    Path("mine").write_text("mine")
    before = names()
    write_text("map.svg", "picture")
    assert names() == sorted([*before, "map.svg"])
    assert all(Path(name).read_text() == "mine" for name in before)


@pytest.mark.parametrize("target", ["there", "not yet"])
def test_a_symbolic_link_stays_one(target: str) -> None:
    Path("far").mkdir()
    if target == "there":
        Path("far", target).write_text("old")
    os.symlink(os.path.join("far", target), "link")
    write_text("link", "new")
    assert os.path.islink("link")
    assert Path("far", target).read_text() == "new"
    assert os.listdir("far") == [target]


def test_a_hard_link_is_left_with_what_it_had() -> None:
    Path("one").write_text("old")
    os.link("one", "two")
    write_text("two", "new")
    assert (Path("one").read_text(), Path("two").read_text()) == ("old", "new")


@pytest.mark.parametrize("stopped", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_nothing_is_left_where_writing_is_stopped(stopped: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("old").write_text("old")

    def stop(*_: object) -> None:
        raise stopped

    monkeypatch.setattr("vclogic.files.output.os.replace", stop)
    for name in ("old", "new"):
        with pytest.raises((KeyboardInterrupt, InputError)):
            write_text(name, "text")
    assert names() == ["old"]
    assert Path("old").read_text() == "old"


def test_where_nothing_can_be_written(wrong: Wrong) -> None:
    os.symlink("b", "a")
    os.symlink("a", "b")
    Path("folder").mkdir()
    Path("file").touch()
    for path in ("a", "folder", "folder/", "no/such", "file/x", "new/", "a\0b", "", "x" * 300):
        (found,) = wrong(write_text, path, "text")
        assert (found.code, found.file) == ("unwritable", path)
        assert wrong(check_output, path, (), "--output")[0].code == "bad-value"
    assert names() == ["a", "b", "file", "folder"]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_write_protected_file_is_left_alone(wrong: Wrong) -> None:
    Path("mine").write_text("mine")
    os.chmod("mine", 0o444)
    assert wrong(write_text, "mine", "new")[0].code == "unwritable"
    assert Path("mine").read_text() == "mine"


def test_write_protection_is_asked_for(wrong: Wrong, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("mine").write_text("mine")
    monkeypatch.setattr("vclogic.files.output.os.access", lambda path, mode: False)
    assert wrong(write_text, "mine", "new")[0].code == "unwritable"
    assert wrong(check_output, "mine", (), "-o")[0].code == "bad-value"
    assert Path("mine").read_text() == "mine"


def test_a_pipe_is_written_to_and_one_that_nobody_reads_is_not_waited_for(wrong: Wrong) -> None:
    os.mkfifo("pipe")
    assert "nobody reads that pipe" in wrong(write_text, "pipe", "text")[0].message
    text = "long " * 50_000  # more than a pipe holds
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(Path("pipe").read_text()))
    reader.start()
    while not got and reader.is_alive():
        try:
            write_text("pipe", text)
            break
        except InputError:  # the reader is not there yet
            continue
    reader.join(10)
    assert got == [text]
    assert stat.S_ISFIFO(os.stat("pipe").st_mode)


def test_a_device_is_no_file_to_replace() -> None:
    check_output(os.devnull, (), "-o")
    write_text(os.devnull, "text")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_what_is_read_is_not_written(wrong: Wrong) -> None:
    Path("pos.yaml").write_text("game: x\n")
    os.symlink("pos.yaml", "link")
    os.link("pos.yaml", "hard")
    Path("other").touch()
    for path in ("pos.yaml", "./pos.yaml", f"../{Path.cwd().name}/pos.yaml", "link", "hard"):
        for read in ("pos.yaml", "link", "hard"):
            (found,) = wrong(check_output, path, ["other", read], "--output")
            assert (found.code, found.file) == ("output-is-input", "--output")
    check_output("other", ["pos.yaml", "gone", STDIN_NAME], "--output")
    check_output("new", ["pos.yaml", "gone"], "--output")


def test_one_file_under_two_names_that_is_not_there_yet() -> None:
    os.symlink("new", "link")
    assert same_file("new", "./new")
    assert same_file("link", "new")
    assert not same_file("new", "other")
