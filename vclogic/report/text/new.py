"""Text report of `new`: the files of a new game, or the file of rulings that was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from vclogic.report.text.page import indented, plain
from vclogic.words import amount

if TYPE_CHECKING:
    from vclogic.files.template import NewGame
    from vclogic.query.new_case import NewCase


def new(answer: NewGame) -> Group:
    """The folder, its files, and what to do next."""
    head = Text(plain(f"{answer.folder}: the game {answer.name}, {amount(len(answer.files), 'file')}"))
    commands = (
        f"pip install -e '{answer.folder}[test]'",
        f"vclogic status {answer.name}",
        f"vclogic test {answer.name}",
        f"vclogic check {answer.name}",
        f"pytest {answer.folder}",
    )
    return Group(
        head,
        *(indented(Text(plain(path))) for path in answer.files),
        Text("\nNext:"),
        *(indented(Text(plain(command))) for command in commands),
    )


def new_case(answer: NewCase) -> Group:
    """The file, and what to do next."""
    return Group(
        Text(plain(f"{answer.file}: rulings on {answer.game}, to change into your own")),
        Text("\nNext:"),
        indented(Text(plain(f"vclogic test {answer.file}"))),
    )
