"""What is wrong is told once, with what to do about it."""

from __future__ import annotations

import base64
import json
import zlib
from typing import TYPE_CHECKING

from tests.page.conftest import profile
from tests.page.test_page import GERMANS, choose, see, spot

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ALERTS = """
window.alerts = [];
new MutationObserver(changes => {
  for (const node of changes.flatMap(change => [...change.addedNodes]))
    if (node.querySelectorAll)
      for (const one of [node, ...node.querySelectorAll('*')])
        if (one.role === 'alert') window.alerts.push(one.innerText);
}).observe(document, { childList: true, subtree: true });
"""
"""Notes each alert as it comes."""


def test_a_record_that_is_refused_is_told_once(page: Page, address: str) -> None:
    held = json.dumps({"g": GERMANS, "t": [{"capture": {"power": "Germans", "territory": "Germany"}}]}).encode()
    packed = zlib.compressobj(wbits=-15)
    link = base64.urlsafe_b64encode(packed.compress(held) + packed.flush()).decode().rstrip("=")
    page.add_init_script(ALERTS)
    page.goto("about:blank")
    page.goto(f"{address}#v1.{link}")
    page.get_by_role("alert").first.wait_for()
    page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")
    assert page.evaluate("window.alerts.length") == 1
    assert page.get_by_role("alert").count() == 1


def test_a_server_that_is_gone_is_told_once_with_what_to_do(browser: Browser, address: str) -> None:
    context = profile(browser)
    page = context.new_page()
    page.add_init_script(ALERTS)
    page.goto(address)
    choose(page, GERMANS)
    page.route("**/ask", lambda route: route.abort())
    page.get_by_role("button", name="End turn").click()
    see(page.locator(".news"), "The server no longer answers. Start vclogic serve again")
    assert "Failed to fetch" not in page.locator("body").inner_text()
    assert page.evaluate("window.alerts") == []
    spot(page, "Russia").wait_for()
    context.close()
