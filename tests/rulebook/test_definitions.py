"""The order of the lines of a text decides nothing about what its names mean."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

import vclogic
from vclogic.errors import InputError

OPEN = ("open means 1", "except open means 2 if round >= 1", "except open means 3 if round >= 1")
"""Two exceptions that clash: it is not defined."""


@pytest.mark.parametrize(
    ("exceptions", "value"),
    [
        (("3 if round >= 1", "open if round >= 1"), None),
        (("open if round >= 1", "open + 1 if round >= 1"), None),
        (("3 if round >= 1", "open if round >= 9"), 3),
        (("3 if round >= 1", "2 + 1 if round >= 1", "open if round >= 9"), 3),
        (("3 if round >= 1", "4 if round >= 1", "3 if round >= 1"), None),
        (("true if round >= 1", "open >= 1 if round >= 1"), None),
    ],
)
def test_exceptions_count_in_any_order(exceptions: tuple[str, ...], value: int | None) -> None:
    base = "false" if exceptions[0].startswith("true") else "0"
    for order in permutations(f"except worth means {e}" for e in exceptions):
        text = "\n".join((*order, f"worth means {base}", *OPEN))
        game = vclogic.load({"game": "okinawa/small", "outcomes": text})
        assert game.value("worth") == value


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("count(hex in road)", 2),  # a hex is also another name of its Location
        ("count(hex in church)", 1),
        ("count(building in church)", 1),  # and may be the name of a building
        ("count(unit where at(unit) in church)", 1),  # upstairs is in the hex too
        ("count(unit where at(unit) in road)", 0),
        ("count(unit where at(unit) in fields)", 2),
        ("count(hex in town)", 4),  # a group of the board and a hex
        ("count(hex in north)", 3),  # a group of this text and a rectangle
    ],
)
def test_a_group_is_of_whatever_its_names_are_the_own_names_of(asked: str, value: int) -> None:
    text = "group road: '22U2', '22V1'\ngroup church: '22U3'\ngroup fields: '22W3/0'\n"
    text += "group town: 'building 22U3', '22U2'\ngroup north: road, '22U2 to 22V1'"
    game = vclogic.load({"game": "asl/22u3", "outcomes": text, "state": {"at": {"4-4-7": "22U3/1"}}})
    assert game.value(asked) == value


@pytest.mark.parametrize(
    ("game", "hexes"), [("asl/22u3", "'22U2', '22V1'"), ("napoleonics/erlenbach", "'3,4', '6,4'")]
)
def test_a_group_of_hexes_is_drawn_with_a_mark_of_its_own(game: str, hexes: str) -> None:
    picture = vclogic.load({"game": game, "outcomes": f"group Road: {hexes}\ngroup near: hex where true"}).picture()
    assert picture.hexes is not None
    (zone,) = (site for site in picture.hexes.sites if site.name == "Road")
    assert zone.hexes == tuple(h.strip("' ") for h in hexes.split(", "))
    others = (*(s.mark for s in picture.hexes.sites if s is not zone), *(p.mark for p in picture.parties))
    assert zone.mark
    assert zone.mark not in others
    assert "near" not in {site.name for site in picture.hexes.sites}


READS = "north means if(northern_points == once, 1, 2)\nloose means early_end == allowed and tie == draw"


@pytest.mark.parametrize(("reading", "value"), [("once", 1), ("each_unit", 2)])
def test_a_text_compares_a_reading_or_an_option_of_the_game_with_a_value(reading: str, value: int) -> None:
    rules = {"game": "okinawa/small", "outcomes": READS, "readings": {"northern_points": reading}}
    game = vclogic.load(rules)
    assert (game.value("north"), game.value("loose")) == (value, True)
    assert game.with_options(tie="US").value("loose") is False


def test_what_nothing_has_and_what_owns_nothing_are_none() -> None:
    units = {"Japan": {"Raiders": {"at": "0,0", "attack": 1, "defence": 2}}}
    board = {
        "terrain": {".": {"cost": 1}},
        "map": [".."],
        "zones": {"Southern": {}, "Central": {}, "Northern": {}},
        "northeast_edge": ["1,0"],
        "units": units,
    }
    game = vclogic.load({"game": "okinawa", "board": board})
    assert game.value("count(unit of US)") == 0
    assert game.value("count(unit where barrage(unit) >= 0)") == 0


OWN_WORDS = """```vclogic
sides Red, Blue
turn is any number of events
pass always
kind gate: North, South
fact keeper(gate): side or nobody, starts nobody
_free(gate) means keeper(gate) == nobody
_kept(side) means count(gate where keeper(gate) == side)
score(side) means 2 * _kept(side) + count(gate where _free(gate))
event take by side gate
  needs _free(gate), else "{gate} is kept"
  then keeper(gate) becomes side
Red wins gates at once if _kept(Red) == 2
```
"""


def test_a_word_that_is_a_texts_own_is_asked_by_no_goal_and_may_mean_something_else_on_a_card(tmp_path: Path) -> None:
    (tmp_path / "gates.md").write_text(OWN_WORDS)
    card = tmp_path / "card.yaml"
    own = "  _free(gate) means score(Red) > 5\n  Blue wins late at once if some(gate where _free(gate))\n"
    card.write_text(f"game: gates.md\noutcomes: |\n{own}")
    game = vclogic.load(str(tmp_path / "gates.md")).apply("take", gate="North")
    assert game.value("score(Red)") == 3
    assert not any("_" in o.name for o in game.setup.system.observables)
    with pytest.raises(InputError, match="unknown name '_kept'"):
        game.value("_kept(Red)")
    with pytest.raises(InputError, match="North is kept"):
        game.apply("take", side="Red", gate="North")
    assert game.apply("take", gate="South").winner == "Red"
    assert vclogic.load(str(card)).apply("take", gate="North").winner is None
