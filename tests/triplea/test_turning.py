"""What triggers of a map change as turns end, where a victory looks at it; what is left out is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.triplea.small_maps import Option, number, rule, small_map, switch, trigger
from tests.triplea.test_behaviours import OWNED, opened
from vclogic.game import Game

ON = (switch("Use Triggers", "true"), switch("Triggered Victory", "true"), switch("Total Victory", "true"))
NEEDS = number("Red Total Victory VCs", 9, 1, 20)
AT_END = ("when", "after:redsEndTurn")
HOME = rule("home", (OWNED, "Alba"))
RELATIONS = [("Reds", "Pinks", "Allied"), ("Reds", "Blues", "Peace"), ("Pinks", "Blues", "Peace")]


def played(
    folder: Path, *options: Option, wins: str = "home", more: tuple[str, ...] = (), asks: str = "home"
) -> tuple[Game, Game]:
    """The map with a trigger as it starts, and after the first turn."""
    fires = trigger("changes", ("conditions", asks), *options, AT_END)
    victory = trigger("wins", ("conditions", wins), ("victory", "won"))
    game = opened(folder, small_map([HOME, *more, fires, victory], properties=[*ON, NEEDS], relations=RELATIONS))
    return game, game.apply("end_turn")


def test_land_changes_its_owner(tmp_path: Path) -> None:
    before, after = played(tmp_path, ("changeOwnership", "Corva:Blues:Reds:false"))
    assert (before.value("owner(Corva)"), after.value("owner(Corva)")) == ("Blues", "Reds")


def test_all_land_of_a_player_changes_its_owner(tmp_path: Path) -> None:
    always = rule("always", ("rounds", "1-+"))
    _, after = played(tmp_path, ("changeOwnership", "all:Reds:Blues:false"), more=(always,), asks="always")
    assert (after.value("owner(Alba)"), after.value("owner(Bruma)")) == ("Blues", "Pinks")


@pytest.mark.parametrize("value", ["true", "false"])
def test_a_switch_is_turned(tmp_path: Path, value: str) -> None:
    named = [("playerAttachmentName", "RulesAttachment", "lever"), ("playerProperty", "switch", value)]
    lever = rule("lever", ("switch", "true" if value == "false" else "false"))
    before, after = played(tmp_path, *named, wins="lever", more=(lever,))
    assert before.value("Reds_lever") is (value == "false")
    assert after.value("Reds_lever") is (value == "true")


def test_a_relationship_changes_and_begins_anew(tmp_path: Path) -> None:
    asked = rule("asked", ("relationship", "Reds:Blues:War:1"))
    before, after = played(tmp_path, ("relationshipChange", "Reds:Blues:anyNeutral:War"), wins="asked", more=(asked,))
    pair = "relation('Reds and Blues')"
    assert (before.value(pair), after.value(pair)) == ("Peace", "War")
    assert after.value("since('Reds and Blues')") == 1


def test_a_city_becomes_worth_more(tmp_path: Path) -> None:
    change: list[Option] = [("territories", "Alba")]
    change.append(("territoryAttachmentName", "TerritoryAttachment", "territoryAttachment"))
    before, after = played(tmp_path, *change, ("territoryProperty", "victoryCity", "7"))
    assert (before.value("cities(Red)"), after.value("cities(Red)")) == (2, 8)


def test_what_does_not_bear_on_victory_is_not_told(tmp_path: Path) -> None:
    rules = [HOME, rule("other", ("switch", "false"))]
    named = [("playerAttachmentName", "RulesAttachment", "other"), ("playerProperty", "switch", "true")]
    game = opened(tmp_path, small_map([*rules, trigger("t", ("conditions", "home"), *named, AT_END)], properties=ON))
    assert game.apply("end_turn").value("Reds_other") is False
    assert not [a for a in game.status().assumptions if "trigger" in a]


@pytest.mark.parametrize("more", [("uses", "3"), ("chance", "1:2"), ("when", "after:endRound")])
def test_what_cannot_be_told_is_named(tmp_path: Path, more: Option) -> None:
    before, after = played(tmp_path, ("changeOwnership", "Corva:any:Reds:false"), more)
    assert after.value("owner(Corva)") == "Blues"
    assert "triggers that bear on victory are left out: 1 change owners" in before.status().assumptions


def test_a_step_that_is_switched_off_changes_nothing(tmp_path: Path) -> None:
    fires = trigger("changes", ("conditions", "home"), ("changeOwnership", "Corva:any:Reds:false"), AT_END)
    game = opened(tmp_path, small_map([HOME, fires], properties=[switch("Total Victory", "true"), NEEDS]))
    assert game.apply("end_turn").value("owner(Corva)") == "Blues"
