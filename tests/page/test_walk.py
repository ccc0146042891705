"""The walk of a player from the start page: how many clicks each thing takes, and that it is all in plain words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from tests.fixtures.pace import cases
from tests.page.conftest import HOSTILE, ROOT, profile
from tests.page.test_history import DROP
from tests.page.test_page import GERMANS, choose, panel, see, see_chosen, show_all, spot
from tests.page.test_play import clicks, counted

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

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
        r"\b1 (unit|hexe|turn|point|card|banner)s\b|\b[2-9] (submarine|fighter|bomber|unit|hex)\b"
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


LISTEN = """() => {
  globalThis.texts = new Set();
  const read = () => {
    for (const line of document.body.innerText.split('\\n')) globalThis.texts.add(line.trim());
    for (const name of ['aria-label', 'aria-description', 'placeholder'])
      for (const one of document.querySelectorAll(`[${name}]`)) globalThis.texts.add(one.getAttribute(name));
  };
  let due = 0;
  const soon = () => { due ||= setTimeout(() => { due = 0; read(); }, 60); };
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver(soon).observe(document.body, all);
  read();
}"""
"""From now on every text that the page shows is remembered."""


OWN = ("crossroads.yaml", HOSTILE)
"""How lines begin that name files of the person's own."""


class Walk:
    """A walk through the page: what takes how many clicks, and how long, and every text that is shown on it."""

    def __init__(self, page: Page):
        self.page = page
        self.took: dict[str, tuple[int, float]] = {}
        page.locator(".thumb").last.wait_for()
        page.evaluate(LISTEN)
        counted(page)

    @contextmanager
    def step(self, name: str, most: int) -> Iterator[None]:
        """A step, which takes so many clicks at the most."""
        before, begin = clicks(self.page), perf_counter()
        yield
        self.took[name] = (clicks(self.page) - before, perf_counter() - begin)
        assert self.took[name][0] <= most, name

    def settled(self) -> None:
        self.page.locator('.events[aria-busy="false"]').wait_for()

    def start(self) -> None:
        self.page.get_by_role("button", name="vclogic: to the list of games").click()
        self.page.locator(".thumb").first.wait_for()

    def play(self, title: str) -> None:
        """Open a game from the start page."""
        self.page.locator(".thumb").filter(has_text=title).click()

    def told(self) -> dict[str, set[str]]:
        """What was shown that is a name of a fact, a file, a solver or a mark of code."""
        self.page.wait_for_timeout(200)  # the last texts are read
        shown: list[str] = [x for x in self.page.evaluate("[...globalThis.texts]") if not x.startswith(OWN)]
        assert len(shown) > 100
        hits = {what: {line for line in shown if pattern.search(line)} for what, pattern in NO_WORDS.items()}
        return {what: lines for what, lines in hits.items() if lines}


MOVES = {
    "Advanced Squad Leader": ("22V4", "5-4-8 is revealed", "5-4-8 is revealed"),
    "Axis & Allies": (None, "Russians end their turn", "Russians end their turn"),
    "Commands & Colors": (None, "the turn of the French side begins", "the turn of the French side begins"),
}
"""A place, and what is played there by its name; None: it names no place."""
TARGETS = {"Eastern Front": ("A small front", "1,2", "2,2"), "Okinawa": ("A small schematic island", "1,2", "3,0")}


def test_the_walk_of_a_player_is_few_clicks_in_plain_words(
    page: Page, browser: Browser, record_property: Callable[[str, object], None]
) -> None:
    walk = Walk(page)
    for title, score in BOARDS.items():
        with walk.step(f"who is winning in {title}", 1):
            walk.play(title)
            see(page.locator(".headline"), score)
        walk.settled()
        if title in MOVES:
            place, move, told = MOVES[title]
            show_all(page)
            with walk.step(f"a move in {title}", 2):
                if place:
                    spot(page, place).click()
                page.get_by_role("button", name=move, exact=True).click()
                see(panel(page, "Record"), told)
            walk.settled()
        walk.start()
    for title, (scenario, place, target) in TARGETS.items():
        page.get_by_role("button", name=scenario, exact=True).click()
        walk.settled()
        show_all(page)
        with walk.step(f"a move in {title}", 2):
            spot(page, place).click()
            page.locator(f'.spot.target[data-place="{target}"]').wait_for()
            spot(page, target).click()
            page.locator(".steps li:nth-child(2) [aria-current]").wait_for()
        walk.settled()
        walk.start()
    _forty_points_and_karelia(walk)
    _infantry_in_karelia(walk)
    _a_typed_condition(walk)
    _another_profile(walk, browser)
    walk.start()
    _a_dropped_rulebook(walk)
    for name, took in walk.took.items():
        record_property(name, f"{took[0]} clicks, {took[1]:.1f} s")
    assert walk.told() == {}


