"""The engine of battles: floats within their error, all that sides may decide, and more attackers are never worse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from vclogic_encodings.axis_allies.board import UnitType
from vclogic_encodings.axis_allies.odds import rounds, states
from vclogic_encodings.axis_allies.odds.chances import Chances, Force
from vclogic_encodings.axis_allies.odds.one_battle import odds
from vclogic_encodings.axis_allies.odds.rounds import times
from vclogic_encodings.axis_allies.odds.sides import CombatRules

from tests.encodings.test_odds_oracle import board
from tests.oracles.odds import Question, exact
from tests.toys.army_boards import TYPES
from tests.toys.odd_fights import AT_SEA, ON_LAND, fight
from vclogic.clock import Deadline, TimeUp, until
from vclogic.model.battles import Battle, Conduct, Losses, Odds

SOLDIERS = {"infantry", "artillery", "armour"}


def questions(seeds: range, most: int) -> Iterator[Question]:
    """Random battles; ships bombard only where land units land."""
    for seed in seeds:
        question = fight(Random(seed), most, odd=True, conduct=True)
        if not question.guns or SOLDIERS & set(question.attackers):
            yield question


def asked(q: Question, *, exactly: bool) -> Odds:
    """The odds by the engine."""
    rules = CombatRules(board(q.types), bombarded="fires" if q.bombarded_fire else "removed")
    conduct = Conduct(q.attackers_fall, q.defenders_fall, q.keep, q.rounds, q.retreat_at)
    return odds(rules, Battle(q.attackers, q.defenders, q.guns, at_sea=q.at_sea, landing=q.landing), conduct, exactly)


def compare(seeds: range, most: int) -> None:
    """Compare fractions with the oracle's, and floats with fractions."""
    for question in questions(seeds, most):
        wanted, found = exact(question), asked(question, exactly=True)
        assert (found.take, found.clear, found.draw) == (wanted.take, wanted.clear, wanted.draw), question
        assert found.attacker.kinds == wanted.lost(attackers=True), question
        assert found.defender.kinds == wanted.lost(attackers=False), question
        assert found.attacker.value == wanted.value_lost(), question
        left = {(tuple(sorted(e.attackers.items())), tuple(sorted(e.defenders.items()))) for e in found.endings}
        assert left == {e for e, p in wanted.endings.items() if p}, question
        near(asked(question, exactly=False), found)


def near(floats: Odds, fractions: Odds) -> None:
    """Whether floats are within their error."""
    assert floats.error < 1e-6
    assert numbers(floats) == pytest.approx(numbers(fractions), abs=floats.error, rel=0)
    for told, known in zip((floats.take, floats.clear, floats.draw), fractions_of(fractions), strict=True):
        assert (told == 0, told == 1) == (known == 0, known == 1)


def fractions_of(found: Odds) -> tuple[object, object, object]:
    return found.take, found.clear, found.draw


def numbers(found: Odds) -> list[float]:
    """All numbers of an answer; endings in the order of who is left."""

    def losses(some: Losses) -> list[float]:
        return [float(some.units), float(some.value), *(float(n) for _, n in sorted(some.kinds.items()))]

    left = {(tuple(e.attackers.items()), tuple(e.defenders.items())): float(e.chance) for e in found.endings}
    chances = [float(found.take), float(found.clear), float(found.draw)]
    return [*chances, *losses(found.attacker), *losses(found.defender), *(p for _, p in sorted(left.items()))]


def test_all_that_sides_may_decide() -> None:
    compare(range(120), 3)


@pytest.mark.slow
def test_all_that_sides_may_decide_in_larger_fights() -> None:
    compare(range(10_000, 12_000), 6)


# ---- floats


def test_floats_are_within_their_error() -> None:
    """The attacks side by side, against fractions one by one."""
    for seed in range(40):
        rng = Random(seed)
        at_sea = rng.random() < 0.5
        kinds = AT_SEA if at_sea else ON_LAND
        defenders = {u: rng.randint(0, 2) for u in (*kinds, *(() if at_sea else ("aa_gun",)))}
        chances = Chances(board(TYPES), defenders, at_sea)
        forces: list[Force] = [({u: rng.randint(0, 2) for u in rng.sample(kinds, 3)}, {}) for _ in range(4)]
        for (attackers, guns), found in zip(forces, chances.results(forces), strict=True):
            take, units, value = chances.exact(attackers, guns)
            whole = sum(attackers.values()), sum(n * TYPES[u].cost for u, n in attackers.items())
            assert abs(found[0] - take) <= chances.error < 1e-9
            assert abs(found[1] - units) <= chances.error * whole[0]
            assert abs(found[2] - value) <= chances.error * whole[1]


