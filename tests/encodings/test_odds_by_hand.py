"""Battles small enough to be worked out by hand. A chance to hit is the unit's strength in sixths."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import pytest
from vclogic_encodings.axis_allies.odds.chances import Chances
from vclogic_encodings.axis_allies.odds.one_battle import odds
from vclogic_encodings.axis_allies.odds.sides import Bombarded, CombatRules

from tests.encodings.test_odds_oracle import board
from tests.toys.army_boards import TYPES
from vclogic.model.battles import Battle, Conduct

BOARD = board(TYPES)
USUAL = Conduct()
F = Fraction


class Known(NamedTuple):
    """A battle with its chances to take, to clear and of a draw."""

    name: str
    battle: Battle
    take: Fraction
    clear: Fraction
    draw: Fraction
    conduct: Conduct = USUAL
    bombarded: Bombarded = "removed"


def land(attackers: dict[str, int], defenders: dict[str, int], guns: dict[str, int] | None = None) -> Battle:
    return Battle(attackers, defenders, guns or {}, landing=bool(guns))


def sea(attackers: dict[str, int], defenders: dict[str, int]) -> Battle:
    return Battle(attackers, defenders, at_sea=True)


ONE = {"infantry": 1}
KNOWN = (
    # Hits with 1/2, is hit with 1/3. Nothing happens: 1/2 x 2/3 = 1/3, so all else counts 3/2 times.
    # Takes: 1/2 x 2/3 x 3/2. Nobody is left: 1/2 x 1/3 x 3/2.
    Known("armour against infantry", land({"armour": 1}, ONE), F(1, 2), F(3, 4), F(1, 4)),
    # Nothing: 5/6 x 2/3 = 5/9, all else counts 9/4 times. Takes: 1/6 x 2/3 x 9/4. Draw: 1/6 x 1/3 x 9/4.
    Known("infantry against infantry", land(ONE, ONE), F(1, 4), F(3, 8), F(1, 8)),
    # Some hit: 11/36. None, and one is lost: 25/36 x 1/3 = 25/108; then 1/4 as above, and 1/8 for a draw.
    # Nothing: 50/108, all else counts 108/58 times. Takes: (33 + 25/4) / 58. Clears: (33 + 25 x 3/8) / 58.
    Known("two infantry", land({"infantry": 2}, ONE), F(157, 232), F(339, 464), F(25, 464)),
    # Both hit with 1/3: some hit: 5/9. None, and the infantry falls: 4/9 x 1/3 = 4/27; then artillery alone, 1/3
    # against 1/3: nothing 4/9, takes 1/3 x 2/3 x 9/5 = 2/5, draw 1/5. Nothing: 8/27, all else counts 27/19 times.
    # Takes: (15 + 4 x 2/5) / 19. Draw: 4/5 / 19.
    Known("artillery helps infantry", land({"infantry": 1, "artillery": 1}, ONE), F(83, 95), F(87, 95), F(4, 95)),
    # Some hit: 1 - 5/6 x 1/2 = 7/12 = 21/36. None, and the fighter falls: 5/12 x 1/3 = 5/36; then 1/4, draw 1/8.
    # Nothing: 10/36, all else counts 36/26 times. Takes: (21 + 5/4) / 26. Draw: 5/8 / 26.
    Known(
        "infantry kept beside a fighter", land({"infantry": 1, "fighter": 1}, ONE), F(89, 104), F(183, 208), F(5, 208)
    ),
    # The infantry falls first: only rounds with a hit and no loss take: 21/36 x 2/3 x 36/26 = 14/26. A fighter alone
    # clears with 3/4, nobody is left with 1/4: clears (21 + 5 x 3/4) / 26, draw 5/4 / 26.
    Known(
        "infantry lost before a fighter",
        land({"infantry": 1, "fighter": 1}, ONE),
        F(7, 13),
        F(99, 104),
        F(5, 104),
        Conduct(keep_land_unit=False),
    ),
    # Aircraft cannot hold a territory. 1/2 against 1/3, as for armour.
    Known("a fighter alone", land({"fighter": 1}, ONE), F(0), F(3, 4), F(1, 4)),
    # Shot down with 1/6: then armour alone, 1/2, draw 1/4. Else some hit: 3/4; none, and the fighter falls:
    # 1/4 x 1/3 = 1/12; nothing 1/6, all else counts 6/5 times: takes (3/4 + 1/24) x 6/5 = 19/20, draw 1/48 x 6/5.
    # Together: 1/12 + 19/24; draw 1/24 + 5/6 x 1/40.
    Known(
        "antiaircraft fire",
        land({"armour": 1, "fighter": 1}, {"infantry": 1, "aa_gun": 1}),
        F(7, 8),
        F(15, 16),
        F(1, 16),
    ),
    # The gun hits with 4/6, and infantry walks in; else 1/4, draw 1/8.
    Known("bombardment", land(ONE, ONE, {"battleship": 1}), F(3, 4), F(19, 24), F(1, 24)),
    # In the first round the defender is hit with 1 - 1/3 x 5/6 = 13/18 and hits with 1/3 all the same: taken with
    # 13/18 x 2/3 = 26/54, draw 13/54. Nothing: 5/18 x 2/3 = 10/54, then 1/4, draw 1/8.
    Known(
        "who is bombarded fires",
        land(ONE, ONE, {"battleship": 1}),
        F(19, 36),
        F(19, 36) + F(13, 54) + F(10, 54) / 8,
        F(13, 54) + F(10, 54) / 8,
        bombarded="fires",
    ),
    # The submarine fires first: 1/3, and the transport is gone. Else it is hit with 1/6: nothing 2/3 x 5/6 = 5/9,
    # all else counts 9/4 times.
    Known("a submarine fires first", sea({"submarine": 1}, {"transport": 1}), F(3, 4), F(3, 4), F(0)),
    # Both fire first, at once: nothing 4/9, takes 1/3 x 2/3 x 9/5, draw 1/9 x 9/5.
    Known("submarines", sea({"submarine": 1}, {"submarine": 1}), F(2, 5), F(3, 5), F(1, 5)),
    # No surprise against a destroyer: 1/3 against 1/2. Nothing 1/3: takes 1/3 x 1/2 x 3/2, draw 1/6 x 3/2.
    Known("a destroyer", sea({"submarine": 1}, {"destroyer": 1}), F(1, 4), F(1, 2), F(1, 4)),
    # Surprise against a carrier: hit with 1/3; else hit back with 1/2: nothing 1/3. AlliesCalc: against a cruiser.
    Known("a carrier", sea({"submarine": 1}, {"carrier": 1}), F(1, 2), F(1, 2), F(0)),
    # Submarines cannot hit aircraft, so one side wins sooner or later.
    Known("a fighter against a submarine", sea({"fighter": 1}, {"submarine": 1}), F(1), F(1), F(0)),
    Known("a submarine against a fighter", sea({"submarine": 1}, {"fighter": 1}), F(0), F(0), F(0)),
    # 2/3 against 2/3: nothing 1/9, so a hit alone or both with 2/8 and 4/8. First the battleship has to be damaged
    # without a loss, 1/4; then taken with 1/4, draw 1/2. As in the tests of AlliesCalc.
    Known("two hits", sea({"bomber": 1}, {"battleship": 1}), F(1, 16), F(3, 16), F(1, 8)),
    # By the tests of AlliesCalc, whose armour, bombers and fighters have the strengths of 2004 too. Who falls first:
    # the bomber of the attacker, whose armour is kept; the armour of the defender.
    Known(
        "published",
        land({"armour": 1, "bomber": 1}, {"armour": 1, "fighter": 1}),
        F(2351, 6545),
        1 - F(2726, 6545),
        F(1468, 6545),
    ),
    # One round: 1/2 x 2/3, draw 1/2 x 1/3; then the attacker retreats.
    Known("one round", land({"armour": 1}, ONE), F(1, 3), F(1, 2), F(1, 6), Conduct(rounds=1)),
    # Two infantry as above, but one alone retreats: 33/58.
    Known("retreat with one", land({"infantry": 2}, ONE), F(33, 58), F(33, 58), F(0), Conduct(retreat_at=1)),
    # After a round without a hit (15/36) the infantry fights on alone, whether the fighter fell (5/36) or retreats
    # (10/36): 1/4. Nobody is left with 1/8, if the fighter fell.
    Known(
        "aircraft retreat from a landing",
        Battle({"infantry": 1, "fighter": 1}, ONE, landing=True),
        F(21, 36) + F(15, 36) / 4,
        F(21, 36) + F(15, 36) * F(3, 8),
        F(5, 36) / 8,
        Conduct(rounds=1),
    ),
    # Without a defender nothing is rolled for; antiaircraft guns shoot at the fighter, and infantry walks in.
    Known("nobody defends", land(ONE, {}), F(1), F(1), F(0)),
    Known("guns alone", land({"infantry": 1, "fighter": 1}, {"aa_gun": 1}), F(1), F(1), F(0)),
)


@pytest.mark.parametrize("known", KNOWN, ids=[k.name for k in KNOWN])
def test_by_hand(known: Known) -> None:
    rules = CombatRules(BOARD, bombarded=known.bombarded)
    found = odds(rules, known.battle, known.conduct, exact=True)
    assert (found.take, found.clear, found.draw) == (known.take, known.clear, known.draw)
    assert sum(e.chance for e in found.endings) == 1
    near = odds(rules, known.battle, known.conduct)
    assert (near.take, near.clear, near.draw) == pytest.approx((known.take, known.clear, known.draw), abs=near.error)
    assert {near.take, near.clear, near.draw} & {0.0, 1.0} == {known.take, known.clear, known.draw} & {F(0), F(1)}
    battle = known.battle
    if known.conduct == USUAL:
        chances = Chances(BOARD, battle.defenders, battle.at_sea, bombarded=known.bombarded)
        assert chances.exact(battle.attackers, battle.guns)[0] == known.take
        assert chances.take(battle.attackers, battle.guns) == pytest.approx(known.take, abs=chances.error)


def test_losses_by_hand() -> None:
    """Armour against infantry: the attacker falls with 1/4 + 1/4, the defender with 3/4."""
    found = odds(CombatRules(BOARD), land({"armour": 1}, ONE), USUAL, exact=True)
    assert (found.attacker.units, found.attacker.value, found.attacker.kinds) == (
        F(1, 2),
        F(5, 2),
        {"armour": F(1, 2)},
    )
    assert (found.defender.units, found.defender.value) == (F(3, 4), F(9, 4))
    endings = {(tuple(e.attackers.items()), tuple(e.defenders.items())): e.chance for e in found.endings}
    ours, theirs = (("armour", 1),), (("infantry", 1),)
    assert endings == {(ours, ()): F(1, 2), ((), theirs): F(1, 4), ((), ()): F(1, 4)}


def test_antiaircraft_guns_alone() -> None:
    """A fighter of 10 IPCs is shot down with 1/6; the guns do not fall."""
    found = odds(CombatRules(BOARD), land({"infantry": 1, "fighter": 1}, {"aa_gun": 2}), USUAL, exact=True)
    assert (found.attacker.units, found.attacker.value) == (F(1, 6), F(10, 6))
    assert (found.defender.units, found.defender.kinds) == (0, {})


@pytest.mark.parametrize(("fall", "first"), [(None, "bomber"), (("infantry",), "infantry"), (("armour",), "bomber")])
def test_the_defender_chooses_who_falls(fall: tuple[str, ...] | None, first: str) -> None:
    """By usual order the bomber, with a defence of 1, falls before infantry."""
    battle = land({"armour": 1}, {"infantry": 1, "bomber": 1})
    found = odds(CombatRules(BOARD), battle, Conduct(defenders_fall=fall, rounds=1), exact=True)
    assert found.defender.kinds[first] == F(1, 2)
    assert found.defender.units == F(1, 2)


def test_a_threshold_that_is_met_exactly() -> None:
    """The float of 7/8 may lie on either side of it."""
    chances = Chances(BOARD, {"infantry": 1, "aa_gun": 1}, False)
    attackers = {"armour": 1, "fighter": 1}
    small = F(1, 10**30)
    for threshold, sign in ((F(7, 8) - small, 1), (F(7, 8), 0), (F(7, 8) + small, -1)):
        assert chances.compared([(attackers, {})], threshold) == [sign]