def _forty_points_and_karelia(walk: Walk) -> None:
    page = walk.page
    with walk.step("forty points", 3):
        walk.play("Axis & Allies")
        page.get_by_role("button", name="vcp of Axis: 40 or more", exact=True).click()
        page.get_by_role("button", name="Ask", exact=True).click()
        see(panel(page, "Ask").locator(".verdict"), "optimal: 3 captures")
    for n in range(3):
        with walk.step(f"move {n + 1} of the plan", 1):
            page.get_by_role("button", name="Next").click()
            page.locator(f".plan li:nth-child({n + 1}) .changes:not([hidden])").wait_for()
    page.get_by_text("The answer in full").click()
    see(page.locator(".full"), "Replayed")
    page.get_by_role("button", name="Russians end their turn").click()
    with walk.step("Karelia changes hands", 2):
        spot(page, "Karelia S.S.R.").click()
        page.get_by_role("button", name=re.compile("^Germans take Karelia")).click()
        see(panel(page, "Record"), "Germans take Karelia S.S.R.")
    page.get_by_role("button", name="Undo", exact=True).click()
    walk.settled()


def _infantry_in_karelia(walk: Walk) -> None:
    page = walk.page
    answer = panel(page, "Ask")
    with walk.step("may infantry be placed in Karelia, and the Reading", 3):
        box = page.get_by_role("combobox", name="Question in the goal language")
        box.fill("may infantry be placed in Karelia?")
        page.get_by_role("button", name="Ask", exact=True).click()
        answer.get_by_role("button", name=re.compile("^place: .*infantry, 1, Karelia S.S.R.")).first.click()
        see(answer.locator(".verdict"), "allowed")
        see(answer.locator(".full"), "Reading")


def _a_typed_condition(walk: Walk) -> None:
    page = walk.page
    with walk.step("a condition that is typed", 3):
        page.get_by_text("Conditions, Readings, sharing, checks").click()
        card = panel(page, "Conditions of a card")
        card.locator("summary").first.click()
        card.get_by_role("textbox").fill("side wins cities at the end of a round if vcp(side) >= 30")
        see(card, "Allies: enough for cities")


def _another_profile(walk: Walk, browser: Browser) -> None:
    walk.page.wait_for_timeout(400)  # the address follows
    other = profile(browser).new_page()
    other.goto(walk.page.url)
    see(panel(other, "Ask").locator(".verdict"), "allowed")
    see_chosen(other.get_by_role("combobox", name="What", exact=True), "ask")
    see(panel(other, "Conditions of a card"), "Allies: enough for cities")
    said_plainly(other)
    other.context.close()


def _a_dropped_rulebook(walk: Walk) -> None:
    page = walk.page
    text = (ROOT / "examples" / "rulebooks" / "bridgehead.md").read_text()
    with walk.step("a rulebook is dropped, and three moves", 6):
        assert page.evaluate(DROP, ["bridgehead.md", text])
        for n, (place, target) in enumerate([("SW", "W"), ("NW", "N"), ("W", "C")], 1):
            spot(page, place).click()
            page.locator(f'.spot.target[data-place="{target}"]').wait_for()
            spot(page, target).click()
            page.locator(f".steps li:nth-child({n + 1}) [aria-current]").wait_for()
            walk.settled()
    spot(page, "C").click()
    see(page.locator(".refused").first, "an enemy stands in C")


def by_tab(page: Page, wanted: str) -> None:
    """Go on by Tab until what has the focus is wanted."""
    for _ in range(150):
        page.keyboard.press("Tab")
        if page.evaluate(f"(one => {wanted})(document.activeElement)"):
            return
    raise AssertionError(f"never reached by Tab: {wanted}")


def test_the_walk_is_done_by_keyboard_alone(page: Page) -> None:
    walk = Walk(page)
    with walk.step("by keyboard alone", 0):
        by_tab(page, "one.innerText === 'A small front'")
        page.keyboard.press("Enter")
        see(page.locator(".headline"), "Soviet meets moscow")
        walk.settled()
        by_tab(page, "one.dataset.place")
        while (at := page.evaluate("document.activeElement.dataset.place")) != "1,2":
            across, down = map(int, at.split(","))
            page.keyboard.press("ArrowRight" if across < 1 else "ArrowDown" if down < 2 else "ArrowUp")
        page.keyboard.press("Enter")
        page.locator(".spot.target").first.wait_for()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        see(panel(page, "Record"), "3rd Panzer moves from 1,2")
        by_tab(page, "one.innerText.startsWith('a marginal victory of the Soviets')")
        page.keyboard.press("Enter")
        by_tab(page, "one.innerText === 'Ask'")
        page.keyboard.press("Enter")
        see(panel(page, "Ask").locator(".verdict"), "within 1 round of marches")
        page.keyboard.press("Control+z")
        see(page.locator(".steps [aria-current]"), "the start")
        by_tab(page, "one.matches('details.drawer > summary')")
        page.keyboard.press("Enter")
        page.locator("details.drawer[open]").wait_for()
        page.keyboard.press("Escape")
        page.locator("details.drawer:not([open])").wait_for()
    assert walk.told() == {}


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
