"""Slips in a rulebook's Markdown of which Markdown makes something else without a word: each is told at its line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from vclogic.errors import Diagnostic, InputError, nearest, quoted
from vclogic.rulebook.parser import parse_rules
from vclogic.rulebook.source import BOARD, RULES, RULINGS, Sentence
from vclogic.rulebook.table.entries import BOOK

if TYPE_CHECKING:
    from markdown_it.token import Token

NUMBER = re.compile(r"\*\*(\d+(?:\.\d+)*[a-z]?(?:/\d+)?)\.?\*\*")
"""The number that a sentence begins with."""
TEXT = "text"
"""What a block is called that players alone read."""
_RUN = re.compile(r"(?<!\S)(?:\*\* +)?(?=\S*\d)(?=\S*[*_]\S*[*_])[^\sA-Za-z]+[a-z]?[^\sA-Za-z]*(?: +\*+)?(?!\S)")
"""Digits with asterisks or the like, and no words."""
_PAIRED = re.compile(r"[^\w\s*]*(\*\*?|__?)([^*_\s]+)\1[^\w\s*]*")
_LIKE = re.compile(r"(?!\d+$|\d+:\d+$|-?\d+(?:-\d+)?$)(?=.*\d)[\d.,:#>~`()§|-]+[a-z]?[.,:#>~`()|]*")
_BOLD = re.compile(r"\*\*\d+\.[^*\n]*\*\*")
_PLAIN = re.compile(r"\d+(?:\.\d+)+\.?(?=\s+[A-Z])")
_FENCE = re.compile(r"(?=[`~´' ]*[`~']{2})[`~´' ]+(\w+)[`~´' ]*")
_ROW = re.compile(r"\|.*\|$")
_STRUCTURE = re.compile(rf"{NUMBER.pattern}|```|#+ |{_ROW.pattern}")
_APART = "leave no line empty in a table; below its head stands a row of --- with as many cells"
_SPARSE = (
    "Markdown ends a table above which too many cells of its rows are missing, 65,536 in all: write the bars of "
    "empty cells too, or make two tables"
)
_Wrong = tuple[int, str, str, str]
"""A line, counted from 1, the part of it that is wrong, the message, and the help."""


def slips(tokens: Sequence[Token], lines: Sequence[str], sentences: Sequence[Sentence]) -> Iterator[Diagnostic]:
    """The slips in a rulebook that nobody means, without its file.

    Args:
        tokens: What Markdown makes of it.
        lines: Its lines.
        sentences: The numbered sentences that were found in it.
    """
    each = (_slips(tokens, i, lines, sentences) for i in range(len(tokens)))
    for line, part, message, help in (*_twice(sentences), *chain.from_iterable(each)):
        yield Diagnostic("unreadable", message, None, line, max(lines[line - 1].find(part), 0) + 1, help)


def _twice(sentences: Iterable[Sentence]) -> Iterator[_Wrong]:
    seen: dict[str, int] = {}
    for s in sentences:
        if s.clause in seen:
            message = f"the number {s.clause} stands here and in line {seen[s.clause]}"
            yield s.line, s.clause, message, "give each sentence a number of its own"
        seen.setdefault(s.clause, s.line)


def _slips(tokens: Sequence[Token], i: int, lines: Sequence[str], sentences: Sequence[Sentence]) -> Iterator[_Wrong]:
    """The slips that one token shows."""
    token, begin = tokens[i], (tokens[i].map or [0])[0]
    if token.type == "fence":
        yield from _block(token, lines)
    elif token.type == "code_block":
        inside = [(begin + n, line.strip()) for n, line in enumerate(token.content.splitlines(), 1)]
        for n, line in [x for x in inside if _STRUCTURE.match(x[1])][:1]:
            help = "begin it at the margin, or less than four spaces from it"
            yield n, line, "four spaces before this let Markdown take it for a quotation of a program", help
    elif token.type == "inline" and tokens[i - 1].type == "paragraph_open":
        yield from _paragraph(token.content, lines, begin, bool(sentences))
    elif token.type == "inline" and (mark := NUMBER.search(token.content)):
        heading = tokens[i - 1].type == "heading_open"
        own = tokens[i - 1].markup.startswith("#") and any(s.clause.startswith(f"{mark[1]}.") for s in sentences)
        if own if heading else mark.end() == len(token.content):
            return  # the number of a chapter; a cell that holds a number alone
        message = f"the number {mark[1]} stands in a {'heading' if heading else 'table'}, where no sentence begins"
        help = "write no #, - or = before or below it" if heading else "leave a line empty before it"
        yield begin + 1, mark[0], message, help


def _block(token: Token, lines: Sequence[str]) -> Iterator[_Wrong]:
    """The slips in a block's fences or its name."""
    begin, end = token.map or [0, 0]
    name, within = token.info.strip(), re.compile(rf"\s*{token.markup[0]}{{{len(token.markup)},}}\s*\w")
    for n, line in enumerate(token.content.splitlines(), begin + 2):
        if within.match(line) and name != RULES:
            message = f"a block begins in line {n} within this one"
            yield begin + 1, token.markup, message, f"write {token.markup} in a line of its own where this one ends"
            return
    if end - begin < 2 or not lines[end - 1].strip(" \t>").startswith(token.markup):
        yield begin + 1, token.markup, "this block is not closed", f"write {token.markup} where it ends"
    if name in (RULES, RULINGS, BOARD, TEXT):
        return
    near = name and (nearest(name.split()[0], (RULES, RULINGS)) or nearest(name, (RULES, RULINGS)))
    if near:
        yield begin + 1, name, f"no block is called {quoted(name)}", near
        return
    try:
        rules = parse_rules(token.content, RULES, (), BOOK)
    except InputError:
        return
    if rules:
        message, help = f"this block says rules, and is not called {RULES}", f"write ```{RULES}, or ```{TEXT}"
        yield begin + 1, name or token.markup, message, f"{help} where players alone read it"


