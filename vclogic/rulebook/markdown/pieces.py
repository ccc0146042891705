"""A rulebook's file as pieces that follow each other: Markdown for players, blocks of rules, blocks of rulings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from vclogic.errors import InputError
from vclogic.rulebook.markdown.file import parser
from vclogic.rulebook.parser import parse_rules
from vclogic.rulebook.source import RULES, RULINGS, RulesSource
from vclogic.rulebook.statements import Statement
from vclogic.rulebook.table.entries import BOOK

_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")


@dataclass(frozen=True)
class Piece:
    """A piece of a rulebook's file.

    Attributes:
        kind: What the fence of a block is called; empty: it is Markdown for players.
        text: Its lines; of a block those between its fences, at the margin.
        whole: It as it stands in the file.
        line: The line of the file that its text begins with.
        indent: What stands before each line of a block, as in a list.
    """

    kind: str
    text: str
    whole: str
    line: int
    indent: str = ""

    def with_lines(self, lines: Iterable[str]) -> str:
        """The block with other lines between its fences."""
        old = _LINE.findall(self.whole)
        inside = len(_LINE.findall(self.text))
        end = re.search(r"\r?\n?$", old[0])
        new = [f"{self.indent if line else ''}{line}{end[0] if end else ''}" for line in lines]
        return "".join((old[0], *new, *old[1 + inside :]))

    def statements(self, label: str) -> tuple[Statement, ...]:
        """The statements of a block of rules.

        Args:
            label: The file.

        Raises:
            InputError: All statements that cannot be read, at their lines of the file.
        """
        source = RulesSource((), self.text, label, label, lambda y, x: (self.line + y - 1, len(self.indent) + x))
        try:
            return parse_rules(self.text, label, (), BOOK)
        except InputError as error:
            raise InputError(map(source.placed, error.diagnostics)) from error


def pieces(text: str) -> Iterator[Piece]:
    """The pieces of a file; all of them together are the file.

    A block in a quotation is Markdown like what is around it.
    """
    lines = _LINE.findall(text)
    done = 0
    for token in parser().parse(text):
        if token.type != "fence" or token.map is None or token.info.strip() not in (RULES, RULINGS):
            continue
        begin, end = token.map
        fence = _FENCE.match(lines[begin])
        if fence is None:
            continue
        if begin > done:
            yield Piece("", "".join(lines[done:begin]), "".join(lines[done:begin]), done + 1)
        indent = lines[begin][: fence.start(1)]
        yield Piece(token.info.strip(), token.content, "".join(lines[begin:end]), begin + 2, indent)
        done = end
    if done < len(lines):
        yield Piece("", "".join(lines[done:]), "".join(lines[done:]), done + 1)


def fenced(kind: str, text: str, indent: str = "") -> str:
    """A block with its fences."""
    runs = [len(found) for found in re.findall(r"^\s*(`{3,})", text, re.MULTILINE)]
    fence = "`" * max([3, *(n + 1 for n in runs)])
    body = text if not text or text.endswith("\n") else f"{text}\n"
    lines = f"{fence}{kind}\n{body}{fence}\n".splitlines(keepends=True)
    return "".join(f"{indent}{line}" if line.strip() else line for line in lines)
