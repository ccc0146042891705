"""Commands, methods, requests, answers and codes are those that users know."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interface import TEXTS, differing, text


@pytest.mark.parametrize("file", TEXTS)
def test_it_is_as_users_know_it(file: str) -> None:
    differs = differing(file, text(file))
    assert not differs, f"on purpose? python -m tests.interface {Path(file).stem}\n{differs}"


def test_what_differs_is_told_from_where_it_does(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("same\n" + "x" * 1000 + " old\ngone\n")
    monkeypatch.setattr("tests.interface.FOLDER", tmp_path)
    told = differing("a.txt", "same\n" + "x" * 1000 + " new\n")
    assert told == f"- {'x' * 39} old\n+ {'x' * 39} new\n- gone"
    assert not differing("a.txt", (tmp_path / "a.txt").read_text())
