"""Hexes without quotes are recognised, once each, at their place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import vclogic
from vclogic.errors import Diagnostic
from vclogic.files.boards import read_board
from vclogic.files.position import load_setup
from vclogic.files.source import Source
from vclogic.files.trees.located import Tree
from vclogic.files.trees.nodes import parse

Wrong = Callable[..., tuple[Diagnostic, ...]]


def hexes(found: tuple[Diagnostic, ...]) -> list[tuple[str, int | None, int | None]]:
    assert {d.code for d in found} == {"unquoted-hex"}
    return [(d.message.removeprefix("a hex wants quotes: "), d.line, d.column) for d in found]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{A: 4,3}", [("'4,3'", 1, 5)]),
        ("{A: 4, 3}", [("'4,3'", 1, 5)]),
        ("{A: 4,3, B: 4,3}", [("'4,3'", 1, 5), ("'4,3'", 1, 13)]),
        ("{A: 4,3, B: 5,3, C: 6,3}", [("'4,3'", 1, 5), ("'5,3'", 1, 13), ("'6,3'", 1, 21)]),
        ("{'A':4,3}", [("'4,3'", 1, 6)]),
        ("{4,3: A, 5,3: B}", [("'4,3'", 1, 2), ("'5,3'", 1, 10)]),
        ("at:\n  Ägypten: {漢字: 10,33}\n", [("'10,33'", 2, 17)]),
        ("{A:\n  4,\n  3}", [("'4,3'", 2, 3)]),
        ("x: y\r\nat: {A: 4,3}\r\n", [("'4,3'", 2, 9)]),
    ],
)
def test_in_braces(wrong: Wrong, text: str, wanted: list[tuple[str, int, int]]) -> None:
    assert hexes(wrong(parse, Source("x.yaml", text))) == wanted


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("{A: '4,3', \"5,3\": B}", {"A": "4,3", "5,3": "B"}),
        ("A: 4,3\n5,3: B\n", {"A": "4,3", "5,3": "B"}),
        ("- 4,3\n- 5,3\n", ["4,3", "5,3"]),
        ("{A: 4, 3: 5}", {"A": "4", "3": "5"}),
        ("{1: 4, 3: 5, 5: }", {"1": "4", "3": "5", "5": None}),
        ("{1: x, 2}", {"1": "x", "2": None}),
        ("{A: x, 3}", {"A": "x", "3": None}),
        ("{A: '4', 3}", {"A": "4", "3": None}),
        ("[4,3]", ["4", "3"]),
        ("{at: [4,3]}", {"at": ["4", "3"]}),
    ],
)
def test_what_is_something_else_is_read_as_before(text: str, tree: Tree) -> None:
    assert parse(Source("x.yaml", text)).tree == tree


POSITIONS = {
    ("moscow", "state: {at: {XIV Panzer: 4,3}}"): [("'4,3'", 2, 26)],
    ("moscow", "state: {at: {XIV Panzer: [4,3]}}"): [("'4,3'", 2, 26)],
    ("moscow", "state: {at: {XIV Panzer: 4,3, LVI Panzer: 5,3}}"): [("'4,3'", 2, 26), ("'5,3'", 2, 43)],
    ("moscow", "record: [{move: {unit: XIV Panzer, to: 4,3}}]"): [("'4,3'", 2, 40)],
    ("moscow", "record: [{move: {unit: XIV Panzer, to: [4,3]}}]"): [("'4,3'", 2, 40)],
    ("okinawa", "state: {at: {1st Marines: 4,3}}"): [("'4,3'", 2, 27)],
    ("okinawa", "record: [{retreat: {hexes: 2, to: 4,3, unit: 4th Marines}}]"): [("'4,3'", 2, 35)],
    ("napoleonics", "state: {vacated: {4,3: French, 5,3: Allied}}"): [("'4,3'", 2, 19), ("'5,3'", 2, 32)],
    ("napoleonics", "record: [{retreat: {unit: X, to: 4,3}}]"): [("'4,3'", 2, 34)],
}


@pytest.mark.parametrize("position", POSITIONS)
def test_in_positions(wrong: Wrong, position: tuple[str, str], tmp_path: Path) -> None:
    game, text = position
    path = tmp_path / "p.yaml"
    path.write_text(f"game: {game}\n{text}\n")
    assert hexes(wrong(load_setup, str(path))) == POSITIONS[position]


def test_other_games_have_lists_that_are_no_hexes(wrong: Wrong, tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text("game: axis_allies\nstate: {owner: {Karelia: [4,3]}}\n")
    assert [d.message for d in wrong(load_setup, str(path))] == ["owner: expected one name, found a list"]


BOARDS = [
    ("okinawa", "northeast_edge: [4,3, 5,3]", ["'4,3'", "'5,3'"]),
    ("okinawa", 'northeast_edge: ["0,0", 5,3]', ["'5,3'"]),
    ("moscow", "absent: [4,3, 5,3]", ["'4,3'", "'5,3'"]),
    ("moscow", "barriers: [[4,3, 4,4]]", ["'4,3'"]),
]


@pytest.mark.parametrize(("game", "text", "wanted"), BOARDS)
def test_in_boards(wrong: Wrong, game: str, text: str, wanted: list[str]) -> None:
    setup = vclogic.load(game).setup
    board = parse(Source("b.yaml", (Path(str(setup.files[1]))).read_text()))
    assert isinstance(board.tree, dict)
    name, _, value = text.partition(": ")
    board.tree[name] = parse(Source("x.yaml", value)).tree
    found = wrong(read_board, setup.encoding, board)
    said = [d.message if d.code == "unquoted-hex" else d.help for d in found]
    assert [s.removeprefix("a hex wants quotes: ") for s in said if s and s.startswith("a hex wants")] == wanted
    assert not [d for d in found if "'4'" in d.message or "'3'" in d.message]


@pytest.mark.parametrize(
    ("game", "goal", "column"),
    [
        ("moscow", 'at("XIV Panzer") == 4,3', 21),
        ("moscow", 'at("XIV Panzer") == 4, 3 and round == 2', 21),
        ("moscow", '4,3 == at("XIV Panzer")', 1),
        ("napoleonics", "occupies(French, 4,3)", 18),
        ("napoleonics", "occupies(4,3) == 1", 10),
        ("okinawa", 'at("4th Marines") == 4,3', 22),
    ],
)
def test_in_goals(wrong: Wrong, game: str, goal: str, column: int) -> None:
    (found,) = wrong(vclogic.load(game).value, goal)
    assert (found.code, found.message, found.column) == ("unquoted-hex", "a hex wants quotes: '4,3'", column)


def test_in_goals_a_comma_elsewhere_is_what_it_was(wrong: Wrong) -> None:
    assert "',' cannot stand here" in wrong(vclogic.load("axis_allies").value, "round, 3")[0].message
    assert wrong(vclogic.load("axis_allies").value, "vcp(4,3)")[0].code == "arguments"
