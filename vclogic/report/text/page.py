"""Parts of every text report: paragraphs, bullets, tables, and their rendering to a string."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence

from rich.box import Box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

PIPED_WIDTH = 110
"""Columns of a report that does not go to a terminal."""
NOT_JUDGED = "Not checked, since the rule text does not say"
"""The title of what an answer assumes to be allowed."""
_LEAST_WIDTH = 40
_MOST_TITLE = 300
_GOOD = frozenset(["optimal", "reachable", "holds", "possible", "forced", "defended", "equal", "solved"])
_BAD = frozenset(["impossible", "unreachable", "refuted", "lost"])
"""Statuses of answers by colour; all others are yellow."""
_COLOUR = re.compile(r"(\x1b\[[0-9;]*m)")
_RULED = Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)
"""A line under the heads and nothing else, in characters that every encoding has."""


def render(report: RenderableType, *, width: int = PIPED_WIDTH, colour: bool = False) -> str:
    """A report as a string that ends with a line end.

    Args:
        report: What a module of this package made.
        width: Columns.
        colour: Whether to write the codes of a colour terminal.
    """
    file = io.StringIO()
    console = Console(
        file=file,
        width=max(width, _LEAST_WIDTH),
        force_terminal=colour,
        color_system="standard" if colour else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    console.print(report)
    return "".join(_harmless(line.rstrip()) + "\n" for line in file.getvalue().removesuffix("\n").split("\n"))


def _harmless(line: str) -> str:
    """A line without control codes for the terminal, colours apart."""
    return (
        line if line.isprintable() else "".join(p if _COLOUR.fullmatch(p) else plain(p) for p in _COLOUR.split(line))
    )


def head(question: str, game: str, heading: str = "") -> Group:
    """The question, with what the planning model leaves out, and the game."""
    return Group(Text(question + (f" ({heading})" if heading else ""), "bold"), Text(game, "dim"))


def verdict(status: str, because: str) -> Text:
    """The status in its colour, and the rest of the line: `optimal` and `: 6 captures, the fewest possible`."""
    colour = "green" if status in _GOOD else "red" if status in _BAD else "yellow"
    return Text.assemble((status, f"bold {colour}"), because)


def paragraphs(*parts: RenderableType | None) -> Group:
    """The parts that there are, with an empty line between them."""
    there = [p for p in parts if p is not None]
    spaced: list[RenderableType] = [x for p in there for x in (Text(""), p)]
    return Group(*spaced[1:])


def titled(title: str, body: RenderableType) -> Group:
    """A body under its title, a little indented."""
    return Group(Text(title, "bold"), indented(body))


def indented(body: RenderableType, by: int = 2) -> Padding:
    """A body moved to the right."""
    return Padding(body, (0, 0, 0, by))


def bullets(lines: Iterable[str]) -> Table:
    """Lines with a dash before each; what is long goes on under its own beginning."""
    return marked((("-", plain(line)) for line in lines), 1)


def marked(rows: Iterable[tuple[str, str | Text]], gap: int = 2) -> Table:
    """A table of marks and lines; a long line goes on under its own beginning."""
    grid = Table.grid(padding=(0, gap, 0, 0))
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(overflow="fold")
    for row in rows:
        grid.add_row(*row)
    return grid


def table(heads: Sequence[str], rows: Iterable[Sequence[str | Text]], right: Iterable[str] = ()) -> Table:
    """A table.

    Args:
        heads: The head of each column. The first column is never wrapped.
        rows: Its cells.
        right: Heads of columns of numbers.
    """
    found = Table(box=_RULED, show_edge=False, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    numbers = set(right)
    for i, head in enumerate(heads):
        found.add_column(head, justify="right" if head in numbers else "left", no_wrap=i == 0, overflow="fold")
    for row in rows:
        found.add_row(*row)
    return found


def plain(text: str) -> str:
    """Text without characters that would move the cursor or change the terminal; line ends stay."""
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c == "\n" else " " if c in "\t\r" else "\N{REPLACEMENT CHARACTER}" for c in text
    )


def one_line(text: str, most: int = _MOST_TITLE) -> str:
    """Text in one line, cut where it is long."""
    joined = " ".join(plain(text[: 10 * most]).split())
    return joined if len(joined) <= most else joined[: most - 3] + "..."


def bracketed(cites: Sequence[str], most: int = 6) -> str:
    """Clause ids in brackets with a space before them, or nothing; a long list is cut with a count."""
    if not cites:
        return ""
    return f" [{listed(cites, most)}]"


def listed(names: Sequence[str], most: int = 6, apart: str = ", ") -> str:
    """Names with commas, or what else comes between them; a long list is cut with a count."""
    if len(names) <= most + 1:
        return apart.join(names)
    return apart.join(names[:most]) + f" and {len(names) - most} more"
