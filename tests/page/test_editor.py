"""The conditions of a card, typed beside the board: judged, told what is wrong with them, used and saved."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.page.test_page import ask, choose, opened, panel, points, see, see_chosen
from vclogic.game import Game

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Request, Route

GAME = "napoleonics/erlenbach"
CARD = """\
instead of victory
group Crossings: '3,4', '6,4', '9,4'
crossings(side) means count(hex in Crossings where occupies(side, hex)) >= 2
side wins crossings at once if banners(side) + count(crossings(side)) >= 5
"""


def editor(page: Page) -> Locator:
    return opened(page, "Conditions of a card")


def box(page: Page) -> Locator:
    return editor(page).get_by_role("textbox", name="Outcomes as text")


@pytest.fixture
def card(page: Page) -> Page:
    """A game, with a card typed beside it."""
    choose(page, GAME)
    box(page).fill(CARD)
    see(editor(page), "crossings")
    return page


def test_outcomes_are_judged_while_they_are_typed_and_used_on_the_board(card: Page) -> None:
    rows = editor(card).get_by_role("row").filter(has_text="French")
    rows.first.wait_for()
    assert rows.first.inner_text().split() == ["crossings", "French", "not", "yet", "0", "5", "5"]
    see(panel(card, "Who is winning"), "victory")
    box(card).fill(CARD.replace(">= 5", ">= 0"))
    see(editor(card), "met")
    see(editor(card), "French and Allied have both won")
    editor(card).get_by_role("button", name="Use them on the board").click()
    see(panel(card, "Who is winning"), "crossings")
    see_chosen(box(card), CARD.replace(">= 5", ">= 0"))
    assert "victory" not in panel(card, "Who is winning").get_by_role("table").first.inner_text()
    ask(card, "holds(crossings, French)")
    see(panel(card, "Ask"), "holds")
    card.get_by_role("button", name="Undo", exact=True).click()
    see(panel(card, "Who is winning"), "victory")


def test_no_standing_is_shown_that_is_of_another_text(page: Page) -> None:
    choose(page, GAME)
    editor(page)
    page.evaluate(
        "() => { const real = setTimeout; globalThis.setTimeout = (then, ms) => real(then, ms === 400 ? 3000 : ms); }"
    )
    box(page).fill(CARD)
    page.wait_for_timeout(500)
    assert not editor(page).get_by_role("row").count()
    see(editor(page), "crossings")
    box(page).fill(CARD.replace(">= 5", ">= 0"))
    editor(page).locator('.inside .inside[aria-busy="true"]').wait_for()
    see(editor(page), "French and Allied have both won")


def test_faults_have_line_and_column_of_the_text(card: Page) -> None:
    box(card).fill(CARD.replace("count(cross", "cont(cross") + "side wins rout at once if baners(side) >= 3\n")
    alert = editor(card).get_by_role("alert").first
    see(
        alert,
        re.compile(
            r"unknown name 'cont'.*text, line 4, column 48.*'baners'.*did you mean 'banners'.*line 5, column 27",
            re.DOTALL,
        ),
    )
    editor(card).get_by_role("button", name="Use them on the board").click()
    see(card.locator(".told"), "unknown name 'cont'")
    see(panel(card, "Who is winning"), "victory")
    box(card).fill(CARD)
    see(editor(card), "not yet")
    alert.wait_for(state="detached")


def test_what_is_typed_is_in_the_link_and_in_the_editor_of_who_opens_it(card: Page) -> None:
    card.wait_for_function("() => location.hash.length > 200")
    card.reload()
    see_chosen(box(card), CARD)
    see(editor(card), "crossings")
    choose(card, "okinawa/small")
    see_chosen(box(card), "")


def test_a_card_is_saved_and_is_in_the_editor_when_it_is_opened(card: Page, tmp_path: Path) -> None:
    file = tmp_path / "card.yaml"
    with card.expect_download() as download:
        editor(card).get_by_role("button", name="Save as a file").click()
    download.value.save_as(file)
    assert [(o.rule, o.side) for o in Game.load(str(file)).status().outcomes] == [
        ("crossings", "French"),
        ("crossings", "Allied"),
    ]
    choose(card, "okinawa/small")
    see_chosen(box(card), "")
    card.get_by_label("Open a file").set_input_files(file)
    see_chosen(box(card), CARD)
    see(panel(card, "Who is winning"), "crossings")


def test_a_card_of_the_folder_keeps_its_record(page: Page) -> None:
    choose(page, "karelia.yaml")
    box(page).fill("Axis wins cities at once if vcp(Axis) >= 28\n")
    see(editor(page), "Winner: Axis")
    editor(page).get_by_role("button", name="Use them on the board").click()
    see(panel(page, "Who is winning"), "cities")
    assert points(page, "Axis") == 28


def test_an_answer_for_an_older_text_changes_nothing(card: Page) -> None:
    late: list[Route] = []

    def older(request: Request) -> bool:
        return ">= 7" in (request.post_data or "")

    card.route("**/ask", lambda route: late.append(route) if older(route.request) else route.continue_())
    with card.expect_request(older):
        box(card).fill(CARD.replace(">= 5", ">= 7"))
    box(card).fill(CARD.replace(">= 5", ">= 9"))
    see(editor(card), "9")
    assert late
    for route in late:
        route.continue_()
    card.wait_for_timeout(300)
    rows = editor(card).get_by_role("row").filter(has_text="French")
    assert rows.first.inner_text().split()[-1] == "9"


def test_names_and_the_words_of_rules_are_completed(card: Page) -> None:
    box(card).fill("")
    box(card).press_sequentially("side wi")
    words = editor(card).get_by_role("listbox")
    see(words, "side wins")
    box(card).press("ArrowDown")
    box(card).press("Enter")
    box(card).press_sequentially("rout at once if bann")
    see(words, "banners(")
    box(card).press("ArrowDown")
    box(card).press("Tab")
    see(words, "Allied side")
    box(card).press("Escape")
    box(card).press_sequentially("side) >= 0")
    box(card).press("Escape")
    box(card).press("Enter")
    see_chosen(box(card), "side wins rout at once if banners(side) >= 0\n")
    see(editor(card), "met")


def test_clauses_are_lines_of_the_text_and_words_open_at_the_line_that_is_typed(card: Page) -> None:
    cites = editor(card).locator("table .cites").first
    see(cites, "[conditions, line 4]")
    cites.click()
    see(editor(card).locator(".clauses").first, "side wins crossings at once if")
    assert "mapping" not in editor(card).inner_text()
    box(card).press("Control+End")
    box(card).press_sequentially("bann")
    words, text = editor(card).get_by_role("listbox").bounding_box(), box(card).bounding_box()
    assert words is not None
    assert text is not None
    assert text["y"] < words["y"] < text["y"] + text["height"]
    table, buttons = (editor(card).locator(which).first.bounding_box() for which in ("table", "p.buttons"))
    assert table is not None
    assert buttons is not None
    assert table["y"] < buttons["y"]  # the answer comes right below the text
