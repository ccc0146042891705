"""What is changed by hand and what is played without a place, and what clauses say, in a real browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.page.test_page import GERMANS, by_hand, choose, panel, points, see, see_chosen, spot

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_units_are_moved_by_hand(page: Page) -> None:
    choose(page, "okinawa/small")
    page.locator("[data-place]").first.wait_for()
    label = page.locator('[data-place][aria-label*="Regiment"]').first
    start = label.get_attribute("data-place")
    label.click()
    by_hand(page).get_by_role("button", name="Move").first.click()
    target = page.locator('[data-place]:not([aria-label*=";"])').nth(30)
    goal = target.get_attribute("data-place")
    assert goal != start
    target.click()
    see(panel(page, "Record"), f"is {goal}")


def test_what_belongs_to_no_place_is_changed_and_played_for_the_whole_board(page: Page) -> None:
    choose(page, GERMANS)
    by_hand(page).get_by_role("combobox", name="turn", exact=True).select_option("Germans")
    see(panel(page, "Record"), "by hand: turn is Germans")
    whole = panel(page, "The whole board")
    whole.get_by_role("button", name=re.compile("end their turn")).click()
    see(panel(page, "Record"), "Germans end their turn")
    see_chosen(by_hand(page).get_by_role("combobox", name="turn", exact=True), "British")
    spot(page, "Russia").click()
    page.get_by_role("heading", name="Russia", exact=True).wait_for()
    page.get_by_role("button", name="To the whole board").click()
    whole.get_by_role("button", name=re.compile("end their turn")).wait_for()


def test_what_is_recorded_of_a_unit_is_changed_where_it_stands(page: Page) -> None:
    choose(page, "asl/22u3")
    spot(page, "22V4").click()
    by_hand(page).get_by_text("more about 5-4-8").click()
    by_hand(page).get_by_label("broken, 5-4-8").select_option("yes")
    see(panel(page, "Record"), "by hand: broken 5-4-8 is true")
    page.locator('[data-place="22V4"][aria-label*="squad, broken"]').wait_for()


def test_a_change_that_no_position_can_have_is_refused_and_changes_nothing(page: Page) -> None:
    choose(page, "asl/22u3")
    spot(page, "22W3").click()
    by_hand(page).get_by_text("more about 8-3-8").click()
    by_hand(page).get_by_label("with, 8-3-8").select_option("9-1")
    refused = page.get_by_role("alert")
    see(refused, re.compile("8-3-8"))
    assert panel(page, "Record").get_by_role("listitem").count() == 1
    page.get_by_role("button", name="To the whole board").click()
    spot(page, "22V4").click()
    page.get_by_role("heading", name="22V4", exact=True).wait_for()
    assert page.get_by_role("alert").count() == 0


def test_a_clause_says_what_it_says(page: Page) -> None:
    choose(page, GERMANS)
    clauses = panel(page, "Who is winning").get_by_role("button", name="victory-major/1")
    clauses.click()
    said = page.get_by_role("note").filter(has_text="victory-major/1")
    see(said, "a side controls cities with as many points as it needs, the Axis 40 and the Allies 50")
    clauses.click()
    said.wait_for(state="detached")
    assert points(page, "Axis") == 26
