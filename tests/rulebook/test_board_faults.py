"""Boards in YAML and texts that read them with something wrong in one: each is told at its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.conftest import Run, run  # noqa: F401
from tests.files.test_shapes import wrong
from tests.rulebook.test_boards import GAMES, STRIP, position
from vclogic.errors import InputError
from vclogic.game import Game

FAULTS = [
    (
        "attack: 3, defence: 4",
        "atack: 3, defence: 4",
        "'atack' cannot stand here in 'Infantry' of 'Japan'",
        "did you mean 'attack'?",
    ),
    ("first: Japan", "frist: Japan", "'frist' cannot stand here", "did you mean 'first'?"),
    ("first: Japan", "first: Japann", "'first': expected Japan or US, found 'Japann'", ""),
    ("first: Japan", "first: [Japan]", "'first'", ""),
    ("defence: 4, movement: 6", "defence: four, movement: 6", "'defence' of 'Infantry'", ""),
    ("defence: 4, movement: 6", "defence: 400, movement: 6", "a number from 0 to 99 is needed, not 400", ""),
    (
        "defence: 4, movement: 6",
        "movement: 6",
        "`defence:` is missing in 'Infantry' of 'Japan'",
        "add `defence: ...`",
    ),
    ("at: 'off', attack: 3", "at: '9,9', attack: 3", "9,9 is off the map: columns 0 to 7, rows 0 to 3", ""),
    ("at: 'off', attack: 3", "at: 'of', attack: 3", "unknown hex or off 'of'", "did you mean 'off'?"),
    ("'7,0', '7,1', '7,2'", "'7,0', '7,1', '7,1'", "7,1 stands here twice", ""),
    ("'7,0', '7,1', '7,2'", "'7,0', '7,1', '7,9'", "7,9 is off the map", ""),
    ("'7,0', '7,1', '7,2'", "7,0, 7,1", "", ""),
    ("[['0,0', '1,2']]", "[['0,0', '1,2', '3,3']]", "expected a list of exactly 2", ""),
    ("[['0,0', '1,2']]", "[['0,0', '9,2']]", "9,2 is off the map", ""),
    ("Southern: {spans", "Southern: {spanns", "'spanns' cannot stand here", "did you mean 'spans'?"),
    ("  - '~~~~~~~~'", "  - '~~~~~~~x'", "'x' stands for no terrain", "known: ., ~"),
    ("  '~': {}", "  'sea': {}", "'sea' is not a sign", ""),
    ("zone_of_control: false", "zone_of_control: perhaps", "'zone_of_control' of 'Snipers'", ""),
    ("  US:\n", "  USA:\n", "US", ""),
    ("    Marines: {at", "    Infantry: {at", "there are two called 'Infantry'", ""),
    ("    Marines: {at", '    "Mar\'ines\\\\": {at', "nothing can be called", ""),
    ("first: Japan", "first: Japan\nturns: 0", "a number from 1 to 999 is needed, not 0", ""),
    (
        "first: Japan",
        "first: Japan\nedges: {East: {hexes: ['7,0'], sides: [Japn]}}",
        "unknown side 'Japn'",
        "did you mean 'Japan'?",
    ),
]


@pytest.mark.parametrize(("old", "new", "message", "help"), FAULTS, ids=[f[1][:40] for f in FAULTS])
def test_what_is_wrong_on_a_board_is_told_at_its_line(
    old: str, new: str, message: str, help: str, tmp_path: Path
) -> None:
    line = STRIP.count("\n", 0, STRIP.index(old)) + 1 + new.rstrip().count("\n")
    with pytest.raises(InputError) as caught:
        Game.load(str(position(tmp_path, "okinawa", STRIP.replace(old, new, 1))))
    told = [(d.message, d.help or "", d.file, d.line, d.column) for d in caught.value.diagnostics]
    assert any(
        message in m and help in h and f == str(tmp_path / "board.yaml") and n == line for m, h, f, n, _ in told
    ), told
    assert all(column for *_, column in told)


def test_a_position_over_a_faulty_board_is_looked_at_too(tmp_path: Path) -> None:
    text = STRIP.replace("defence: 4, movement: 6", "defence: 400, movement: 6", 1)
    with pytest.raises(InputError) as caught:
        Game.load(str(position(tmp_path, "okinawa", text, "state: {at: {Marins: '0,0'}}\n")))
    assert ["not 400" in d.message or "'Marins'" in d.message for d in caught.value.diagnostics] == [True, True]


def test_boards_that_are_too_large_are_refused(tmp_path: Path) -> None:
    wide = STRIP.replace("  - '........'\n", f"  - '{'.' * 4000}'\n", 3)
    with pytest.raises(InputError, match="a map has at most 5,000 hexes"):
        Game.load(str(position(tmp_path, "okinawa", wide)))
    many = STRIP + "".join(f"    U{n}: {{at: 'off', defence: 1}}\n" for n in range(5100))
    with pytest.raises(InputError, match="there are more than 5,000 of them"):
        Game.load(str(position(tmp_path, "okinawa", many)))
    with pytest.raises(InputError, match="a number from 1 to 60 is needed, not 4000"):
        Game.load(
            str(
                position(
                    tmp_path,
                    "moscow",
                    (GAMES / "moscow" / "bare.yaml").read_text().replace("columns: 5", "columns: 4000"),
                )
            )
        )


def test_an_editor_knows_the_keys_of_a_board(tmp_path: Path) -> None:
    position(tmp_path, "okinawa", STRIP)
    text, board = str(tmp_path / "okinawa.md"), as_edited_text(STRIP)
    assert wrong("board", text, board) == []
    assert wrong("board", text, board | {"frist": "US"})
    assert wrong("board", text, board | {"first": "U"})
    assert wrong("board", text, {k: v for k, v in board.items() if k != "units"})
    assert wrong("board", text, {"based_on": "strip.yaml", "turns": 3}) == []
    assert wrong("position", text, {"game": text, "board": board}) == []


def as_edited_text(text: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(text)
    return found


LINES = [
    (
        "kind zone, from zones of the board",
        "kind zone, from zone of board",
        "nothing says that it is on the board",
        "of the board",
    ),
    ("board stacking: 1 to 6, default 1", "board first: 1 to 6", "", ""),
    (
        "column in_use(zone), default true",
        "column in_use(zone), default perhaps",
        "in_use is true or false",
        "write default false",
    ),
    (
        "column in_use(zone), default true",
        "column class(zone), default true",
        "no key of a board can be called 'class'",
        "another name",
    ),
    ("rounds turns", "rounds turn", "no value of the board is called 'turn'", "did you mean 'turns'?"),
    ("turn order first, side", "turn order frist, side", "nobody is called 'frist'", ""),
    (
        "kind edge, from edges of the board",
        "kind edge, from zones of the board",
        "'zones' means something already: a key of the board",
        "another name",
    ),
    (
        "kind terrain, from terrain of the board",
        "kind ground, from terrain of the board",
        "nothing says what the signs of the map stand for",
        "kind terrain",
    ),
    ("board northeast_edge: several hex", "board northeast_edge: several hax", "", ""),
    (
        "rounds turns",
        "rounds turns\nboard turns: 1 to 9",
        "'turns' means something already: a value of the board",
        "",
    ),
    (
        "rounds turns",
        "rounds turns\nboard turn is 3",
        "no value of the board is called 'turn'",
        "did you mean 'turns'?",
    ),
    ("rounds turns", "rounds turns\nboard turns is 0", "'0' is no value of turns", "it is a number from 1 to 999"),
    (
        "default 'odd-column'",
        "default 'odd-colum'",
        "'odd-colum' is no value of stagger",
        "did you mean 'odd-column'",
    ),
]


@pytest.mark.parametrize(("old", "new", "message", "help"), LINES, ids=[c[1][:40] for c in LINES])
def test_what_is_wrong_in_the_text_is_told_at_its_line(
    old: str, new: str, message: str, help: str, tmp_path: Path
) -> None:
    file = position(tmp_path, "okinawa", STRIP)
    text = (tmp_path / "okinawa.md").read_text()
    assert old in text
    (tmp_path / "okinawa.md").write_text(
        text.replace(old, new, 1).replace("cost(terrain)", f"cost({'ground' if 'ground' in new else 'terrain'})", 1)
    )
    with pytest.raises(InputError) as caught:
        Game.load(str(file))
    told = [(d.message, d.help or "", d.file, d.line) for d in caught.value.diagnostics]
    assert any(message in m and help in h and line for m, h, _, line in told), told
