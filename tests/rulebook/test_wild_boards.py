"""Boards as nobody means them: each is read, or what is wrong is told at a line of it; nothing breaks down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from hypothesis import given, note
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.rulebook.test_boards import BATTLES, GAMES, TEXTS, board_of, position
from vclogic.errors import InputError
from vclogic.game import Game

BOARDS = (
    ("okinawa", GAMES / "okinawa" / "strip.yaml"),
    ("moscow", GAMES / "moscow" / "small.yaml"),
    ("napoleonics", BATTLES[0]),
)
JUNK: tuple[Any, ...] = (
    *(
        None,
        "",
        "x",
        "9,9",
        "0,0",
        "off",
        "nobody",
        "side",
        "hex",
        "0,0 to 9,9",
        "0,0 to",
        " to ",
        "no exit",
        "all",
        "true",
    ),
    *(0, -1, 7, 10**9, True, [], {}, [[]], [None], [["0,0"]], {"x": 1}, {"": {}}, {"0,0": ["0,0"]}, [1, 2, 3]),
    *("Japan", "German", "Blue", "\u00e9", "a b", "'", '"', "a\u200bb", "x" * 300, "and", "in", "12,5,3", "1e3"),
)


def places(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    parts = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for step, part in parts:
        yield from places(part, (*path, step))


def changed(tree: Any, path: tuple[Any, ...], how: str, junk: Any) -> Any:
    """A board with another part at a place, without it, under another name, or with one more beside it."""
    if not path:
        return junk if how == "replace" else tree
    step, *rest = path
    if rest:
        tree[step] = changed(tree[step], tuple(rest), how, junk)
    elif how == "replace":
        tree[step] = junk
    elif how == "drop":
        del tree[step]
    elif isinstance(tree, dict):
        name = junk if isinstance(junk, str) else "x"
        tree[name] = tree.pop(step) if how == "rename" else tree[step]
    else:
        tree.insert(step, junk if how == "rename" else tree[step])
    return tree


@st.composite
def wild(draw: st.DrawFn) -> tuple[str, str]:
    text, file = draw(st.sampled_from(BOARDS))
    tree = yaml.load(board_of(file), yaml.SafeLoader)
    for _ in range(draw(st.integers(1, 3))):
        if not isinstance(tree, dict | list):
            break
        path = draw(st.sampled_from(list(places(tree))))
        tree = changed(
            tree, path, draw(st.sampled_from(("replace", "drop", "rename", "twice"))), draw(st.sampled_from(JUNK))
        )
    return text, yaml.safe_dump(tree, sort_keys=False, allow_unicode=True, width=10_000)


def read_or_told(file: Path) -> None:
    """A position is read, or all that is wrong with it is told with its place, and none of it as a breakdown."""
    try:
        Game.load(str(file)).status()
    except InputError as error:
        for found in error.diagnostics:
            assert found.file is not None, found
            assert found.code not in ("broken-rules", "broken-encoding"), found


@examples(600, usual=20)
@given(wild())
def test_a_wild_board_is_read_or_told_at_its_line(board: tuple[str, str]) -> None:
    text, written = board
    note(written)
    with TemporaryDirectory() as folder:
        read_or_told(position(Path(folder), text, written))


@st.composite
def wild_text(draw: st.DrawFn) -> tuple[str, str, Path]:
    """A text of which a line is left out, doubled, or has another word in the place of one."""
    name, file = draw(st.sampled_from(BOARDS))
    lines = (TEXTS / f"{name}.md").read_text().splitlines(keepends=True)
    words = sorted({w for line in lines for w in re.findall(r"\w+", line)})
    for _ in range(draw(st.integers(1, 2))):
        at = draw(
            st.sampled_from(
                [n for n, line in enumerate(lines) if "board" in line or "column" in line or "hexes" in line]
            )
        )
        how = draw(st.sampled_from(("drop", "twice", "word")))
        if how == "word":
            found = list(re.finditer(r"\w+", lines[at]))
            word = draw(st.sampled_from(found))
            lines[at] = lines[at][: word.start()] + draw(st.sampled_from(words)) + lines[at][word.end() :]
        else:
            lines[at] = lines[at] * 2 if how == "twice" else "\n"
    return name, "".join(lines), file


@examples(600, usual=20)
@given(wild_text())
def test_a_wild_text_is_read_or_told_at_its_line(made: tuple[str, str, Path]) -> None:
    name, text, board = made
    note(text)
    with TemporaryDirectory() as folder:
        file = position(Path(folder), name, board_of(board))
        (Path(folder) / f"{name}.md").write_text(text)
        read_or_told(file)


@pytest.mark.parametrize("written", ["", "{}", "[]", "x", "~", "units: {}", "- 1", "units: {US: {A: {at: 'off'}}}"])
def test_a_board_that_is_hardly_one_is_told(written: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        Game.load(str(position(tmp_path, "okinawa", written)))
    assert all(d.file for d in caught.value.diagnostics)
