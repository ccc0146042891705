"""Reports of bad input, in the manner of rustc: what is wrong, where, the line, and what to do."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.errors import Diagnostic, shortened
from vclogic.report.text.page import plain

_MOST_BYTES = 1_000_000
_MOST_PATH = 250
_WINDOW = 90  # columns of a source line that are shown


def errors(diagnostics: Iterable[Diagnostic], sources: Mapping[str, str] | None = None) -> Group:
    """Everything that is wrong with an input.

    Args:
        diagnostics: In the order in which they are shown.
        sources: Texts that stand in no file, such as a goal, by the name that diagnostics have for them. Other
            names are looked for as files; standard input is never read again.
    """
    lines = Lines(sources or {})
    parts: list[RenderableType] = []
    for number, diagnostic in enumerate(diagnostics):
        parts += [Text("")] if number else []
        parts += _report(diagnostic, lines)
    return Group(*parts)


def _report(d: Diagnostic, lines: Lines) -> list[RenderableType]:
    head = Text(no_wrap=False)
    head.append(f"error[{d.code}]", "bold red")
    head.append(f": {plain(d.message)}", "bold")
    parts: list[RenderableType] = [head]
    if d.file is not None:
        file = shortened(d.file, _MOST_PATH)
        place = ":".join(str(x) for x in (file, d.line, d.column) if x is not None)
        parts.append(Text.assemble(("  --> ", "blue"), plain(place)))
    line = lines.find(d.file, d.line)
    if line is not None:
        parts += excerpt(line, d.line or 0, d.column)
    if d.help:
        parts.append(Text.assemble(("  help: ", "bold cyan"), plain(d.help)))
    return parts


def excerpt(line: str, number: int, column: int | None) -> list[RenderableType]:
    """A line of a file with a caret below the column; a long line is cut to what is around it."""
    at = (column or 1) - 1
    begin = max(0, at - _WINDOW // 2) if len(line) > _WINDOW else 0
    shown = plain(line[begin : begin + _WINDOW]).replace("\n", " ")
    before, after = "..." if begin else "", "..." if begin + _WINDOW < len(line) else ""
    gutter = f" {number} | "
    found: list[RenderableType] = [_unwrapped(gutter, before + shown + after)]
    if column is not None and at <= len(line):
        found.append(_unwrapped(" " * (len(gutter) - 2) + "| ", " " * cell_len(before + shown[: at - begin]) + "^"))
    return found


def _unwrapped(gutter: str, text: str) -> Text:
    return Text.assemble((gutter, "blue"), text, no_wrap=True, overflow="ellipsis")


class Lines:
    """The lines of texts and of files, each file read once.

    Args:
        sources: Texts that stand in no file, by name.
    """

    def __init__(self, sources: Mapping[str, str]):
        self._lines: dict[str, list[str] | None] = {name: text.split("\n") for name, text in sources.items()}

    def find(self, file: str | None, number: int | None) -> str | None:
        """A line, counted from 1; None if it cannot be read."""
        if file is None or number is None:
            return None
        if file not in self._lines:
            self._lines[file] = _read(file)
        lines = self._lines[file]
        return lines[number - 1] if lines is not None and 0 < number <= len(lines) else None


def _read(file: str) -> list[str] | None:
    """The lines of a file, or None if it is no regular file (a pipe cannot be read again), large, or not text."""
    try:
        if not os.path.isfile(file) or os.path.getsize(file) > _MOST_BYTES:
            return None
        with open(file, encoding="utf-8-sig", newline="") as stream:
            return stream.read().replace("\r\n", "\n").replace("\r", "\n").split("\n")
    except (OSError, ValueError):
        return None
