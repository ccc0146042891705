"""What the engine of TripleA does with conditions and victories where good guesses are wrong, each on a small map.

The answers are those of the engine at 2c40db86 (2026-08-07).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import vclogic
from tests.triplea.small_maps import number, rule, small_map, switch, trigger
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.triplea.victories import engine_order

UNITS = [
    ("Alba", "Reds", "tank", 2),
    ("North Sea", "Blues", "sub", 1),
    ("South Sea", "Blues", "boat", 1),
    ("Corva", "Blues", "plane", 1),
]
OWNED, ALLIED, PRESENT = "directOwnershipTerritories", "alliedOwnershipTerritories", "directPresenceTerritories"
CONDITIONS: dict[str, tuple[list[Any], bool]] = {
    "without a number all are asked for": ([(OWNED, "Alba:Bruma")], False),
    "an ally's land counts where allies are asked": ([(ALLIED, "Alba:Bruma")], True),
    "a number is how many are enough": ([(OWNED, "Alba:Bruma", "1")], True),
    "names are a set: a number above it is never met": ([(OWNED, "Alba:Alba", "2")], False),
    "a number of 0 is always met": ([(OWNED, "Corva", "0")], True),
    "each asks for one": ([(OWNED, "Alba:Corva", "each")], True),
    "a group word ends the list": ([(OWNED, "Alba:map:Corva")], True),
    "a number before a group word is kept": ([(OWNED, "original", "2")], False),
    "original is what one owns at the start": ([(OWNED, "original")], True),
    "controlled and all": ([(PRESENT, "controlled")], True),
    "units somewhere on the map": ([(PRESENT, "map", "1"), ("unitPresence", "tank", "2")], True),
    "enough of them in one territory": ([(PRESENT, "map", "1"), ("unitPresence", "tank", "3")], False),
    "a number of 0 units still needs some unit there": ([(PRESENT, "Bruma"), ("unitPresence", "boat", "0")], False),
    "and any unit will do": ([(PRESENT, "Alba"), ("unitPresence", "boat", "0")], True),
    "an absence with a number is at most": (
        [("directExclusionTerritories", "Alba"), ("unitPresence", "tank", "2")],
        True,
    ),
    "fewer than there are is not": ([("directExclusionTerritories", "Alba"), ("unitPresence", "tank", "1")], False),
    "a second row of a unit takes the place of the first": (
        [(PRESENT, "Alba"), ("unitPresence", "tank", "5"), ("unitPresence", "tank", "1")],
        True,
    ),
    "several rows are met in one territory": (
        [(PRESENT, "Alba:Corva", "1"), ("unitPresence", "tank", "1"), ("unitPresence", "plane", "1")],
        False,
    ),
    "kinds in one row count together": ([(PRESENT, "Alba"), ("unitPresence", "boat:tank", "2")], True),
    "submarines are no surface ships": ([("enemySurfaceExclusionTerritories", "North Sea")], True),
    "boats are": ([("enemySurfaceExclusionTerritories", "South Sea")], False),
    "aircraft are none": ([("enemySurfaceExclusionTerritories", "Corva")], True),
    "one's own units are no allied ones": ([("alliedExclusionTerritories", "Alba")], True),
    "players takes the place of who it is attached to": ([(OWNED, "Corva"), ("players", "Blues")], True),
    "several players count together": ([(OWNED, "Alba:Corva"), ("players", "Reds:Blues")], True),
    "nothing asked holds": ([], True),
    "inverted it never does": ([("invert", "true")], False),
    "rounds that end before they begin never hold": ([("rounds", "5-3")], False),
    "turns is rounds": ([("turns", "1-2:7")], True),
    "a round without an end": ([("rounds", "2-+")], False),
    "switched off": ([("switch", "false"), (OWNED, "Alba")], False),
    "switched off and inverted": ([("switch", "false"), (OWNED, "Alba"), ("invert", "true")], True),
    "no such property is false": ([("gameProperty", "No Such Thing")], False),
    "a property that is set": ([("gameProperty", "A Bonus")], True),
    "at war without a number asks for none of them": ([("atWarPlayers", "Blues")], False),
    "at war with one": ([("atWarPlayers", "Blues:Pinks", "1")], True),
    "techs without a number asks for none of them": ([("techs", "rockets")], True),
    "battles are not shown by a position": ([("destroyedTUV", "currentRound", "1")], False),
    "their inversion holds": ([("destroyedTUV", "currentRound", "1"), ("invert", "true")], True),
    "an option's name may begin with a capital": ([("DirectOwnershipTerritories", "Alba")], True),
    "destroying nothing is always done": ([("destroyedTUV", "currentRound", "0")], True),
    "at war is asked of whoever the rule is attached to": (
        [("players", "Blues"), ("atWarPlayers", "Blues", "1")],
        True,
    ),
    "allies' land at the start, where allies are asked": ([(ALLIED, "original", "2")], True),
    "enemies' land at the start, where land is asked": ([(ALLIED, "enemy", "1")], False),
    "one's own, where units are": ([(PRESENT, "enemy", "1")], True),
    "of rounds that begin alike the last count": ([("rounds", "1-4:1-0")], False),
    "players of two lines count together": ([(OWNED, "Alba:Corva"), ("players", "Reds"), ("players", "Blues")], True),
    "by alliances one is allied": ([("relationship", "Reds:Pinks:anyAllied")], True),
    "which has a name": ([("relationship", "Reds:Blues:default_war")], True),
    "and lasts since the first round": ([("relationship", "Reds:Blues:anyWar:1")], False),
    "land that nothing may enter is no dry land": ([(PRESENT, "originalNoWater")], True),
}


def opened(folder: Path, text: str, keys: str | None = "won=Won!\n") -> Game:
    """The map as a game."""
    file = folder / "small.xml"
    file.write_text(text)
    if keys is not None:
        (folder / "notifications.properties").write_text(keys)
    return vclogic.load(str(file))


@pytest.fixture(scope="module")
def conditions(tmp_path_factory: pytest.TempPathFactory) -> Game:
    rules = [rule(f"c{i}", *options) for i, (options, _) in enumerate(CONDITIONS.values())]
    return opened(
        tmp_path_factory.mktemp("map"), small_map(rules, units=UNITS, properties=[switch("A Bonus", "true")])
    )


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_condition_is_judged_as_the_engine_does(conditions: Game, name: str) -> None:
    assert conditions.value(f"Reds_c{list(CONDITIONS).index(name)}") is CONDITIONS[name][1]


def test_of_two_attachments_of_one_name_the_last_stays(tmp_path: Path) -> None:
    game = opened(tmp_path, small_map([rule("a", (OWNED, "Alba")), rule("a", (OWNED, "Corva"))]))
    assert game.value("Reds_a") is False


def test_a_rule_of_the_first_player_of_the_list_is_used_by_everybody(tmp_path: Path) -> None:
    rules = [
        rule("a", (OWNED, "Alba"), to="Blues"),
        rule("a", (OWNED, "Alba"), to="Reds"),
        rule("b", ("conditions", "a"), to="Blues"),
    ]
    game = opened(tmp_path, small_map(rules))
    assert (game.value("Blues_a"), game.value("Blues_b")) == (False, True)


def test_a_name_means_the_rule_that_it_has_where_it_stands(tmp_path: Path) -> None:
    rules = [
        rule("a", (OWNED, "Corva"), to="Blues"),
        rule("first", ("conditions", "a"), to="Pinks"),
        rule("a", (OWNED, "Corva"), to="Reds"),
        rule("second", ("conditions", "a"), to="Pinks"),
        rule("a", (OWNED, "Alba"), to="Reds"),
        rule("third", ("conditions", "a"), to="Pinks"),
    ]
    game = opened(tmp_path, small_map(rules))
    assert [game.value(f"Pinks_{x}") for x in ("first", "second", "third")] == [True, False, True]


def test_a_rule_below_cannot_be_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no rule 'a' here .*those that stand above it"):
        opened(tmp_path, small_map([rule("b", ("conditions", "a")), rule("a", (OWNED, "Alba"))]))


def test_a_condition_that_is_named_twice_counts_twice(tmp_path: Path) -> None:
    rules = [rule("a", (OWNED, "Alba")), rule("b", ("conditions", "a"), ("conditions", "a"), ("conditionType", "2"))]
    assert opened(tmp_path, small_map(rules)).value("Reds_b") is True


@pytest.mark.parametrize(
    ("kind", "holds"), [("AND", False), ("OR", True), ("XOR", False), ("2", True), ("1-2", True), ("0-1", False)]
)
def test_conditions_are_joined_by_their_type(tmp_path: Path, kind: str, holds: bool) -> None:
    three = [rule("a", (OWNED, "Alba")), rule("b", (ALLIED, "Bruma")), rule("c", (OWNED, "Corva"))]
    game = opened(tmp_path, small_map([*three, rule("d", ("conditions", "a:b:c"), ("conditionType", kind))]))
    assert game.value("Reds_d") is holds


def test_relationships_say_who_is_allied_where_the_map_has_some(tmp_path: Path) -> None:
    relations = [("Reds", "Pinks", "Peace"), ("Reds", "Blues", "Allied"), ("Pinks", "Blues", "War")]
    relations += [(p, "Greens", "War") for p in ("Reds", "Pinks", "Blues")]
    rules = [
        rule("a", (ALLIED, "Bruma")),
        rule("b", (ALLIED, "Corva")),
        rule("c", ("relationship", "Reds:Blues:anyAllied:3")),
    ]
    game = opened(tmp_path, small_map(rules, relations=relations))
    assert [game.value(f"Reds_{x}") for x in "abc"] == [False, True, False]
    assert game.at_state({"round": 4}).value("Reds_c") is True
    assert game.value("cities(Red)") == 2, "victories by cities go by alliance always"


def test_a_pair_without_a_relationship_has_that_of_the_alliances(tmp_path: Path) -> None:
    rules = [rule("a", (ALLIED, "Bruma")), rule("b", ("relationship", "Reds:Greens:anyWar"))]
    game = opened(tmp_path, small_map(rules, relations=[("Reds", "Blues", "War")]))
    assert (game.value("Reds_a"), game.value("Reds_b")) == (True, True)
    assert game.at_state({"relation": {"Reds and Pinks": "Peace"}}).value("Reds_a") is False


def test_relationships_may_last_extra_rounds(tmp_path: Path) -> None:
    text = small_map(
        [rule("c", ("relationship", "Reds:Blues:War:1"))],
        relations=[("Reds", "Blues", "War")],
        properties=[number("Relationships Last Extra Rounds", 2, 2, 2)],
    )
    game = opened(tmp_path, text)
    assert [game.at_state({"round": n}).value("Reds_c") for n in (3, 4)] == [False, True]


def test_a_threshold_without_limits_is_an_option_all_the_same(tmp_path: Path) -> None:
    plain = '<property name="Red Total Victory VCs" value="4" editable="true"/>'
    game = opened(tmp_path, small_map(properties=[switch("Total Victory", "true"), plain]))
    assert game.with_options(Red_Total_Victory_VCs=2).status().outcomes[0].need == 2


def test_a_trigger_without_uses_never_fires(tmp_path: Path) -> None:
    rules = [
        rule("home", (OWNED, "Alba")),
        trigger("wins", ("conditions", "home"), ("victory", "won"), ("uses", "0")),
    ]
    game = opened(tmp_path, small_map(rules, properties=[switch("Triggered Victory", "true")]))
    for _ in range(4):
        game = game.apply("end_turn")
    assert game.winner is None


def test_a_relationship_may_begin_before_the_first_round(tmp_path: Path) -> None:
    relations = [("Reds", "Pinks", "War"), ("Reds", "Blues", "Allied")]
    text = small_map([rule("c", ("relationship", "Reds:Blues:Allied:2"))], relations=relations)
    assert opened(tmp_path, text.replace('roundValue="1"', 'roundValue="-1"')).value("Reds_c") is True


def test_cities_are_weights_and_production_is_that_of_owned_land(tmp_path: Path) -> None:
    text = small_map(
        cities={"Alba": "true", "Bruma": "3"},
        properties=[switch("Total Victory", "true"), number("Red Total Victory VCs", 4, 1, 9)],
    )
    game = opened(tmp_path, text)
    assert (game.value("cities(Red)"), game.value("production_of(Red)")) == (4, 3)
    assert game.at_state({"owner": {"Bruma": "Blues"}}).value("cities(Red)") == 1


def test_who_has_enough_has_won_at_the_end_of_the_round(tmp_path: Path) -> None:
    game = opened(
        tmp_path, small_map(properties=[switch("Total Victory", "true"), number("Red Total Victory VCs", 2, 1, 9)])
    )
    for _ in range(3):
        game = game.apply("end_turn")
        assert game.winner is None
    assert game.apply("end_turn").winner == "Red"
    assert game.with_options(Red_Total_Victory_VCs=3).winner is None


def test_a_number_of_one_value_alone_is_no_option(tmp_path: Path) -> None:
    properties = [switch("Total Victory", "true"), number("Red Total Victory VCs", 2, 2, 2)]
    game = opened(tmp_path, small_map(properties=properties))
    assert [o.name for o in game.setup.encoding.options] == ["Total_Victory", "sea_range"]


def test_the_switch_of_honorable_surrender_has_its_own_name(tmp_path: Path) -> None:
    for name, outcomes in (("Honorable Victory", 0), ("Honorable Surrender", 2)):
        game = opened(tmp_path, small_map(properties=[switch(name, "true")]))
        assert len(game.status().outcomes) == outcomes


@pytest.mark.parametrize(
    ("alliances", "order"),
    [
        ({"Axis": ["A"], "Allies": ["B"]}, ["Allies", "Axis"]),
        ({"Aa": ["p"], "BB": ["q"]}, ["Aa", "BB"]),  # one hash: as their players come
        ({"Aa": ["q"], "BB": ["p"]}, ["BB", "Aa"]),
        ({"AaAa": ["a"], "BBBB": ["a"]}, ["AaAa", "BBBB"]),
    ],
)
def test_alliances_come_by_the_hashes_of_their_names(alliances: dict[str, list[str]], order: list[str]) -> None:
    assert engine_order(alliances) == order


VICTORY = (
    rule("home", (OWNED, "Alba")),
    trigger("wins", ("conditions", "home"), ("victory", "won"), ("players", "Reds:Blues")),
)


@pytest.mark.parametrize(
    ("on", "keys", "wins"),
    [("true", "won=Won!\n", True), ("false", "won=Won!\n", False), ("true", "lost=Lost\n", False)],
)
def test_a_triggered_victory_needs_its_switch_and_its_key(tmp_path: Path, on: str, keys: str, wins: bool) -> None:
    game = opened(tmp_path, small_map(VICTORY, properties=[switch("Triggered Victory", on)]), keys)
    for _ in range(4):
        game = game.apply("end_turn")
    assert (game.winner is not None) is wins


def test_a_victory_of_a_step_needs_use_triggers_alone(tmp_path: Path) -> None:
    at_step = (VICTORY[0], trigger("wins", ("conditions", "home"), ("victory", "won"), ("when", "after:redsEndTurn")))
    for properties, wins in (([], False), ([switch("Use Triggers", "true")], True)):
        game = opened(tmp_path, small_map(at_step, properties=properties)).apply("end_turn")
        assert (game.winner == "Reds") is wins


def test_a_trigger_without_conditions_never_fires(tmp_path: Path) -> None:
    game = opened(
        tmp_path, small_map([trigger("wins", ("victory", "won"))], properties=[switch("Triggered Victory", "true")])
    )
    for _ in range(4):
        game = game.apply("end_turn")
    assert game.winner is None
