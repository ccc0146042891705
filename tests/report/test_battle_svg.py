"""The bar chart of a battle: who is left on which side, in words too, and readable for large battles."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from xml.etree import ElementTree

from tests.fixtures.pictures import SVG
from tests.report.battles import NAMED, battle
from vclogic.draw.battle import rows
from vclogic.draw.boxes import width
from vclogic.model.battles import BattleEnd
from vclogic.query.odds.question import BattleOdds


def root_of(answer: BattleOdds) -> ElementTree.Element:
    return ElementTree.fromstring(answer.svg())


def bars(root: ElementTree.Element, side: str) -> list[tuple[float, float]]:
    """Where each bar of a side begins and ends, from the top down."""
    found = [g.find(f"{SVG}rect") for g in root.iter(f"{SVG}g") if g.get("class") == side]
    boxes = [(float(r.get("x", "")), float(r.get("width", ""))) for r in found if r is not None]
    return [(x, x + wide) for x, wide in boxes]


def large() -> BattleOdds:
    """150 against 149 units, as it may end."""
    each = Fraction(1, 299)
    ours = [BattleEnd({"infantry": n}, {}, each) for n in range(1, 151)]
    theirs = [BattleEnd({}, {"infantry": n}, each) for n in range(1, 149)]
    return battle(endings=(*ours, *theirs, BattleEnd({}, {}, each)))


def test_bars_of_each_side_go_its_way_and_are_as_long_as_their_chances() -> None:
    root = root_of(battle())
    (left, axis), (begin, right) = bars(root, "attacker")[0], bars(root, "defender")[0]
    assert axis == begin == 480
    assert abs((axis - left) - 2 * (right - begin)) < 0.2
    assert len(bars(root, "nobody")) == 1


def test_rows_go_from_the_attackers_best_ending_to_the_defenders() -> None:
    ends = [BattleEnd({"infantry": n}, {}, Fraction(1, 6)) for n in (1, 3, 2)]
    ends += [BattleEnd({}, {"armour": n}, Fraction(1, 6)) for n in (2, 1)]
    found = battle(endings=(*ends, BattleEnd({}, {}, Fraction(1, 6)))).odds
    assert found is not None
    words = ["3 infantry", "2 infantry", "1 infantry", "nobody is left", "1 armour", "2 armour"]
    assert [r.words for r in rows(found, NAMED)] == words


def test_endings_with_as_many_units_share_a_row() -> None:
    ends = (
        BattleEnd({"infantry": 2}, {}, Fraction(1, 4)),
        BattleEnd({"infantry": 1, "armour": 1}, {}, Fraction(3, 4)),
    )
    found = battle(endings=ends).odds
    assert found is not None
    (row,) = rows(found, NAMED)
    assert (row.words, row.chance) == ("2 left, mostly 1 infantry, 1 armour", 1.0)


def test_large_battles_are_in_groups() -> None:
    found = large().odds
    assert found is not None
    there = rows(found, NAMED)
    assert len(there) <= 31
    assert [r.words for r in there][:2] == ["141 to 150 units of the attacker", "131 to 140 units of the attacker"]
    assert abs(sum(r.chance for r in there) - 1) < 1e-12


def test_what_is_next_to_impossible_shares_a_row() -> None:
    """So that the rows are for what happens."""
    rare = [BattleEnd({"infantry": n}, {}, Fraction(1, 10**7)) for n in range(21, 151)]
    usual = [BattleEnd({"infantry": n}, {}, Fraction(1, 20) - Fraction(13, 2 * 10**7)) for n in range(1, 21)]
    found = battle(endings=(*usual, *rare)).odds
    assert found is not None
    there = rows(found, NAMED)
    assert [r.words for r in there][:2] == ["21 to 150 units of the attacker", "19 to 20 units of the attacker"]
    assert len(there) == 11


def test_what_both_sides_keep_is_hatched_and_said() -> None:
    ends = (BattleEnd({"armour": 1}, {"infantry": 1}, Fraction(1, 2)), BattleEnd({}, {"infantry": 1}, Fraction(1, 2)))
    text = battle(endings=ends).svg()
    assert "hatched: units of both sides are left" in text
    assert "hatched" not in battle().svg()


def test_no_word_leaves_the_picture() -> None:
    many = {"infantry": 100, "armour": 99, "fighter": 98}
    for answer in (battle(), large(), battle(endings=(BattleEnd(many, {}, Fraction(1)),))):
        root = root_of(answer)
        wide, high = map(float, root.get("viewBox", "").split()[2:])
        for text in root.iter(f"{SVG}text"):
            long = width(text.text or "", float(text.get("font-size", "")))
            x, y = float(text.get("x", "")), float(text.get("y", ""))
            begin = x - {"start": 0.0, "middle": long / 2, "end": long}[text.get("text-anchor", "")]
            assert begin >= 0
            assert begin + long <= wide
            assert 0 < y < high


def test_the_chart_says_everything_in_words() -> None:
    root = root_of(battle())
    said = root.findtext(f"{SVG}desc") or ""
    for line in ("Attack: 1 armour", "Defence: 1 infantry", "1 armour: 50.0 %", "nobody is left: 25.0 %"):
        assert line in said
    assert root.findtext(f"{SVG}title") == "The odds of a battle on land in Hill"


def test_equal_odds_give_equal_charts_and_others_other_ids() -> None:
    assert battle().svg() == battle().svg()
    ids = {root_of(x).get("aria-labelledby") for x in (battle(), large(), replace(battle(), place="Ford"))}
    assert len(ids) == 3
