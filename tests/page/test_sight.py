"""What is seen stays: letters that can be read, the zoom, the focus, open panels, and answers where one looks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.fixtures.pace import cases
from tests.fixtures.web_server import serving
from tests.page.conftest import PATIENCE, opened
from tests.page.test_page import GERMANS, ask, by_hand, choose, panel, see, show_all, spot
from tests.page.test_page import opened as unfolded

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BOARDS = {
    "axis_allies/revised-1942": "Russia",
    "okinawa/small": "11,4",
    "moscow/campaign": "13,6",
    "asl/22u3": "22U3",
    "napoleonics/erlenbach": "0,0",
}
"""Games, and a place that the board of the one before does not have."""
VIEW = "document.querySelector('.frame svg').getAttribute('viewBox')"
SEEN = """() => {
  const frame = document.querySelector('.frame').getBoundingClientRect();
  return [...document.querySelectorAll('.frame .tag:not(.aside) text')].flatMap(text => {
    const box = text.getBoundingClientRect();
    const across = box.left > frame.left && box.right < frame.right;
    const inside = across && box.top > frame.top && box.bottom < frame.bottom;
    const matrix = text.getScreenCTM();
    return inside ? [Number(text.getAttribute('font-size')) * matrix.d] : [];
  });
}"""


@pytest.mark.parametrize("width", cases([390, 1400, 1900], 390))
def test_labels_can_be_read_from_the_start_and_keep_their_size(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 850})
    for game, place in BOARDS.items():
        choose(page, game)
        spot(page, place).wait_for()
        page.wait_for_timeout(300)  # the legend is there, and the board has the height that it leaves
        letters = page.evaluate(SEEN)
        assert letters, game
        assert min(letters) >= 8.95, (game, min(letters))
        for _ in range(4):
            page.get_by_role("button", name="Closer").click()
        assert all(size < 30 for size in page.evaluate(SEEN)), game


def test_the_legend_is_text_with_signs(page: Page) -> None:
    choose(page, "moscow/small")
    legend = page.locator(".legend")
    assert legend.locator("summary svg").count() == 2
    legend.locator("summary").click()
    see(legend, "forest: 2 movement points")
    see(legend, "rows that the German side leaves uncovered")
    assert page.locator(".frame .key").count() == 0


def test_the_zoom_outlives_plans_and_steps(page: Page) -> None:
    choose(page, GERMANS)
    page.get_by_role("button", name="Closer").click()
    page.wait_for_timeout(100)
    near = page.evaluate(VIEW)
    ask(page, "vcp(Axis) >= 27")
    page.locator(".frame .tip").first.wait_for()
    assert page.evaluate(VIEW) == near
    page.get_by_role("button", name="Play these moves").click()
    see(panel(page, "Record"), "capture")
    assert page.evaluate(VIEW) == near


def test_the_focus_stays_where_something_was_pressed(page: Page) -> None:
    page.get_by_role("button", name="A small schematic island").click()
    page.locator("[data-place]").first.wait_for()
    assert page.evaluate("document.activeElement !== document.body")
    choose(page, "moscow/small")
    play = panel(page, "The whole board").get_by_role("button", name="Germans end their player-turn")
    play.focus()
    page.keyboard.press("Enter")
    see(panel(page, "Record"), "Germans end their player-turn")
    play.wait_for(state="detached")
    page.locator(".panels :focus").wait_for()


def test_a_letter_goes_through_the_values_of_a_list_and_enter_takes_one(page: Page) -> None:
    choose(page, GERMANS)
    spot(page, "Russia").click()
    owner = by_hand(page).get_by_label("owner, Russia", exact=False).first
    owner.focus()
    page.keyboard.press("g")
    page.wait_for_timeout(300)
    assert page.locator(".steps li").count() == 1
    panel(page, "Who is winning").get_by_role("row").filter(has_text="major victory").first.hover()
    page.locator(".spot.marked").first.wait_for()  # the page is drawn anew, and what was typed stays
    assert page.evaluate("document.activeElement.value") == "Germans"
    page.keyboard.press("Enter")
    see(panel(page, "Record"), "by hand: owner Russia is Germans")


@pytest.mark.parametrize("width", [390, 1400])
def test_an_answer_comes_into_view(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    choose(page, GERMANS)
    show_all(page)
    spot(page, "Karelia S.S.R.").click()
    page.locator('.events[aria-busy="false"]').wait_for()
    box = page.get_by_role("combobox", name="Question in the goal language")
    box.fill("vcp(Axis) >= 40")
    box.press("Enter")
    verdict = panel(page, "Ask").locator(".verdict")
    see(verdict, "optimal: 3 captures")
    found = verdict.evaluate(
        "one => { const b = one.getBoundingClientRect();"
        " return one.contains(document.elementFromPoint(b.x + 5, b.y + 5)) && b.bottom <= innerHeight; }"
    )
    assert found


def test_zoom_panels_and_answers_outlive_a_file_that_is_saved_and_the_notice_goes(
    browser: Browser, tmp_path: Path
) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("game: axis_allies\n")
    with serving(tmp_path) as server:
        for page in opened(browser, f"http://{server.host}/"):
            choose(page, "own.yaml")
            ask(page, "vcp(Axis) >= 27")
            see(panel(page, "Ask").locator(".verdict"), "optimal")
            page.get_by_role("button", name="Closer").click()
            unfolded(page, "Readings and options")
            page.wait_for_timeout(100)
            near = page.evaluate(VIEW)
            own.write_text("game: axis_allies\nstate: {owner: {Russia: Germans}}\n")
            see(page.locator(".headline"), "Axis 31 of 40")
            assert page.evaluate(VIEW) == near
            assert panel(page, "Readings and options").get_attribute("open") is not None
            see(panel(page, "Ask"), "have changed since this was answered")
            page.locator(".news:empty").wait_for(state="attached", timeout=PATIENCE)
