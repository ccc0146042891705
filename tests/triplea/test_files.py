"""Where maps of TripleA are read from, and what is refused: hostile XML, and names that do not exist."""

from __future__ import annotations

import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

import vclogic
from tests.triplea.small_maps import rule, small_map, switch, trigger
from tests.triplea.test_behaviours import OWNED
from vclogic.errors import InputError
from vclogic.triplea.conditions import MapConditions
from vclogic.triplea.folder import keys_of
from vclogic.triplea.game import read_map

WON = small_map(
    [rule("home", (OWNED, "Alba")), trigger("wins", ("conditions", "home"), ("victory", "won"))],
    properties=[switch("Triggered Victory", "true")],
)


def wins(name: str) -> bool:
    """True if the round's end brings a winner."""
    game = vclogic.load(name)
    for _ in range(4):
        game = game.apply("end_turn")
    return game.winner is not None


@pytest.mark.parametrize("games", ["games", "map/games"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_folder_or_its_zip_is_named_as_the_file_is(tmp_path: Path, games: str, packed: bool) -> None:
    folder = tmp_path / "four_lands"
    (folder / games).mkdir(parents=True)
    (folder / games / "four.xml").write_text(WON)
    (folder / games).with_name("notifications.properties").write_text("won=Won!\n")
    name = str(folder)
    if packed:
        name = f"{folder}.zip"
        with zipfile.ZipFile(name, "w") as file:
            for path in folder.rglob("*.*"):
                file.write(path, path.relative_to(folder))
    assert wins(name)


def test_several_games_of_a_folder_are_named_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    for name in ("a.xml", "b.xml"):
        (tmp_path / "games" / name).write_text(WON)
    with pytest.raises(InputError, match=r"2 games.*name one of them: .*a\.xml, .*b\.xml"):
        vclogic.load(str(tmp_path))


def test_a_map_may_begin_with_a_mark_and_name_a_document_type(tmp_path: Path) -> None:
    file = tmp_path / "small.xml"
    file.write_text('\ufeff<?xml version="1.0"?>\n<!DOCTYPE game SYSTEM "game.dtd">\n' + WON, encoding="utf-8")
    (tmp_path / "notifications.properties").write_text("won : Won!\n")
    assert wins(str(file))


def test_attachments_may_be_spelt_as_they_once_were(tmp_path: Path) -> None:
    file = tmp_path / "small.xml"
    file.write_text(WON.replace("attachment", "attatchment").replace("attachTo", "attatchTo"))
    (tmp_path / "notifications.properties").write_text("won=Won!\n")
    assert wins(str(file))


ENTITY = '<!DOCTYPE game [<!ENTITY a "b">]>'
REFUSED = {
    "an entity": (f"{ENTITY}<game><map/></game>", "declares the entity 'a'"),
    "deep": ("<game>" * 60 + "</game>" * 60, "more than 40 deep"),
    "no XML": ("<game><map>", "this is no XML"),
    "no map": ("<html><body/></html>", "no map of TripleA: its root is <html>"),
    "a territory": (small_map([rule("a", (OWNED, "Albo"))]), "no territory 'Albo'.*did you mean 'Alba'"),
    "a player": (small_map([rule("a", ("players", "Red"))]), "no player 'Red'.*did you mean 'Reds'"),
    "a rule": (small_map([trigger("t", ("victory", "won"), ("conditions", "hom"))]), "no rule 'hom'"),
    "a type of relationship": (
        small_map([rule("a", ("relationship", "Reds:Blues:Was"))]),
        "no type of relationship 'Was'",
    ),
    "a kind of conditions": (small_map([rule("a", ("conditionType", "MOST"))]), "conditionType is 'MOST'"),
    "conditions from more to less": (small_map([rule("a", ("conditionType", "3-2"))]), "from more to less"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_told_at_its_line(name: str) -> None:
    text, says = REFUSED[name]
    with pytest.raises(InputError, match=says) as caught:
        MapConditions(read_map(text.encode(), "x.xml"))
    assert all(d.line and d.file == "x.xml" for d in caught.value.diagnostics)


def test_everything_that_is_wrong_is_told_at_once() -> None:
    text = small_map([rule("a", (OWNED, "Albo")), rule("b", ("rounds", "x"))])
    with pytest.raises(InputError) as caught:
        MapConditions(read_map(text.encode(), "x.xml"))
    assert len(caught.value.diagnostics) == 2


@pytest.mark.parametrize(
    ("content", "keys"),
    [
        ("a=1\nb : 2\n c 3\nd\n", {"a", "b", "c", "d"}),
        ("# a=1\n! b=2\n", set()),
        ("two\\ words=x\ntwo words=x\n", {"two words", "two"}),
        ("a=one \\\n  b=two\nc=3\n", {"a", "c"}),
    ],
)
def test_keys_of_a_properties_file(content: str, keys: set[str]) -> None:
    assert keys_of(content) == keys


def test_the_board_of_a_map_has_its_sea_and_its_owners(tmp_path: Path) -> None:
    (tmp_path / "four.xml").write_text(WON)
    regions = {r.name: r for r in vclogic.load(str(tmp_path / "four.xml")).picture().regions}
    assert (regions["North Sea"].kind, regions["Alba"].kind, regions["Alba"].owner) == ("sea", "land", "Reds")


ODD = ["St. John's", "A, B", "Corva (North)", "x|y", "#1", "Ünïcode", "and", "turn", "{x}"]
ODD += ["*z*", "`q`", "\\n", 'Quo"ted', "<p>"]


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("of", ["Alba", "Reds", "tank"])
def test_names_may_have_any_characters(tmp_path: Path, name: str, of: str) -> None:
    rules = [rule("home", (OWNED, "Alba:Bruma", "1")), trigger("wins", ("conditions", "home"), ("victory", "won"))]
    rules.append(rule("tanks", ("directPresenceTerritories", "Alba"), ("unitPresence", "tank", "1")))
    properties = [switch("Triggered Victory", "true")]
    text = small_map(rules, units=[("Alba", "Reds", "tank", 2)], properties=properties)
    written = escape(name, {'"': "&quot;"})
    file = tmp_path / "odd.xml"
    file.write_text(text.replace(f'"{of}"', f'"{written}"').replace(f'"{of}:', f'"{written}:'))
    (tmp_path / "notifications.properties").write_text("won=Won!\n")
    game = vclogic.load(str(file))
    assert [v for k, v in game.status().observables.items() if k.endswith("_home")] == [True]
    assert wins(str(file))


def test_a_single_winner_with_a_long_name_is_shown_by_it(tmp_path: Path) -> None:
    (tmp_path / "odd.xml").write_text(WON.replace('"Reds"', '"Great Reds"'))
    assert [o.side for o in vclogic.load(str(tmp_path / "odd.xml")).status().outcomes] == ["Great_Reds"]
