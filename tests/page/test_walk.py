"""The walk of a player from the start page: how many clicks each thing takes, and that it is all in plain words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.fixtures.pace import cases
from tests.page.conftest import ROOT
from tests.page.test_history import DROP
from tests.page.test_page import GERMANS, choose, panel, see, spot
from tests.page.test_play import clicks, counted

if TYPE_CHECKING:
    from playwright.sync_api import Page

BOARDS = {
    "Advanced Squad Leader": "German: enough for victory",
    "Axis & Allies": "Allies 39 of 50, Axis 26 of 40",
    "Eastern Front": "Soviet: enough for decisive",
    "Commands & Colors": "French 0 of 5, Allied 0 of 5",
    "Okinawa": "Japan 9, US 4",
}
"""A game by its title on the start page, and who is winning there."""
NO_WORDS = {
    "a name as programs write it": re.compile(r"\b[a-z]+_[a-z_]+\b"),
    "a call": re.compile(r"\b[a-z]\w+\([A-Z]"),
    "a solver": re.compile(r"\b(HiGHS|z3|cvc5|bounded model checking)\b"),
    "a file": re.compile(r"\b[\w/]+\.ya?ml(:\d+)?"),
    "a code mark": re.compile(r"`|<mapping>"),
    "a wrong plural": re.compile(
        r"\b1 (unit|hexe|turn|move|point|card|banner)s\b|\b[2-9] (submarine|fighter|bomber|unit|hex)\b"
    ),
}


def said_plainly(page: Page) -> None:
    """Nothing that is shown is a name of a fact, a file, a solver, or a mark of code."""
    shown = page.locator("main").inner_text()
    found = {what: sorted({hit[0] for hit in pattern.finditer(shown)}) for what, pattern in NO_WORDS.items()}
    assert not {what: hits for what, hits in found.items() if hits}


@pytest.mark.parametrize("title", cases([*BOARDS], "Okinawa", "Eastern Front"))
def test_each_game_and_who_is_winning_is_one_click(page: Page, title: str) -> None:
    board = page.locator(".thumb").filter(has_text=title)
    board.locator('img[src^="data:image"]').wait_for()
    counted(page)
    board.click()
    see(page.locator(".headline"), BOARDS[title])
    assert clicks(page) == 1
    page.locator('.events[aria-busy="false"]').wait_for()
    said_plainly(page)
    outlined = (
        "[...document.querySelectorAll('*')].filter(one => getComputedStyle(one).outlineStyle !== 'none').length"
    )
    assert page.evaluate(outlined) == 0


def test_forty_points_are_three_clicks_and_a_click_for_each_move(page: Page) -> None:
    counted(page)
    page.locator(".thumb").filter(has_text="Axis & Allies").click()
    page.get_by_role("button", name="vcp of Axis: 40 or more", exact=True).click()
    page.get_by_role("button", name="Ask", exact=True).click()
    see(panel(page, "Ask").locator(".verdict"), "optimal: 3 captures")
    assert clicks(page) == 3
    for n in range(3):
        page.get_by_role("button", name="Next").click()
        page.locator(f".plan li:nth-child({n + 1}) .changes:not([hidden])").wait_for()
    assert clicks(page) == 6
    page.get_by_text("The answer in full").click()
    see(page.locator(".full"), "Replayed")
    said_plainly(page)


def test_a_rulebook_that_is_dropped_is_played_by_clicks_in_plain_words(page: Page) -> None:
    page.locator(".thumb").first.wait_for()
    text = (ROOT / "examples" / "rulebooks" / "bridgehead.md").read_text()
    assert page.evaluate(DROP, ["bridgehead.md", text])
    see(page.locator(".headline"), "Crossers to move")
    counted(page)
    for n, (place, target) in enumerate([("SW", "W"), ("NW", "N"), ("W", "C")], 1):
        spot(page, place).click()
        page.locator(f'.spot.target[data-place="{target}"]').wait_for()
        spot(page, target).click()
        page.locator(f".steps li:nth-child({n + 1}) [aria-current]").wait_for()
        page.locator('.events[aria-busy="false"]').wait_for()
    assert clicks(page) == 6
    said_plainly(page)
    label = page.locator('[data-place="N"]').get_attribute("aria-label") or ""
    shown = page.locator(".frame").inner_text() + label
    assert "land" not in shown
    assert "2 units" in shown
    assert not page.locator(".frame text").filter(has_text=re.compile("^un$")).count()


def test_escape_closes_what_is_open_and_leaves_the_place(page: Page) -> None:
    choose(page, "moscow/small")
    spot(page, "1,2").focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="1,2").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("heading", name="The whole board").wait_for()
    drawer = page.locator("details.drawer")
    drawer.locator("> summary").press("Enter")
    assert drawer.get_attribute("open") is not None
    drawer.locator("> summary").press("Escape")
    assert drawer.get_attribute("open") is None


def test_labels_of_the_1942_map_do_not_overlap(page: Page) -> None:
    choose(page, GERMANS)
    overlaps = """() => {
      const all = [...document.querySelectorAll('.frame .tag:not(.aside)')].map(one => one.getBoundingClientRect());
      return all.flatMap((a, i) => all.slice(i + 1).filter(b =>
        a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)).length; }"""
    assert page.evaluate(overlaps) == 0
