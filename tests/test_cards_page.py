"""The page of scenario cards: each kind has a row, and each text is one whose rulings are run, on both sides."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.fixtures.pages import blocks
from tests.fixtures.setups import read, typed

RULEBOOK = Path(__file__).parent / "rulebook"
PAGE = (Path(__file__).parents[1] / "docs" / "cards.md").read_text(encoding="utf-8")
KINDS = {
    "a lead or a threshold",
    "a place that counts only with a supply line",
    "a ratio in each region and the number of regions decides",
    "a side without points",
    "a threshold that changes with the turn",
    "a tie above the threshold plays on",
    "all units of a side eliminated",
    "at once and at the end for one side",
    "capitals",
    "certain units only",
    "chosen in secret",
    "conditions on units",
    "deeds that are judged",
    "events of a card",
    "events that are refused",
    "for each part of the map",
    "holder by default",
    "just now",
    "income",
    "limit of turns or cards",
    "looked at on certain dates only",
    "losses of one side worth less",
    "majority at every moment",
    "margins, weighted points, draws",
    "Melee hexes",
    "more than two parties with goals of their own",
    "n of a group",
    "once per unit in the game",
    "other cities and values",
    "points at the end of each turn",
    "presence and absence together",
    "reduction",
    "required",
    "section cleared",
    "the opponent's points capped",
    "tokens gained once and kept",
    "two races with a draw when time runs out",
    "units that must have left by a turn",
    "won outright beside the score",
}
ROWS = re.findall(
    r"^\| \[(.+)\]\(#[^)]+\) \| .+ \| \[.+\]\(\.\./tests/rulebook/(\w+/\w+\.yaml)\): (.+) \|$", PAGE, re.MULTILINE
)
HEADINGS = {m[1]: m[2] for m in re.finditer(r"^### (.+)\n((?:(?!^##).*\n)*)", PAGE, re.MULTILINE)}


def _is_part(part: Any, whole: Any) -> bool:
    """Whether a document says what another one says, which may say more."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(k in whole and _is_part(v, whole[k]) for k, v in part.items())
    return bool(part == whole)


def _edges(file: Path, setup: str) -> set[str]:
    """On which sides of its edge a setup is ruled upon, by itself or by a setup that begins with it."""
    whole = read(file)
    after = {name for name, s in whole["setups"].items() if s.get("setup") == setup}
    ruled = [r for r in whole["rulings"] if r.get("setup") in {setup, *after}]
    return {side for r in ruled for side in re.findall(r"(not )?holds\(", str(r.get("expect", "")))}


def test_each_kind_has_a_row_and_a_heading() -> None:
    assert {kind for kind, _, _ in ROWS} == KINDS
    assert [*HEADINGS] == [*dict.fromkeys(f"{kind[0].upper()}{kind[1:]}" for kind, _, _ in ROWS)]


@pytest.mark.parametrize("heading", HEADINGS)
def test_what_is_to_be_typed_is_ruled_upon(heading: str) -> None:
    here = [(RULEBOOK / file, setup) for kind, file, setup in ROWS if kind.lower() == heading.lower()]
    positions = [typed(*place) for place in here]
    for place in here:
        assert _edges(*place) == {"", "not "}, place
    shown = blocks(HEADINGS[heading])
    texts = [b.text.split() for b in shown if b.language == "text"]
    assert texts == [p["outcomes"].split() for p in positions if "outcomes" in p], "word for word"
    for block in (b for b in shown if b.language == "yaml"):
        assert any(_is_part(yaml.safe_load(block.text), p) for p in positions), block.text
    assert shown


def test_the_card_that_is_shown_whole_is_ruled_upon() -> None:
    card = next(yaml.safe_load(b.text) for b in blocks(PAGE) if b.text.startswith("# "))
    assert card["outcomes"].split() in [typed(RULEBOOK / file, s).get("outcomes", "").split() for _, file, s in ROWS]
