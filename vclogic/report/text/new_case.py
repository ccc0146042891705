"""Text report of `new --case`: the file of rulings that was written."""

from __future__ import annotations

from rich.console import Group
from rich.text import Text

from vclogic.query.new_case import NewCase
from vclogic.report.text.page import indented, plain


def new_case(answer: NewCase) -> Group:
    """The file, and what to do next."""
    return Group(
        Text(plain(f"{answer.file}: rulings on {answer.game}, to change into your own")),
        Text("\nNext:"),
        indented(Text(plain(f"vclogic test {answer.file}"))),
    )
