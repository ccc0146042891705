"""Commands that have hardly any time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.conftest import Ran

WORDS = {
    "plan": ["--goal", "vcp(Axis) >= 40"],
    "reach": ["--goal", "vcp(Axis) >= 40"],
    "missing": ["--goal", "vcp(Axis) >= 40"],
    "compare": ["--set-b", "liberated_city_limit=captured"],
    "check": [],
}


@pytest.mark.parametrize("command", WORDS)
def test_they_say_why_nothing_is_known_and_end_with_the_code_for_it(command: str, run: Callable[..., Ran]) -> None:
    done = run(command, "axis_allies", *WORDS[command], "--timeout", "1e-6")
    assert done.code == (0 if command == "check" else 3)  # what could not be decided is listed, and does not count
    assert "the time " in " ".join(done.out.split())
    assert not done.err
