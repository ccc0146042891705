"""What follows from a change by hand: what lasts is kept, what is entered is gained, as by events."""

from __future__ import annotations

import pytest

from tests.fixtures.games import loaded
from vclogic.errors import InputError


def test_control_is_retained_when_a_unit_is_put_elsewhere() -> None:
    """26.1/2: control is lost only to an enemy who gains it."""
    game = loaded("asl/22u3").apply("enter", unit="4-4-7", to="22V2/0")
    assert game.value("building_controller(22U3)") == "Russian"
    after = game.by_hand({"at": {"8-3-8": "22U3/0"}})
    assert after.value("building_controller(22U3)") == "Russian"
    assert after.value("hex_controller(22W3)") == "German"


def test_a_unit_that_is_broken_by_hand_loses_nothing_that_it_gained() -> None:
    """26.1/3, as by the event `break`."""
    game = loaded("asl/22u3")
    by_hand, by_event = game.by_hand({"broken": {"8-3-8": True}}), game.apply("break", unit="8-3-8")
    assert by_hand.value("hex_controller(22W3)") == by_event.value("hex_controller(22W3)") == "German"
    assert by_hand.state == by_event.state


def test_banners_follow_units_that_are_put_into_objectives() -> None:
    game = loaded("napoleonics/erlenbach")
    for unit, place, banners in (("Chasseurs", "9,3", 1), ("1st Line", "3,4", 2), ("Voltigeurs", "6,3", 3)):
        game = game.by_hand({"at": {unit: place}})
        assert game.value("banners(French)") == banners
    game = game.by_hand({"at": {"Voltigeurs": "6,4"}})
    assert game.value("banners(French)") == 2  # the Mill is temporary: it is lost when it is left


def test_a_banner_that_nobody_stands_for_is_refused() -> None:
    with pytest.raises(InputError, match="only while a unit of theirs is there"):
        loaded("napoleonics/erlenbach").by_hand({"objective": {"Mill": "French"}})


def test_a_place_is_taken_by_the_units_that_are_put_into_it() -> None:
    game = loaded("moscow/small").by_hand({"at": {"1st Moscow Militia": "off"}})
    assert game.state_dict()["owner"]["Moscow"] == "Soviet"
    taken = game.by_hand({"at": {"3rd Panzer": "6,3"}}).state_dict()
    assert (taken["owner"]["Moscow"], taken["taken"]["Moscow"]["German"]) == ("German", True)


def test_facts_that_are_changed_together_follow_one_after_the_other() -> None:
    game = loaded("moscow/small")
    after = game.by_hand({"at": {"1st Moscow Militia": "off", "3rd Panzer": "6,3"}})
    assert after.state_dict()["owner"]["Moscow"] == "German"
    assert game.by_hand({"round": 1}).state == game.state


def test_what_is_set_is_not_overruled_by_what_follows() -> None:
    game = loaded("asl/22u3")
    assert game.by_hand({"hex_control": {"22W3": "Russian"}}).state_dict()["hex_control"]["22W3"] == "Russian"


def test_a_unit_that_is_put_elsewhere_fights_no_more_and_what_is_lost_brings_its_points() -> None:
    """26.221/1, 26.222/3, 26.222/4: as by the events."""
    game = loaded("asl/22u3").by_hand({"at": {"4-4-7": "22V2/0", "5-4-8": "22V2/0"}})
    game = game.by_hand({"melee": {"4-4-7": "5-4-8"}})
    assert game.by_hand({"at": {"5-4-8": "22U2/0"}}).state_dict()["melee"]["4-4-7"] == "none"
    assert game.by_hand({"at": {"4-4-7": "eliminated"}}).value("cvp(German)") == 2
    taken = game.by_hand({"captured": {"8-3-8": True}})
    assert taken.value("cvp(Russian)") == 2
    assert taken.by_hand({"captured": {"8-3-8": False}}).state == game.state
