"""Saved games of TripleA: read as data, refused with a clear word."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import vclogic
from tests.triplea.java_objects import saved_game
from tests.triplea.small_maps import LANDS, SEAS, number, rule, small_map, switch
from vclogic.errors import InputError
from vclogic.triplea.saves import read_save

pytest.importorskip("javaobj", reason="javaobj-py3 is not installed: it reads saved games")
OWNERS: dict[str, str | None] = {
    "Alba": "Blues",
    "Bruma": "Blues",
    "Corva": None,
    "Delta": "Reds",
    **dict.fromkeys(SEAS),
}
TANKS = [("Alba", "Blues", "tank")] * 3 + [("Delta", "Reds", "tank")]


def test_round_owners_and_units_are_read() -> None:
    found = read_save(saved_game("Four Lands", 4, OWNERS, TANKS, step=2), "x.tsvg")
    assert (found.name, found.round, found.step, found.version) == ("Four Lands", 4, 2, "2.7.1")
    assert found.owners == {t: o or "Neutral" for t, o in OWNERS.items()}
    assert found.units == {("Alba", "Blues", "tank"): 3, ("Delta", "Reds", "tank"): 1}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    tanks = rule("three", ("directPresenceTerritories", "Alba"), ("unitPresence", "tank", "3"), to="Blues")
    late = rule("late", ("rounds", "4-+"))
    file = tmp_path / "small.xml"
    file.write_text(small_map([tanks, late]))
    return file


def test_a_save_is_a_position_of_the_map(small: Path) -> None:
    save = small.with_name("a.tsvg")
    save.write_bytes(saved_game("Four Lands", 4, OWNERS, TANKS, step=3))
    game = vclogic.load(str(small), at=str(save))
    assert [game.value(x) for x in ("Blues_three", "Reds_late", "owner(Delta)", "round")] == [True, True, "Reds", 4]
    assert game.value("turn") == "Pinks", "the fourth step of the round is theirs"
    assert vclogic.load(str(small)).value("Blues_three") is False


def test_relationships_and_properties_of_a_save_are_those_of_the_position(tmp_path: Path) -> None:
    rules = [rule("c", ("relationship", "Reds:Blues:anyAllied:2"))]
    properties = [switch("Total Victory", "false"), number("Red Total Victory VCs", 4, 1, 9)]
    file, save = tmp_path / "small.xml", tmp_path / "a.tsvg"
    file.write_text(small_map(rules, relations=[("Reds", "Blues", "War")], properties=properties))
    related = [
        ("Blues", "Reds", "Allied", 3),
        ("Reds", "Neutral", "null_relation", 1),
        ("Reds", "Reds", "self_relation", 1),
    ]
    chosen: dict[str, int | bool] = {"Total Victory": True, "Red Total Victory VCs": 2, "Something Else": 7}
    owners = dict.fromkeys((*LANDS, *SEAS), "Reds")
    save.write_bytes(saved_game("Four Lands", 5, owners, [], relations=related, properties=chosen))
    game = vclogic.load(str(file), at=str(save))
    assert (game.value("Reds_c"), game.value("since('Reds and Blues')")) == (True, 3)
    assert game.status().outcomes[0].need == 2


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"not a save", "no saved game of today's TripleA"),
        (gzip.compress(b"<java.util.Map>"), "no saved game of today's TripleA"),
        (gzip.compress(b"\xac\xed\x00\x05\x74\x00\x03abc"), "no game in it"),
        (gzip.compress(gzip.decompress(saved_game("Four Lands", 1, OWNERS, TANKS))[:200]), r"cannot be read"),
        (saved_game("Another", 1, {"Atlantis": None}, []), r"not of this map.*'Atlantis'"),
    ],
    ids=("text", "XML", "a string", "cut off", "another map"),
)
def test_what_is_no_save_of_the_map_is_refused(small: Path, content: bytes, says: str) -> None:
    save = small.with_name("a.tsvg")
    save.write_bytes(content)
    with pytest.raises(InputError, match=says):
        vclogic.load(str(small), at=str(save))


def test_a_save_alone_asks_for_its_map(tmp_path: Path) -> None:
    save = tmp_path / "a.tsvg"
    save.write_bytes(saved_game("Four Lands", 1, dict.fromkeys(LANDS), []))
    with pytest.raises(InputError, match=r"where the map is.*--map MAP.xml"):
        vclogic.load(str(save))
