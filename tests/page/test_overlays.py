"""What decides, drawn over the board: switches that stay through steps, and an outcome that is pointed at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.page.conftest import PATIENCE
from tests.page.test_page import choose, panel, see, spot

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

ZONES = "Japanese zones of control"


def laid(page: Page, how: str = "hatch") -> Locator:
    """What lies over places, without the samples of the legend."""
    return page.locator(f".frame .laid.{how}")


def test_a_switch_draws_an_overlay_and_stays_on_through_steps_of_the_game(page: Page) -> None:
    choose(page, "okinawa/small")
    switch = page.get_by_role("group", name="Drawn over the board").get_by_label(ZONES)
    assert laid(page).count() == 0
    switch.check()
    laid(page).wait_for()
    drawn = laid(page).get_attribute("d")
    assert "Japanese zones of control" in (spot(page, "3,3").get_attribute("aria-label") or "")
    page.locator("details.legend > summary").click()
    see(page.locator("details.legend"), "the hex is in a Japanese zone of control [17.53/1]")
    page.get_by_role("button", name="End turn").first.click()
    page.get_by_role("button", name="Undo").and_(page.locator(":enabled")).wait_for()
    page.locator('section.board[aria-busy="false"]').wait_for()
    assert switch.is_checked()
    assert laid(page).get_attribute("d") == drawn
    switch.uncheck()
    laid(page).wait_for(state="detached")
    assert ZONES not in (spot(page, "3,3").get_attribute("aria-label") or "")


def test_an_outcome_that_is_pointed_at_draws_what_it_depends_on(page: Page) -> None:
    choose(page, "axis_allies/revised-1942")
    page.locator('.events[aria-busy="false"]').wait_for()  # above the outcomes: they stay where they are from now on
    row = panel(page, "Who is winning").get_by_role("row").filter(has_text="major victory").filter(has_text="Axis")
    row.get_by_role("button").first.hover()
    page.locator(".frame .double").first.wait_for(timeout=PATIENCE)
    page.locator('[data-place="Russia"][aria-label*="and is missing"]').first.wait_for()
    page.locator('[data-place="Germany"][aria-label*="and is held"]').first.wait_for()
    page.mouse.move(5, 5)
    page.locator(".frame .dashed").first.wait_for(state="detached")


def test_another_game_has_its_own_switches(page: Page) -> None:
    choose(page, "okinawa/small")
    page.get_by_label(ZONES).check()
    laid(page).wait_for()
    choose(page, "moscow/small")
    switch = page.get_by_label("uncovered German rows")
    switch.wait_for()
    assert page.get_by_label(ZONES).count() == 0
    switch.check()
    laid(page, "cross").first.wait_for()
    assert page.get_by_role("alert").count() == 0
