"""Files that are dropped or opened, the browser's Back and Forward, and a server that is gone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.fixtures.web_server import serving
from tests.page.conftest import ROOT, profile
from tests.page.test_page import GERMANS, choose, panel, see, spot

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FILE = "game: axis_allies\nstate: {owner: {Russia: Germans}}\n"
RECORD = (
    '{"game": "axis_allies", "settings": {},'
    ' "steps": ["end_turn", {"capture": {"power": "Germans", "territory": "Karelia"}}]}'
)
DROP = """(files) => {
  const held = new DataTransfer();
  for (let i = 0; i < files.length; i += 2) held.items.add(new File([files[i + 1]], files[i]));
  const over = new DragEvent('dragover', {dataTransfer: held, bubbles: true, cancelable: true});
  const drop = new DragEvent('drop', {dataTransfer: held, bubbles: true, cancelable: true});
  document.body.dispatchEvent(over);
  document.body.dispatchEvent(drop);
  return over.defaultPrevented && drop.defaultPrevented;
}"""


def test_a_file_is_dropped_anywhere_or_opened_from_the_first_screen(page: Page, tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(FILE)
    page.get_by_role("heading", name="Okinawa").wait_for()
    page.get_by_label("Open a file").set_input_files(own)
    see(page.locator(".headline"), "Axis 31 of 40")
    assert page.evaluate(DROP, ["other.yaml", FILE.replace("Germans", "Japanese").replace("Russia", "India")])
    see(page.locator(".headline"), "Axis 28 of 40")


def test_a_rulebook_that_is_dropped_plays_at_once_and_its_link_holds_it(page: Page) -> None:
    book = (ROOT / "examples" / "rulebooks" / "skirmish.md").read_text()
    page.get_by_role("heading", name="Okinawa").wait_for()
    assert page.evaluate(DROP, ["my game!.md", book])
    spot(page, "a1").click()
    page.locator('.events[aria-busy="false"]').wait_for()
    spot(page, "b1").click()
    see(panel(page, "Record"), "Red moves a unit from a1 to b1")
    see(page.get_by_role("combobox", name="Game"), "my game_.md")
    page.wait_for_timeout(400)  # the address follows
    page.reload()
    see(panel(page, "Record"), "Red moves a unit from a1 to b1")
    assert "sent-" not in page.locator("main").inner_text()
    code = "\n```vclogic\npython own.py\n  f\n```\n"
    assert page.evaluate(DROP, ["bad.md", book.replace("wins victory", "wins") + code])
    see(page.get_by_role("alert").first, "bad.md, line")
    assert page.evaluate(DROP, ["code.md", book + code])
    see(page.get_by_role("alert").first, "a rulebook runs no code")


def test_a_map_of_triplea_that_is_dropped_has_a_board_and_its_standing(page: Page) -> None:
    page.get_by_role("heading", name="Okinawa").wait_for()
    folder = ROOT / "examples" / "triplea" / "four_lands"
    text = (folder / "games" / "four_lands.xml").read_text()
    assert page.evaluate(DROP, ["notifications.properties", "BLUES_WIN=They win.", "four lands.xml", text])
    see(page.locator(".headline"), "2 of 4")
    see(panel(page, "Who is winning"), "projection of power")
    spot(page, "Corva").wait_for()
    see(page.get_by_role("combobox", name="Game"), "four lands.xml")
    assert page.evaluate(DROP, ["bad.xml", text.replace("Corva:Delta", "Corvo:Delta")])
    see(page.get_by_role("alert").first, "there is no territory 'Corvo'")


def test_a_card_that_is_dropped_plays_at_once(page: Page) -> None:
    page.get_by_role("heading", name="Okinawa").wait_for()
    card = "game: napoleonics/erlenbach\noutcomes: |\n  instead of victory\n"
    card += "  side wins ahead at once if banners(side) >= "
    assert page.evaluate(DROP, ["own.yaml", f"{card}2\n"])
    see(panel(page, "Who is winning"), "ahead")
    assert page.evaluate(DROP, ["own.yaml", f"{card}baners(side)\n"])
    see(page.get_by_role("alert"), "unknown name 'baners'")
    see(page.get_by_role("alert"), "text, line 4")


def test_back_and_forward_go_through_positions_and_games(page: Page) -> None:
    see(page.locator("main"), "Choose a position")
    before = page.evaluate("history.length")
    page.get_by_role("combobox", name="Game").select_option("moscow/small")
    spot(page, "7,3").wait_for()
    page.wait_for_function(f"() => history.length === {before + 1}")
    page.get_by_role("button", name="End turn").click()
    see(page.locator(".headline"), "Soviet to move")
    page.wait_for_function(f"() => history.length === {before + 2}")
    choose(page, "okinawa/small")
    page.wait_for_function(f"() => history.length === {before + 3}")
    page.go_back()
    see(page.locator(".headline"), "Soviet to move")
    page.go_back()
    see(page.locator(".headline"), "German to move")
    page.go_back()
    see(page.locator("main"), "Choose a position")
    page.go_forward()
    see(page.locator(".headline"), "German to move")
    page.get_by_role("button", name="to the list of games").click()
    page.wait_for_function("() => location.hash === ''")
    page.reload()
    see(page.locator("main"), "Choose a position")
    page.go_back()
    see(page.locator(".headline"), "German to move")
    page.go_back()
    see(page.locator("main"), "Choose a position")
    page.reload()
    see(page.locator("main"), "Choose a position")
    page.go_forward()
    see(page.locator(".headline"), "German to move")


def test_a_record_that_is_left_stays_as_a_branch_with_a_name(page: Page) -> None:
    page.get_by_role("heading", name="Okinawa").wait_for()
    page.evaluate(DROP, ["own.json", RECORD])
    record = panel(page, "Record")
    record.get_by_role("button", name="Russians end their turn").click()
    see(record, "Another step here leaves the steps after it as a branch")
    page.locator(".bar").get_by_role("button", name="End turn").click()
    branches = record.get_by_role("list", name="Branches")
    see(branches, "2: Germans take Karelia")
    page.once("dialog", lambda dialog: dialog.accept("The north"))
    branches.get_by_role("button", name="Rename").click()
    see(branches, "The north")
    branches.get_by_role("button", name="The north", exact=True).click()
    see(page.locator(".headline"), "Axis 28 of 40")
    see(branches, "2: Germans end their turn")
    page.wait_for_timeout(400)  # the address follows
    page.reload()
    see(branches, "2: Germans end their turn")
    branches.get_by_role("button", name="2: Germans end their turn", exact=True).click()
    see(branches, "The north")
    see(page.locator(".headline"), "Axis 26 of 40")


def test_a_server_that_is_gone_is_told_once_with_what_to_do(browser: Browser, tmp_path: Path) -> None:
    page = profile(browser).new_page()
    with serving(tmp_path) as server:
        page.goto(f"http://{server.host}/")
        choose(page, GERMANS)
        see(page.locator(".headline"), "Axis 26 of 40")
        page.get_by_role("button", name="End turn").wait_for()
    page.get_by_role("button", name="End turn").click()
    see(page.locator(".news"), "Start vclogic serve again")
    page.wait_for_timeout(500)
    assert page.get_by_role("alert").count() == 0
    see(page.locator(".headline"), "Russians to move")
    assert panel(page, "Record").get_by_role("listitem").count() == 1
    page.context.close()


def test_what_is_wrong_with_a_board_is_told_once(page: Page, tmp_path: Path) -> None:
    choose(page, GERMANS)
    page.get_by_label("Open a file").set_input_files(
        {"name": "a.json", "mimeType": "", "buffer": b'{"game": "nothing/here", "settings": {}, "steps": []}'}
    )
    see(page.get_by_role("alert"), "there is no game 'nothing'")
    page.wait_for_timeout(1500)
    assert page.get_by_role("alert").count() == 1
