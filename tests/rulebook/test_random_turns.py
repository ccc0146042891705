"""Random rulebooks about turns, rounds and phases of two to four sides, as an interpreter of the page plays them."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, note
from hypothesis import strategies as st

import vclogic
from tests.fixtures.pace import examples
from tests.rulebook.random_turns import Event, State, Turns
from vclogic.game import Game

MOST_EVENTS = 14


def loaded(book: Turns) -> Game:
    """The game of a rulebook; its text is told where a test fails."""
    note(book.text)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "rules.md"
        file.write_text(book.text, encoding="utf-8")
        return vclogic.load(str(file))


def told(book: Turns, game: Game) -> State:
    """A position as the interpreter has it, without what its rulebook does not have."""
    state: dict[str, Any] = game.state_dict()
    found: State = {k: state[k] for k in ("turn", "round", "over", "men")}
    found |= {"phase": state["phase"]} if book.kind == "phases" else {}
    found |= {"began": state["began_the_round"]} if book.begun else {}
    found |= {"thrown": state["thrown"]} if "die" in book.events else {}
    found |= {"owed": state["owed"]} if "strike" in book.events else {}
    return found | {"c": [state[f"c{i}"] for i in range(3)]}


def legal_in(game: Game) -> list[Event]:
    """The legal events."""
    return sorted(
        (name, tuple(sorted((k, str(v)) for k, v in given.items()))) for name, given in game.legal().events()
    )


def play(book: Turns) -> None:
    """Play at random, and compare at each step."""
    game, state = loaded(book), book.start()
    for _ in range(MOST_EVENTS):
        here = told(book, game)
        assert here == {k: state[k] for k in here}
        assert {(o.rule, o.side) for o in game.status().outcomes if o.status == "met"} == book.winners(state)
        legal = [(name, tuple(sorted(given))) for name, given in book.legal(state)]
        assert legal_in(game) == sorted(legal)
        if not legal:
            break
        event = book.random.choice(legal)
        state, game = book.after(state, event), game.apply(event[0], **dict(event[1]))


@examples(4000, usual=100)
@given(st.randoms(use_true_random=False).map(Turns))
def test_turns_are_those_of_the_interpreter(book: Turns) -> None:
    play(book)
