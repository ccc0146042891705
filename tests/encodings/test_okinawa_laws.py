"""Okinawa: facts that contradict each other are refused."""

from __future__ import annotations

from typing import Any

import pytest

from vclogic.errors import InputError
from vclogic.game import Game

EXIT = {"Raiders": "exited"}
PAST = {"retreated": "4th Marines", "retreated_for": 2, "retreats": 2}


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ({"removals": 9, "at": EXIT}, "at most 3 US units"),
        ({"removals": 3, "at": {**EXIT, "1st Marines": "removed"}}, "at most 3 US units"),
        ({"removals": 2, "at": EXIT, "over": True}, "once the scenario has ended"),
        ({"removals": 3, "at": EXIT, "turn": "US"}, "within the player-turn of Japan"),
        ({**PAST, "removals": 3, "at": EXIT}, "no retreat was the last event"),
        ({**PAST, "over": True}, "no retreat was the last event"),
    ],
)
def test_facts_that_contradict_each_other_are_refused(state: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Game.load({"game": "okinawa/small", "state": {"turn": "Japan", **state}})
    assert Game.load({"game": "okinawa/small", "state": {"turn": "Japan", "removals": 3, "at": EXIT}})
