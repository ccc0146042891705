"""Answers as one reads them: a briefing as a table whose targets are marked, examples that come with a limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.page.test_page import GERMANS, ask, choose, panel, see, see_chosen, spot

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_a_briefing_is_a_table_and_its_targets_are_marked(page: Page) -> None:
    choose(page, GERMANS)
    page.get_by_role("combobox", name="What", exact=True).select_option("objectives")
    ask(page, "vcp(Axis) >= 40")
    table = page.get_by_role("region", name="What to take").get_by_role("table")
    row = table.get_by_role("row").filter(has_text="Moscow, 5 points")
    see(row, "1 of 1")
    height = row.bounding_box()
    assert height is not None
    assert height["height"] < 70
    page.mouse.move(9, 500)  # a row under the pointer marks its own places alone
    for place in ("Russia", "United Kingdom", "Eastern United States"):
        page.locator(f'[data-place="{place}"].marked').wait_for()
    assert spot(page, "Japan").evaluate("one => one.classList.contains('marked')") is False


def test_an_example_is_a_sentence_that_fills_in_its_goal_and_a_limit_in_which_it_is_answered(page: Page) -> None:
    choose(page, "moscow/small")
    page.get_by_role("button", name="a marginal victory of the Soviets, within 1 move or turn", exact=True).click()
    see_chosen(page.get_by_role("combobox", name="Question in the goal language"), "holds(marginal, Soviet)")
    assert page.get_by_label("At most (moves or turns)").input_value() == "1"
    page.get_by_role("button", name="Ask", exact=True).click()
    see(panel(page, "Ask").locator(".verdict"), "within 1 round of marches")


def test_a_plan_says_what_each_of_its_moves_and_all_of_them_change(page: Page) -> None:
    choose(page, GERMANS)
    ask(page, "vcp(Axis) >= 40")
    answer = page.locator(".answer")
    see(answer, "All of it: ")
    see(answer, "vcp of Axis: 41, was 26")
    page.get_by_role("button", name="Next").click()
    see(answer.get_by_role("listitem").first, "vcp of Axis: 31, was 26")


SEEN = """() => {
  const inside = (one, all) => one && one.top >= all.top && one.bottom <= all.bottom &&
    one.left >= all.left && one.right <= all.right;
  const box = (which) => document.querySelector(which)?.getBoundingClientRect();  // it may not be drawn yet
  const frame = box('.frame');
  const below = { top: frame.bottom, bottom: innerHeight, left: 0, right: innerWidth };
  const wide = innerWidth > 900 ? { ...below, top: 0 } : below;
  return inside(box('.spot.moved'), frame) && inside(box('.plan li:has([aria-current])'), wide)
    && document.querySelector('.plan .changes')?.hidden === false;
}"""
"""Whether the place of the move that is shown, its line and what it changed are in view."""


@pytest.mark.parametrize("width", [390, 1400])
def test_each_move_of_a_plan_comes_into_view_and_the_bar_follows(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    choose(page, GERMANS)
    ask(page, "vcp(Axis) >= 40")
    for score in ("Axis 31 of 40", "Axis 36 of 40", "Axis 41 of 40"):
        page.get_by_role("button", name="Next").click()
        see(page.locator(".headline"), score)
        page.wait_for_function(SEEN)
    see(page.locator(".headline"), "Axis: enough, judged at the end of any turn of the Americans")
    page.get_by_role("button", name="All moves").click()
    see(page.locator(".headline"), "Axis 26 of 40")


def test_the_last_move_is_marked_on_the_board(page: Page) -> None:
    choose(page, "moscow/small")
    spot(page, "1,2").click()
    page.locator(".spot.target").first.wait_for()
    spot(page, "2,2").click()
    page.locator('.spot.moved[data-place="2,2"]').wait_for()
    assert page.locator(".spot.moved").count() == 1
    page.get_by_role("button", name="Undo").click()
    page.locator(".spot.moved").wait_for(state="detached")
