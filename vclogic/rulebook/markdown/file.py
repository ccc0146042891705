"""A rulebook's Markdown: its blocks of rules and rulings, its numbered sentences and its tables, with their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from vclogic.errors import Diagnostic, InputError
from vclogic.rulebook.markdown.slips import NUMBER, slips
from vclogic.rulebook.source import BOARD, RULES, RULINGS, Cell, Sentence, TextTable

if TYPE_CHECKING:  # the page without a server starts without it
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_CHAPTER = re.compile(r"\W*(\d+(?:\.\d+)*)")
_BAR = re.compile(r"(?<!\\)\|")
_KEPT = ("link", "image", "autolink", "html_inline", "entity")
"""What stays as it is written in sentences and cells: their words are not shown as a page."""


@dataclass(frozen=True)
class Block:
    """A fenced block.

    Attributes:
        kind: `RULES`, `RULINGS` or `BOARD`.
        text: Its lines.
        line: The line of the file that its first line is.
        indent: How far its lines are indented in the file.
        sentences: The sentences that it belongs to: those since the block before, or those of that block.
        table: The last table above it; None: there is none.
    """

    kind: str
    text: str
    line: int
    indent: int
    sentences: tuple[Sentence, ...]
    table: TextTable | None


@dataclass(frozen=True)
class Page:
    """A rulebook as it stands in its file.

    Attributes:
        title: Its first heading; empty without one.
        blocks: Its blocks of rules and rulings, in their order.
        sentences: Its numbered sentences.
        slips: What Markdown makes something else of than is meant, without its file.
    """

    title: str
    blocks: tuple[Block, ...]
    sentences: tuple[Sentence, ...]
    slips: tuple[Diagnostic, ...] = ()


def parser() -> MarkdownIt:
    """The parser of rulebooks: CommonMark, and tables.

    Raises:
        InputError: It is missing here, as in a browser without a server.
    """
    try:
        from markdown_it import MarkdownIt  # a game without a rulebook starts sooner without it
    except ModuleNotFoundError as error:
        help = "open it with `vclogic serve` in its folder"
        raise InputError(Diagnostic("not-here", "rulebooks cannot be read here", help=help)) from error
    return MarkdownIt("commonmark").enable("table")


@cache
def _inline() -> MarkdownIt:
    return parser().disable([*_KEPT])


def plain(words: str) -> str:
    """Words without signs of emphasis: a name such as `last_to_occupy` has none."""
    if not any(sign in words for sign in "*_`\\"):
        return words
    (line,) = _inline().parseInline(words)
    found = ("\n" if t.type in ("softbreak", "hardbreak") else t.content for t in line.children or ())
    return "".join(found)


def read_page(text: str) -> Page:
    """The content of a rulebook's file."""
    tokens, lines = parser().parse(text), text.splitlines()
    title = chapter = ""
    blocks: list[Block] = []
    sentences: list[Sentence] = []
    new: list[Sentence] = []
    last: tuple[Sentence, ...] = ()
    table: TextTable | None = None
    for i, token in enumerate(tokens):
        line = (token.map[0] if token.map else 0) + 1
        if token.type == "heading_open":
            title = title or tokens[i + 1].content
            number = _CHAPTER.match(tokens[i + 1].content)
            chapter = number[1] if number else ""
            last = ()
        elif token.type == "table_open":
            table = _table(tokens[i:], lines)
        elif token.type == "inline" and token.map and tokens[i - 1].type == "paragraph_open":
            found = tuple(_sentences(token.content, line, chapter))
            sentences += found
            new += found
        elif token.type == "fence" and token.info.strip() == BOARD:
            blocks.append(Block(BOARD, token.content, line + 1, 0, (), None))
        elif token.type == "fence" and token.info.strip() in (RULES, RULINGS):
            last = tuple(new) or last
            new.clear()
            indent = len(lines[line - 1]) - len(lines[line - 1].lstrip())
            blocks.append(Block(token.info.strip(), token.content, line + 1, indent, last, table))
    return Page(title, tuple(blocks), tuple(sentences), tuple(slips(tokens, lines, sentences)))


def _sentences(content: str, line: int, chapter: str) -> Iterator[Sentence]:
    marks = list(NUMBER.finditer(content))
    ends = (*(m.start() for m in marks[1:]), len(content))
    for mark, end in zip(marks, ends, strict=False):
        words = " ".join(plain(content[mark.end() : end]).split())
        yield Sentence(mark[1], words, line + content.count("\n", 0, mark.start()), chapter)


def _table(tokens: Sequence[Token], lines: Sequence[str]) -> TextTable:
    """The table that some tokens begin with, with the cells as written: Markdown adds some, or drops them."""
    rows: list[list[Cell]] = []
    line = 1
    for i, token in enumerate(tokens):
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            line = (token.map[0] if token.map else 0) + 1
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            rows[-1].append(Cell(plain(tokens[i + 1].content).strip(), line))
    for row in rows:
        written = _BAR.split(lines[row[0].line - 1].strip(" \t>").removeprefix("|").removesuffix("|"))
        row[len(written) :] = [Cell(text.strip(), row[0].line) for text in written[len(row) :]]
        at = 0
        for n, text in enumerate(written[: len(row)]):
            at = lines[row[n].line - 1].index(text, at)
            row[n] = replace(row[n], column=at + len(text) - len(text.lstrip()) + 1)
            at += len(text)
    head, *body = rows
    return TextTable(tuple(head), tuple(map(tuple, body)))
