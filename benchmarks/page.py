"""The same questions to the command, to the page's server, and to vclogic in the browser."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.runner import Comparison, Timing, side_by_side
from benchmarks.written_campaigns import campaign

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

AIM = "the page starts in seconds, answers a status at once, and plans 40 points in the browser, too"
ROOT = Path(__file__).parents[1]
MOMENT: dict[str, Any] = {"game": "axis_allies", "settings": {}, "steps": []}
QUESTIONS = {
    "status": (["status", "axis_allies"], {"ask": "status", "moment": MOMENT}),
    "40 points": (
        ["plan", "axis_allies", "--side", "Axis", "--goal", "vcp(Axis) >= 40"],
        {"ask": "plan", "moment": MOMENT, "side": "Axis", "goal": "vcp(Axis) >= 40"},
    ),
}
ASK = "async request => { const backend = await globalThis.backend; return backend.ask(request); }"
OPEN = """async () => { const { worker } = await import("./backend/worker.mjs");
    globalThis.backend = worker({}, () => {}); await globalThis.backend; }"""
STOP = """async request => {
    const backend = await globalThis.backend, control = new AbortController();
    const search = backend.ask(request, { signal: control.signal }).catch(() => {});
    await new Promise(resolve => setTimeout(resolve, 4000));
    const began = performance.now();
    control.abort();
    await backend.ask({ ask: "value", moment: request.moment, expressions: ["vcp(Axis)"] });
    const usable = performance.now() - began;
    await search;
    return [usable / 1000, (performance.now() - began) / 1000];
}"""
SERVED = """async () => {
    const { server } = await import("./backend/server.mjs");
    globalThis.backend = server({});
}"""
LONG: dict[str, Any] = {
    "ask": "plan",
    "moment": {**MOMENT, "settings": {"level": "armies"}},
    "goal": "vcp(Axis) >= 60",
    "minimize": "moves",
    "within": 3,
}
ROUNDS, _WORKERS = 5, 3


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


def run() -> Iterator[Comparison]:
    """Start, status and the plan, by each way; the first answer and those after it."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name) / "page"
        subprocess.run([sys.executable, "page/static/make.py", folder], cwd=ROOT, check=True, capture_output=True)
        with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as files:
            threading.Thread(target=files.serve_forever, daemon=True).start()
            chromium = shutil.which("chromium") or shutil.which("chromium-browser")
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            yield from _compared(browser, f"http://127.0.0.1:{files.server_port}/")
            browser.close()
            files.shutdown()


def _compared(browser: Browser, address: str) -> Iterator[Comparison]:
    command = [sys.executable, "-m", "vclogic"]
    server, port, starting = _server()
    page, loading = _opened(browser, address)
    seconds = _seconds(lambda: subprocess.run([*command, "--version"], check=True, stdout=subprocess.DEVNULL))
    starts = {"command": seconds, "server": starting, "browser": loading}
    yield Comparison("start", {name: Timing((seconds,)) for name, seconds in starts.items()})
    try:
        for title, (words, request) in QUESTIONS.items():
            cli = partial(subprocess.run, [*command, *words, "--format", "json"], stdout=subprocess.DEVNULL)
            ways: dict[str, Callable[[], object]] = {
                "command": partial(cli, check=True),
                "server": partial(_posted, port, request),
                "browser": partial(page.evaluate, ASK, request),
            }
            first = {name: Timing((_seconds(way),)) for name, way in ways.items()}
            yield Comparison(f"{title}, the first time", first)
            yield Comparison(f"{title}, again", side_by_side(ways, rounds=ROUNDS, share=0))
        yield _stopped(browser, port, page)
        yield Comparison(
            "status of Moscow's campaign, the first that a Worker is asked", _campaigns(browser, address)
        )
    finally:
        server.terminate()
        server.wait(30)


def _campaigns(browser: Browser, address: str) -> dict[str, Timing]:
    """Moscow's campaign in Python and as text, each in Workers of its own that have answered nothing before."""
    games: dict[str, object] = {"Python": "moscow/campaign", "text": {"rulebook": {"campaign.md": campaign()}}}
    found: dict[str, list[float]] = {name: [] for name in games}
    for _ in range(_WORKERS):
        for name, game in games.items():
            page, _ = _opened(browser, address)
            request = {"ask": "status", "moment": {"game": game, "settings": {}, "steps": []}}
            found[name].append(_seconds(partial(page.evaluate, ASK, request)))
            page.close()
    return {name: Timing(tuple(seconds)) for name, seconds in found.items()}


def _stopped(browser: Browser, port: int, page: Page) -> Comparison:
    """From the end of a search with armies to the next answer, and to what was known of the search."""
    served = browser.new_page()
    served.goto(f"http://127.0.0.1:{port}/about.json")
    served.evaluate(SERVED)
    found: dict[str, Timing] = {}
    for name, where in {"server": served, "browser": page}.items():
        usable, known = where.evaluate(STOP, LONG)
        found |= {f"{name}: the next answer": Timing((usable,)), f"{name}: what was known": Timing((known,))}
    return Comparison("from stop to", found)


def _seconds(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def _server() -> tuple[subprocess.Popen[str], int, float]:
    """A server, its port, and how long it took until it said that it can be asked."""
    began = time.perf_counter()
    words = [sys.executable, "-m", "vclogic", "serve", "--port", "0"]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    port = int(server.stdout.readline().rstrip("/\n").rpartition(":")[2])
    return server, port, time.perf_counter() - began


def _opened(browser: Browser, address: str) -> tuple[Page, float]:
    """A page in whose Web Worker vclogic is ready, and how long that took."""
    page = browser.new_page()
    page.goto(f"{address}licences.txt")  # nothing of the page itself runs: only what answers is measured
    began = time.perf_counter()
    page.evaluate(OPEN)
    return page, time.perf_counter() - began


def _posted(port: int, request: dict[str, Any]) -> bytes:
    body = json.dumps(request).encode()
    post = urllib.request.Request(f"http://127.0.0.1:{port}/ask", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(post, timeout=120) as response:
        found: bytes = response.read()
    return found
