"""What is read as a file, and what is refused without a wait."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.fixtures.pace import HANGS
from vclogic.errors import Diagnostic
from vclogic.files import source
from vclogic.files.source import LIMIT, read_text

Wrong = Callable[..., tuple[Diagnostic, ...]]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_pipe_that_somebody_writes_to_is_read_to_its_end() -> None:
    read, write = os.pipe()
    text = "a: b\n" * 100_000  # more than a pipe holds at a time

    def feed() -> None:
        with open(write, "w") as stream:
            for i in range(0, len(text), 50_000):
                time.sleep(0.01)
                stream.write(text[i : i + 50_000])
                stream.flush()

    writer = threading.Thread(target=feed)
    writer.start()
    try:
        assert read_text(f"/dev/fd/{read}").text == text
    finally:
        writer.join(10)
        os.close(read)


def test_a_pipe_that_never_ends_is_not_waited_for(wrong: Wrong, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "PATIENCE", 0.2)
    read, write = os.pipe()
    try:
        for said in (b"", b"a: b\n"):
            os.write(write, said)
            (found,) = wrong(read_text, f"/dev/fd/{read}")
            assert found.code == "cannot-read"
            assert "not come to its end in 0.2 s" in found.message
            assert found.help == "`-` reads standard input, and waits for it"
    finally:
        os.close(read)
        os.close(write)


def test_a_pipe_with_too_much_in_it(wrong: Wrong) -> None:
    read, write = os.pipe()

    def feed() -> None:
        with open(write, "wb", buffering=0) as stream, suppress(BrokenPipeError):
            for _ in range(LIMIT // 1_000_000 + 2):
                stream.write(bytes(1_000_000))

    writer = threading.Thread(target=feed)
    writer.start()
    try:
        assert wrong(read_text, f"/dev/fd/{read}")[0].code == "too-big"
    finally:
        os.close(read)
        writer.join(10)


def test_what_is_no_file_is_not_waited_for(wrong: Wrong) -> None:
    os.mkfifo("pipe")
    os.symlink("pipe", "link")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        began = time.monotonic()
        for name in ("pipe", "link"):
            assert "it is a pipe" in wrong(read_text, name)[0].message
        for name in ("socket", "/dev/zero", "/dev/tty", os.devnull):
            if os.path.exists(name):
                assert "it is no file" in wrong(read_text, name)[0].message
        assert time.monotonic() - began < HANGS


def test_a_symbolic_link_is_followed_only_where_it_may_be(wrong: Wrong) -> None:
    Path("file").write_text("text")
    os.symlink("file", "link")
    os.symlink("gone", "dangling")
    assert read_text("link").text == "text"
    assert read_text("file", below="").text == "text"
    for name in ("link", "dangling"):
        (found,) = wrong(read_text, name, below="")
        assert "it is a symbolic link" in found.message


def test_below_a_folder_nothing_is_a_symbolic_link(wrong: Wrong) -> None:
    Path("here/maps/old").mkdir(parents=True)
    Path("here/maps/old/file").write_text("text")
    Path("out").mkdir()
    Path("out/file").write_text("secret")
    os.symlink("../../out", "here/maps/away")
    os.symlink("../out/file", "here/file")
    os.symlink("here", "there")
    assert read_text("here/maps/old/file", below="here").text == "text"
    assert read_text("there/maps/old/file", below="there").text == "text"  # the folder itself may be one
    assert "'away' is a symbolic link" in wrong(read_text, "here/maps/away/file", below="here")[0].message
    assert "it is a symbolic link" in wrong(read_text, "here/file", below="here")[0].message
    for name in ("here/maps/gone/file", "here/maps/old/file/file", "here/maps/old/gone"):
        assert wrong(read_text, name, below="here")[0].code == "no-such-file"
    assert wrong(read_text, "here/maps/old", below="here")[0].code == "is-a-directory"
