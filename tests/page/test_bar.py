"""The bar that is always in sight: the standing in a line, undo, redo, the end of a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.page.test_page import GERMANS, by_hand, choose, panel, see, spot

if TYPE_CHECKING:
    from playwright.sync_api import Page

HEADLINES = {
    GERMANS: ("Allies 39 of 50, Axis 26 of 40", "Axis 14 short"),
    "okinawa/small": ("Japan 9, US 4", "Japan 5 ahead"),
    "moscow/small": ("German 0, Soviet 10", "no level of victory yet"),
    "napoleonics/erlenbach": ("French 0 of 5, Allied 0 of 5", "French 5 short"),
    "asl/22u3": ("Russian 0 of 1", "Russian 1 short"),
}


@pytest.mark.parametrize("width", [390, 1400])
def test_every_game_has_a_headline_that_stays_in_sight(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for game, parts in HEADLINES.items():
        choose(page, game)
        for part in parts:
            see(page.locator(".headline"), part)
    page.evaluate("scrollTo(0, 9999)")
    box = page.locator(".headline").bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 100


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
