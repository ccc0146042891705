"""Text report of `render`: what was drawn."""

from __future__ import annotations

from rich.text import Text

from vclogic.query.board.answer import Rendered
from vclogic.report.text.page import plain
from vclogic.words import amount


def render(answer: Rendered) -> Text:
    """The file, and what it shows."""
    shown = amount(answer.regions, "region")
    if answer.turns:
        shown += f", the moves of {amount(len(answer.turns), 'turn')}"
    return Text(plain(f"{answer.file}: {answer.game}, {shown}"))
