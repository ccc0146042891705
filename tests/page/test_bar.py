"""The bar that is always in sight: the standing in a line, undo, redo, the end of a turn."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.fixtures.web_server import serving
from tests.page.conftest import PATIENCE, ROOT, opened
from tests.page.test_page import GERMANS, by_hand, choose, panel, see, spot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

SCORES = {
    GERMANS: ("round 1, Russians to move", "Allies 39 of 50, Axis 26 of 40"),
    "okinawa/small": (
        "Japan to move",
        "Japan 9, US 4",
        "Japan: enough for victory, judged at the end of the scenario",
    ),
    "moscow/small": ("German to move", "German 0, Soviet 10", "no level of victory yet"),
    "moscow/campaign": ("German 5, Soviet 44", "Soviet: enough for decisive, judged when the game has ended"),
    "napoleonics/erlenbach": ("between turns", "French 0 of 5, Allied 0 of 5"),
    "asl/22u3": ("Russian 0 of 1", "German: enough for victory, judged at the end of the game"),
    "bridgehead.md": (
        "Crossers to move",
        "Crossers 3 of 4, Defenders 3",
        "Defenders: enough for points, judged at the end",
    ),
    "skirmish.md": (re.compile(r"Red to move\s+Red 2 of 3, Blue 2 of 3"),),
    "three.yaml": ("Russians to move", "nobody has enough yet"),
}
"""What the bar says at the start of each game, some of them rulebooks, one with three sides."""
RACE = """# Race
## 1 All
**1.1** Who scores twice has won.
```vclogic
sides Red, Blue
turn is any number of events
rounds 9
grid square, 2 by 2
fact points(side): 0 to 9, starts 0
event score by side
  then points(side) rises by 1
  says "{side} scores"
side wins race at once if points(side) >= 2
```
"""
LINE = 27  # pixels, at the most, of a line


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of a folder with a rulebook and a game of three sides."""
    folder = tmp_path_factory.mktemp("scores")
    for name in ("bridgehead.md", "skirmish.md"):
        shutil.copy(ROOT / "examples" / "rulebooks" / name, folder)
    shutil.copy(ROOT / "examples" / "scenarios" / "axis_allies_three_parties.yaml", folder / "three.yaml")
    (folder / "race.md").write_text(RACE)
    with serving(folder, patience=PATIENCE / 1000) as server:
        yield f"http://{server.host}/"


@pytest.mark.parametrize("width", [390, 1400])
def test_the_bar_is_the_score_of_every_game_and_stays_in_sight(browser: Browser, folder: str, width: int) -> None:
    for page in opened(browser, folder):
        page.set_viewport_size({"width": width, "height": 800})
        for game, parts in SCORES.items():
            choose(page, game)
            for part in parts:
                see(page.locator(".headline"), part)
            for score in page.locator(".headline b").all():
                box = score.bounding_box()
                assert box is not None
                assert width < 1400 or box["height"] < LINE
        page.evaluate("scrollTo(0, 9999)")
        box = page.locator(".headline").bounding_box()
        assert box is not None
        assert 0 <= box["y"] < 100


def test_after_the_end_of_a_game_no_turn_ends(browser: Browser, folder: str) -> None:
    for page in opened(browser, folder):
        choose(page, "race.md")
        end = page.get_by_role("button", name="End turn", exact=True)
        score = page.locator(".play").filter(has_text="scores")
        score.click()
        see(page.locator(".headline b"), "Red 1 of 2, Blue 0 of 2")
        end.click()
        see(page.locator(".headline"), "Blue to move")
        end.click()
        see(page.locator(".headline"), "Red to move")
        score.click()
        see(page.locator(".headline"), "Winner: Red")
        assert "to move" not in page.locator(".headline").inner_text()
        assert end.get_attribute("aria-disabled") == "true"
        end.click(force=True)
        assert panel(page, "Record").get_by_role("listitem").count() == 5


def test_a_level_that_a_side_is_beyond_is_told_from_one_that_it_is_short_of(page: Page) -> None:
    choose(page, "moscow/campaign")
    rows = panel(page, "Who is winning").get_by_role("row").filter(has_text="Soviet")
    see(rows.filter(has_text="substantial"), "beyond it: decisive")
    see(rows.filter(has_text="decisive").first, "enough")
    see(panel(page, "Who is winning").get_by_role("row").filter(has_text="German").first, "not yet")
    choose(page, "okinawa/small")
    see(panel(page, "Who is winning").get_by_role("row").filter(has_text="Japan").first, re.compile("enough.*9"))


def test_undo_stays_under_the_pointer(page: Page) -> None:
    choose(page, GERMANS)
    for place, owner in (("Russia", "Germans"), ("Japan", "Americans")):
        spot(page, place).click()
        by_hand(page).get_by_label(f"owner, {place}", exact=False).first.select_option(owner)
        see(panel(page, "Record"), f"by hand: owner {place} is {owner}")
    undo = page.get_by_role("button", name="Undo")
    before = undo.bounding_box()
    assert before is not None
    x, y = before["x"] + 9, before["y"] + 9
    page.mouse.click(x, y)
    see(page.locator(".headline"), "Axis 31 of 40")
    page.mouse.click(x, y)
    see(page.locator(".headline"), "Axis 26 of 40")
    assert undo.bounding_box() == before
    assert page.evaluate("document.activeElement.textContent") == "Undo"
    page.get_by_role("button", name="End turn").click()
    see(page.locator(".headline"), "Germans to move")
