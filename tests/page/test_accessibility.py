"""No screen breaks a rule of accessibility, in light and dark, from a phone to a wide window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fixtures.pace import cases
from tests.page.accessible import see_no_violation
from tests.page.test_page import GERMANS, ask, by_hand, choose, opened, panel, see, show_all, spot

if TYPE_CHECKING:
    from playwright.sync_api import Page

widths = pytest.mark.parametrize("width", cases([390, 1400, 1900], 390))


@pytest.fixture
def screen(page: Page, width: int) -> Page:
    """The page in a window of a width."""
    page.set_viewport_size({"width": width, "height": 900})
    return page


@widths
def test_the_list_of_games_and_links_that_are_damaged(screen: Page) -> None:
    screen.get_by_role("heading", name="Okinawa").wait_for()
    see_no_violation(screen)
    screen.goto(screen.url + "#v1.AAAA")
    screen.reload()
    see(screen.get_by_role("alert"), "this link is damaged")
    see_no_violation(screen)


@widths
def test_a_place_a_ruling_switches_and_findings(screen: Page) -> None:
    choose(screen, "crossroads.yaml")
    show_all(screen)
    screen.locator("[data-place]").nth(10).click()
    by_hand(screen)
    opened(screen, "Share")
    editor = opened(screen, "Conditions of a card")
    editor.get_by_role("textbox").fill(
        "side wins x at once if banners(side) >= 2\nside wins y at once if banner(side) > 1"
    )
    see(editor, "line 2, column 24")
    switches = opened(screen, "Readings and options")
    switches.get_by_text("why").first.click()
    switches.get_by_role("button", name="Does any change the standing here?").click()
    findings = opened(screen, "Check the rules")
    findings.get_by_role("button", name="Look for faults").click()
    screen.get_by_role("combobox", name="What", exact=True).select_option("ask")
    ask(screen, "banners(Blue)")
    screen.locator(".full").first.wait_for()
    see(findings, "kinds of fault were looked for")
    see(switches, "None of them changes")
    see_no_violation(screen)


@widths
def test_units_clauses_and_refused_changes(screen: Page) -> None:
    choose(screen, "asl/22u3")
    show_all(screen)
    spot(screen, "22W3").click()
    by_hand(screen).get_by_text("more about 8-3-8").click()
    by_hand(screen).get_by_label("with, 8-3-8").select_option("9-1")
    see(screen.get_by_role("alert"), "8-3-8")
    panel(screen, "Who is winning").get_by_role("button", name="Clauses", exact=False).first.click()
    screen.get_by_role("note").wait_for()
    see_no_violation(screen)


@pytest.mark.parametrize("width", cases([390, 1400, 1900], 1900))
def test_a_plan_an_event_that_is_refused_and_a_frame(screen: Page) -> None:
    choose(screen, GERMANS)
    ask(screen, "vcp(Axis) >= 40")
    screen.get_by_role("list", name="Moves").wait_for()
    show_all(screen)
    spot(screen, "Karelia S.S.R.").click()
    screen.get_by_text("Any other event").click()
    screen.get_by_role("combobox", name="Event", exact=True).select_option("capture")
    screen.get_by_role("combobox", name="power", exact=True).select_option("Germans")
    screen.get_by_role("button", name="Play it").click()
    screen.get_by_role("alert").filter(has_text="Not allowed").wait_for()
    see_no_violation(screen)
    opened(screen, "Share").get_by_role("button", name="Link", exact=True).click()
    link = screen.get_by_role("textbox", name="Link").input_value()
    screen.goto("about:blank")
    screen.goto(link.replace("#v1.", "#v1e."))
    screen.locator("[data-place]").first.wait_for()
    see_no_violation(screen)
