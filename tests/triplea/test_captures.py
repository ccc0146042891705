"""Captures on maps of TripleA: by land, by sea within an option's range, through canals, and counted in plans."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.triplea.small_maps import attachment, number, rule, small_map, switch, trigger
from tests.triplea.test_behaviours import OWNED, opened
from vclogic.errors import InputError
from vclogic.game import Game

COASTS = (("Alba", "North Sea"), ("North Sea", "South Sea"), ("South Sea", "Delta"))
TOTAL = (switch("Total Victory", "true"), number("Red Total Victory VCs", 4, 1, 9))


def taken(game: Game) -> bool:
    """True if Reds may capture Delta."""
    (kind,) = game.legal(event="capture", power="Reds", territory="Delta").kinds
    return bool(kind.allowed)


def canal(zone: str) -> str:
    """One end of a canal whose bank is Corva."""
    options = [("canalName", "Cut"), ("landTerritories", "Corva")]
    return attachment(f"canalAttachment{zone}", zone, "CanalAttachment", options)


@pytest.mark.parametrize(("far", "comes"), [(0, False), (1, True), (3, True)])
def test_land_is_taken_over_the_sea_within_the_range(tmp_path: Path, far: int, comes: bool) -> None:
    game = opened(tmp_path, small_map(joined=COASTS)).with_options(sea_range=far)
    assert taken(game) is comes


@pytest.mark.parametrize(("owner", "comes"), [("Blues", False), ("Pinks", True)])
def test_a_canal_is_open_to_whoever_holds_its_banks(tmp_path: Path, owner: str, comes: bool) -> None:
    text = small_map([canal("North Sea"), canal("South Sea")], joined=COASTS)
    game = opened(tmp_path, text).at_state({"owner": {"Corva": owner}})
    assert taken(game) is comes


def test_a_plan_counts_captures_in_any_order_of_turns_and_has_a_record(tmp_path: Path) -> None:
    plan = opened(tmp_path, small_map(properties=TOTAL)).plan("cities(Red) >= 4", side="Red")
    assert (plan.status, plan.cost, plan.metric) == ("optimal", 2, "captures")
    assert plan.record is not None


def test_a_victory_at_the_end_of_the_round_follows_the_captures(tmp_path: Path) -> None:
    game = opened(tmp_path, small_map(properties=TOTAL))
    plan = game.plan("holds(total_victory, Red)", side="Red")
    assert (plan.status, plan.cost) == ("optimal", 2)
    assert plan.record is not None
    for event in plan.record.events or ():
        game = game.apply(event.name, **dict(event.args))
    assert game.winner == "Red"


def test_what_the_rulebook_leaves_out_is_told_with_each_answer(tmp_path: Path) -> None:
    attachments = [
        rule("home", (OWNED, "Alba"), ("madeUpOption", "1"), ("destroyedTUV", "currentRound", "5")),
        trigger("wins", ("conditions", "home"), ("victory", "won"), ("chance", "1:6")),
        trigger("gives", ("conditions", "home"), ("changeOwnership", "Alba:Reds:Blues:false")),
    ]
    told = " / ".join(opened(tmp_path, small_map(attachments)).status().assumptions)
    for part in (
        "madeUpOption of RulesAttachment",
        "1 condition asks for destroyedTUV",
        "need dice, taken as sure: 1",
    ):
        assert part in told


def test_what_is_switched_off_is_told(tmp_path: Path) -> None:
    text = small_map(
        properties=[
            switch("Total Victory", "false"),
            switch("Projection of Power", "true"),
            number("Red Projection of Power VCs", 3, 1, 9),
        ]
    )
    (told,) = [a for a in opened(tmp_path, text).status().assumptions if "switched off" in a]
    assert "total_victory" in told


def test_a_strange_land_in_a_canal_is_passed_over(tmp_path: Path) -> None:
    options = [("canalName", "Cut"), ("landTerritories", "Nowhere")]
    text = small_map([attachment("canalAttachment1", "North Sea", "CanalAttachment", options)], joined=COASTS)
    assert opened(tmp_path, text).value("cities(Red)") == 2
    with pytest.raises(InputError, match="Nowhere"):
        opened(tmp_path, small_map([rule("a", (OWNED, "Nowhere"))]))
