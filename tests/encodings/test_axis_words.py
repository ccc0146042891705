"""Sentences of Axis & Allies: numbers and what they count agree."""

from __future__ import annotations

import pytest
from vclogic_encodings.axis_allies.wording import already_placed, for_price

from tests.fixtures.games import loaded
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.words import amount


def refused(game: Game, event: str, **arguments: str | int) -> str:
    """What an event that is not allowed is refused with."""
    with pytest.raises(InputError) as error:
        game.apply(event, **arguments)
    return error.value.diagnostics[0].message


def test_one_and_several() -> None:
    assert (amount(1, "turn"), amount(2, "turn"), amount(0, "turn")) == ("1 turn", "2 turns", "0 turns")
    assert (already_placed(1), already_placed(3)) == ("1 is placed already", "3 are placed already")
    assert (for_price(1), for_price(9), for_price(-35)) == (" for 1 IPC", " for 9 IPCs", " and receive 35 IPCs")


@pytest.mark.parametrize(
    ("unit", "count", "said"),
    [("fighter", 4, "4 fighters"), ("armour", 8, "8 armour"), ("aa_gun", 7, "7 aa_guns"), ("bomber", 3, "3 bombers")],
)
def test_units_that_are_worth_too_much(unit: str, count: int, said: str) -> None:
    told = refused(loaded("axis_allies"), "place", power="Russia", unit=unit, count=count, territory="Russia")
    assert f"(4 times its 8); this is {said}, worth " in told


def test_what_was_bought_and_placed() -> None:
    game = loaded("axis_allies", missing_purchases="refused")
    order: dict[str, str | int] = {"power": "Russia", "unit": "infantry", "territory": "Moscow"}
    assert "no infantry was bought this turn: 1 more cannot be placed" in refused(game, "place", **order)
    game = game.apply("purchase", power="Russia", unit="infantry")
    assert "1 infantry was bought this turn: 2 more cannot be placed" in refused(game, "place", count=2, **order)
    game = game.apply("place", **order)
    told = refused(game, "place", **order)
    assert "1 infantry was bought this turn; 1 is placed already: 1 more cannot be placed" in told


@pytest.mark.parametrize(
    ("sea_range", "said"),
    [
        (0, "or a sea zone that touches both"),
        (1, "a landing within 1 sea move "),
        (3, "a landing within 3 sea moves "),
    ],
)
def test_what_a_capture_needs(sea_range: int, said: str) -> None:
    game = loaded("axis_allies", sea_range=sea_range)
    assert any(said in a for a in game.plan("vcp(Axis) >= 27").assumptions)
