"""What programs do with games and answers: send them, keep them by value, ask by the names that they know."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vclogic
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.turns import GameTurns

NIM = "examples/rulebooks/nim.md"


def test_many_games_can_be_sent_in_the_middle_of_play() -> None:
    games = vclogic.load(NIM).many(3)
    games.apply(np.array([0, 1, 2]))
    back = pickle.loads(pickle.dumps(games.take(np.array([2, 0]))))
    assert (back.states == games.states[[2, 0]]).all()
    assert back.events == games.events
    assert (back.legal == games.legal[[2, 0]]).all()
    back.restart(np.array([0]))
    assert tuple(back.states[0].tolist()) == vclogic.load(NIM).state
    few = pickle.loads(pickle.dumps(vclogic.load("axis_allies").many(kinds=["attack", "end_turn"])))
    assert {e.name for e in few.events} == {"attack", "end_turn"}
    turns = GameTurns(vclogic.load(NIM), longest=7)
    again = pickle.loads(pickle.dumps(turns))
    assert (again.start, again.events, again.longest) == (turns.start, turns.events, 7)


ANSWERS: dict[str, Callable[[Game], Any]] = {
    "plan": lambda game: game.plan("holds(last, First)", side="First"),
    "status": lambda game: game.status(),
    "legal": lambda game: game.legal(why_not=2),
    "reach": lambda game: game.reach("holds(last, First)"),
    "solve": lambda game: game.solve(),
    "force": lambda game: game.force("holds(last, First)"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_are_hashed_by_what_they_hold(name: str) -> None:
    game = vclogic.load(NIM)
    one = ANSWERS[name](game)
    same = pickle.loads(pickle.dumps(one))
    other = ANSWERS[name](game.apply("take", number=1, heap="left"))
    assert hash(one) == hash(same)
    if name == "solve":
        return  # tables hold arrays, which are not compared
    assert one == same
    assert name == "status" or hash(one) != hash(other)
    assert {one: 1}[same] == 1
    steps = getattr(one, "steps", ())
    assert len({*steps}) == len(steps)


def test_legal_takes_the_names_of_places_that_values_take() -> None:
    game = vclogic.load("axis_allies")
    for alias, name in (("Karelia", "Karelia S.S.R."), ("Moscow", "Russia"), ("Berlin", "Germany")):
        assert game.value(f"owner({alias})") == game.value(f"owner({name})")
        assert game.legal(place=alias) == game.legal(place=name)
        assert game.place(alias) == game.place(name)
    whole, short = (
        game.legal(place=p, target=t) for p, t in (("Ukraine S.S.R.", "Karelia S.S.R."), ("Ukraine", "Karelia"))
    )
    assert whole == short
    with pytest.raises(InputError, match="there is no place 'Karelien' on this board"):
        game.legal(place="Karelien")
    with pytest.raises(InputError, match="there is no place 'Nowhere'"):
        game.legal(place="Karelia", target="Nowhere")


def test_too_many_events_are_told_with_what_to_leave_out() -> None:
    game = vclogic.load("axis_allies")
    with pytest.raises(InputError, match="name the `kinds` of events that may happen") as found:
        game.many()
    help = found.value.diagnostics[0].help or ""
    assert help.startswith("these are few enough together: attack")
    game.many(kinds=help.partition(": ")[2].split(", "))
    with pytest.raises(InputError, match=r"leave out 'place', of which there are 3,776,220"):
        game.many(kinds=["place", "attack"])
