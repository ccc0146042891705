"""Text report of `new`: the files of a new game, or the file that was written."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from vclogic.report.text.page import indented, plain
from vclogic.words import amount

if TYPE_CHECKING:
    from vclogic.files.template import NewGame
    from vclogic.query.test.new_case import NewCase


def new(answer: NewGame) -> Group:
    """The files that were written, and what to do next."""
    if answer.rulebook is None:
        head, game = f"{answer.folder}: the game {answer.name}, {amount(len(answer.files), 'file')}", answer.name
    else:
        head, game = f"{answer.rulebook}: a rulebook, to change into your own", shlex.quote(answer.rulebook)
    commands = [f"vclogic {question} {game}" for question in ("status", "test", "check")]
    if answer.rulebook is None:
        commands = [f"pip install -e '{answer.folder}[test]'", *commands, f"pytest {answer.folder}"]
    return Group(
        Text(plain(head)),
        *(indented(Text(plain(path))) for path in answer.files if answer.rulebook is None),
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
