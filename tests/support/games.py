"""Games that tests share: what a rule set builds as it is asked, such as its events, is built once in a process."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import vclogic
from vclogic.game import Game

ROOT = Path(__file__).resolve().parents[2]


def loaded(name: str, **settings: int | str) -> Game:
    """A game, with settings of its options and readings; it never changes, so it is loaded once.

    Args:
        name: The game, one of its scenarios, or a file by its path from the root of the repository.
        settings: What is not as usual.
    """
    return _loaded(name, tuple(sorted(settings.items())))


@cache
def _loaded(name: str, settings: tuple[tuple[str, int | str], ...]) -> Game:
    return vclogic.load(str(ROOT / name) if name.endswith(".yaml") else name, settings=dict(settings))
