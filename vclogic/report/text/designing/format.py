"""Text report of `format`: the rulebooks that were written, or are not in the style."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from vclogic.report.text.page import plain
from vclogic.words import amount

if TYPE_CHECKING:
    from vclogic.files.text_games.formatting import Formatted


def format(answer: Formatted) -> Text:
    """A line for each file that was written or is to be, and how many were as they should be."""
    done = "written" if answer.written else "is not in the style"
    lines = [f"{file}: {done}" for file in answer.changed]
    if answer.unchanged:
        same = len(answer.unchanged)
        lines.append(f"{amount(same, 'rulebook')} {'is' if same == 1 else 'are'} in the style")
    return Text("\n".join(map(plain, lines)))
