"""The report of `odds`: a table that a player reads at a glance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from rich.console import RenderableType

from tests.report.battles import battle
from vclogic.model.battles import BattleEnd, Conduct
from vclogic.report.text.odds import odds

Piped = Callable[[RenderableType], str]


def test_odds_read_like_this(piped: Piped) -> None:
    assert (
        piped(odds(battle(), svg="a.svg"))
        == """\
The odds of a battle on land in Hill
skirmish/spring

 Attack:  1 armour (Red)
Defence:  1 infantry

How it ends                       Chance
---------------------------------------------
the attacker takes the territory  50.0 %  1/2
nobody is left on either side     25.0 %  1/4
the defender holds                25.0 %  1/4

Losses to expect  Units  gold  By kind
--------------------------------------------
attacker           0.50  2.50  0.50 armour
defender           0.75  2.25  0.75 infantry

The likeliest endings
  50.0 %  1 armour of the attacker
  25.0 %  1 infantry of the defender
  25.0 %  nobody

Counted in exact fractions.
Bar chart: a.svg

Assumptions
  - each unit rolls one die

answered in 0.25 s
"""
    )


def test_floats_tell_their_error(piped: Piped) -> None:
    answer = battle(exact=False)
    assert "no chance is off by more than 1e-12 (--exact counts in fractions)" in piped(odds(answer))


def test_many_endings_are_summed_up(piped: Piped) -> None:
    endings = tuple(BattleEnd({}, {"infantry": n}, Fraction(1, 40)) for n in range(1, 41))
    answer = battle(endings=endings)
    text = piped(odds(answer))
    assert "  75.0 %  30 other endings" in text
    assert text.count("of the defender") == 10


def test_endings_of_which_none_is_likely_are_told_in_groups(piped: Piped) -> None:
    endings = tuple(BattleEnd({}, {"infantry": n}, Fraction(1, 60)) for n in range(1, 61))
    text = piped(odds(battle(endings=endings)))
    assert "Who is left\n  6.7 %  1 to 4 units of the defender\n  6.7 %  5 to 8 units" in text


@pytest.mark.parametrize(
    ("conduct", "said"),
    [
        (Conduct(attackers_fall=("fighter", "armour")), "the attacker loses first fighters, then armour"),
        (Conduct(keep_land_unit=False), "the attacker keeps no land unit to the last"),
        (Conduct(rounds=2), "the attacker retreats after round 2"),
        (
            Conduct(rounds=2, retreat_at=3),
            "the attacker retreats after round 2 or once it has 3 units or fewer",
        ),
    ],
)
def test_what_is_agreed_is_said(piped: Piped, conduct: Conduct, said: str) -> None:
    assert f"Agreed:  {said}" in piped(odds(replace(battle(), conduct=conduct)))


def test_both_sides_left_and_aircraft_without_land_units(piped: Piped) -> None:
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    ends = (
        BattleEnd({"fighter": 1}, {}, half),
        BattleEnd({"fighter": 1}, {"infantry": 1}, quarter),
        BattleEnd({}, {"infantry": 1}, quarter),
    )
    answer = battle(endings=ends, take=Fraction(0), clear=half, draw=Fraction(0))
    text = piped(odds(replace(answer, both=quarter)))
    assert "the defender is gone, but no land unit is left to take it  50.0 %  1/2" in text
    assert "the attacker takes the territory                              0 %\n" in text
    assert "  units of both sides are left" in text
    assert "25.0 %  1 fighter of the attacker and 1 infantry of the defender" in text


def test_no_time_is_said(piped: Piped) -> None:
    answer = replace(battle(), status="unknown", odds=None, hold=None, both=None, reason="the time is up")
    assert "unknown: the time is up" in piped(odds(answer))
