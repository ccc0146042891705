"""A position whose game is a card: the card's rules, board and start hold, and the position is laid over them."""

from __future__ import annotations

from pathlib import Path

import pytest

import vclogic
from tests.cli.conftest import Run, run  # noqa: F401
from vclogic.errors import InputError

CARD = """game: okinawa/small
title: A long wait
outcomes: |
  instead of victory, automatic_victory
  fact waited: 0 to 9
    rises by 1 at the end of a turn
  US wins wait at once if waited >= 3
state: {round: 2}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "wait.yaml").write_text(CARD)
    (tmp_path / "later.yaml").write_text("game: cards/wait.yaml\nstate: {waited: 2}\n")
    (tmp_path / "last.yaml").write_text("game: later.yaml\nrecord: [end_turn]\n")
    return tmp_path


def test_what_the_card_says_holds_and_the_position_is_laid_over_it(folder: Path) -> None:
    game = vclogic.load(str(folder / "later.yaml"))
    assert (game.value("waited"), game.value("round")) == (2, 2)
    assert game.status().winners == ()
    last = vclogic.load(str(folder / "last.yaml"))
    assert last.value("waited") == 3
    assert last.status().headline == "Winner: US (wait)"


def test_a_ruling_is_about_a_card(folder: Path, run: Run) -> None:  # noqa: F811
    text = "game: later.yaml\nrulings:\n- {name: once more, position: {record: [end_turn]}, expect: waited == 3}\n"
    (folder / "rulings.yaml").write_text(text)
    assert run("test", str(folder / "rulings.yaml")).code == 0


def test_a_position_on_a_card_is_laid_over_it(folder: Path) -> None:
    laid = vclogic.load(str(folder / "cards" / "wait.yaml"), at=str(folder / "later.yaml"))
    assert laid.value("waited") == 2


def test_a_position_in_python_names_a_card_from_the_folder_at_work(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert vclogic.load({"game": "cards/wait.yaml", "state": {"waited": 1}}).value("waited") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game: none.yaml\n", "there is no file"),
        ("game: bad.yaml\n", "more than 8 cards name each other here"),
        ("game: cards/wait.yml\n", "there is no file"),
    ],
)
def test_a_card_that_is_none_is_told_where_it_is_named(folder: Path, text: str, message: str) -> None:
    (folder / "bad.yaml").write_text(text)
    with pytest.raises(InputError) as caught:
        vclogic.load(str(folder / "bad.yaml"))
    (wrong,) = caught.value.diagnostics
    assert (wrong.line, wrong.column) == (1, 7)
    assert message in wrong.message