def test_floats_on_odd_boards() -> None:
    """Several kinds that artillery can help, and kinds that are valuable but weak."""
    for seed in range(60):
        rng = Random(seed)
        types = odd_types(rng)
        kinds = [u for u in types if u.startswith("unit")]
        chances = Chances(board(types), {u: rng.randint(0, 1) for u in (*kinds, "aa_gun")}, False)
        force = {u: rng.randint(0, 2) for u in kinds}
        assert abs(chances.take(force, {}) - chances.exact(force, {})[0]) <= chances.error < 1e-9, seed


def test_what_is_nearly_certain_is_not_certain() -> None:
    """The infantry may miss for ever, and a single one be lucky; chances below the least float are not nothing."""
    rules = CombatRules(board(TYPES))
    for many in (5, 40, 120):
        found = odds(rules, Battle({"armour": many}, {"infantry": 1}), Conduct())
        assert 0.99 < float(found.take) < 1
        found = odds(rules, Battle({"infantry": 1}, {"armour": many}), Conduct())
        assert 0 < float(found.take) < 0.01
    assert odds(rules, Battle({"bomber": 120}, {"armour": 120}), Conduct()).take == 0


def test_a_large_battle() -> None:
    """By the law of large numbers the stronger side wins; the chances of all endings together are 1."""
    attackers = {"infantry": 80, "artillery": 20, "armour": 30, "fighter": 20}
    found = odds(
        CombatRules(board(TYPES)), Battle(attackers, {"infantry": 100, "armour": 29, "fighter": 20}), Conduct()
    )
    assert sum(float(e.chance) for e in found.endings) == pytest.approx(1, abs=found.error)
    assert float(found.attacker.units) <= 150
    assert found.error < 1e-6
    lost = sum(TYPES[u].cost * float(n) for u, n in found.attacker.kinds.items())
    assert lost == pytest.approx(float(found.attacker.value))


def test_the_time_can_be_up() -> None:
    battle = Battle({"infantry": 60, "fighter": 5}, {"infantry": 60, "aa_gun": 1})
    with until(Deadline(0)), pytest.raises(TimeUp):
        odds(CombatRules(board(TYPES)), battle, Conduct())


def test_what_was_cut_short_is_counted_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows whose time was up while they were solved were taken for solved, with a chance of 0."""
    force: Force = {"submarine": 1, "destroyer": 1, "fighter": 1}, {}
    defenders = {"submarine": 1, "destroyer": 1}
    wanted = Chances(board(TYPES), defenders, True).result(*force)
    looks: Iterator[bool] = iter(())
    cut = 0

    def look() -> None:
        if next(looks, False):
            raise TimeUp

    for module in (rounds, states):
        monkeypatch.setattr(module, "check_deadline", look)
    for n in range(60):
        looks = iter(())
        chances = Chances(board(TYPES), defenders, True)
        looks = iter([*[False] * n, True])
        try:
            chances.result(*force)
        except TimeUp:
            cut += 1
        assert chances.result(*force) == wanted, n
    assert 20 < cut < 60


# ---- more attackers are never worse


def test_each_product_of_a_battle_at_sea_follows_a_look_at_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Large ones take a second each, whatever the limit."""
    looked, made = [0], [0]

    def look() -> None:
        looked[0] = made[0]

    def multiplied(one: Any, other: Any) -> Any:
        made[0] += 1
        assert made[0] - looked[0] == 1
        return times(one, other)

    monkeypatch.setattr(rounds, "check_deadline", look)
    monkeypatch.setattr(rounds, "times", multiplied)
    monkeypatch.setattr(rounds, "ALONE", 0)  # as if they were large
    fleets = {"submarine": 2, "destroyer": 2}, {"submarine": 2, "destroyer": 1}
    odds(CombatRules(board(TYPES)), Battle(*fleets, at_sea=True), Conduct(), False)
    assert made[0] > 10


