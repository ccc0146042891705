"""A browser of the machine and the local server, for the tests of the page."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"
PATIENCE = 60_000
"""Milliseconds that a busy machine may take for what a person would see at once."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, without a window."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no browser is installed: the page is not tried (apt-get install chromium)")
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield started
        started.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of a folder with a file of one's own."""
    folder = tmp_path_factory.mktemp("served")
    (folder / "karelia.yaml").write_text(
        "game: axis_allies\ntitle: Karelia falls\nstate: {turn: Germans}\n"
        "record:\n  - {capture: {power: Germans, territory: Karelia}}\n"
    )
    (folder / "script.yaml").write_text(
        "game: axis_allies\ntitle: '<img src=x onerror=alert(1)><script>alert(2)</script>'\n"
    )
    words = [sys.executable, "-m", "vclogic", "serve", str(folder), "--port", "0"]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert server.stdout is not None
    yield server.stdout.readline().strip()
    server.terminate()
    server.wait(30)


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """The page in a fresh profile. Nothing may be said on the console, and nothing asked of another machine."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.set_default_timeout(PATIENCE)
    found = context.new_page()
    said: list[Any] = []
    found.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    found.on("pageerror", lambda error: said.append(str(error)))
    found.on("request", lambda request: said.append(request.url) if not _local(request.url, address) else None)
    found.goto(address)
    yield found
    context.close()
    assert said == []


def _local(url: str, address: str) -> bool:
    return url.startswith((address, "data:", "blob:"))
