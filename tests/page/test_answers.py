"""Answers as one reads them: a briefing as a table whose targets are marked, examples that come with a limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    see(answer, "vcp(Axis): 41, was 26")
    page.get_by_role("button", name="Next").click()
    see(answer.get_by_role("listitem").first, "vcp(Axis): 31, was 26")
