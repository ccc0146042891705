"""Okinawa as text and as Python: the same rulings hold, and random records on the same boards are judged the same."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.rulebook.okinawa_both import BOARDS, TEXT, accepted, boards, both, position, random_settings, record
from vclogic.files.rulings.case_files import cases_of
from vclogic.files.rulings.cases import Case
from vclogic.files.setup import Memo
from vclogic.files.trees.nodes import read_node
from vclogic.query.test.rulings import try_case

NAME = "okinawa_text.md"
_GAME = re.compile(r"^( *)game: okinawa(?:/small)?\n(?!\s*board:)", re.MULTILINE)
CASES = sorted((BOARDS / "cases").glob("*.yaml"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The text with the boards that it is played on."""
    here = tmp_path_factory.mktemp("okinawa")
    shutil.copy(TEXT, here / NAME)
    for board in ("strip", "small"):
        shutil.copy(BOARDS / f"{board}.yaml", here)
    return here


def rulings(file: Path, folder: Path) -> tuple[Case, ...]:
    """The rulings of a file of the game, about the text: on the board of its first scenario where they name none."""
    here = folder / file.name
    text = file.read_text()
    if re.search(r"^board:", text, re.MULTILINE):
        text = re.sub(r"game: okinawa(?:/small)?\n", f"game: {NAME}\n", text)
    text = _GAME.sub(rf"\1game: {NAME}\n\1board: small.yaml\n", text)
    here.write_text(text.replace("game: okinawa\n", f"game: {NAME}\n"))
    return cases_of(read_node(str(here)), None, Memo())


@pytest.mark.parametrize("file", CASES, ids=lambda f: f.stem)
def test_the_rulings_of_the_game_hold_over_the_text_by_the_same_clauses(file: Path, folder: Path) -> None:
    tried = [try_case(case, cites=True) for case in rulings(file, folder)]
    failed = [(r.name, [str(p) for p in r.problems], [t for t in r.tried if not t.holds]) for r in tried]
    assert [f for f in failed if f[1] or f[2]] == []
    assert tried


def test_all_rulings_are_tried(folder: Path) -> None:
    assert sum(len(rulings(file, folder)) for file in CASES) == 105


@examples(40)
@given(seed=st.integers(0, 10**9), board=st.sampled_from(("strip", "small", "edges", "stacked", "shifted")))
def test_both_allow_and_say_the_same(folder: Path, seed: int, board: str) -> None:
    rng = Random(seed)
    now = both(folder, boards()[board], random_settings(rng))
    assert list(record(rng, now)) == []


@examples(40)
@given(seed=st.integers(0, 10**9), board=st.sampled_from(("small", "edges", "stacked")))
def test_both_refuse_the_same_positions(folder: Path, seed: int, board: str) -> None:
    rng, where = Random(seed), boards()[board]
    settings = {name: value for name, value in random_settings(rng).items() if rng.random() < 0.2}
    for _ in range(5):
        state = position(rng, where, settings)
        text, python = accepted(folder, where, settings, state)
        assert text == python, (state, settings)
