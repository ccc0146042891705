"""Numbers of things, in words."""

from __future__ import annotations

import pytest

from vclogic.words import amount, plural


@pytest.mark.parametrize(
    ("name", "one", "two"),
    [
        ("capture", "1 capture", "2 captures"),
        ("codes", "1 code", "2 codes"),
        ("player-turn", "1 player-turn", "2 player-turns"),
        ("round of marches", "1 round of marches", "2 rounds of marches"),
        ("rounds of marches", "1 round of marches", "2 rounds of marches"),
    ],
)
def test_amounts(name: str, one: str, two: str) -> None:
    assert (amount(1, name), amount(2, name), amount(0, name)) == (one, two, two.replace("2", "0"))
    assert plural(name) == two.removeprefix("2 ")
