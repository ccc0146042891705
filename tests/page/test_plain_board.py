"""A game that does not say how it is drawn has a board of its places, and can be played and changed by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import vclogic
from tests.fixtures.web_server import serving
from tests.page.conftest import opened
from tests.page.test_page import by_hand, choose, panel, see, spot
from vclogic.game import Game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

RACE = """\
# Race

**1.1** Red and Blue have a counter each, and move it by two steps; who has ten has won.

```vclogic
sides Red, Blue
turn is one event
fact steps(side): 0 to 12, starts 0
event step by side
  needs steps(side) <= 10, else "{side} is there"
  then steps(side) rises by 2
side wins race at once if steps(side) >= 10
```
"""


@pytest.fixture
def race(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The page of a game of one's own that says nothing of a board."""
    (tmp_path / "race.md").write_text(RACE)
    with serving(tmp_path) as server:
        yield from opened(browser, f"http://{server.host}/")


def test_a_game_without_a_picture_is_played_and_changed_by_hand(race: Page) -> None:
    choose(race, "race.md")
    see(race.locator(".headline"), "Red 0 of 10, Blue 0 of 10")
    spot(race, "Red").click()
    race.locator("button.play").first.click()
    see(race.locator(".headline"), "Red 2 of 10")
    see(race.locator(".frame"), "steps: 2")
    spot(race, "Blue").click()
    field = by_hand(race).get_by_label("steps, Blue")
    field.fill("9")
    field.press("Enter")
    see(race.locator(".headline"), "Blue 9 of 10")
    see(panel(race, "Record"), "by hand")


@pytest.mark.parametrize("name", ["axis_allies", "moscow/small", "napoleonics/erlenbach", "asl/22u3"])
def test_each_game_has_a_board_without_its_drawing(name: str) -> None:
    setup = vclogic.load(name).setup
    bare = Game._started(replace(setup, system=replace(setup.system, drawing=None, _kept={})), ())
    places = [place.name for place in bare.board().places]
    assert len(places) > 5
    shown = [bare.place(place) for place in (None, *places)]
    told = {fact.path for found in shown for fact in (*found.facts, *found.here, *found.of_here)}
    assert {f"{f.name}[{name}]" for f in setup.system.families for name in places if (name,) in f.fluents} <= {
        f"{family}[{rest[0]}]" for family, *rest in told if rest
    }
    assert {f.name for f in setup.system.families if () in f.fluents} <= {path[0] for path in told}
    assert bare.place(places[0]).label == places[0]
