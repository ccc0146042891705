"""Twenty rulebooks from published rules: nothing false is told of them, and mistakes planted in them are told."""

from __future__ import annotations

from pathlib import Path

import pytest

import vclogic
from tests.check.planting import SOUND, Planted, drawn
from vclogic.errors import InputError
from vclogic.files.rulings.case_files import load_cases
from vclogic.query.test.rulings import try_case

BOOKS = sorted(path.stem for path in SOUND.glob("*.md"))
SMALL = ["dollar_auction", "gale", "kayles"]
TRUE = {"dollar_auction": {("VC201", "level[nobody]")}}
"""Findings that are so: the difference of two bids is never the prize."""
DECIDING = ["VC502"]


def told(file: Path) -> set[tuple[str, str]]:
    found = vclogic.load(str(file)).check(ignore=DECIDING, timeout=300).findings
    return {(f.code, f.rule) for f in found if f.suppressed is None}


@pytest.mark.parametrize("book", SMALL)
def test_nothing_false_is_told_of_a_small_sound_rulebook(book: str) -> None:
    assert told(SOUND / f"{book}.md") == TRUE.get(book, set())


@pytest.mark.slow
@pytest.mark.parametrize("book", [b for b in BOOKS if b not in SMALL])
def test_nothing_false_is_told_of_a_sound_rulebook(book: str) -> None:
    assert told(SOUND / f"{book}.md") == TRUE.get(book, set())


@pytest.mark.parametrize("book", BOOKS)
def test_its_rulings_hold(book: str) -> None:
    assert [c.name for c in load_cases(str(SOUND / f"{book}.md")) if try_case(c).status != "passed"] == []


def noticed(planted: Planted, folder: Path) -> tuple[bool, bool]:
    """Whether check tells of a mistake, and whether a ruling does."""
    file = folder / f"{planted.book}.md"
    file.write_text(planted.text, encoding="utf-8")
    try:
        found = bool(told(file) - TRUE.get(planted.book, set()))
        return found, any(try_case(c).status != "passed" for c in load_cases(str(file)))
    except InputError:
        return True, True


@pytest.mark.slow
@pytest.mark.parametrize("seed", [56, 57])
def test_most_planted_mistakes_are_told(seed: int, tmp_path: Path) -> None:
    tried = {planted: noticed(planted, tmp_path) for planted in drawn(30, seed)}
    missed = [p for p, (alone, _) in tried.items() if not alone]
    assert len(missed) <= 12, missed
    unheard = [p for p, both in tried.items() if not any(both)]
    assert len(unheard) <= 3, unheard
