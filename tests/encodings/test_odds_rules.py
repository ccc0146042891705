"""How battles are fought in a game: who stands where, and the options that they depend on."""

from __future__ import annotations

from fractions import Fraction

import pytest

import vclogic
from vclogic.game import Game
from vclogic.model.battles import Battle, BattleRules, Conduct

MOSCOW = {"infantry": 3, "artillery": 1, "armour": 2, "fighter": 1, "aa_gun": 1}
AT_SEA = {"battleship": 1, "carrier": 1, "fighter": 2}


def battles(game: Game) -> BattleRules:
    found = game.setup.system.battles
    assert found is not None
    return found


def standing(game: Game, place: str, attacker: str) -> dict[str, int]:
    values = game.setup.system.layout.values(game.state)
    return dict(battles(game).standing(values, place, attacker))


@pytest.mark.parametrize("level", ["captures", "armies"])
def test_who_stands_where_at_the_start(level: str) -> None:
    game = vclogic.load("axis_allies", settings={"level": level})
    assert standing(game, "Russia", "Germans") == MOSCOW
    assert standing(game, "Russia", "British") == {}, "nobody attacks friends"
    assert standing(game, "37 Sea Zone", "British") == AT_SEA
    assert standing(game, "Kazakh S.S.R.", "Japanese") == {"infantry": 2}
    assert battles(game).at_sea("37 Sea Zone")
    assert not battles(game).at_sea("Russia")
    assert battles(game).value["bomber"] == 15


def test_who_was_beaten_does_not_stand_any_more() -> None:
    game = vclogic.load("axis_allies").at_state({"owner": {"Russia": "Germans"}})
    assert standing(game, "Russia", "Japanese") == {}
    assert standing(game, "Russia", "British") == {}, "what the winner left there is not known"


def test_artillery_helps_nobody_in_the_theatre_on_land() -> None:
    """Infantry and artillery, 1/6 and 1/3, against infantry: some hit 4/9; none, and the infantry falls, 5/27.

    Then artillery alone takes with 2/5. Nothing: 10/27, all else counts 27/17 times: (12 + 5 x 2/5) / 17.
    """
    battle = Battle({"infantry": 1, "artillery": 1}, {"infantry": 1})
    game = vclogic.load("axis_allies", settings={"level": "armies", "theatre": "land"})
    assert battles(game).odds(battle, Conduct(), True).take == Fraction(14, 17)
    full = vclogic.load("axis_allies", settings={"level": "armies"})
    assert battles(full).odds(battle, Conduct(), True).take == Fraction(83, 95)
    assert any("artillery helps nobody" in text for text in battles(game).assumptions)


@pytest.mark.parametrize(("option", "take"), [("removed", Fraction(3, 4)), ("fires", Fraction(19, 36))])
def test_whether_who_is_bombarded_fires(option: str, take: Fraction) -> None:
    game = vclogic.load("axis_allies", settings={"bombarded": option})
    battle = Battle({"infantry": 1}, {"infantry": 1}, {"battleship": 1}, landing=True)
    assert battles(game).odds(battle, Conduct(), True).take == take
