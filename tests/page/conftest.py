"""A browser of the machine, the local server and the static page, for the tests of the page."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.fixtures.pace import HANGS
from tests.fixtures.web_server import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

ROOT = Path(__file__).parents[2]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"
PATIENCE = 1000 * (HANGS)
"""Milliseconds that a busy machine may take for what a person would see at once."""
TIMEOUT = 300.0
"""Seconds that a question may take, whoever is asked."""
NO_NETWORK = ("URLError", "ConnectionError", "No matching distribution", "Temporary failure")
"""What is said where what the static page needs cannot be downloaded."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, without a window."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no browser is installed: the page is not tried (apt-get install chromium)")
    with api.sync_playwright() as playwright:
        words = ["--no-sandbox", "--disable-dev-shm-usage"]
        started = playwright.chromium.launch(executable_path=found, args=words, timeout=PATIENCE)
        yield started
        started.close()


@pytest.fixture(scope="session")
def firefox() -> str:
    """The path of Firefox."""
    found = shutil.which("firefox-esr") or shutil.which("firefox")
    if found is None:
        pytest.skip("Firefox is not installed: the static page is not tried in it (apt-get install firefox-esr)")
    return found


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of a folder with a file of one's own."""
    folder = tmp_path_factory.mktemp("served")
    (folder / "karelia.yaml").write_text(
        "game: axis_allies\ntitle: Karelia falls\nstate: {turn: Germans}\n"
        "record:\n  - {capture: {power: Germans, territory: Karelia}}\n"
    )
    (folder / "script.yaml").write_text(f"game: axis_allies\ntitle: '{HOSTILE}'\n")
    shutil.copy(ROOT / "examples" / "crossroads.yaml", folder)
    with serving(folder, patience=PATIENCE / 1000) as server:
        yield f"http://{server.host}/"


def replies_of(request: dict[str, Any], address: str) -> list[str]:
    """The lines of the replies of a server to a request."""
    post = urllib.request.Request(address + "ask", json.dumps(request).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(post, timeout=TIMEOUT) as response:
        return [line.decode() for line in response.read().splitlines(keepends=True)]


@pytest.fixture(scope="session")
def static_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the static page, which is made for it."""
    folder = tmp_path_factory.mktemp("static") / "page"
    words = [sys.executable, "page/static/make.py", str(folder)]
    made = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if made.returncode and any(word in made.stderr for word in NO_NETWORK):
        pytest.skip("the static page is not tried: what it needs cannot be downloaded")
    assert made.returncode == 0, made.stderr
    return folder


@pytest.fixture(scope="session")
def static(static_folder: Path) -> Iterator[str]:
    """The address of the static page, on a server that knows nothing of it."""
    with files_served(static_folder) as address:
        yield address


@contextmanager
def files_served(folder: Path, asked: Counter[str] | None = None) -> Iterator[str]:
    """The address of a server of the files of a folder; `asked` counts how often each is sent."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            if asked is not None and code == HTTPStatus.OK:
                asked[self.path.lstrip("/")] += 1

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """The page of the local server, in a fresh profile."""
    yield from opened(browser, address)


@pytest.fixture
def static_page(browser: Browser, static: str) -> Iterator[Page]:
    """The static page, in a fresh profile."""
    yield from opened(browser, static)


def opened(browser: Browser, address: str) -> Iterator[Page]:
    """A page in a fresh profile. Nothing may be said on the console, and nothing asked of another machine."""
    context = profile(browser)
    found = context.new_page()
    said: list[Any] = []
    found.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    found.on("pageerror", lambda error: said.append(str(error)))
    found.on("request", lambda request: said.append(request.url) if not _local(request.url, address) else None)
    found.goto(address)
    yield found
    context.close()
    assert said == []


def profile(browser: Browser) -> BrowserContext:
    """A fresh profile, for a busy machine."""
    found = browser.new_context(viewport={"width": 1400, "height": 900})
    found.set_default_timeout(PATIENCE)
    return found


def _local(url: str, address: str) -> bool:
    return url.startswith((address, "data:", "blob:"))
