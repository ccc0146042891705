"""Random rulebooks, played at random: what is legal, what follows, who wins, as a plain interpreter says."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import vclogic
from tests.fixtures.pace import seeds
from tests.rulebook.making_rulebooks import a_rulebook
from tests.rulebook.random_rulebooks import Event, Facts, Rulebook
from vclogic.game import Game

MOST_EVENTS = 6


def loaded(book: Rulebook, folder: Path) -> Game:
    """The game of a rulebook."""
    file = folder / "rules.md"
    file.write_text(book.text, encoding="utf-8")
    return vclogic.load(str(file), settings=book.chosen or None)


def facts_of(game: Game, like: Facts) -> Facts:
    """A position as the interpreter has it."""
    state, found = game.state_dict(), {}
    for name in like:
        here: Any = state
        for step in name if isinstance(name, tuple) else (name,):
            here = here.get(step, like[name]) if isinstance(here, dict) else here
        found[name] = like[name] if name == "met" else here
    return found


def legal_in(game: Game) -> list[Event]:
    """The legal events, as the interpreter has them."""
    return sorted((name, tuple(sorted(given.items()))) for name, given in game.legal().events())


def compare(book: Rulebook, game: Game, state: Facts) -> list[Event]:
    """Make sure that the game and the interpreter say the same of a position; what is legal in it."""
    assert facts_of(game, state) == state
    told = {(o.rule, o.side) for o in game.status().outcomes if o.status == "met"}
    assert told == book.met(state)
    legal = sorted(book.legal(state))
    assert legal_in(game) == legal
    return legal


def play(book: Rulebook, game: Game, random: Random) -> None:
    """Play at random and compare at each step."""
    state = book.first()
    for _ in range(MOST_EVENTS):
        legal = compare(book, game, state)
        if not legal:
            break
        event = random.choice(legal)
        after = book.after(state, event)
        assert after is not None
        state, game = after, game.apply(event[0], **dict(event[1]))


@pytest.mark.parametrize("seed", seeds((2, 19, 60, 98, 139), range(2000)))
def test_they_are_played_as_the_interpreter_plays_them(tmp_path: Path, seed: int) -> None:
    book = a_rulebook(seed)
    play(book, loaded(book, tmp_path), Random(seed))
