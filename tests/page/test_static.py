"""The static page in a real browser: vclogic runs in it, and any web server will do."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import pytest

from tests.fixtures.pace import HANGS
from tests.page.accessible import see_no_violation
from tests.page.conftest import PATIENCE, ROOT, files_served, profile
from tests.page.test_page import (
    GAMES,
    GERMANS,
    ask,
    by_hand,
    choose,
    opened,
    panel,
    points,
    see,
    spot,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PUPPETEER = ROOT / "page" / "node_modules" / "puppeteer-core"


def test_all_games_draw_and_are_judged(static_page: Page) -> None:
    for game in GAMES:
        first = static_page.get_by_role("combobox", name="Game").locator(f'option[value^="{game}/"]').first
        first.wait_for(state="attached")
        choose(static_page, first.get_attribute("value") or "")
        see(panel(static_page, "Who is winning"), "Nobody has won yet")


def test_clicks_and_forty_points(static_page: Page) -> None:
    choose(static_page, GERMANS)
    spot(static_page, "Russia").click()
    by_hand(static_page).get_by_label("owner, Russia", exact=False).first.select_option("Germans")
    see(panel(static_page, "Who is winning"), "vcp of Axis: 31, was 26")
    static_page.keyboard.press("Control+z")
    ask(static_page, "vcp(Axis) >= 40")
    see(panel(static_page, "Ask").locator(".verdict"), "optimal: 3 captures")
    static_page.get_by_role("button", name="Play these moves").click()
    see(panel(static_page, "Who is winning"), "vcp of Axis: 4")
    assert points(static_page, "Axis") >= 40


SILENT = """() => {
    const Whole = Worker;
    let born = 0;
    window.Worker = class extends Whole {
        constructor(...given) {
            super(...given);
            born += 1;
            if (born > 2) super.addEventListener("message", event => event.stopImmediatePropagation());
        }
    };
}"""
"""Each Worker after the first two starts, but nobody hears that it is ready."""


def test_the_board_answers_after_each_stop_without_a_fresh_worker(browser: Browser, static: str) -> None:
    context = profile(browser)
    context.set_default_timeout(5 * PATIENCE)  # two Pythons start
    page = context.new_page()
    page.add_init_script(f"({SILENT})()")
    page.goto(static)
    choose(page, "moscow/small")
    page.get_by_text("Conditions", exact=True).click()
    page.get_by_label("Seconds").fill("600")
    for mover, place in (("Soviet", "7,3"), ("German", "7,4")):
        ask(page, "holds(decisive, German)")
        page.get_by_role("button", name="Stop").wait_for()
        spot(page, place).click()  # it is searching: the board answers all the same
        page.get_by_role("button", name="To the whole board").wait_for()
        page.locator("details.byhand").wait_for()
        page.get_by_role("button", name="Stop").click()
        see(panel(page, "Ask"), "Stopped; nothing is decided.")
        page.locator(".bar").get_by_role("button", name="End turn").click()
        see(page.locator(".headline"), f"{mover} to move")
    context.close()


def test_a_first_visit_sends_each_file_once(browser: Browser, static_folder: Path) -> None:
    asked: Counter[str] = Counter()
    with files_served(static_folder, asked) as address:
        context = profile(browser)
        page = context.new_page()
        page.goto(address)
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        see(page.get_by_role("combobox", name="Game"), "choose a game")
        large = {name for name in asked if name.startswith("python/")}
        assert {"python/site.zip", "python/pyodide.asm.wasm", "python/pyodide.asm.mjs"} <= large
        assert {name: n for name, n in asked.items() if n > 1} == {}
        page.reload()
        see(page.get_by_role("combobox", name="Game"), "choose a game")
        assert {name for name, n in asked.items() if n > 1 and name in large} == set()
        context.close()


def test_a_frame_on_a_page_of_ones_own_shows_the_board_and_changes_nothing(static_page: Page, tmp_path: Path) -> None:
    choose(static_page, GERMANS)
    spot(static_page, "Russia").click()
    by_hand(static_page).get_by_label("owner, Russia", exact=False).first.select_option("Germans")
    see(panel(static_page, "Record"), "by hand: owner Russia is Germans")
    opened(static_page, "Share").get_by_role("button", name="Frame for a page").click()
    static_page.get_by_role("textbox", name="Link").wait_for()
    own = tmp_path / "own.html"
    own.write_text(f"<!doctype html><p>My page</p>{static_page.get_by_role('textbox', name='Link').input_value()}")
    other = static_page.context.new_page()
    other.goto(own.as_uri())
    frame = other.frame_locator("iframe")
    frame.locator("[data-place]").first.wait_for(timeout=PATIENCE)
    frame.get_by_role("button", name="by hand: owner Russia is Germans").wait_for(timeout=PATIENCE)
    assert frame.get_by_role("button", name="Undo").count() == 0
    assert frame.get_by_role("combobox", name="Game").is_disabled()
    assert frame.get_by_role("heading", name="What may happen").count() == 0


def test_it_opens_without_a_network_once_it_was_open(static_page: Page) -> None:
    choose(static_page, GERMANS)
    static_page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    static_page.context.set_offline(True)
    static_page.reload()
    static_page.locator("[data-place]").first.wait_for()
    see(panel(static_page, "Who is winning"), "Nobody has won yet.")
    static_page.context.set_offline(False)


def test_each_file_is_listed_for_the_time_without_a_network(static: str) -> None:
    with urlopen(static + "files.json") as response:
        names = json.load(response)["files"]
    assert {"index.html", "engine.mjs", "python/site.zip", "python/pyodide.asm.wasm", "backend/worker.mjs"} <= {
        *names
    }
    for name in names:
        with urlopen(static + name) as response:
            assert response.status == 200
    with urlopen(static + "licences.txt") as response:
        licences = response.read().decode()
    needed = ("pyodide", "z3-solver", "pydantic_core", "pyyaml", "rich", "typing_extensions", "preact", "htm")
    assert [name for name in needed if name not in licences] == []


def test_nothing_is_asked_of_another_machine() -> None:
    """The browser would be told so in what the page itself holds; `page` sees to it in each test as well."""
    own = [
        p
        for p in (ROOT / "page" / "src").rglob("*")
        if p.suffix in (".mjs", ".html", ".css") and "vendor" not in p.parts
    ]
    named = {url for p in own for url in re.findall(r"https?://[\w.]+", p.read_text())}
    assert named <= {"http://www.w3.org"}


def test_firefox_opens_it(firefox: str, static: str, tmp_path: Path) -> None:
    if not PUPPETEER.is_dir() or shutil.which("node") is None:
        pytest.skip("puppeteer-core is not installed: run `npm ci` in page/")
    words = ["node", "test/firefox.mjs", firefox, static, str(tmp_path / "seen.png")]
    done = subprocess.run(words, cwd=ROOT / "page", capture_output=True, text=True, timeout=HANGS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert said.pop("verdict").startswith("optimal: 3 captures, the fewest possible")
    assert said == {"status": "Nobody has won yet.", "errors": []}


def test_the_screen_that_loads_breaks_no_rule_of_accessibility(browser: Browser, static: str) -> None:
    page = profile(browser).new_page()
    page.route("**/site.zip", lambda route: None)  # it never comes
    page.goto(static)
    page.get_by_role("progressbar").wait_for()
    see_no_violation(page)
    page.context.close()


def test_rulebooks_beside_the_page_or_pasted_are_played(static_page: Page) -> None:
    static_page.get_by_role("button", name="Skirmish", exact=True).click()
    see(panel(static_page, "Who is winning"), "victory")
    spot(static_page, "a1").click()
    static_page.locator('.spot.target[data-place="b1"]').wait_for()
    spot(static_page, "b1").click()
    see(panel(static_page, "Record"), "Red moves a unit from a1 to b1")
    share = opened(static_page, "Share")
    named = share.get_by_label("A rulebook", exact=False)
    named.fill("rulebooks/ford.md")
    share.get_by_role("button", name="Play this rulebook").click()
    see(static_page.get_by_role("combobox", name="Game"), "rulebooks/ford.md")
    see(panel(static_page, "Who is winning"), "defence")
    book = (ROOT / "examples" / "rulebooks" / "skirmish.md").read_text()
    for text, outcome in ((book, "victory"), (book.replace("wins victory", "wins ground"), "ground")):
        named.fill(text)
        share.get_by_role("button", name="Play this rulebook").click()
        see(panel(static_page, "Who is winning"), outcome)
    see(static_page.get_by_role("combobox", name="Game"), "rulebook.md")
    static_page.wait_for_timeout(400)  # the address follows
    static_page.reload()
    see(panel(static_page, "Who is winning"), "ground")


def test_a_rulebook_that_is_opened_here_runs_no_code(static_page: Page, tmp_path: Path) -> None:
    file = tmp_path / "own.md"
    text = (ROOT / "examples" / "rulebooks" / "skirmish.md").read_text()
    file.write_text(f"{text}\n```vclogic\npython own.py\n  f\n```\n")
    choose(static_page, GERMANS)
    static_page.get_by_label("Open a file").set_input_files(file)
    see(static_page.get_by_role("alert").first, "a rulebook runs no code")


def test_what_cannot_be_loaded_is_said(browser: Browser, static: str) -> None:
    page = profile(browser).new_page()
    page.route("**/site.zip", lambda route: route.fulfill(status=404))
    page.goto(static)
    see(page.get_by_role("alert"), "could not be loaded")
    see(page.get_by_role("alert"), "python/site.zip: 404")
    page.context.close()
