"""Mistakes in whole rulebooks as designers make them: each is told once, at its line, with what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import vclogic
from vclogic.errors import InputError

MISTAKES = yaml.load((Path(__file__).parent / "book_mistakes.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
HEAD = (
    "sides Reds, Blues\nturn is one event\ngrid area\n  A B\n  C D\n"
    "fact men(side, area): 0 to 2, starts 1\nfact owner(area): side or nobody\n"
)


@pytest.mark.parametrize("mistake", MISTAKES, ids=[m["text"] for m in MISTAKES])
def test_it_is_told_with_what_to_do(mistake: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "rules.md"
    file.write_text(f"```vclogic\n{HEAD}{mistake['text']}\n```\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        vclogic.load(str(file))
    told = [
        {
            "at": [d.line, d.column],
            "message": d.message.replace(f"{tmp_path}/", ""),
            **({"help": d.help} if d.help else {}),
        }
        for d in caught.value.diagnostics
    ]
    assert told == mistake["told"]
