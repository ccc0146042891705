"""The page in a real browser, as a person uses it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.fixtures.pace import cases
from tests.page.conftest import PATIENCE, profile

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

GAMES = ("asl", "axis_allies", "moscow", "napoleonics", "okinawa")
GERMANS = "axis_allies/revised-1942"


def see(locator: Locator, text: str | re.Pattern[str]) -> None:
    """Wait until something says this."""
    from playwright.sync_api import expect

    expect(locator).to_contain_text(text, timeout=PATIENCE)


def see_chosen(locator: Locator, value: str) -> None:
    """Wait until this is chosen."""
    from playwright.sync_api import expect

    expect(locator).to_have_value(value, timeout=PATIENCE)


def choose(page: Page, game: str) -> None:
    """Choose a game, and wait for its board."""
    page.get_by_role("combobox", name="Game").select_option(game)
    page.locator("[data-place]").first.wait_for()


def show_all(page: Page) -> None:
    """Show all of the board: a person would go to what is not seen."""
    page.get_by_role("button", name="Show all of the board").click()


def spot(page: Page, place: str) -> Locator:
    return page.locator(f'[data-place="{place}"]')


def panel(page: Page, title: str) -> Locator:
    return page.locator("details.panel").filter(has=page.get_by_role("heading", name=title, exact=True))


def opened(page: Page, title: str) -> Locator:
    found = panel(page, title)
    drawer = page.locator("details.drawer")
    if drawer.get_attribute("open") is None and drawer.locator("h2", has_text=title).count():
        drawer.locator("> summary").click()
    if found.get_attribute("open") is None:
        found.locator("summary").first.click()
    return found


def points(page: Page, side: str) -> int:
    """The points of a side towards its major victory."""
    row = panel(page, "Who is winning").get_by_role("row").filter(has_text="major victory").filter(has_text=side)
    return int(row.get_by_role("cell").nth(2).inner_text())


def by_hand(page: Page) -> Locator:
    """What is changed by hand, opened once all that stands above it is there: it moves no more under a click."""
    page.locator('.events[aria-busy="false"]').wait_for()
    found = page.locator("details.byhand")
    found.wait_for()
    if found.get_attribute("open") is None:
        found.locator("> summary").click()
    return found


@pytest.mark.parametrize("game", cases(GAMES, "asl", "okinawa"))
def test_each_game_draws_its_board(page: Page, game: str) -> None:
    first = page.get_by_role("combobox", name="Game").locator(f'option[value^="{game}/"]').first
    first.wait_for(state="attached")
    choose(page, first.get_attribute("value") or "")
    places = page.locator("[data-place]")
    assert places.count() >= 8
    assert all(places.evaluate_all("all => all.map(one => one.ariaLabel && one.ariaLabel.length > 1)"))
    see(panel(page, "Who is winning"), re.compile("Nobody has won yet[.;]"))  # in one Moscow is held already


def test_a_territory_that_changes_hands_changes_the_points(page: Page) -> None:
    choose(page, GERMANS)
    see(panel(page, "Who is winning"), "39")
    before = points(page, "Axis")
    spot(page, "Russia").click()
    by_hand(page).get_by_label("owner, Russia", exact=False).first.select_option("Germans")
    see(panel(page, "Who is winning"), "The last step changed")
    assert points(page, "Axis") == before + 5
    see(panel(page, "Record"), "by hand: owner Russia is Germans")


def test_the_standing_says_when_an_outcome_is_judged_and_why_it_is_not_met(page: Page) -> None:
    choose(page, "okinawa/small")
    standing = panel(page, "Who is winning")
    see(standing, "Japan: enough for victory, but it is judged at the end of the scenario")
    row = standing.get_by_role("row").filter(has_text="Japan").first
    row.get_by_role("button").click()
    see(standing.get_by_label("Why: victory, Japan: unmet"), "the scenario has not ended")
    row.get_by_role("button").click()
    standing.get_by_label("Why:", exact=False).wait_for(state="detached")
    standing.get_by_text("Assumptions").click()
    see(standing, "northern points=each unit")


def test_the_tables_of_a_game_are_shown(page: Page) -> None:
    choose(page, GERMANS)
    standing = panel(page, "Who is winning")
    standing.get_by_text("What may still be placed this turn").click()
    see(standing.get_by_role("row").filter(has_text="Germans").last, "2: Ukraine S.S.R., Western Europe")


def test_a_capture_is_played_and_undone_and_redone(page: Page) -> None:
    choose(page, GERMANS)
    spot(page, "Karelia S.S.R.").click()
    end_turn(page)
    page.get_by_role("button", name=re.compile("^Germans take Karelia")).first.click()
    see(panel(page, "Record"), "Germans take Karelia S.S.R.")
    see(panel(page, "Who is winning"), "vcp of Axis: 28, was 26")
    page.keyboard.press("Control+z")
    page.get_by_role("button", name=re.compile("^Germans take Karelia")).first.wait_for()
    assert points(page, "Axis") == 26
    page.get_by_role("button", name="Redo").click()
    see(panel(page, "Who is winning"), "vcp of Axis: 28, was 26")
    panel(page, "Record").get_by_role("button", name="the start").click()
    see(panel(page, "Who is winning"), "Nobody has won yet.")
    assert points(page, "Axis") == 26


def end_turn(page: Page) -> None:
    """Play `end_turn` as any event."""
    page.get_by_text("Any other event").click()
    page.get_by_role("combobox", name="Event", exact=True).select_option("end_turn")
    page.get_by_role("button", name="Play it").click()
    see(panel(page, "Record"), "end their turn")


def test_an_event_that_is_not_allowed_shows_why_and_its_clause(page: Page) -> None:
    page.get_by_role("combobox", name="Game").select_option("karelia.yaml")
    spot(page, "Karelia S.S.R.").click()
    page.get_by_text("Any other event").click()
    page.get_by_role("combobox", name="Event", exact=True).select_option("place")
    page.get_by_role("combobox", name="power", exact=True).select_option("Germans")
    page.get_by_role("button", name="Play it").click()
    refused = page.get_by_role("alert").filter(has_text="Not allowed")
    see(refused, "have not controlled Karelia S.S.R. since the start of the turn")
    see(refused, "VC-infantry/4")


def ask(page: Page, goal: str) -> None:
    page.get_by_role("combobox", name="Question in the goal language").fill(goal)
    page.get_by_role("button", name="Ask", exact=True).click()


def test_an_example_is_a_question_that_can_be_asked(page: Page) -> None:
    choose(page, GERMANS)
    page.get_by_role("button", name="vcp of Axis: 40 or more", exact=True).click()
    page.get_by_role("button", name="Ask", exact=True).click()
    see(panel(page, "Ask"), "optimal: 3 captures")


def test_forty_points_in_three_captures_stepped_over_the_board(page: Page) -> None:
    choose(page, GERMANS)
    ask(page, "vcp(Axis) >= 40")
    see(panel(page, "Ask").locator(".verdict"), "optimal: 3 captures")
    moves = page.get_by_role("list", name="Moves").locator(".step")
    assert moves.count() == 3
    page.locator(".frame .tip").first.wait_for()
    for n in range(3):
        page.get_by_role("button", name="Next").click()
        page.wait_for_function(f"document.querySelectorAll('.plan .step')[{n}].ariaCurrent === 'step'")
    assert page.get_by_role("button", name="Next").is_disabled()
    page.get_by_text("The answer in full").click()
    see(page.locator(".full"), "proved by landmark cuts")
    page.get_by_role("button", name="Play these moves").click()
    see(panel(page, "Who is winning"), "vcp of Axis: 4")
    assert points(page, "Axis") >= 40


def test_what_can_never_be_is_said_with_its_proof(page: Page) -> None:
    choose(page, GERMANS)
    page.get_by_role("combobox", name="What", exact=True).select_option("reach")
    ask(page, "vcp(Axis) >= 70")
    see(panel(page, "Ask").locator(".verdict"), re.compile(r"\(Proof: positions; .*\)"))


def with_armies(page: Page) -> None:
    """The same board with armies."""
    opened(page, "Readings and options").get_by_role("combobox", name="level", exact=True).select_option("armies")
    see(page.locator(".settings"), "level: armies")


def test_stop_ends_a_search(page: Page) -> None:
    choose(page, GERMANS)
    with_armies(page)
    page.get_by_text("Conditions", exact=True).click()
    page.get_by_label("At most (moves or turns)").fill("6")
    ask(page, "vcp(Axis) >= 60")
    page.get_by_role("button", name="Stop").click()
    see(panel(page, "Ask"), "Stopped; nothing is decided.")
    page.get_by_role("combobox", name="What", exact=True).select_option("ask")
    ask(page, "vcp(Axis)")  # the process is free again
    see(panel(page, "Ask").locator(".verdict"), "vcp of Axis: 26")


def test_a_question_without_a_goal_is_asked_within_its_time(page: Page) -> None:
    page.get_by_role("combobox", name="Game").select_option("crossroads.yaml")
    page.locator("[data-place]").first.wait_for()
    page.get_by_role("combobox", name="What", exact=True).select_option("solve")
    page.get_by_text("Conditions", exact=True).click()
    page.get_by_label("Seconds").fill("2")
    page.get_by_role("button", name="Ask", exact=True).click()
    see(panel(page, "Ask").locator(".full"), "the time is up before best play was worked out")


def test_the_odds_of_a_battle_against_who_stands_there(page: Page) -> None:
    choose(page, GERMANS)
    with_armies(page)
    spot(page, "Karelia S.S.R.").click()
    page.get_by_role("heading", name="Karelia S.S.R.", exact=True).wait_for()
    page.get_by_role("combobox", name="What", exact=True).select_option("odds")
    page.get_by_label("Attack", exact=True).fill("5 infantry, 2 armour")
    page.get_by_role("button", name="Ask", exact=True).click()
    see(panel(page, "Ask").locator(".full"), "91.5 %")


def test_a_reading_is_switched_and_what_it_changes_is_said(page: Page) -> None:
    choose(page, GERMANS)
    switches = opened(page, "Readings and options")
    one = switches.locator(".switch").filter(has=page.get_by_role("combobox", name="victory", exact=True))
    one.get_by_text("why").click()
    one.get_by_role("button", name="Does it change the standing here?").click()
    one.locator(".matters").wait_for()
    switches.get_by_role("combobox", name="victory", exact=True).select_option("major")
    rows = panel(page, "Who is winning").get_by_role("row").filter(has_text="minor victory")
    rows.first.wait_for(state="detached")
    see(switches, "Set here: victory = major")


def test_a_link_opens_in_a_fresh_profile(page: Page, browser: Browser) -> None:
    choose(page, GERMANS)
    spot(page, "Russia").click()
    by_hand(page).get_by_label("owner, Russia", exact=False).first.select_option("Germans")
    see(panel(page, "Record"), "by hand")
    page.get_by_role("combobox", name="Question in the goal language").fill("vcp(Axis) >= 40")
    page.wait_for_function("location.hash.length > 10")
    opened(page, "Share").get_by_role("button", name="Link", exact=True).click()
    link = page.get_by_role("textbox", name="Link").input_value()
    assert len(link) < 2000
    other = profile(browser).new_page()
    other.goto(link)
    see(panel(other, "Record"), "by hand: owner Russia is Germans")
    assert other.get_by_role("combobox", name="Question in the goal language").input_value() == "vcp(Axis) >= 40"
    assert points(other, "Axis") == 31
    other.context.close()


def test_damaged_and_hostile_links_run_nothing(page: Page, address: str) -> None:
    page.goto(address + "#v1.AAAA")
    see(page.get_by_role("alert"), "this link is damaged")
    page.goto(address + "#v7.AAAA")
    page.reload()
    see(page.get_by_role("alert"), "another version")
    page.goto(address)
    page.reload()
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    page.get_by_role("combobox", name="Game").select_option("script.yaml")
    page.locator("[data-place]").first.wait_for()
    assert page.locator(".frame img, .frame script").count() == 0


def test_all_of_it_by_keyboard(page: Page) -> None:
    choose(page, GERMANS)
    page.locator('[data-place][tabindex="0"]').focus()
    first = page.evaluate("document.activeElement.getAttribute('data-place')")
    page.keyboard.press("ArrowRight")
    second = page.evaluate("document.activeElement.getAttribute('data-place')")
    assert second != first
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=second, exact=True).wait_for()
    page.keyboard.press("+")
    width = "Number(document.querySelector('.frame svg').getAttribute('viewBox').split(' ')[2])"
    page.wait_for_function(f"() => {width} < 1500")
    box = page.get_by_role("combobox", name="Question in the goal language")
    box.focus()
    page.keyboard.type("vc")
    page.get_by_role("listbox").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert box.input_value() == "vcp("
    page.keyboard.type("Axis) >= 30")
    page.keyboard.press("Enter")
    see(panel(page, "Ask").locator(".verdict"), "optimal: 1 capture")
