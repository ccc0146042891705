"""What the five games are about: which objectives there are, who has them, and what their loss is."""

from __future__ import annotations

from collections.abc import Mapping

from vclogic.encode.python.evaluator import interpret
from vclogic.game import Game
from vclogic.model.fluents import Value
from vclogic.model.objectives import Objective


def objectives(game: Game) -> Mapping[str, Objective]:
    return {o.name: o for o in game.setup.system.objectives}


def main(game: Game) -> list[str]:
    return [o.name for o in game.setup.system.objectives if o.main]


def holders(game: Game, name: str) -> list[str]:
    held = objectives(game)[name].held
    return [side for side, t in held.items() if interpret(t, game.setup.system.layout.slot, game.state)]


def lost(game: Game, name: str, side: str) -> dict[str, Value] | None:
    """What a side's loss changes, by the names of fluents."""
    make, layout = objectives(game)[name].lost, game.setup.system.layout
    assert make is not None
    changed = make(side, layout.values(game.state))
    return None if changed is None else {fluent.name: x for fluent, x in changed.items()}


# ---- Axis & Allies


def test_cities_are_objectives_by_their_points_and_every_land_where_every_land_counts() -> None:
    game = Game.load("axis_allies")
    assert main(game)[:6] == ["Russia", "Germany", "United Kingdom", "Japan", "Eastern United States", "Caucasus"]
    assert len(main(game)) == 25
    assert len(main(game.with_options(victory="total"))) == len(objectives(game)) == 63
    assert holders(game, "Caucasus") == ["Allies"]


def test_a_territory_is_lost_to_whose_it_was_else_to_the_nearest_enemy() -> None:
    game = Game.load("axis_allies").at_state({"owner": {"Ukraine S.S.R.": "Russians", "Kwantung": "British"}})
    for name, side, taker in (
        ("Ukraine S.S.R.", "Allies", "Germans"),
        ("Kwantung", "Allies", "Japanese"),
        ("Caucasus", "Allies", "Germans"),
        ("Buryatia S.S.R.", "Allies", "Japanese"),
        ("Southern Europe", "Axis", "Russians"),
    ):
        changed = lost(game, name, side)
        assert changed is not None
        assert changed.pop(f"owner[{name}]") == taker
        assert {*changed} <= {f"owner_at_turn_start[{name}]"}


def test_armies_fall_with_their_territory_and_within_a_turn_nobody_can_tell() -> None:
    game = Game.load("axis_allies").with_options(level="armies")
    gone = lost(game, "Ukraine S.S.R.", "Axis")
    assert gone is not None
    assert {n for n, x in gone.items() if x == 0} == {
        f"units[Ukraine S.S.R., Germans, {u}]" for u in ("artillery", "infantry", "armour", "fighter")
    }
    march: dict[str, Value] = {"power": "Russians", "unit": "infantry", "count": 1}
    begun = game.apply("march", **march, **{"from": "Archangel", "to": "Russia"})
    assert lost(begun, "Ukraine S.S.R.", "Axis") is None


# ---- moscow


def test_places_without_points_are_no_main_objectives() -> None:
    game = Game.load("moscow")
    assert main(game)[:3] == ["Moscow", "Leningrad", "Stalingrad"]
    assert {"Pskov", "Orel", "Warsaw"} <= {*objectives(game)} - {*main(game)}
    assert objectives(game)["Smolensk"].worth["Soviet"] == "5 points if held, 10 points if captured"
    each_turn = objectives(game.with_options(hold_points="each_turn"))["Smolensk"]
    assert each_turn.worth["Soviet"] == "5 points each turn if held, 10 points if captured"


def test_a_place_is_lost_with_its_garrison_and_was_captured() -> None:
    assert lost(Game.load("moscow"), "Kiev", "Soviet") == {
        "at[37th Army]": "eliminated",
        "owner[Kiev]": "German",
        "taken[Kiev, German]": True,
    }


# ---- napoleonics


def test_banners_are_lost_as_their_kind_says() -> None:
    game = Game.load("napoleonics/sankt-veit").at_state({"objective": {"Crossroads": "French"}})
    assert lost(game, "Farm", "French") == {"at[Legion]": "eliminated", "objective[Farm]": "none"}
    assert lost(game, "Hill", "French") == {"objective[Hill]": "none"}
    assert holders(game, "Crossroads") == ["French"]
    assert lost(game, "Crossroads", "French") is None
    assert objectives(game)["Woods"].worth == {"Allied": "1 banner"}


# ---- okinawa


def test_each_further_unit_in_a_zone_counts() -> None:
    game = Game.load("okinawa")
    assert [n for n in main(game) if "Southern" in n] == [
        "Southern zone",
        *(f"{n} unit in Southern" for n in ("2nd", "3rd", "4th", "5th", "6th")),
    ]
    assert holders(game, "Southern zone") == ["US"]
    assert holders(game, "1st US line") == ["Japan"]
    assert holders(game, "2nd US line") == ["US"]
    moved = game.apply("end_turn").apply("move", unit="1st Marines", to="3,0")
    assert holders(game, "2nd unit in Southern") == []
    assert holders(moved, "2nd unit in Southern") == ["US"]
    assert holders(moved, "3rd unit in Southern") == []


def test_a_zone_that_brings_points_once_has_no_further_units() -> None:
    game = Game.load("okinawa").with_options(northern_points="once")
    assert [n for n in main(game) if "Northern" in n] == ["Northern zone"]


def test_a_zone_without_enemy_units_is_the_other_side_s() -> None:
    game = Game.load("okinawa/island")
    assert holders(game, "Southern zone") == ["Japan"]
    assert lost(game, "Southern zone", "Japan") is None
    gone = lost(game, "Northern zone", "Japan")
    assert gone == {f"at[{u}]": "eliminated" for u in ("26 Shipping", "28 Shipping", "Udo Force")}
    assert "6th unit in Central" in main(game)
    assert "7th unit in Central" not in main(game)


# ---- asl


def test_one_building_in_question_means_its_locations() -> None:
    game = Game.load("asl")
    assert main(game) == [f"{h}/{level}" for h in ("22U3", "22V2", "22V3") for level in (0, 1)]
    assert objectives(game)["building 22U3"].places == ("22U3", "22V2", "22V3")
    assert lost(game, "22V2/0", "German") == {
        "location_control[22V2/0]": "Russian",
        "hex_control[22V2]": "Russian",
        "building_control[22U3]": "Russian",
    }


def test_a_location_with_a_unit_in_it_is_not_lost() -> None:
    game = Game.load("asl").at_state({"at": {"5-4-8": "22V3/0"}})
    assert lost(game, "22V3/0", "German") is None
    changed = lost(game, "22V2/0", "German")
    assert changed == {"location_control[22V2/0]": "Russian", "hex_control[22V2]": "Russian"}
