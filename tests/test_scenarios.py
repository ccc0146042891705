"""Scenario cards of our own making: each loads and is drawn, and its rulings hold on both sides of each edge."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import vclogic
from vclogic.query.test.rulings import test_all as try_files

FOLDER = Path(__file__).parents[1] / "examples" / "scenarios"
RULINGS = "_rulings"
CARDS = sorted(f for f in FOLDER.glob("*.yaml") if not f.stem.endswith(RULINGS))


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.stem)
def test_a_card_is_loaded_drawn_and_ruled_upon(card: Path) -> None:
    assert card.read_text(encoding="utf-8").startswith("# "), "what the card says stands above it"
    game = vclogic.load(str(card))
    outcomes = game.status().outcomes
    assert outcomes
    assert "<svg" in game.svg()
    rulings = card.with_stem(card.stem + RULINGS)
    tested = try_files([str(rulings)], cites=False)
    assert [c.name for c in tested.cases if c.status != "passed"] == []
    for name in {o.rule for o in outcomes}:
        edges = re.findall(rf"(not )?holds\({name},", rulings.read_text(encoding="utf-8"))
        assert {*edges} == {"", "not "}, f"{name} is ruled upon on both sides of its edge"


def test_every_file_of_rulings_is_on_a_card() -> None:
    ruled = {f.stem.removesuffix(RULINGS) for f in FOLDER.glob(f"*{RULINGS}.yaml")}
    assert ruled == {card.stem for card in CARDS}
