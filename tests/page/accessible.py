"""Whether a screen breaks a rule of accessibility, as axe-core sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.page.conftest import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

AXE = ROOT / "page" / "node_modules" / "axe-core" / "axe.min.js"


def see_no_violation(page: Page) -> None:
    """See that a screen breaks no rule, light or dark, and is not wider than the window."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: run `npm ci` in page/")
    page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="light" if scheme == "light" else "dark")
        page.wait_for_function("() => document.getAnimations().length === 0")
        page.evaluate(AXE.read_text())
        found = page.evaluate(
            "axe.run({ rules: { 'target-size': { enabled: true } } }).then(done => done.violations)"
        )
        assert [
            f"{v['id']}: {v['nodes'][0]['html'][:200]} {v['nodes'][0].get('failureSummary', '')}" for v in found
        ] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
