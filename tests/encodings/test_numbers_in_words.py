"""Texts count in words that agree, `1 hex`, not `1 hexes`, and tell no argument that is nothing."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.pace import cases
from vclogic.game import Game

BOOKS = Path(__file__).parents[2] / "examples" / "rulebooks"
GAMES = ("axis_allies", "moscow/small", "napoleonics/erlenbach", "okinawa/small", "asl/22u3", "asl/1f3")
_SINGULAR = "is|has|was|as|its|moves|takes|enters|loss|pass|cross|axis|class|press|plus|less"
WRONG = re.compile(
    rf"(?<![\w.,/:-])1 (?!(?:{_SINGULAR})\b)[a-z]+s\b(?! side)"  # 1 hexes
    r"|(?<![\w.,/:-])1 (?:infantry|artillery|armour|cavalry|[a-z]+[^s\W]) are\b"  # 1 infantry are
    r"|\((?:none|yes|no)[,)]|, (?:none|yes)[,)]"
    r"|\d[eE]-\d"
)


def said(game: Game) -> Iterator[str]:
    """What is told of a moment: its standing, its events, and why others are refused."""
    status = game.status()
    yield from (*status.remarks, *status.assumptions, *(o.when for o in status.outcomes))
    for kind in game.legal(why_not=2).kinds:
        yield from (one.text for one in kind.allowed if one.text)
        yield from (lack.text for one in kind.refused for lack in one.lacks)


@pytest.mark.parametrize("start", cases([*GAMES, *map(str, sorted(BOOKS.glob("*.md")))], "okinawa/small", "asl/22u3"))
def test_what_is_told_in_play_counts_in_words_that_agree(start: str) -> None:
    rng, game = random.Random(7), Game.load(start)
    found: list[str] = []
    for _ in range(6):
        found += said(game)
        events = [
            (kind.event, {**one.args, **{n: rng.choice(ranges)[0] for n, ranges in one.numbers.items()}})
            for kind in game.legal().kinds
            for one in kind.allowed
        ]
        if not events:
            break
        name, args = rng.choice(events)
        later = game.apply(name, **args)
        found += later.changes_since(game)
        game = later
    assert len(found) > 5
    assert [text for text in dict.fromkeys(found) if WRONG.search(text)] == []
