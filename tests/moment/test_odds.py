"""`Game.odds`: from which moment, who stands where, and what is certain."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

import vclogic
from tests.fixtures.games import loaded
from vclogic import watchdog
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.model.battles import Battle, BattleRules, Chance, Conduct, Odds
from vclogic.query.odds.question import BattleOdds

GAME = "axis_allies"


def messages(game: Game, attack: dict[str, int], **asked: str) -> list[str]:
    with pytest.raises(InputError) as refused:
        game.odds(attack, **asked)  # type: ignore[arg-type]
    return [d.message for d in refused.value.diagnostics]


def test_a_text_and_a_mapping_ask_the_same() -> None:
    game = loaded(GAME)
    by_text = game.odds("2 tanks, 1 fighter", "infantry: 2", exact=True)
    by_number = game.odds({"fighter": 1, "armour": 2}, {"infantry": 2}, exact=True)
    assert by_text.odds == by_number.odds
    assert list(by_number.attackers) == ["armour", "fighter"]


def test_fractions_and_floats_agree_within_the_error() -> None:
    asked = ("3 infantry, artillery: 1, armour: 1, bomber: 1", "infantry: 3, aa_gun: 1, fighter: 1")
    exact, near = loaded(GAME).odds(*asked, exact=True).odds, loaded(GAME).odds(*asked).odds
    assert exact is not None
    assert near is not None
    pairs = [(exact.take, near.take), (exact.clear, near.clear), (exact.attacker.value, near.attacker.value)]
    assert [abs(float(x) - float(y)) <= near.error for x, y in pairs] == [True] * 3
    assert sum(e.chance for e in exact.endings) == 1


def test_the_chances_make_a_whole() -> None:
    found = loaded(GAME).odds("infantry: 2, fighter: 2", "infantry: 3", exact=True, rounds=2)
    assert found.odds is not None
    assert found.odds.clear + (found.hold or 0) == 1
    both = sum(e.chance for e in found.odds.endings if e.attackers and e.defenders)
    assert found.both == both > 0


def test_who_stands_there_is_that_of_the_moment() -> None:
    start = loaded(GAME)
    assert start.odds("armour: 1", at="Kiev").defenders == {"infantry": 3, "artillery": 1, "armour": 1, "fighter": 1}
    taken = start.apply("capture", power="Russians", territory="Kiev")
    assert taken.odds("armour: 1", at="Kiev").defenders == {}
    armies = loaded(GAME, level="armies")
    assert armies.odds("armour: 1", at="Kiev").defenders == start.odds("armour: 1", at="Kiev").defenders
    fewer = armies.at_state({"units": {"Kiev": {"Germans": {"infantry": 1, "aa_gun": 1}}}})
    assert fewer.odds("armour: 1", at="Kiev").defenders == {"infantry": 1, "aa_gun": 1}


def test_who_attacks_is_found_or_named() -> None:
    game = loaded(GAME)
    assert game.odds("armour: 1", at="Kiev").attacker == "Russians"
    assert game.odds("armour: 1", at="Kiev", side="british").attacker == "British"
    assert game.odds("armour: 1", at="Kiev", side="UK").attacker == "British"
    assert game.odds("armour: 1", at="Belgian Congo").defenders == {}
    assert messages(game, {"armour": 1}, at="Kiev", side="Germany") == [
        "nobody stands against the Germans in Ukraine S.S.R."
    ]


def test_units_of_both_sides_in_a_zone_need_a_side() -> None:
    armies = loaded(GAME, level="armies")
    zone = "7 Sea Zone"
    both = armies.at_state({"units": {zone: {"Germans": {"submarine": 1}, "British": {"transport": 1}}}})
    assert messages(both, {"fighter": 1}, at=zone) == [f"units of more than one side are in {zone}"]
    assert both.odds("fighter: 1", at=zone, side="Axis").defenders == {"transport": 1}
    assert both.odds("fighter: 1", at=zone, side="Allies").defenders == {"submarine": 1}


def test_settings_count() -> None:
    asked = {"attack": "infantry: 1", "defend": "infantry: 1", "guns": "battleship: 1", "exact": True}
    usual = loaded(GAME).odds(**asked)  # type: ignore[arg-type]
    fires = loaded(GAME, bombarded="fires").odds(**asked)  # type: ignore[arg-type]
    assert usual.odds is not None
    assert fires.odds is not None
    assert (usual.odds.take, fires.odds.take) == (Fraction(3, 4), Fraction(19, 36))
    assert "option bombarded=fires" in fires.assumptions
    assert not any("readings" in line for line in usual.assumptions)


def test_orders_of_losses_and_the_kept_unit() -> None:
    game = loaded(GAME)
    usual = game.odds("infantry: 1, fighter: 1", "infantry: 1", exact=True)
    freely = game.odds("infantry: 1, fighter: 1", "infantry: 1", exact=True, keep=False)
    early = game.odds("infantry: 1, fighter: 1", "infantry: 1", exact=True, keep=False, attackers_fall=["fighters"])
    assert freely.odds is not None
    assert freely.odds.take == Fraction(7, 13)
    assert usual.odds is not None
    assert early.odds is not None
    assert usual.odds.take == early.odds.take > freely.odds.take


def test_a_board_without_units_has_no_odds() -> None:
    for game in ("moscow", "okinawa"):
        assert messages(vclogic.load(game), {"armour": 1}, defend="infantry: 1") == [
            f"no dice decide battles in {game}: it has no odds"
        ]


# ---- floats that round to 0 or 1


def certain(take: Chance, clear: Chance, exact: tuple[Chance, Chance]) -> BattleOdds:
    """The answer where the game counts some chances in floats, and others in fractions."""
    game = vclogic.load(GAME)
    rules = game.setup.system.battles
    assert rules is not None

    def counted(battle: Battle, conduct: Conduct, fractions: bool) -> Odds:
        chances = exact if fractions else (take, clear)
        found = rules.odds(battle, conduct, fractions)
        return replace(found, take=chances[0], clear=chances[1], error=0.0 if fractions else 1e-9)

    setup = replace(game.setup, system=replace(game.setup.system, battles=replace(rules, odds=counted)))
    return _answer(game, setup.system.battles)


def _answer(game: Game, rules: BattleRules | None) -> BattleOdds:
    from vclogic.query.odds.question import OddsQuestion
    from vclogic.query.question import Request

    system = replace(game.setup.system, battles=rules)
    asked = OddsQuestion("armour: 1", "infantry: 1")
    return asked.answer(Request(replace(game.setup, system=system), game.state, asked))


def test_a_float_that_rounds_to_one_is_not_certain() -> None:
    nearly = certain(1.0, 1.0, (Fraction(999, 1000), Fraction(999, 1000)))
    assert nearly.odds is not None
    assert 0.999 < nearly.odds.take < 1
    assert nearly.hold is not None
    assert nearly.hold > 0
    sure = certain(1.0 - 1e-12, 1.0, (Fraction(1), Fraction(1)))
    assert sure.odds is not None
    assert (sure.odds.take, sure.odds.clear, sure.hold) == (1.0, 1.0, 0.0)


def test_a_float_that_rounds_to_nought_is_not_impossible() -> None:
    hardly = certain(0.0, 0.0, (Fraction(1, 10), Fraction(1, 10)))
    assert hardly.odds is not None
    assert hardly.hold is not None
    assert 0 < hardly.odds.take < 1e-300
    assert 0.999 < hardly.hold < 1
    never = certain(1e-12, 0.5, (Fraction(0), Fraction(1, 2)))
    assert never.odds is not None
    assert never.odds.take == 0.0


def test_a_count_may_take_longer_than_calls_of_a_game_usually_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps the time limit of the question instead."""
    monkeypatch.setattr(watchdog, "PATIENCE", 0.2)
    game = vclogic.load(GAME)
    rules = game.setup.system.battles
    assert rules is not None

    def slowly(battle: Battle, conduct: Conduct, fractions: bool) -> Odds:
        exec(_WAIT, {"__name__": "somebodys_game"})
        return rules.odds(battle, conduct, fractions)

    with watchdog.endless_calls_ended():
        assert _answer(game, replace(rules, odds=slowly)).status == "computed"


_WAIT = "import time\nend = time.monotonic() + 0.8\nwhile time.monotonic() < end: pass"
