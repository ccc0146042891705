"""The facts of the board that everything else rests on."""

from __future__ import annotations

from collections import Counter

import pytest

from vclogic.errors import InputError
from vclogic.files.setup import Setup
from vclogic.query.game import Game


@pytest.fixture(scope="module")
def setup() -> Setup:
    return Game.load("axis_allies/revised-1942").setup


def board(setup: Setup):  # type: ignore[no-untyped-def]
    """The board, through the observables' domains and the encoding's own reader."""
    from vclogic.files.nodes import parse
    from vclogic.files.registry import data_source
    from vclogic.files.setup import read_board

    return read_board(setup.encoding, parse(data_source("axis_allies", "board.yaml")))


def test_the_board_has_its_regions_and_connections(setup: Setup) -> None:
    b = board(setup)
    assert len(b.territories) == 143
    assert len(b.connections) == len({frozenset(c) for c in b.connections}) == 348
    assert Counter(t.kind for t in b.territories.values()) == {"land": 63, "sea": 64, "impassable": 16}
    assert {n: set(c.land) for n, c in b.canals.items()} == {
        "Suez Canal": {"Anglo Egypt", "Trans-Jordan"},
        "Panama Canal": {"Panama"},
    }


def test_every_nation_has_five_cities_worth_thirteen(setup: Setup) -> None:
    b = board(setup)
    by_nation: dict[str, list[str]] = {}
    for territory, city in b.cities.items():
        by_nation.setdefault(city.nation, []).append(territory)
    assert {n: sum(b.points(t) for t in ts) for n, ts in by_nation.items()} == dict.fromkeys(
        ("Russia", "Germany", "UK", "Japan", "US"), 13
    )
    for territories in by_nation.values():
        ranks = Counter(b.cities[t].rank for t in territories)
        assert ranks == {"capital": 1, "major": 1, "moderate": 2, "minor": 1}


def test_the_incomes_at_the_start_are_the_printed_ones() -> None:
    game = Game.load("axis_allies")
    incomes = {p: game.value(f"ipc({p})") for p in ("Russians", "Germans", "British", "Japanese", "Americans")}
    assert incomes == {"Russians": 24, "Germans": 40, "British": 30, "Japanese": 30, "Americans": 42}


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("Karelia", "Karelia S.S.R."),
        ("FIC", "French Indochina"),
        ("W. Europe", "Western Europe"),
        ("UK", "United Kingdom"),
    ],
)
def test_the_rule_texts_names_are_accepted(alias: str, name: str) -> None:
    game = Game.load("axis_allies")
    assert game.value(f'owner("{alias}")') == game.value(f'owner("{name}")')


@pytest.mark.parametrize(
    ("expression", "reason"),
    [('owner("5 Sea Zone")', "a sea zone has no owner"), ("owner(Turkey)", "nobody can enter or own it")],
)
def test_what_nobody_can_own_has_no_owner(expression: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        Game.load("axis_allies").value(expression)


def test_the_winner_is_whoever_was_first() -> None:
    game = Game.load("axis_allies", settings=[("victory", "major")])
    for _ in range(1):
        game = game.apply("end_turn")
    for territory in ("UK", "Russia", "India", "China"):
        game = game.apply("capture", power="Germans", territory=territory)
    assert game.status().winner is None
    for _ in range(4):
        game = game.apply("end_turn")
    status = game.status()
    assert status.winner == "Axis"
    assert {(o.rule, o.side): o.status for o in status.outcomes} == {
        ("major_victory", "Axis"): "met",
        ("major_victory", "Allies"): "unmet",
    }
    later = game.apply("capture", power="Russians", territory="Russia")
    assert later.status().winner == "Axis"
