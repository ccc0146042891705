"""Positions written out and read back."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from vclogic.files.position import load_setup
from vclogic.files.setup import Setup
from vclogic.files.source import Source
from vclogic.files.trees.nodes import parse
from vclogic.files.write import write_position
from vclogic.model.actions import Event
from vclogic.terms.expressions.lexer import unwritable
from vclogic.terms.sorts import EnumSort, IntSort

pytestmark = pytest.mark.usefixtures("game")


def again(text: str) -> Setup:
    Path("again.yaml").write_text(text, encoding="utf-8")
    return load_setup("again.yaml")


def same(a: Setup, b: Setup) -> bool:
    return (a.game, a.settings, a.initial, a.record, a.chosen) == (
        b.game,
        b.settings,
        b.initial,
        b.record,
        b.chosen,
    )


def test_nothing_but_the_game() -> None:
    assert write_position(load_setup("skirmish/winter")) == "game: skirmish/winter\n"


def test_text() -> None:
    Path("p.yaml").write_text("""\
game: skirmish
options: {weather: no}
state: {turn: 3, owner: {Hill: Red, No: Red}, score: {Blue: 4}, supplied: {Blue: {No: no}}}
record: [end_turn, {capture: {side: Blue, area: No}}]
""")
    setup = load_setup("p.yaml", None, [("ties", "red"), ("length", "9")])
    text = write_position(setup)
    assert (
        text
        == """\
game: skirmish/spring
options: {weather: 'no', length: 9}
readings: {ties: red}
state:
  owner:
    Hill: Red
    'No': Red
  turn: 3
  supplied:
    Blue:
      'No': false
  score:
    Blue: 4
record:
- end_turn
- capture: {side: Blue, area: 'No'}
"""
    )
    assert same(setup, again(text))


def test_a_later_state_has_no_record_unless_one_is_given() -> None:
    Path("p.yaml").write_text("game: skirmish\nrecord: [end_turn]\n")
    setup = load_setup("p.yaml")
    assert "record" not in write_position(setup, setup.initial)
    assert again(write_position(setup, setup.initial, [Event("roll")])).record[0].event.name == "roll"


def test_what_a_file_leaves_out_is_written_as_nothing(game: Path) -> None:
    (game / "scenarios" / "spring.yaml").write_text("title: S\ndefault: true\nstate: {score: {Red: 5}}\n")
    setup = load_setup("skirmish")
    score = setup.system.layout.slot[setup.system.layout.by_name["score[Red]"]]
    state = tuple(-1 if i == score else n for i, n in enumerate(setup.initial))
    text = write_position(setup, state)
    assert text == "game: skirmish/spring\nstate:\n  score:\n    Red: null\n"
    assert again(text).initial == state


BOARD = """\
title: '3'
areas:
  Home: {owner: Red, value: 3, port: yes, at: [1, -2], aliases: [~x, 'No', '1', "null", 'a: b', "é\\tü", 😀]}
  'null': {owner: Red}
  " ": {owner: Blue, near: []}
"""


@pytest.mark.parametrize("rules", ["", "outcomes: |\n  nobody wins a draw at once if false\n"])
@pytest.mark.parametrize("inline", [True, False])
def test_board_is_written_inline(inline: bool, rules: str) -> None:
    whole = BOARD + rules
    Path("b.yaml").write_text(whole)
    board = "\n" + "".join(f"  {line}\n" for line in whole.splitlines()) if inline else "b.yaml\n"
    Path("p.yaml").write_text(f"game: skirmish\nboard: {board}state: {{owner: {{' ': Red}}}}\n")
    setup = load_setup("p.yaml")
    text = write_position(setup)
    back = again(text)
    assert same(setup, back)
    assert setup.board is not None
    assert parse(Source("x", text)).tree["board"] == parse(Source("x", whole)).tree  # type: ignore[index,call-overload]
    assert yaml.safe_load(text)["state"] == {"owner": {" ": "Red"}}


@examples(400)
@given(data=st.data())
def test_any_well_formed_position_comes_back(data: st.DataObject) -> None:
    setup = load_setup(data.draw(st.sampled_from(["skirmish/spring", "skirmish/winter"])), None, [("length", "20")])
    layout = setup.system.layout
    state = []
    for fluent in layout.fluents:
        sort = fluent.sort
        if fluent.name == "turn":
            state.append(data.draw(st.integers(1, 5)))
        elif fluent.name == "owner[Home]":
            state.append(0)
        elif isinstance(sort, EnumSort):
            state.append(data.draw(st.integers(0, len(sort.members) - 1)))
        else:
            lo, hi = (sort.lo, sort.hi) if isinstance(sort, IntSort) else (0, 1)
            state.append(data.draw(st.integers(lo, hi)))
    text = write_position(setup, tuple(state))
    assert again(text).initial == tuple(state)


names = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=30).filter(
    lambda name: unwritable(name) is None
)


@examples(400)
@given(st.dictionaries(names, st.sampled_from(["Red", "Blue"]), min_size=1, max_size=5))
def test_any_names_come_back(areas: dict[str, str]) -> None:
    board = yaml.safe_dump(
        {
            "title": "x",
            "areas": {n.replace("\ufeff", ""): {"owner": o, "aliases": []} for n, o in areas.items()},
        },
        allow_unicode=True,
    )
    Path("b.yaml").write_text(board, encoding="utf-8", newline="")
    Path("p.yaml").write_text("game: skirmish\nboard: b.yaml\nstate: {to_move: Blue}\n")
    setup = load_setup("p.yaml")
    flipped = [
        1 - n if v.name.startswith("owner[") else n
        for v, n in zip(setup.system.layout.fluents, setup.initial, strict=True)
    ]
    text = write_position(setup, tuple(flipped))
    assert again(text).initial == tuple(flipped)
