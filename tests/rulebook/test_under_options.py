"""Facts that are there with an option: whoever gives one in a position means the option, as in games in Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from vclogic.errors import InputError
from vclogic.game import Game

TEXT = """# Earlier points

```vclogic
sides Red, Blue
turn is one event
option earlier "Do earlier points count?"
  off "no", default
  on "yes"
option fog "Is it foggy?"
  thin "a little", default
  thick "yes"
reading snow "Does snow count?"
  no "no", default "nothing is said"
  yes "yes"
fact gained(side): 0 to 99, starts 0 if earlier == on
fact seen(side): 0 to 9, starts 0 if thick == fog
fact far(side): 0 to 9, starts 0 if fog == thin
fact cold(side): 0 to 9, starts 0 if snow == yes
fact both(side): 0 to 9, starts 0 if earlier == on and snow == yes
event gain by side
  then gained(side) rises by 1
```
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    file = tmp_path / "earlier.md"
    file.write_text(TEXT)
    return file


def options(book: Path, fact: str) -> dict[str, object]:
    """The options of a position that gives a fact of Red."""
    game = Game.load({"game": str(book), "state": {fact: {"Red": 4}}})
    assert game.value(f"{fact}(Red)") == 4
    return dict(game.setup.settings.options)


def test_a_position_that_gives_the_fact_has_the_option(book: Path) -> None:
    assert options(book, "gained") == {"earlier": "on", "fog": "thin"}
    assert options(book, "seen") == {"earlier": "off", "fog": "thick"}
    assert options(book, "far") == {"earlier": "off", "fog": "thin"}


def test_what_is_said_of_the_option_comes_first(book: Path) -> None:
    with pytest.raises(InputError, match="no fact 'gained' here"):
        Game.load({"game": str(book), "options": {"earlier": "off"}, "state": {"gained": {"Red": 4}}})


@pytest.mark.parametrize("fact", ["cold", "both"])
def test_no_fact_chooses_a_reading(book: Path, fact: str) -> None:
    with pytest.raises(InputError, match=f"no fact '{fact}' here"):
        Game.load({"game": str(book), "state": {fact: {"Red": 4}}})
