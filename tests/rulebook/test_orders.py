"""Published orders of play: findings, and what programs see of them; `test_said.py` tries their rulings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import vclogic
from tests.cli.conftest import Run, run  # noqa: F401
from tests.test_turns import compare

ORDERS = sorted((Path(__file__).parent / "orders").glob("*.md"))


@pytest.mark.parametrize("file", ORDERS, ids=lambda f: f.stem)
def test_check_finds_nothing_wrong(file: Path, run: Run) -> None:  # noqa: F811
    found = run("check", str(file), "--format", "json")
    told = json.loads(found.out)["findings"]
    assert [f["message"] for f in told if f["severity"] != "note" and not f["suppressed"]] == []


@pytest.mark.parametrize("file", ORDERS, ids=lambda f: f.stem)
def test_games_in_turns_are_the_same_as_many_games(file: Path) -> None:
    for seed in range(2):
        compare(vclogic.load(str(file)), 40, seed)
