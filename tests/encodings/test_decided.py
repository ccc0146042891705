"""The battle that an event of a record decides: who fights in it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from vclogic_encodings.axis_allies.encoding import ENCODING, game_of
from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.odds.recorded_battles import decided

import vclogic
from tests.fixtures.games import loaded
from tests.oracles.tally import Tally
from vclogic.errors import InputError
from vclogic.files.boards import read_board
from vclogic.files.registry import data_source
from vclogic.files.trees.nodes import parse
from vclogic.game import Game as Moment
from vclogic.model.actions import Event
from vclogic.model.battles import Battle

KARELIA, EGYPT = "Karelia S.S.R.", "Anglo Egypt"
OVER_SEA = {"from": "14 Sea Zone", "via": "14 Sea Zone", "to": "15 Sea Zone"}
TURN: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("fly", {"unit": "fighter", "from": "Norway", "to": KARELIA, "landing": "Norway"}),
    ("march", {"unit": "armour", "count": 2, "from": "Germany", "via": "Eastern Europe", "to": KARELIA}),
    ("march", {"unit": "infantry", "count": 3, "from": "Norway", "to": KARELIA}),
    ("capture", {"territory": KARELIA}),
    ("land", {"unit": "fighter", "at": "Norway"}),
    ("sail", {"unit": "battleship", "from": "14 Sea Zone", "to": "15 Sea Zone"}),
    ("clear", {"zone": "15 Sea Zone"}),
    ("fly", {"unit": "bomber", "from": "Germany", "to": EGYPT, "landing": "Libya"}),
    ("march", {"unit": "armour", "from": "Libya", "to": EGYPT}),
    (
        "carry",
        {
            "unit": "transport",
            **OVER_SEA,
            "cargo": "armour",
            "cargo_from": "Southern Europe",
            "cargo_to": EGYPT,
            "second": "infantry",
            "second_from": "Southern Europe",
            "second_to": EGYPT,
        },
    ),
    ("capture", {"territory": EGYPT}),
)
"""A turn of the Germans of 1942."""


@cache
def rules() -> Rules:
    """The rules of 1942 with armies."""
    board = read_board(ENCODING, parse(data_source("axis_allies", "board.yaml")))
    return game_of(board, ENCODING.settings({"level": "armies"}))


def start() -> Moment:
    """The first turn of the Germans."""
    return loaded("axis_allies", level="armies").apply("end_turn")


def now(game: Moment, name: str, **args: str) -> Battle | None:
    """The battle that an event would decide."""
    system = game.setup.system
    event = system.schemas[name].event({"power": "Germans", **args})
    return decided(rules(), system.layout.values(game.state), event)


def test_who_entered_flew_and_sailed_fights() -> None:
    game, tally, found = start(), Tally(rules().board, "Germans"), []
    for name, args in TURN:
        schema = game.setup.system.schemas[name]
        event = dict(schema.event({"power": "Germans", **args}).args)
        battle = decided(rules(), game.setup.system.layout.values(game.state), Event(name, tuple(event.items())))
        if name in ("capture", "clear"):
            assert battle == tally.battle(name, event)
            found.append(battle)
            tally.over(name, event)
        else:
            assert battle is None
            tally.play(name, event)
        game = game.apply(name, **{"power": "Germans", **args})
    russians = {"infantry": 3, "fighter": 1}
    assert found == [
        Battle({"fighter": 1, "armour": 2, "infantry": 3}, russians, {}, KARELIA, "Germans"),
        Battle({"battleship": 1}, {"destroyer": 1}, {}, "15 Sea Zone", "Germans", at_sea=True),
        Battle(
            {"bomber": 1, "armour": 2, "infantry": 1},
            {"infantry": 1, "armour": 1, "fighter": 1},
            {},
            EGYPT,
            "Germans",
            landing=True,
        ),
    ]


def test_a_position_says_by_kind_who_helps() -> None:
    game = start()
    for name, args in TURN[:1]:
        game = game.apply(name, **{"power": "Germans", **args})
    layout = game.setup.system.layout
    values = layout.values(game.state)
    assert {i: values[x] for i, x in layout.families["help"].fluents.items() if values[x]} == {
        (KARELIA, "fighter"): 1
    }


def test_a_strength_where_numbers_by_kind_belong() -> None:
    document = {"game": "axis_allies", "options": {"level": "armies"}, "state": {"help": {"Karelia": 3}}}
    with pytest.raises(InputError) as wrong:
        vclogic.load(document)
    assert "a value for each kind of unit that helps, found '3'" in wrong.value.diagnostics[0].message


@pytest.mark.parametrize(
    ("there", "flies", "fought"),
    [({}, True, False), ({"aa_gun": 1}, False, False), ({"aa_gun": 1}, True, True), ({"infantry": 1}, False, True)],
)
def test_antiaircraft_guns_alone_make_a_battle_only_with_aircraft(
    there: Mapping[str, int], flies: bool, fought: bool
) -> None:
    state = {"turn": "Germans", "units": {KARELIA: {"Russians": there}}}
    game = vclogic.load({"game": "axis_allies", "options": {"level": "armies"}, "state": state})
    for name, args in (TURN[0], TURN[2]) if flies else (TURN[2],):
        game = game.apply(name, **{"power": "Germans", **args})
    battle = now(game, "capture", territory=KARELIA)
    assert (battle is not None) == fought
    if battle is not None:
        assert battle.defenders == there
        assert battle.attackers == {"infantry": 3, **({"fighter": 1} if flies else {})}


def test_armour_that_went_through_does_not_fight() -> None:
    units = {"Caucasus": {"Russians": {}}, "Ukraine S.S.R.": {"Germans": {"armour": 2}}}
    state = {"turn": "Germans", "owner": {"Ukraine S.S.R.": "Germans"}, "units": units}
    game = vclogic.load({"game": "axis_allies", "options": {"level": "armies"}, "state": state})
    way = {"from": "Ukraine S.S.R.", "via": "Caucasus", "to": "Russia"}
    game = game.apply("march", power="Germans", unit="armour", count=2, **way)
    assert now(game, "capture", territory="Caucasus") is None
    battle = now(game, "capture", territory="Russia")
    assert battle is not None
    assert battle.attackers == {"armour": 2}
