from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import RenderableType

from vclogic.errors import Diagnostic
from vclogic.report.text.errors import errors

Piped = Callable[[RenderableType], str]


def test_errors_read_like_this(piped: Piped, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.yaml").write_text("\ufeffgame: x\r\n\towner: {漢字: Rod}\r\n", encoding="utf-8")
    found = [
        Diagnostic("unknown-name", "unknown side 'Rod'", "a.yaml", 2, 14, "did you mean 'Red'?"),
        Diagnostic("type", "no number", "--goal", 2, 3),
        Diagnostic("no-such-file", "there is no file 'b'", "b"),
        Diagnostic("usage", "how?"),
    ]
    assert (
        piped(errors(found, {"--goal": "x <\n  y"}))
        == """\
error[unknown-name]: unknown side 'Rod'
  --> a.yaml:2:14
 2 |  owner: {漢字: Rod}
   |                ^
  help: did you mean 'Red'?

error[type]: no number
  --> --goal:2:3
 2 |   y
   |   ^

error[no-such-file]: there is no file 'b'
  --> b

error[usage]: how?
"""
    )


def test_of_a_long_line_the_place_is_shown(piped: Piped) -> None:
    text = "(" * 5000 + "HERE" + ")" * 5000
    lines = piped(errors([Diagnostic("syntax", "no", "--goal", 1, 5001)], {"--goal": text})).splitlines()
    assert len(lines) == 4
    assert lines[2][lines[3].index("^") :].startswith("HERE")
    assert lines[2].startswith(" 1 | ...(")
    assert lines[2].endswith(")...")


@pytest.mark.parametrize(("line", "column"), [(1, 4), (2, 1), (9, 1), (0, 1), (1, None), (None, None), (1, 50)])
def test_a_place_beyond_the_text_is_no_trouble(piped: Piped, line: int | None, column: int | None) -> None:
    shown = piped(errors([Diagnostic("end", "it ends", "--goal", line, column)], {"--goal": "abc"}))
    assert shown.startswith("error[end]: it ends\n  --> --goal")


def test_what_is_no_plain_small_file_is_not_read(piped: Piped, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b"a\n" * 600_000)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\n")
    for name in ("pipe", "large", "binary", "missing", "."):
        path = str(tmp_path / name)
        assert piped(errors([Diagnostic("x", "y", path, 1, 1)])).splitlines()[2:] == []
    assert "|" not in piped(errors([Diagnostic("x", "y", "<stdin>", 1, 1), Diagnostic("x", "y", "a\0b", 1, 1)]))


def test_control_characters_do_not_reach_the_terminal(piped: Piped) -> None:
    shown = piped(
        errors([Diagnostic("x", "bell \x07 \x1b[2J", "--goal", 1, 1, "\x9b")], {"--goal": "\x1b]0;title\x07"})
    )
    assert not {"\x07", "\x9b"} & set(shown)
