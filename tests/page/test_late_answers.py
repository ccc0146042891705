"""Answers that come late and clicks that come early: what is shown and played is of the position on the board."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.page.conftest import profile, replies_of
from tests.page.test_page import GERMANS, ask, by_hand, choose, opened, panel, see, see_chosen, spot, with_armies
from vclogic.serve.answering import CANCEL, CANCELLED
from vclogic.serve.protocol import fault_document

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route


UNTIRING = (
    "() => { const real = setTimeout; globalThis.setTimeout = (then, ms) => ms > 10_000 ? 0 : real(then, ms); }"
)
"""The page leaves no question, as it does with one that was stopped and has no answer after 12 seconds."""


def held(page: Page, kind: str) -> Callable[[], None]:
    """Holds back what is asked of one kind from now on; what is returned lets it go."""
    routes: list[Route] = []

    def hold(route: Route) -> None:
        if json.loads(route.request.post_data or "{}").get("ask") == kind:
            routes.append(route)
        else:
            route.continue_()

    def release() -> None:
        for route in routes:
            route.continue_()
        page.unroute("**/ask")

    page.evaluate(UNTIRING)
    page.route("**/ask", hold)
    return release


GIVEN_UP = """([found, lost]) => {
    const real = fetch, bytes = new TextEncoder();
    let held = null;
    globalThis.fetch = (url, options) => {
        const { ask } = JSON.parse(options?.body ?? "{}");
        if (ask === "cancel") held.enqueue(bytes.encode(lost));
        if (ask !== "plan") return real(url, options);
        const start = (stream) => (held = stream).enqueue(bytes.encode(found));
        return Promise.resolve(new Response(new ReadableStream({ start })));
    };
}"""
"""A search that goes on after some replies; once it is stopped, its process is lost, as on a busy machine."""


def change_turn(page: Page, power: str) -> None:
    """Another position, by hand."""
    by_hand(page).get_by_role("combobox", name="turn", exact=True).select_option(power)
    see(panel(page, "Record"), f"by hand: turn is {power}")


def test_an_answer_that_comes_after_its_position_was_left_is_not_shown(page: Page) -> None:
    choose(page, GERMANS)
    release = held(page, "plan")
    ask(page, "vcp(Axis) >= 40")
    page.get_by_role("button", name="Stop").click()
    see(panel(page, "Ask"), "Stopped; what was found by then is on its way.")
    change_turn(page, "Germans")
    with page.expect_response(lambda response: '"plan"' in (response.request.post_data or "")):
        release()
    page.get_by_role("combobox", name="What", exact=True).select_option("ask")
    ask(page, "vcp(Axis)")
    see(panel(page, "Ask").locator(".verdict"), "vcp of Axis: 26")
    assert page.get_by_role("list", name="Moves").count() == 0
    assert page.locator(".frame .tip").count() == 0


def test_reasons_are_those_of_the_outcome_that_is_pressed(page: Page) -> None:
    choose(page, GERMANS)
    standing = panel(page, "Who is winning")
    allies, axis = (
        standing.get_by_role("row").filter(has_text="major victory").filter(has_text=side)
        for side in ("Allies", "Axis")
    )
    allies.get_by_role("button").first.click()
    standing.get_by_label("Why: major victory, Allies: unmet").wait_for()
    release = held(page, "ask")
    axis.get_by_role("button").first.click()
    see(standing, "looking for the reasons")
    assert standing.locator(".full").count() == 0
    release()
    standing.get_by_label("Why: major victory, Axis: unmet").wait_for()


def test_two_clicks_play_an_event_once(page: Page) -> None:
    choose(page, GERMANS)
    panel(page, "The whole board").get_by_role("button", name=re.compile("end their turn")).dblclick()
    see(panel(page, "Record"), "Russians end their turn")
    ask(page, "vcp(Axis) >= 27")
    see(panel(page, "Ask").locator(".verdict"), "optimal")
    assert panel(page, "Record").get_by_role("listitem").count() == 2


def test_quick_changes_by_hand_all_count(page: Page) -> None:
    choose(page, GERMANS)
    with_armies(page)
    spot(page, "Germany").click()
    numbers = by_hand(page)
    if numbers.get_by_role("button", name="more", exact=False).count():
        numbers.get_by_role("button", name="more", exact=False).click()
    before = {kind: int(of_germans(page, kind).input_value()) for kind in ("infantry", "armour")}
    enter(page, "infantry", before["infantry"] + 1)
    of_germans(page, "armour").fill(str(before["armour"] + 1))
    see(panel(page, "Record"), "by hand: units Germany Germans infantry")  # while the other number is being typed
    of_germans(page, "armour").press("Tab")
    see(panel(page, "Record"), f"by hand: units Germany Germans armour is {before['armour'] + 1}")
    for kind, number in before.items():
        enter(page, kind, number + 2)
    for kind, number in before.items():
        see(panel(page, "Record"), f"by hand: units Germany Germans {kind} is {number + 2}")
        see_chosen(of_germans(page, kind), str(number + 2))


def enter(page: Page, kind: str, number: int) -> None:
    of_germans(page, kind).fill(str(number))
    of_germans(page, kind).press("Tab")


def of_germans(page: Page, kind: str) -> Locator:
    return page.locator("details.byhand").get_by_label(f"units, Germany, Germans, {kind}", exact=True)


def test_what_is_not_allowed_is_said_of_its_position_alone(page: Page) -> None:
    choose(page, GERMANS)
    change_turn(page, "British")
    change_turn(page, "Germans")
    panel(page, "Record").get_by_role("button", name="turn is British").click()
    page.get_by_text("Any other event").click()
    page.get_by_role("combobox", name="Event", exact=True).select_option("capture")
    page.get_by_role("combobox", name="power", exact=True).select_option("Germans")
    page.get_by_role("combobox", name="territory", exact=True).select_option("Karelia S.S.R.")
    page.get_by_role("button", name="Play it").click()
    refused = page.get_by_role("alert").filter(has_text="Not allowed")
    see(refused, "turn")
    panel(page, "Record").get_by_role("button", name="turn is Germans").click()
    refused.wait_for(state="detached")
    page.get_by_role("button", name="Play it").click()
    see(panel(page, "Record"), "Germans take Karelia S.S.R.")


def test_findings_are_those_of_the_game_that_is_shown(page: Page) -> None:
    choose(page, "crossroads.yaml")
    findings = opened(page, "Check the rules")
    findings.get_by_role("button", name="Look for faults").click()
    see(findings, "kinds of fault were looked for")
    choose(page, GERMANS)
    see(panel(page, "Who is winning"), "major victory")
    assert findings.get_by_text("kinds of fault were looked for").count() == 0


def test_a_search_that_is_stopped_shows_the_best_that_was_found(page: Page, address: str) -> None:
    """Also where the server has no answer any more: of a plan that was sent before, all is known."""
    goal = "vcp(Axis) >= 40"
    told = {"progress": True, "better": True, "report": True}
    replies = replies_of({"ask": "plan", "moment": {"game": GERMANS}, "goal": goal, **told}, address)
    found = [line for line in replies if "answer" not in json.loads(line)]
    choose(page, GERMANS)
    page.evaluate(GIVEN_UP, ["".join(found), json.dumps({"answer": fault_document(CANCEL, CANCELLED)}) + "\n"])
    ask(page, goal)
    see(panel(page, "Ask").locator(".busy"), "best so far 3")
    page.get_by_role("button", name="Stop").click()
    see(panel(page, "Ask"), "Stopped. This is the best that was found.")
    see(panel(page, "Ask").locator(".verdict"), "3 captures")
    assert page.get_by_role("list", name="Moves").get_by_role("listitem").count() == 3


def test_why_the_server_does_not_answer_is_said(browser: Browser, address: str) -> None:
    page = profile(browser).new_page()
    page.goto(address)
    choose(page, GERMANS)
    page.get_by_text("Conditions", exact=True).click()
    page.get_by_label("Seconds").fill("700")
    ask(page, "vcp(Axis) >= 40")
    see(panel(page, "Ask").get_by_role("alert"), "600 s at the most")
    page.context.close()


def test_many_tabs_are_answered(page: Page, address: str) -> None:
    """A browser has six connections to a server, and one waits for changes."""
    pages = [page.context.new_page() for _ in range(8)]
    for one in pages:
        one.goto(address)
    for one in pages:
        choose(one, GERMANS)
        see(panel(one, "Who is winning"), "Nobody has won yet.")
