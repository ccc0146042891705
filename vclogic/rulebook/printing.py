"""Statements as a text that says the same: a line for each, with what belongs to it below."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from vclogic.rulebook.parser import CITED
from vclogic.rulebook.statements import Content
from vclogic.rulebook.table.entries import BOOK
from vclogic.rulebook.table.written import cites

WIDTH = 118
"""Lines are broken before they are longer, where they can be."""
INDENT = "  "
_BREAK = re.compile(r"'[^']*'|\"[^\"]*\"|[()]|(?<=,) | (?=(?:and|or|if|for|else|where|through|\+|-) )")


def printed(statements: Iterable[Content]) -> str:
    """The text of some statements."""
    return "".join(f"{line}\n" for s in statements for line in laid_out(s))


def laid_out(statement: Content, clauses: Sequence[str] = ()) -> list[str]:
    """The lines of a statement as they stand in a text.

    Args:
        clauses: The sentences that it cites itself, behind its first line.
    """
    first, *below = broken(statement)
    return [f"{first}{cites(clauses)}", *below]


def broken(statement: Content, width: int = WIDTH) -> list[str]:
    """The lines of a statement, those that are too long broken."""
    found: list[str] = []
    for line in parts(statement):
        behind = CITED.search(line)
        *pieces, last = fitted(line[: behind.start()].rstrip() if behind else line, width)
        found += [*pieces, f"{last} {behind[0]}" if behind else last]
    return found


def parts(statement: Content) -> list[str]:
    """The lines of a statement, however long: the first one, and those that stand further right below it."""
    head, *below = BOOK.of(statement).written(statement, BOOK.beginnings).split("\n")
    return [head, *(f"{INDENT}{line}" for line in below)]


_IN_ONE = re.compile(r"(?:event|table|grid|hexes)\b|\s")
"""What begins lines of statements that end with the line; those below are looked at by their own words."""
_CAN_GO_ON = re.compile(
    r"\s+(?:takes|needs|then|weight|becomes|rises|falls|uses|keeps|counts|held|lies|worth|lost)\b"
)


def fitted(line: str, width: int = WIDTH) -> list[str]:
    """A line in pieces that are not too long, each but the first further right; as it is where it cannot be broken.

    It is broken where the fewest parentheses are open.
    """
    found: list[str] = []
    if _IN_ONE.match(line) and not _CAN_GO_ON.match(line):
        return [line]
    right = " " * (len(line) - len(line.lstrip()) + 2 * len(INDENT))
    while len(line) > width:
        depth, places = 0, list[tuple[int, int]]()
        for mark in _BREAK.finditer(line, len(right)):
            depth += (mark[0] == "(") - (mark[0] == ")")
            if mark[0] == " " and mark.start() <= width:
                places.append((-depth, mark.start()))
        if not places:
            break
        at = max(places)[1]
        found.append(line[:at])
        line = right + line[at + 1 :]
    return [*found, line]
