"""Mistakes in whole rulebooks as designers make them: each is told once, at its line, with what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import vclogic
from vclogic.errors import InputError

MISTAKES = yaml.load((Path(__file__).parent / "book_mistakes.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
WORDS = yaml.load((Path(__file__).parent / "word_mistakes.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
THREE = (
    "sides Ann, Bob, Cy\nturn is one event\nkind card: c1, c2\nfact score(side): 0 to 9\n"
    "fact hand(card): side or nobody\ngrid area\n  A B\n"
    "fact men(side, area): 0 to 5\nevent take by side card\n  then hand(card) becomes side\n"
    "event go by side area\n  then men(side, area) rises by 1\n"
)
HEAD = (
    "sides Reds, Blues\nturn is one event\ngrid area\n  A B\n  C D\n"
    "fact men(side, area): 0 to 2, starts 1\nfact owner(area): side or nobody\n"
)


@pytest.mark.parametrize("mistake", MISTAKES, ids=[m["text"] for m in MISTAKES])
def test_it_is_told_with_what_to_do(mistake: dict[str, Any], tmp_path: Path) -> None:
    assert told(f"```vclogic\n{HEAD}{mistake['text']}\n```\n", tmp_path) == mistake["told"]


@pytest.mark.parametrize("mistake", WORDS, ids=[m.get("three") or m["table"] for m in WORDS])
def test_a_word_taken_for_another_is_told_with_what_to_do(mistake: dict[str, Any], tmp_path: Path) -> None:
    above = (
        f"| unit | side | {mistake['table']} |\n| --- | --- | --- |\n| G | Ann | 2 |\n\n"
        if "table" in mistake
        else ""
    )
    rules = mistake.get("three", "kind unit, from the table")
    found = told(f"{above}```vclogic\n{THREE}{rules}\n```\n", tmp_path)
    assert found == mistake["told"]
    assert all("help" in wrong for wrong in found)


def told(text: str, folder: Path) -> list[dict[str, Any]]:
    """What is said of a rulebook."""
    file = folder / "rules.md"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        vclogic.load(str(file))
    return [
        {
            "at": [d.line, d.column],
            "message": d.message.replace(f"{folder}/", ""),
            **({"help": d.help} if d.help else {}),
        }
        for d in caught.value.diagnostics
    ]


# ---- what is written so is right


@pytest.mark.parametrize(
    "rules",
    [
        "after(Ann) means Bob\nexcept after(Bob) means Cy\nexcept after(Cy) means Ann\n"
        "Ann wins x at once if turn == after(Cy)",
        "leader means if(score(Ann) > score(Bob), Ann, Bob)\n"
        "side wins x at once if leader == side and score(side) > 5",
        "event z by side\n  then hand(c1) becomes if(hand(c2) == Ann, Bob, nobody)",
        "every event but take and go needs score(Ann) < 9",
        "every event but take, go needs score(turn) < 9",
        "Ann wins x at once if sum(sum(men(side, area) for area) for side) >= 9",
    ],
)
def test_what_is_to_be_written_is_read(rules: str, tmp_path: Path) -> None:
    file = tmp_path / "rules.md"
    file.write_text(f"```vclogic\n{THREE}{rules}\n```\n", encoding="utf-8")
    assert vclogic.load(str(file)).status()
