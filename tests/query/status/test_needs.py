"""What an outcome needs of places: those that are held and those that are missing, compared with who holds them."""

from __future__ import annotations

from random import Random

import pytest

from tests.fixtures.games import loaded
from vclogic.game import Game
from vclogic.query.board.needs import held_and_missing


def needed(game: Game, name: str, side: str) -> tuple[set[str], set[str]]:
    outcome = next(o for o in game.setup.system.outcomes if (o.name, o.side) == (name, side))
    held, missing = held_and_missing(game.setup.system, game.state, outcome)
    return {*held}, {*missing}


@pytest.mark.parametrize("seed", range(3))
def test_a_side_holds_the_cities_that_are_its_own(seed: int) -> None:
    game, random = loaded("axis_allies"), Random(seed)
    owners = game.state_dict()["owner"]
    chosen = random.sample(sorted(owners), 12)
    game = game.at_state({"owner": {t: random.choice(["Germans", "Russians", "Japanese"]) for t in chosen}})
    held, missing = needed(game, "total_victory", "Axis")
    axis = {t for t, owner in game.state_dict()["owner"].items() if owner in game.sides["Axis"]}
    assert held == axis & (held | missing)
    assert held | missing >= {*chosen}
    assert needed(game, "total_victory", "Allies") == (missing, held)
    cities = needed(game, "major_victory", "Axis")
    assert cities[0] < held
    assert cities[1] < missing


def test_a_zone_is_held_where_units_count_there_and_none_against_it() -> None:
    game = loaded("okinawa/small")
    side = game.setup.system.vocabulary.kinds["unit"].properties["side"]
    zone = game.setup.system.vocabulary.kinds["hex"].group("Southern")
    missing = needed(game, "automatic_victory", "Japan")[1]
    assert missing
    assert missing <= zone  # a US unit is there
    gone = game.at_state(
        {"at": {u: "off" for u, h in game.state_dict()["at"].items() if h in zone and side[u] == "US"}}
    )
    held, missing = needed(gone, "automatic_victory", "Japan")
    assert not missing
    assert held & zone


def test_a_place_for_one_side_is_held_or_missing() -> None:
    game = loaded("moscow/small")
    assert needed(game, "moscow", "German") == (set(), {"6,3", "7,3"})
    assert needed(game, "moscow", "Soviet") == ({"6,3", "7,3"}, set())


def test_what_paths_lead_through_is_no_place_that_counts() -> None:
    assert needed(loaded("examples/rulebooks/bridgehead.md"), "bridgehead", "Crossers") == (set(), set())


def test_the_picture_tells_held_from_missing_by_more_than_colour() -> None:
    board = loaded("axis_allies").board(overlays=["major_victory Axis"])
    said = {p.name: p.says for p in board.places}
    assert said["Germany"].endswith("counts for major victory Axis, and is held")
    assert said["Russia"].endswith("counts for major victory Axis, and is missing")
    assert 'class="double"' in board.svg
    assert 'class="dashed"' in board.svg
