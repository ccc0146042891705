"""Mistakes in a game's Python are told as such, with the line: none is called a bug of vclogic."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.toys.template_game import installed
from vclogic.cli.main import run

MISTAKES = yaml.load((Path(__file__).parent / "python_mistakes.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)


@pytest.mark.parametrize(("old", "new", "said", "at"), [m[1:] for m in MISTAKES], ids=[m[0] for m in MISTAKES])
def test_it_is_told_with_its_line(
    old: str,
    new: str,
    said: str,
    at: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with installed(tmp_path, monkeypatch) as folder:
        file = folder / "rules.py"
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1
        file.write_text(text.replace(old, new), encoding="utf-8")
        assert run(["check", folder.name, "--select", "VC701", "--format", "json"]) == 2
        answer = yaml.safe_load(capsys.readouterr().out)
        wrong = answer["errors"][0]
    assert "bug in vclogic" not in str(answer)
    assert said in wrong["message"]
    if at:
        assert wrong["file"] == str(file)
        assert at in file.read_text(encoding="utf-8").splitlines()[wrong["line"] - 1]
