"""What the rules leave to another side, or to nobody, is not settled in favour of who asks."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import vclogic
from vclogic.game import Game

TAKEN = "complex(Outpost) != none and owner(Outpost) == Reds"


@pytest.fixture(scope="module")
def islands() -> Game:
    """The Reds can take the Outpost, in which the Blues have bought a complex."""
    position = yaml.safe_load(Path("examples/two_islands.yaml").read_text())
    position["state"]["complexes"] = {"Outpost": "bought"}
    return Game.load(position).with_options(captures_per_turn=1)


def test_the_defender_decides_whether_a_complex_is_taken(islands: Game) -> None:
    found = islands.force(TAKEN, "Axis", within=1)
    assert (found.status, found.turns) == ("unknown", None)
    assert "the defender chooses whether the complex in Outpost is destroyed" in found.reason
    assert islands.force("owner(Outpost) == Reds", "Axis", within=1).status == "forced"
    assert islands.reach(TAKEN, side="Axis", within=2).status == "reachable", "the defender may leave it"
    threat = islands.apply("end_turn").defend(TAKEN, within=1)
    assert threat.status == "unknown"


def test_results_of_combat_are_nobodys_choice() -> None:
    game = vclogic.load("napoleonics", settings={"combat": "adjacent"})
    found = game.force("banners(French) >= 1", "French", within=1)
    assert found.status == "unknown"
    assert "nobody chooses who is eliminated in combat" in found.reason
    assert game.plan("banners(French) >= 1", side="French", within=4, minimize="turns").status == "optimal"