def drops(types: Mapping[str, UnitType], seed: int, *, at_sea: bool, most: int) -> tuple[bool, float]:
    """Whether a board is proved to be monotone, and the largest drop of a chance by one more unit."""
    rng = Random(seed)
    there = ("sea", "air") if at_sea else ("land", "air")
    kinds = [u for u, t in types.items() if t.kind in there and not t.antiaircraft]
    defenders = {u: rng.randint(0, 2) for u in kinds} | ({} if at_sea else {"aa_gun": rng.randint(0, 1)})
    known = {u: n for u, n in defenders.items() if u in types}
    chances = Chances(board(types), known, at_sea, bombarded=rng.choice(("removed", "fires")))
    sizes = [rng.randint(0, most) for _ in kinds]
    guns = 0 if at_sea else 2
    box = product(*(range(n + 1) for n in sizes), range(guns + 1))
    found = chances.results([(dict(zip(kinds, n, strict=False)), {"battleship": n[-1]}) for n in box])
    table = np.array([take for take, _, _ in found]).reshape([n + 1 for n in (*sizes, guns)])
    falls = (float(np.diff(table, axis=i).min(initial=0.0)) for i in range(table.ndim))
    return chances.monotone, -min(falls)


def odd_types(rng: Random) -> dict[str, UnitType]:
    """Kinds of land units and aircraft of all sorts."""
    found = {"battleship": TYPES["battleship"], "aa_gun": TYPES["aa_gun"]}
    for i in range(rng.randint(2, 4)):
        land = rng.random() < 0.7
        kind = UnitType("land" if land else "air", rng.randint(1, 6), 1, rng.randint(0, 6), rng.randint(0, 6))
        helped, helps = land and rng.random() < 0.5, land and rng.random() < 0.4
        found[f"unit {i}"] = replace(kind, supported_by_artillery=helped, supports_infantry=helps)
    return found


@pytest.mark.parametrize("at_sea", [False, True])
def test_one_more_attacker_is_never_worse(at_sea: bool) -> None:
    for seed in range(25):
        proved, drop = drops(TYPES, seed, at_sea=at_sea, most=2)
        assert proved
        assert drop < 1e-12, (seed, drop)


def test_where_that_is_proved_on_odd_boards() -> None:
    proved = 0
    for seed in range(150):
        monotone, drop = drops(odd_types(Random(seed)), seed, at_sea=False, most=2)
        assert not monotone or drop < 1e-12, (seed, drop)
        proved += monotone
    assert proved > 50


@pytest.mark.parametrize("at_sea", [False, True])
def test_one_more_defender_is_never_worse(at_sea: bool) -> None:
    for seed in range(12 if at_sea else 30):
        rng = Random(seed)
        types = TYPES if at_sea or seed % 2 else odd_types(rng)
        there = ("sea", "air") if at_sea else ("land", "air")
        kinds = [u for u, t in types.items() if t.kind in there]
        defenders = {u: rng.randint(0, 1 if at_sea else 2) for u in kinds}
        force = {u: rng.randint(0, 2) for u in kinds}, {} if at_sea else {"battleship": rng.randint(0, 2)}
        take = Chances(board(types), defenders, at_sea).take(*force)
        for more in kinds:
            stronger = {**defenders, more: defenders[more] + 1}
            assert Chances(board(types), stronger, at_sea).take(*force) <= take + 1e-12, (seed, more)


@pytest.mark.parametrize(
    ("infantry", "glider", "artillery", "harm"),
    [
        # The infantry costs more than the artillery that helps it, and is kept no longer.
        (UnitType("land", 5, 1, 1, 2, supported_by_artillery=True), 1, (4, 2), Fraction(2, 1000)),
        # The artillery costs more than the infantry that it helps, and is kept no longer.
        (UnitType("land", 3, 1, 1, 2, supported_by_artillery=True), 0, (5, 0), Fraction(89, 1000)),
    ],
)
def test_a_general_can_do_harm(infantry: UnitType, glider: int, artillery: tuple[int, int], harm: Fraction) -> None:
    """A valuable unit that cannot hit is kept instead of one that artillery helps, or of artillery."""
    cost, attack = artillery
    types = {
        "infantry": infantry,
        "glider": UnitType("air", 9, 1, glider, 1),
        "artillery": UnitType("land", cost, 1, attack, 2, supports_infantry=True),
        "general": UnitType("land", 20, 1, 0, 0),
        "bunker": UnitType("land", 1, 1, 0, 6),
    }
    chances = Chances(board(types), {"bunker": 1}, False)
    assert not chances.monotone
    force = {"infantry": 1, "glider": 2, "artillery": 1}
    assert chances.exact({**force, "general": 1}, {})[0] < chances.exact(force, {})[0] - harm
