"""Random rulebooks, played at random: what is legal, what follows, who wins, as a plain interpreter says."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import currently_in_test_context, given, note

import vclogic
from tests.fixtures.pace import examples
from tests.rulebook.making_rulebooks import rulebooks
from tests.rulebook.random_rulebooks import Event, Facts, Rulebook
from vclogic.encode.python.evaluator import interpret
from vclogic.game import Game

MOST_EVENTS = 6


def loaded(book: Rulebook) -> Game:
    """The game of a rulebook; its text is told where a test fails."""
    if currently_in_test_context():
        note(repr(book))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "rules.md"
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
    status, system = game.status(), game.setup.system
    told = {(o.rule, o.side) for o in status.outcomes if o.status == "met"}
    assert told == book.met(state)
    if system.stuck is not None:  # it is found without the rule, event by event
        assert status.stuck == bool(interpret(system.stuck().kept, system.layout.slot, game.state))
    legal = sorted(book.legal(state))
    assert legal_in(game) == legal
    return legal


def play(book: Rulebook, game: Game) -> None:
    """Play at random and compare at each step."""
    state = book.first()
    for _ in range(MOST_EVENTS):
        legal = compare(book, game, state)
        if not legal:
            break
        event = book.random.choice(legal)
        after = book.after(state, event)
        assert after is not None
        state, game = after, game.apply(event[0], **dict(event[1]))


@examples(100)
@given(rulebooks())
def test_they_are_played_as_the_interpreter_plays_them(book: Rulebook) -> None:
    play(book, loaded(book))
