"""What is told of a state and a record whose board is faulty: their own faults, and none that the board's cause."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from vclogic.errors import InputError
from vclogic.game import Game

GAMES = Path(__file__).parents[2] / "encodings" / "vclogic_encodings"
BOARDS = {"napoleonics": "erlenbach", "moscow": "small", "okinawa": "small", "asl": "22u3"}
UNITS = {"napoleonics": "Hussars", "moscow": "20th Army", "okinawa": "Raiders", "asl": "4-4-7"}
WRONG = {"state": {"nonsense": 1, "at": {"Nobody Whatsoever": "off"}}, "record": [{"nonsuch": {}}]}


def board_of(game: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((GAMES / game / f"{BOARDS[game]}.yaml").read_text())
    return found


def messages(content: dict[str, Any]) -> list[str]:
    try:
        Game.load(content)
    except InputError as error:
        return [d.message for d in error.diagnostics]
    return []


def unit_of(board: dict[str, Any], name: str) -> dict[str, Any]:
    units = board["units"]
    found: dict[str, Any] = next((side[name] for side in units.values() if name in side), units.get(name))
    return found


@pytest.mark.parametrize("game", BOARDS)
def test_a_unit_in_the_wrong_place_hides_no_other_fault(game: str) -> None:
    board, name = board_of(game), UNITS[game]
    unit_of(board, name)["at"] = "99,99"
    own = messages({"game": game, "board": board})
    assert len(own) == 1
    told = messages({"game": game, "board": board, **WRONG})
    assert told[0] == own[0]
    rest = told[1:]
    assert [next(w for w in ("nonsense", "Nobody Whatsoever", "nonsuch") if w in m) for m in rest] == [
        "nonsense",
        "Nobody Whatsoever",
        "nonsuch",
    ]
    sound = {"state": {"at": {name: "off"}}, "record": []}
    assert messages({"game": game, "board": board, **sound}) == own


@pytest.mark.parametrize("game", BOARDS)
@given(seed=st.integers(0, 10**6))
@examples(12)
def test_names_of_what_is_faulty_are_no_faults(game: str, seed: int) -> None:
    """A unit whose entry is spoilt in any way is one of the board: that the state names it is not told."""
    random, board, name = Random(seed), board_of(game), UNITS[game]
    before = deepcopy(board)
    unit = unit_of(board, name)
    key = random.choice([*unit, "other"])
    unit[key] = random.choice(["Xx", [], {}, "99,99", -5])
    own = messages({"game": game, "board": board})
    assert board != before
    assert not [m for m in messages({"game": game, "board": board, "state": {"at": {name: "off"}}}) if m not in own]
