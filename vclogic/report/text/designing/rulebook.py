"""Text report of `rulebook`: the page that was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from vclogic.report.text.page import plain
from vclogic.words import amount

if TYPE_CHECKING:
    from vclogic.query.board.players import PlayersPage


def rulebook(answer: PlayersPage) -> Text:
    """The file, and what it shows."""
    drawn = f", {amount(answer.pictures, 'position')} drawn" if answer.pictures else ""
    return Text(plain(f"{answer.file}: {answer.title}{drawn}"))
