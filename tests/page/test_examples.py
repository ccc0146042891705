"""The goals that the page proposes are answered in their time: all of them, of every start."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from tests.fixtures.pace import HANGS
from tests.fixtures.web_server import serving
from tests.page.conftest import ROOT

SECONDS = "60"
"""The seconds that the page gives a question."""
HARD = ("moscow/campaign", "asl/22u3", "ford.md")
"""Starts that are so large, or whose events have so many ways, that an example may run into its time."""


@pytest.mark.parametrize("kind", ["plan", "reach"])
def test_the_examples_of_all_starts_are_answered_in_their_time(kind: str) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    with serving(ROOT / "examples" / "rulebooks", patience=HANGS) as server:
        words = [node, str(ROOT / "page" / "test" / "examples.mjs"), f"http://{server.host}/", SECONDS, kind]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
    asked = [json.loads(line) for line in done.stdout.splitlines()]
    late = [one for one in asked if "time" in (one["reason"] or "")]
    assert len({one["game"] for one in asked}) > 20  # a start without anything to count has none for `reach`
    assert [one for one in late if one["game"] not in HARD] == []
    assert 10 * len(late) < len(asked)
