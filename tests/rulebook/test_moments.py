"""What is judged at the end of a turn still reads whose turn it was, in records and in plans."""

from __future__ import annotations

import pytest

import vclogic

RECORDS = {
    "napoleonics/erlenbach": [
        {"start_turn": {"side": "French"}},
        "end_turn",
        {"start_turn": {"side": "Allied"}},
        "end_turn",
    ],
    "okinawa/small": ["end_turn", "end_turn"],
    "moscow/small": ["end_turn", "end_turn"],
    "axis_allies": ["end_turn", "end_turn"],
}
TEXT = """
fact seen({0}): 0 to 9
  rises by 1 at the end of a turn if turn == {0}
fact counted: 0 to 9
  rises by 1 at the end of a turn
"""


@pytest.mark.parametrize("game", RECORDS)
def test_a_turn_that_ends_is_that_of_who_had_it(game: str) -> None:
    whose = "power" if game == "axis_allies" else "side"
    played = vclogic.load({"game": game, "outcomes": TEXT.format(whose), "record": RECORDS[game]})
    seen = played.state_dict()["seen"]
    assert sorted(seen.values())[-2:] == [1, 1]
    assert played.value("counted") == sum(seen.values()) == 2


def test_a_plan_reads_it_too() -> None:
    text = "fact seen(side): 0 to 9\n  rises by 1 at the end of a turn if turn == side and phase == combat"
    game = vclogic.load({"game": "napoleonics/erlenbach", "outcomes": text})
    assert game.plan("seen(French) >= 1", side="French", minimize="turns", timeout=300).cost == 1


@pytest.mark.parametrize("moment", ["at the start of a turn", "at the start of a turn of French", "at once"])
def test_a_plan_sees_how_a_turn_begins(moment: str) -> None:
    """Where a turn is a step, and nobody is on turn after it."""
    text = f"fact begun: 0 to 9\n  becomes 1 {moment} if turn == French"
    game = vclogic.load({"game": "napoleonics/erlenbach", "outcomes": text})
    plan = game.plan("begun == 1", side="French", minimize="turns", timeout=300)
    assert (plan.status, plan.cost) == ("optimal", 1)
