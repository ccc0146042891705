"""A text report as a pipe gets it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rich.console import RenderableType

from vclogic.report.text.page import render


@pytest.fixture
def piped() -> Callable[[RenderableType], str]:
    """Renders a report, and checks what holds for every one of them."""

    def show(report: RenderableType) -> str:
        text = render(report)
        assert "\x1b" not in text
        assert text.endswith("\n")
        assert not text.endswith("\n\n")
        assert all(len(line) <= 110 and line == line.rstrip() for line in text.splitlines())
        return text

    return show
