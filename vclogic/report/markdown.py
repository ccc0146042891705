"""Markdown with text of others in it, of which nothing is read as markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from vclogic.report.text.page import plain

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~!&])")
_AT_START = re.compile(r"^(\s*\d*)([-+](?=\s|$)|(?<=\d)[.)](?=\s|$))")


def said(text: object) -> str:
    """Text in one line, where nothing of it is read as markup."""
    escaped = _MARKUP.sub(r"\\\1", " ".join(plain(str(text)).split()))
    return _AT_START.sub(r"\1\\\2", escaped)


def code(text: str) -> str:
    """Text as it was written, in a line of its own that no content can end."""
    return fenced(" ".join(plain(text).split()), "")


def fenced(text: str, language: str) -> str:
    """Text in a block; the fence is longer than any in the text."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{plain(text).rstrip()}\n{fence}"


def section(heading: str, body: Iterable[str]) -> Iterator[str]:
    """A heading and what stands under it; neither where there is nothing."""
    there = [x for x in body if x]
    if there:
        yield f"## {heading}"
        yield from there


def listed(lines: Iterable[str]) -> str:
    """A list of lines that are Markdown already."""
    return "\n".join(f"- {line}" for line in lines)


def table(heads: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """A table of texts."""
    head = list(map(said, heads))
    lines = [head, ["---"] * len(head), *(map(said, row) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
