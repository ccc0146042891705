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
    from vclogic.query.new_case import NewCase


def new(answer: NewGame) -> Group:
    """What was written, and what to do next."""
    head, listed = f"{answer.folder}: the game {answer.name}, {amount(len(answer.files), 'file')}", answer.files
    game, more = answer.name, (f"pip install -e '{answer.folder}[test]'",)
    if answer.rulebook is not None:
        game, more = shlex.quote(answer.rulebook), ()
        head, listed = f"{answer.rulebook}: a rulebook, to change into your own", ()
    commands = (*more, *(f"vclogic {question} {game}" for question in ("status", "test", "check")))
    if answer.rulebook is None:
        commands += (f"pytest {answer.folder}",)
    return Group(
        Text(plain(head)),
        *(indented(Text(plain(path))) for path in listed),
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
