"""Mistakes in texts of rules as people make them: each is told once, at its line of the file, with what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import vclogic
from vclogic.errors import InputError

MISTAKES = yaml.load((Path(__file__).parent / "mistakes.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)


@pytest.mark.parametrize("mistake", MISTAKES, ids=[m["text"].partition("\n")[0] for m in MISTAKES])
def test_it_is_told_with_what_to_do(mistake: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "rules.yaml"
    lines = "".join(f"  {line}\n" for line in mistake["text"].split("\n"))
    file.write_text(f"outcomes: |\n{lines}", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        vclogic.load(mistake["game"], beside=[str(file)])
    told = [
        {"at": [d.line, d.column], "message": d.message, **({"help": d.help} if d.help else {})}
        for d in caught.value.diagnostics
    ]
    assert told == mistake["told"]


def test_there_are_thirty() -> None:
    assert len(MISTAKES) >= 30


def test_all_mistakes_of_a_text_are_told_at_once() -> None:
    text = "Germans wins big at once if vcp(Axis) >= 40\nevery side wins x at once\npoints(sde) means 3\nfact vcp\n"
    text += "Axis wins y at the end of a turn if points(Axis) > 1"
    with pytest.raises(InputError) as caught:
        vclogic.load({"game": "axis_allies", "outcomes": text})
    assert [(d.line, d.column, d.message) for d in caught.value.diagnostics] == [
        (1, 1, "Germans is a power of the Axis side: sides win, not powers"),
        (2, 1, "there is no side 'every side'"),
        (3, 8, "there is no kind of thing 'sde'"),
        (4, 6, "'vcp' means something already: a value of the game, which goals may ask for"),
    ]
