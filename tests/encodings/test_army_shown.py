"""How a turn with armies is shown while it goes on."""

from __future__ import annotations

from tests.fixtures.games import loaded


def test_units_that_have_entered_are_shown_against_those_there() -> None:
    """They have left where they came from, and the battle is yet to come."""
    game = loaded("axis_allies", level="armies").apply("end_turn")
    marched: dict[str, str | int] = {
        "power": "Germans",
        "unit": "infantry",
        "count": 3,
        "from": "Norway",
        "to": "Karelia S.S.R.",
    }
    after = game.apply("march", **marched)
    shown = {f"{r.name} {f.party} {f.words}" for r in after.picture().regions for f in r.forces}
    assert "Karelia S.S.R. Germans 3 infantry" in shown
    assert "Karelia S.S.R. Russians 3 infantry" in shown
    assert not any(words.startswith("Norway Germans 3") for words in shown)
    assert "3 infantry of the power on turn attack it" in str(after.status(position=True).position)
