"""Text report of `new`: the files of a new game."""

from __future__ import annotations

from rich.console import Group
from rich.text import Text

from vclogic.files.template import NewGame
from vclogic.report.text.page import indented, plain
from vclogic.words import amount


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
