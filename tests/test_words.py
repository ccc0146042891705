"""Numbers of things, in words."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from vclogic.words import amount, expected, in_parts, ordinal, percent, plural, spanning


@pytest.mark.parametrize(
    ("name", "one", "two"),
    [
        ("capture", "1 capture", "2 captures"),
        ("codes", "1 code", "2 codes"),
        ("player-turn", "1 player-turn", "2 player-turns"),
        ("round of marches", "1 round of marches", "2 rounds of marches"),
        ("rounds of marches", "1 round of marches", "2 rounds of marches"),
        ("hexes", "1 hex", "2 hexes"),
        ("match", "1 match", "2 matches"),
        ("cities", "1 city", "2 cities"),
        ("day", "1 day", "2 days"),
        ("loss", "1 loss", "2 losses"),
    ],
)
def test_amounts(name: str, one: str, two: str) -> None:
    assert (amount(1, name), amount(2, name), amount(0, name)) == (one, two, two.replace("2", "0"))
    assert plural(name) == two.removeprefix("2 ")


def test_ordinals() -> None:
    shown = "1st 2nd 3rd 4th 10th 11th 12th 13th 20th 21st 22nd 33rd 101st 111th 112th 113th 123rd"
    assert " ".join(ordinal(int(word[:-2])) for word in shown.split()) == shown


@pytest.mark.parametrize(
    ("chance", "shown"),
    [
        (0, "0 %"),
        (Fraction(1), "100 %"),
        (1.0, "100 %"),
        (0.9995, "over 99.9 %"),
        (0.9994, "99.9 %"),
        (math.nextafter(1.0, 0.0), "over 99.9 %"),
        (5e-324, "under 0.1 %"),
        (Fraction(1, 10**400), "under 0.1 %"),
        (1 - Fraction(1, 10**400), "over 99.9 %"),
        (0.0005, "0.1 %"),
        (Fraction(1, 8), "12.5 %"),
    ],
)
def test_a_chance_is_certain_or_impossible_only_where_it_is(chance: float | Fraction, shown: str) -> None:
    assert percent(chance) == shown


def test_a_chance_in_whole_per_cent() -> None:
    chances = (0, 1e-9, 0.004, 0.125, 0.994, 0.996, 1)
    assert [percent(c, 0) for c in chances] == ["0 %", "under 1 %", "under 1 %", "12 %", "99 %", "over 99 %", "100 %"]


def test_expected_numbers() -> None:
    numbers = (0, 0.004, Fraction(1, 3), 2.0)
    assert [expected(n) for n in numbers] == ["0", "under 0.01", "0.33", "2.00"]


@pytest.mark.parametrize(
    ("n", "scale", "shown"), [(3214, 1000, "3.214"), (5, 100, "0.05"), (0, 100, "0.00"), (7, 1, "7")]
)
def test_parts_of_one(n: int, scale: int, shown: str) -> None:
    assert in_parts(n, scale) == shown


@pytest.mark.parametrize(
    ("least", "most", "said"),
    [
        (
            "Reds buy 1 fighter for 10 IPCs",
            "Reds buy 3 fighters for 30 IPCs",
            "Reds buy 1 to 3 fighters for 10 to 30 IPCs",
        ),
        ("Reds buy 2 infantry", "Reds buy 2 infantry", "Reds buy 2 infantry"),
        ("4-4-7 moves 1 hex", "4-4-7 moves 12 hexes", "4-4-7 moves 1 to 12 hexes"),
        ("Reds bid 1: Blues play", "Reds bid 9: Reds play", ""),
        ("Reds bid 1", "Reds bid 9 of 10", ""),
    ],
)
def test_two_sentences_that_differ_in_numbers_are_one(least: str, most: str, said: str) -> None:
    assert spanning(least, most) == said
