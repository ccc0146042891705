"""A rulebook on the page: it is listed, played, and read anew when its file is saved."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.fixtures.web_server import serving
from tests.page.conftest import ROOT
from tests.page.conftest import opened as opened_page
from tests.page.test_page import choose, panel, see, spot

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BOOK = ROOT / "examples" / "rulebooks" / "skirmish.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copy(BOOK, tmp_path / "skirmish.md")
    return tmp_path


def test_a_rulebook_is_played_and_read_anew_when_it_is_saved(browser: Browser, folder: Path) -> None:
    with serving(folder) as server:
        for page in opened_page(browser, f"http://{server.host}/"):
            choose(page, "skirmish.md")
            see(panel(page, "Who is winning"), "victory")
            spot(page, "a1").click()
            move = "Red moves a unit from a1 to b1"
            page.get_by_role("button", name=move).first.click()
            see(panel(page, "Record"), "Red moves a unit from a1 to b1")
            file = folder / "skirmish.md"
            file.write_text(file.read_text().replace("side wins victory at the end", "side wins ground at the end"))
            see(panel(page, "Who is winning"), "ground")
            see(panel(page, "Record"), "Red moves a unit from a1 to b1")
