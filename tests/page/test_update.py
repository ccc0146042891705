"""The static page when its folder is replaced by a newer one: no tab works with files of two versions."""

from __future__ import annotations

import importlib.util
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from tests.fixtures.pace import BUSY
from tests.page.conftest import ROOT, files_served, profile
from tests.page.test_page import see

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

UPDATED = """async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update().catch(() => {});
    const fresh = registration.installing ?? registration.waiting;
    if (!fresh) return "none";
    while (!["installed", "redundant"].includes(fresh.state)) await new Promise(done => setTimeout(done, 50));
    return fresh.state;
}"""


@pytest.fixture
def folder(browser: Browser, static_folder: Path, tmp_path: Path) -> Path:
    """A folder of one's own to replace."""
    return Path(shutil.copytree(static_folder, tmp_path / "page"))


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A fresh profile."""
    found = profile(browser)
    yield found
    found.close()


def make() -> ModuleType:
    """What makes the folder."""
    spec = importlib.util.spec_from_file_location("make", ROOT / "page" / "static" / "make.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def replace(folder: Path, title: str) -> None:
    """Replace the folder by one that differs in its title."""
    start = folder / "index.html"
    start.write_text(start.read_text().replace("<title>vclogic", f"<title>{title}"))
    shutil.copy(ROOT / "page" / "src" / "offline.mjs", folder)
    make()._offline(folder)


def opened(context: BrowserContext, address: str) -> Page:
    """The page, once its files are kept."""
    page = context.new_page()
    page.goto(address)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    return page


def title(context: BrowserContext, address: str, pause: float) -> str:
    """The title of the page in a tab of its own, some seconds after the last one was closed.

    A browser takes a moment to see that no tab and none of its workers is left, and stops what serves files without
    a network half a minute after it was last used: here it is told to at once.
    """
    time.sleep(pause)
    empty = context.new_page()
    tools = context.new_cdp_session(empty)
    tools.send("ServiceWorker.enable")
    tools.send("ServiceWorker.stopAllWorkers")
    empty.close()
    page = opened(context, address)
    found = page.title()
    page.close()
    return found


def test_a_newer_folder_is_taken_once_all_tabs_of_the_older_one_are_closed(
    folder: Path, context: BrowserContext
) -> None:
    with files_served(folder) as address:
        page = opened(context, address)
        page.get_by_role("combobox", name="Game").wait_for()
        replace(folder, "newer")
        assert page.evaluate(UPDATED) == "installed"
        see(page.locator(".news"), "A newer version is there")
        page.reload()
        assert page.title() == "vclogic"
        page.close()
        assert any(title(context, address, pause) == "newer" for pause in (0.5, 2, 8, BUSY))


def test_a_folder_that_is_only_half_replaced_is_not_taken(folder: Path, context: BrowserContext) -> None:
    with files_served(folder) as address:
        page = opened(context, address)
        words = folder / "words.mjs"
        words.write_text(words.read_text() + "// newer")
        replace(folder, "newer")
        words.write_text(words.read_text() + "// of yet another version")
        assert page.evaluate(UPDATED) == "redundant"
        page.reload()
        assert page.title() == "vclogic"
        page.context.set_offline(True)
        page.reload()
        page.get_by_role("combobox", name="Game").wait_for()