def _paragraph(content: str, lines: Sequence[str], begin: int, numbered: bool) -> Iterator[_Wrong]:
    """The slips in the lines of a paragraph.

    Args:
        content: The paragraph.
        lines: All lines.
        begin: How many lines are above it.
        numbered: Whether any sentence has a number.
    """
    for n, line in enumerate(content.splitlines(), begin + 1):
        fence = _FENCE.fullmatch(line.strip())
        if fence and nearest(fence[1], (RULES, RULINGS)):
            help = "three backticks and its name stand in the line with which a block begins"
            yield n, line.strip(), "no block begins here", help
        if _ROW.match(line.strip()):
            cut_off = n == begin + 1 and n > 1 and bool(_ROW.match(lines[n - 2].strip()))
            yield n, "|", "this row stands outside of a table", _SPARSE if cut_off else _APART
            if cut_off:
                return  # and so do all rows below it
        for part in _odd(NUMBER.sub(lambda m: "x" * len(m[0]), line), numbered and n == begin + 1):
            help = "a number stands in bold and by itself, such as **2.4**: digits and dots, then a letter or none"
            yield n, part, f"{quoted(part)} is not the number of a sentence", help


def _odd(line: str, first: bool) -> Iterator[str]:
    """Numbers of sentences that are none as they are written; bold odds and modifiers are not meant."""
    if first and (plain := _PLAIN.match(line) or re.match(r"\*{3,}(?= )", line)):
        yield plain[0]
    starts = {0, *(m.end() for m in re.finditer(r"[.!?:] +", line))}
    yield from (m[0] for m in _BOLD.finditer(line) if m.start() in starts and not _RUN.match(line, m.start()))
    for run in _RUN.finditer(line):
        paired, begins = _PAIRED.fullmatch(run[0]), run.start() in starts
        if (begins and _LIKE.fullmatch(paired[2])) if paired else (begins or not run[0][0].isdigit()):
            yield run[0]
