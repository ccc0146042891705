"""What was made of one game is handed another one: of another board, other options, other Readings, other rules."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

import pytest
import yaml

import vclogic
from tests.fixtures.games import loaded
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.model.actions import Event
from vclogic.query.answers import Step
from vclogic.query.planner.planner import Planner

OWN = "axis_allies"
POINTS = "vcp(Axis) >= 0"


def on_another_board() -> Game:
    """The same territories and owners, but one city is worth more: every fact has its place, and sums are others."""
    board = yaml.safe_load((files("vclogic_encodings.axis_allies") / "board.yaml").read_text())
    board["territories"]["Karelia S.S.R."]["city"]["rank"] = "major"
    return vclogic.load({"game": OWN, "board": board})


@cache
def planner() -> Planner:
    return loaded(OWN).planner("Axis")


OTHERS: Mapping[str, Callable[[], Game]] = {
    "another rule set": lambda: loaded("okinawa/small"),
    "another scenario": lambda: loaded("moscow/small"),
    "another Reading": lambda: loaded(OWN, allied_city_limit="everyone"),
    "another option": lambda: loaded(OWN, victory="minor"),
    "more facts": lambda: loaded(OWN, treasury="on"),
    "another board": cache(on_another_board),
}
TAKERS: Mapping[str, Callable[[Game, Any], Any]] = {
    "an expression": lambda own, other: own.compile("vcp(Axis)")(other),
    "expressions": lambda own, other: own.compile(["vcp(Axis)", "turn"])(other),
    "an array": lambda own, other: own.array([own, other]),
    "a planner": lambda own, other: planner().plan(POINTS, state=other),
    "a briefing": lambda own, other: planner().objectives(POINTS, state=other, budget_s=0.01),
}


@pytest.mark.parametrize("taker", TAKERS)
@pytest.mark.parametrize("other", OTHERS)
def test_another_game_is_refused_in_words(taker: str, other: str) -> None:
    with pytest.raises(InputError) as refused:
        TAKERS[taker](loaded(OWN), OTHERS[other]())
    (found,) = refused.value.diagnostics
    assert found.code == "other-rules"
    assert loaded(OWN).setup.game in found.message


@pytest.mark.parametrize("other", ["okinawa/small", "moscow/small"])
def test_a_plan_of_another_game_is_refused_in_words(other: str) -> None:
    own, stranger = loaded(OWN), loaded(other)
    step = Step(1, None, None, "move", {"unit": "1st"}, "a move", ())
    plan = replace(own.plan("vcp(Axis) >= 27", timeout=10), game=stranger.setup.game, steps=(step,))
    event = Event("no such", ())
    for asked in (
        lambda: own.survives(plan),
        lambda: own.svg(plan),
        lambda: own.board(plan),
        lambda: own.picture([step]),
        lambda: own.written([event]),
        lambda: own.changes_since(stranger),
    ):
        with pytest.raises(InputError):
            asked()


@pytest.mark.parametrize("taker", TAKERS)
def test_the_same_game_is_taken_wherever_it_was_loaded(taker: str) -> None:
    own = loaded(OWN)
    for same in (own.at_state({"round": 2}), vclogic.load(OWN), pickle.loads(pickle.dumps(own)), own.with_options()):
        TAKERS[taker](own, same)


@pytest.mark.parametrize("taker", TAKERS)
@pytest.mark.parametrize("state", [(), (1, 2), loaded("okinawa/small").state], ids=len)
def test_a_state_of_another_length_is_refused_in_words(taker: str, state: Any) -> None:
    with pytest.raises(InputError, match=r"has [\d,]+ numbers, not"):
        TAKERS[taker](loaded(OWN), state)


@pytest.mark.parametrize("taker", TAKERS)
@pytest.mark.parametrize("number", [-1, 10**9, 10**30, "1", None, 1.5])
def test_a_number_that_no_fact_has_is_refused_or_not_looked_at(taker: str, number: Any) -> None:
    own = loaded(OWN)
    said = ""
    try:
        TAKERS[taker](own, (number, *own.state[1:]))
    except InputError as error:
        said = str(error)
    assert str(number) in said or taker in ("an expression", "expressions", "an array")


@pytest.mark.parametrize("taker", TAKERS)
@pytest.mark.parametrize("given", [7, "Axis", ["Axis"], object(), 1.5, b"\0"])
def test_what_is_no_game_is_refused_in_words(taker: str, given: Any) -> None:
    with pytest.raises(InputError, match="expected a game"):
        TAKERS[taker](loaded(OWN), given)
