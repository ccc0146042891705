"""Playing on the board: what is chosen, what lights up, and how many clicks a move takes."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.fixtures.web_server import serving
from tests.page.conftest import PATIENCE, ROOT, opened
from tests.page.test_late_answers import change_turn, held
from tests.page.test_page import GERMANS, choose, panel, see, show_all, spot, with_armies

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

COUNT = "() => { globalThis.clicks = 0; addEventListener('pointerdown', () => (globalThis.clicks += 1), true); }"
TARGETS = "all => all.map(one => one.getAttribute('data-place'))"
MOVES = {
    "moscow/small": ("1,2", "2,2", "3rd Panzer moves from 1,2 to 2,2"),
    "okinawa/small": ("1,2", "3,0", r"Artillery Group.*3,0"),
    "napoleonics/erlenbach": ("6,6", "6,5", r"3rd Line.*6,5"),
}
"""A place of some games with a target, and the event that leads there."""


def counted(page: Page) -> None:
    """From now on clicks are counted."""
    page.evaluate(COUNT)


def clicks(page: Page) -> int:
    found: int = page.evaluate("globalThis.clicks")
    return found


def targets(page: Page, number: int | None = None) -> list[str]:
    """The targets that are marked, once they are."""
    page.locator(".spot.target").first.wait_for()
    found: list[str] = page.locator(".spot.target").evaluate_all(TARGETS)
    assert number is None or len(found) == number
    return found


def selected(page: Page, place: str) -> None:
    """Select a place, and wait for what may happen there."""
    show_all(page)
    spot(page, place).click()
    page.locator('.events[aria-busy="false"]').wait_for()


def steps(page: Page) -> Locator:
    return panel(page, "Record").get_by_role("listitem")


def test_karelia_changes_hands_in_two_clicks(page: Page) -> None:
    choose(page, GERMANS)
    change_turn(page, "Germans")
    counted(page)
    spot(page, "Karelia S.S.R.").click()
    page.get_by_role("button", name=re.compile("^Germans take Karelia")).click()
    see(panel(page, "Record"), "Germans take Karelia S.S.R.")
    assert clicks(page) == 2


@pytest.mark.parametrize("game", MOVES)
def test_a_move_is_a_click_on_a_place_and_one_on_its_target(page: Page, game: str) -> None:
    place, target, event = MOVES[game]
    choose(page, game)
    if game.startswith("napoleonics"):
        page.locator(".play").first.click()
        see(panel(page, "Record"), "the turn of the French side begins")
        selected(page, place)
        page.get_by_role("button", name="French: 3rd Line ordered").click()
        see(panel(page, "Record"), "3rd Line ordered")
        page.get_by_role("button", name="To the whole board").click()
    show_all(page)
    counted(page)
    spot(page, place).click()
    assert target in targets(page)
    spot(page, target).click()
    see(panel(page, "Record"), re.compile(event))
    assert clicks(page) == 2


def test_a_unit_of_asl_is_revealed_in_two_clicks_and_enters_a_hex_by_a_form(page: Page) -> None:
    choose(page, "asl/22u3")
    show_all(page)
    counted(page)
    spot(page, "22V4").click()
    page.get_by_role("button", name="5-4-8 is revealed").click()
    see(panel(page, "Record"), "5-4-8 is revealed")
    assert clicks(page) == 2
    page.locator('.events[aria-busy="false"]').wait_for()
    assert "22U4" in targets(page)
    spot(page, "22U4").click()
    form = page.locator("form.aim")
    see(form, "enter: 22V4 → 22U4")
    form.get_by_role("button", name="Play").click()
    see(panel(page, "Record"), re.compile("5-4-8 .*22U4/0"))
    assert clicks(page) == 4


RETREATS = """# Retreats
## 1 All
**1.1** A side moves; a unit falls back because it must.
```vclogic
sides Red, Blue
turn is any number of events
rounds 3
grid square, 4 by 4
kind unit: Lancers, Rifles
fact at(unit): square, starts B2
start at(Rifles) is D4
event move by side unit to square
  needs adjacent(at(unit), to) and column(to) >= column(at(unit))
  then at(unit) becomes to
event fall_back unit to square
  needs adjacent(at(unit), to) and column(to) < column(at(unit))
  then at(unit) becomes to
Red wins ground at the end if at(Lancers) == D4
```
"""


def test_what_happens_to_a_unit_is_chosen_by_name_and_never_by_a_click(browser: Browser, tmp_path: Path) -> None:
    """A game in Python says by `decided_by` who decides an event, a rulebook by the word `by`."""
    (tmp_path / "retreats.md").write_text(RETREATS)
    with serving(tmp_path, patience=PATIENCE / 1000) as server:
        for page in opened(browser, f"http://{server.host}/"):
            choose(page, "retreats.md")
            selected(page, "B2")
            assert {*targets(page)} == {"B1", "B3", "C2"}
            spot(page, "A2").click()  # selects it, and nothing falls back
            page.get_by_role("heading", name="A2", exact=True).wait_for()
            assert steps(page).count() == 1
            selected(page, "B2")
            page.get_by_role("button", name=re.compile("Lancers.*A2")).first.click()
            see(panel(page, "Record"), re.compile("Lancers.*A2"))
            choose(page, "napoleonics/erlenbach")
            page.locator(".play").first.click()
            see(panel(page, "Record"), "the turn of the French side begins")
            selected(page, "6,6")
            page.get_by_role("button", name="French: 3rd Line eliminated").wait_for()
            assert page.locator(".spot.target").count() == 0
            spot(page, "6,5").click()
            page.get_by_role("heading", name="6,5").wait_for()
            assert steps(page).count() == 2


def test_targets_are_told_without_a_look_at_colours(page: Page) -> None:
    choose(page, "moscow/small")
    selected(page, "1,2")
    found = targets(page)
    assert spot(page, found[0]).get_attribute("aria-description") == "a target of 1,2: Enter plays there"
    assert spot(page, "1,2").get_attribute("aria-description") == ""
    see(panel(page, "Record").page.get_by_role("status").filter(has_text="Targets on the board"), str(len(found)))
    dots = "one => getComputedStyle(one).strokeDasharray + getComputedStyle(one).strokeLinecap"
    line = page.locator(".reach")
    assert "round" in line.evaluate(dots)
    assert 0 < (line.get_attribute("d") or "").count("M") < 6 * len(found)  # one line around them all
    page.keyboard.press("Escape")
    page.locator(".spot.target").first.wait_for(state="detached")


def test_armies_march_by_a_form_that_is_filled_in(page: Page) -> None:
    choose(page, GERMANS)
    with_armies(page)
    change_turn(page, "Germans")
    counted(page)
    spot(page, "Germany").click()
    assert {"Karelia S.S.R.", "United Kingdom", "Western Europe"} <= {*targets(page)}
    assert not re.search(r"\d,\d{3},\d{3}", page.locator(".events").inner_text())
    spot(page, "Eastern Europe").click()
    form = page.locator("form.aim")
    see(form, "Germany → Eastern Europe")
    assert int(form.get_by_label("count").input_value()) > 1
    assert form.get_by_role("combobox", name="power", exact=True).count() == 0
    form.get_by_role("button", name="Play").click()
    see(panel(page, "Record"), re.compile(r"Germans: \d infantry from Germany to Eastern Europe"))
    assert clicks(page) == 3


def test_units_are_carried_over_the_sea_by_a_form(page: Page) -> None:
    choose(page, GERMANS)
    with_armies(page)
    change_turn(page, "Germans")
    spot(page, "Germany").click()
    targets(page)
    spot(page, "United Kingdom").click()
    form = page.locator("form.aim")
    form.get_by_role("combobox", name="cargo", exact=True).select_option("armour")
    form.get_by_label("count").fill("1")
    form.get_by_role("button", name="Play").click()
    see(panel(page, "Record"), re.compile("Germans: .*carrying 1 armour from Germany to United Kingdom"))


@pytest.mark.parametrize(("target", "elsewhere"), [("Norway", "United Kingdom"), ("United Kingdom", "Norway")])
def test_what_cannot_be_is_not_offered_for_a_target(page: Page, target: str, elsewhere: str) -> None:
    choose(page, GERMANS)
    with_armies(page)
    change_turn(page, "Germans")
    spot(page, "5 Sea Zone").click()
    targets(page)
    spot(page, target).click()
    form = page.locator("form.aim")
    see(form, f"5 Sea Zone → {target}")
    assert form.locator("> .choice").count() <= 4
    form.get_by_text("more choices").click()
    fields = {name: form.get_by_role("combobox", name=name, exact=True) for name in CARGO}
    assert target not in fields["cargo from"].locator("option").all_inner_texts()
    assert not any(
        fields[name].count() for name in ("cargo to", "second from", "second to")
    )  # nothing is left to choose
    fields["second"].select_option("armour")
    assert target not in fields["second from"].locator("option").all_inner_texts()
    see(form, f"and 1 armour from Eastern Europe to {target}")
    assert f"to {elsewhere}" not in form.inner_text()
    form.get_by_role("button", name="Play").click()
    see(
        panel(page, "Record"), re.compile(f"carrying 1 infantry from .* to {target} and 1 armour from .* to {target}")
    )


CARGO = ("cargo from", "cargo to", "second", "second from", "second to")


def dragged(page: Page, place: str, target: str) -> None:
    """Drag from one place to another with the mouse."""
    for name, act in ((place, page.mouse.down), (target, page.mouse.up)):
        box = spot(page, name).bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        act()


def test_a_unit_is_dragged_to_its_target_and_elsewhere_the_board_moves(page: Page) -> None:
    choose(page, "moscow/small")
    seen = "document.querySelector('.frame svg').getAttribute('viewBox')"
    page.get_by_role("button", name="Closer").click()
    before = page.evaluate(seen)
    page.wait_for_function(f"() => {seen} !== null")
    dragged(page, "1,2", "2,3")  # nothing is selected
    page.wait_for_function(f"before => {seen} !== before", arg=before)
    assert steps(page).count() == 1
    selected(page, "1,2")
    assert "2,2" in targets(page)
    still = page.evaluate(seen)
    dragged(page, "1,2", "2,2")
    see(panel(page, "Record"), "3rd Panzer moves from 1,2 to 2,2")
    assert page.evaluate(seen) == still


def test_a_target_that_is_refused_says_why(page: Page) -> None:
    choose(page, GERMANS)
    with_armies(page)
    change_turn(page, "Germans")
    selected(page, "Germany")
    dragged(page, "Germany", "Brazil")
    refused = page.get_by_role("alert").filter(has_text="Nothing leads to Brazil now.")
    see(refused, "one territory at most, and not from Germany to Brazil")
    spot(page, "Brazil").click()  # what is no target is selected
    page.get_by_role("heading", name="Brazil", exact=True).wait_for()
    assert refused.count() == 0


def test_a_target_is_played_by_keyboard(page: Page) -> None:
    choose(page, "moscow/small")
    spot(page, "1,2").focus()
    page.keyboard.press("Enter")
    targets(page)
    page.keyboard.press("ArrowRight")
    target = page.evaluate("document.activeElement.getAttribute('data-place')")
    page.keyboard.press("Enter")
    see(panel(page, "Record"), re.compile(rf"3rd Panzer moves from 1,2 (through .* )?to {target}"))
    page.keyboard.press("Escape")
    page.get_by_role("heading", name="The whole board").wait_for()


def test_after_a_click_all_is_asked_in_one_request_and_what_is_late_holds_up_nothing(page: Page) -> None:
    choose(page, "moscow/small")
    selected(page, "1,2")
    targets(page)
    asked: list[list[str]] = []
    page.on("request", lambda sent: asked.append(_asked(json.loads(sent.post_data))) if sent.post_data else None)
    spot(page, "2,2").click()
    see(panel(page, "Record"), "3rd Panzer moves from 1,2 to 2,2")
    page.locator('.events[aria-busy="false"]').wait_for()
    page.locator('.headline[aria-busy="false"]').wait_for()
    assert asked[0] == ["status", "board", "place", "happened", "legal"]
    assert not any({"status", "board", "place", "happened", "legal"} & {*one} for one in asked[1:])


def _asked(request: dict[str, list[dict[str, str]]]) -> list[str]:
    return [str(one["ask"]) for one in request.get("questions", [request])]


def test_while_targets_are_looked_for_it_is_said(page: Page) -> None:
    choose(page, "moscow/small")
    page.locator('.events[aria-busy="false"]').wait_for()
    release = held(page, "together")
    spot(page, "1,2").click()
    page.get_by_text("Looking for what may happen").wait_for()
    assert page.locator(".spot.target").count() == 0
    release()
    targets(page)


def test_a_rulebook_is_played_by_its_places(browser: Browser, tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples" / "rulebooks" / "skirmish.md", tmp_path)
    with serving(tmp_path, patience=PATIENCE / 1000) as server:
        for page in opened(browser, f"http://{server.host}/"):
            choose(page, "skirmish.md")
            counted(page)
            spot(page, "a1").click()
            assert sorted(targets(page)) == ["a2", "b1"]
            spot(page, "b1").click()
            see(panel(page, "Record"), "Red moves a unit from a1 to b1")
            assert clicks(page) == 2
