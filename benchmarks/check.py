"""The linter over every installed game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import vclogic
from benchmarks.runner import Answer, Comparison, within
from vclogic.files.registry import encoding_names
from vclogic.game import Game

AIM = "the five encodings checked completely in 60 s on two cores"
LIMIT = 60.0


def run() -> Iterator[Comparison]:
    """One comparison per game: without the Readings and with them."""
    for name in encoding_names():
        game = vclogic.load(name)
        calls = {
            "all codes but those of Readings": partial(_check, game, ("VC5",)),
            "all codes": partial(_check, game, ()),
        }
        yield Comparison(f"check {name}", within(LIMIT, calls))


def _check(game: Game, ignore: tuple[str, ...], limit: float) -> Answer:
    answer = game.check(ignore=ignore, timeout=limit)
    text = f"{len(answer.findings)} findings, {len(answer.unknown)} not decided"
    return Answer(text, finished=not answer.unknown)
