"""Refusals that say which Reading would change them, questions in plain words, and links that ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.page.conftest import profile
from tests.page.test_page import GERMANS, ask, choose, opened, panel, see, see_chosen

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def tried(page: Page, event: str, **given: str) -> None:
    """Try an event that the list does not offer."""
    page.locator('.events[aria-busy="false"]').wait_for()
    part = page.locator("details.kind").filter(has_text="Any other event").last
    part.locator("summary").first.click()
    part.get_by_role("combobox", name="Event", exact=True).select_option(event)
    for name, value in given.items():
        if part.get_by_role("combobox", name=name, exact=True).count():
            part.get_by_role("combobox", name=name, exact=True).select_option(value)
        else:
            part.get_by_role("spinbutton", name=name, exact=True).fill(value)
    part.get_by_role("button", name="Play it").click()


def test_a_refusal_says_which_reading_would_change_it_and_asks_for_the_ruling(page: Page) -> None:
    choose(page, GERMANS)
    tried(page, "place", unit="infantry", count="5", territory="Karelia S.S.R.")
    refused = page.get_by_role("alert").filter(has_text="Not allowed")
    see(refused, "at most 2 infantry per turn")
    see(refused, "No other Reading allows it.")
    refused.get_by_role("button", name="Why?").click()
    see_chosen(page.get_by_role("combobox", name="What", exact=True), "ask")
    see(panel(page, "Ask").locator(".verdict"), "not allowed")


def test_a_reading_that_allows_an_event_is_named(page: Page) -> None:
    choose(page, GERMANS)
    readings = opened(page, "Readings and options")
    readings.get_by_role("combobox", name="bought infantry").select_option("within_limits")
    see(page.locator(".settings"), "within limits")
    tried(page, "purchase", unit="infantry", count="15")
    refused = page.get_by_role("alert").filter(has_text="Not allowed")
    see(refused, "Allowed with the Reading bought infantry: any number")
    refused.get_by_role("button", name="Ask for the ruling").click()
    see(panel(page, "Ask").locator(".verdict"), "not allowed")


def test_plain_words_lead_to_what_they_may_mean(page: Page) -> None:
    choose(page, GERMANS)
    ask(page, "may infantry be placed in Karelia?")
    offered = panel(page, "Ask").locator(".asking ~ .examples")
    offered.get_by_role("button", name="place: Russians, infantry, 1, Karelia S.S.R.").click()
    see(panel(page, "Ask").locator(".verdict"), "allowed")
    ask(page, "can the Axis win?")
    offered.get_by_role("button", name="major victory for Axis").wait_for()


def test_a_link_asks_its_question_in_another_profile(browser: Browser, page: Page) -> None:
    choose(page, GERMANS)
    page.get_by_role("combobox", name="What", exact=True).select_option("ask")
    ask(page, "vcp(Axis)")
    see(panel(page, "Ask").locator(".verdict"), "26")
    page.wait_for_function("location.hash.length > 60")
    page.wait_for_timeout(400)  # the address follows
    other = profile(browser).new_page()
    other.goto(page.url)
    see(panel(other, "Ask").locator(".verdict"), "26")
    see_chosen(other.get_by_role("combobox", name="What", exact=True), "ask")
    other.context.close()
