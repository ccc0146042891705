"""Whatever stands in a file, nothing but InputError comes out."""

from __future__ import annotations

import contextlib
import json
import random
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from tests.files.fake_game import Board
from tests.fixtures.pace import examples
from vclogic.errors import InputError
from vclogic.files.position import load_setup
from vclogic.files.source import Source, read_text
from vclogic.files.trees.nodes import parse
from vclogic.files.trees.schema import check_as

GOOD = """\
game: skirmish/winter
options: {length: 9, weather: no}
readings:
  ties: red
state:
  owner: {Hilltop: Reds}
  turn: 3
  supplied: {Blue: {Ford: no}}
  score: {Red: ~, Blue: 5}
record:
  - {capture: {side: Blue, area: Red Home}}
  - end_turn
  - {roll: }
board:
  title: "x"
  areas:
    Home: {owner: Red, at: [1, 2], aliases: [Red Home]}
    Ford: {owner: Red}
    Hill: {owner: Blue, aliases: [Hilltop]}
"""
BITS = "[]{}:,-#&*!|>'\"%@`?~\t \n\\\x00\x85\u2028é😀0aNo<<"


@pytest.mark.usefixtures("game")
def test_the_good_position_is_good() -> None:
    Path("p.yaml").write_text(GOOD)
    assert len(load_setup("p.yaml").record) == 3


def checked(text: str, name: str) -> None:
    """Reads a text and looks at the diagnostics: each has words and, if any, a place inside the text."""
    try:
        parse(Source(name, text))
    except InputError as error:
        lines = text.count("\n") + text.count("\r") + text.count("\x85") + text.count("\u2028") + text.count("\u2029")
        for d in error.diagnostics:
            assert d.message
            assert d.code
            assert d.file == name
            assert (d.line is None) == (d.column is None)
            assert d.line is None or 1 <= d.line <= lines + 1
            assert d.column is None or d.column >= 1


def mutated(text: str, seed: int) -> str:
    rng = random.Random(seed)
    for _ in range(rng.randint(1, 4)):
        i = rng.randrange(len(text) + 1)
        j = min(len(text), i + rng.choice((0, 1, 1, 5, 30)))
        text = text[:i] + rng.choice(("", rng.choice(BITS), text[rng.randrange(len(text) + 1) :][:20])) + text[j:]
    return text


@examples(1500, usual=30)
@given(st.one_of(st.text(), st.text(BITS, max_size=60)), st.sampled_from(["x.yaml", "x.json", "<stdin>"]))
@example("\t", "x.yaml")
@example("\ufeff", "x.yaml")
@example("\r", "x.json")
@example('"\\ud800"', "x.json")
@example('{"' + "k" * 2000 + '": 1, "a": 1, "a": 1}', "x.json")
def test_random_text(text: str, name: str) -> None:
    checked(text, name)


@examples(1000, usual=30)
@given(data=st.binary(max_size=200))
def test_random_bytes(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(data)
    with contextlib.suppress(InputError):
        parse(read_text(str(tmp_path / "x")))


@examples(1500, usual=30)
@given(seed=st.integers(0, 2**32), as_json=st.booleans(), over=st.booleans())
@pytest.mark.usefixtures("game")
def test_mutated_positions(seed: int, as_json: bool, over: bool) -> None:
    text = json.dumps(yaml.safe_load(GOOD)) if as_json else GOOD
    name = "p.json" if as_json else "p.yaml"
    Path(name).write_text(mutated(text, seed), encoding="utf-8", newline="")
    with contextlib.suppress(InputError):
        load_setup("skirmish", name) if over else load_setup(name)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["Red", "Home", "turn"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text(max_size=5) | st.sampled_from(["game", "state", "owner", "title", "areas"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=10,
)
SECTIONS = ("board", "options", "readings", "state", "record")


@examples(1000, usual=30)
@given(position=st.fixed_dictionaries({}, optional=dict.fromkeys(SECTIONS, values)), board=values)
@pytest.mark.usefixtures("game")
def test_positions_of_any_shape(position: dict[str, object], board: object) -> None:
    Path("p.json").write_text(json.dumps({"game": "skirmish", **position}))
    with contextlib.suppress(InputError):
        load_setup("p.json")
    with contextlib.suppress(InputError):
        check_as(Board, parse(Source("b.json", json.dumps(board))))
