"""What the page takes in and gives out, what it marks, and what designers see, in a real browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from tests.fixtures.web_server import serving
from tests.page.conftest import opened as opened_page
from tests.page.test_page import GERMANS, by_hand, choose, opened, panel, points, see, show_all, spot

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def changed(page: Page) -> None:
    """A position with a step that was made by hand."""
    choose(page, GERMANS)
    spot(page, "Russia").click()
    by_hand(page).get_by_label("owner, Russia", exact=False).first.select_option("Germans")
    see(panel(page, "Record"), "by hand: owner Russia is Germans")


def test_files_come_out_and_go_in_again(page: Page, tmp_path: Path) -> None:
    changed(page)
    share = opened(page, "Share")
    for name in ("YAML", "JSON", "SVG"):
        with page.expect_download() as download:
            share.get_by_role("button", name=name, exact=True).click()
        download.value.save_as(tmp_path / f"held.{name.lower()}")
    assert yaml.safe_load((tmp_path / "held.yaml").read_text())["state"]["owner"]["Russia"] == "Germans"
    assert json.loads((tmp_path / "held.json").read_text())["steps"] == [{"set": {"owner": {"Russia": "Germans"}}}]
    assert (tmp_path / "held.svg").read_text().startswith("<svg")
    for name in ("yaml", "json"):
        choose(page, "okinawa/small")
        page.get_by_label("Open a file").set_input_files(tmp_path / f"held.{name}")
        see(panel(page, "Who is winning"), "31")
        assert points(page, "Axis") == 31


def test_a_file_that_is_none_is_told_with_its_line(page: Page, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("game: axis_allies\nstate:\n  owner: {Rusia: Germans}\n")
    choose(page, GERMANS)
    page.get_by_label("Open a file").set_input_files(wrong)
    alert = page.get_by_role("alert").first
    see(alert, "Rusia")
    see(alert, re.compile("did you mean 'Russia'", re.IGNORECASE))
    assert points(page, "Axis") == 26


def test_an_outcome_marks_the_places_that_decide_it(page: Page) -> None:
    choose(page, GERMANS)
    page.get_by_text("Change by hand", exact=True).wait_for()
    page.get_by_text("Any other event").wait_for()  # all that stands above the outcomes is there: they move no more
    row = panel(page, "Who is winning").get_by_role("row").filter(has_text="major victory").filter(has_text="Axis")
    row.get_by_role("button").first.hover()
    page.locator('[data-place="Russia"].marked').wait_for()
    page.mouse.move(5, 5)
    page.locator('[data-place="Russia"]:not(.marked)').wait_for()


def test_a_step_of_the_record_is_gone_to(page: Page) -> None:
    changed(page)
    spot(page, "Japan").click()
    by_hand(page).get_by_label("owner, Japan", exact=False).first.select_option("Americans")
    see(panel(page, "Record"), "by hand: owner Japan is Americans")
    see(panel(page, "Who is winning"), "vcp of Axis: 26, was 31")
    panel(page, "Record").get_by_role("button", name="by hand: owner Russia is Germans").click()
    see(panel(page, "Who is winning"), "vcp of Axis: 31, was 26")
    assert points(page, "Axis") == 31


def test_a_finding_shows_its_witness(page: Page) -> None:
    choose(page, GERMANS)
    check = opened(page, "Check the rules")
    check.get_by_role("button", name="Look for faults").click()
    see(check, "VC502")
    check.get_by_role("button", name="Show it on the board").first.click()
    see(panel(page, "Who is winning"), "enough for total victory, but it is judged at the end of")
    see(panel(page, "Record"), "the start")
    assert points(page, "Axis") == 0


def test_a_file_that_changes_is_read_anew(browser: Browser, tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("game: axis_allies\n")
    with serving(tmp_path) as server:
        for page in opened_page(browser, f"http://{server.host}/"):
            choose(page, "own.yaml")
            see(panel(page, "Who is winning"), "26")
            own.write_text("game: axis_allies\nstate: {owner: {Russia: Germans}}\n")
            see(page.locator(".news"), "Rules or files have changed")
            see(panel(page, "Who is winning"), "31")
            assert points(page, "Axis") == 31
            own.write_text("game: axis_allies\nstate: {owner: {Rusia: Germans}}\n")
            see(page.get_by_role("alert").first, "own.yaml")


@pytest.mark.parametrize("width", [390, 1400])
def test_wheel_and_drag_move_the_board_and_select_nothing(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    choose(page, GERMANS)
    box = page.locator(".frame").bounding_box()
    assert box is not None
    show_all(page)
    page.wait_for_timeout(300)
    whole = page.locator(".frame svg").get_attribute("viewBox")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.wheel(0, -400)
    page.wait_for_function(f"() => document.querySelector('.frame svg').getAttribute('viewBox') !== '{whole}'")
    near = page.locator(".frame svg").get_attribute("viewBox")
    page.mouse.down()
    page.mouse.move(x + 60, y + 20, steps=5)
    page.mouse.up()
    page.wait_for_function(f"() => document.querySelector('.frame svg').getAttribute('viewBox') !== '{near}'")
    see(panel(page, "The whole board"), "Select a place")
    page.get_by_role("button", name="Show all of the board").click()
    page.wait_for_function(f"() => document.querySelector('.frame svg').getAttribute('viewBox') === '{whole}'")


def test_two_fingers_zoom(page: Page) -> None:
    choose(page, GERMANS)
    box = page.locator(".frame").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    whole = float((page.locator(".frame svg").get_attribute("viewBox") or "").split()[2])
    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, apart: float) -> None:
        points = [{"x": x - apart, "y": y, "id": 0}, {"x": x + apart, "y": y, "id": 1}] if apart else []
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 40)
    for apart in range(50, 130, 10):
        touch("touchMove", apart)
    touch("touchEnd", 0)
    width = "Number(document.querySelector('.frame svg').getAttribute('viewBox').split(' ')[2])"
    page.wait_for_function(f"() => {width} < {whole / 2}")
    see(panel(page, "The whole board"), "Select a place")
