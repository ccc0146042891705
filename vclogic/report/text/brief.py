"""Tables of a rule book with a line for each entry: what is long is cut, since its name tells all about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import RenderableType
from rich.text import Text

from vclogic.report.text.page import PIPED_WIDTH, plain, table, titled

CUT = " ..."
_WIDEST = 44  # of a first column
_MIDDLE = 26  # of a column that is neither the first nor the last
_MARGIN = 2  # before a table


def brief(
    title: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    words: Sequence[str] = (),
    *,
    whole: bool = False,
) -> RenderableType | None:
    """A titled table whose cells are cut to one line; None without rows.

    Args:
        heads: The head of each column.
        rows: Its cells.
        words: Words that are marked; cells are cut so that the first of them stays.
        whole: Whether nothing is cut but what is long in the middle.
    """
    kept = [[plain(cell) for cell in row] for row in rows]
    if not kept:
        return None
    columns = list(zip(heads, *kept, strict=True))
    widths = [min(max(map(len, c)), _MIDDLE if i else _WIDEST) for i, c in enumerate(columns[:-1])]
    widths.append(PIPED_WIDTH - _MARGIN - sum(w + 2 for w in widths))
    if whole:
        widths[-1] = max(map(len, columns[-1]))
    cells = [[_marked(cut(cell, w, words), words) for cell, w in zip(row, widths, strict=True)] for row in kept]
    return titled(title, table(heads, cells))


def _marked(cell: str, words: Sequence[str]) -> str | Text:
    if not words:
        return cell
    text = Text(cell)
    text.highlight_words(words, "bold reverse", case_sensitive=False)
    return text


def cut(text: str, width: int, words: Sequence[str] = ()) -> str:
    """A text in one line of some width, with the first of some words in it."""
    if len(text) <= width:
        return text
    at = min((i for w in words if (i := text.lower().find(w.lower())) >= 0), default=0)
    end = at + max(map(len, words), default=0)
    if end <= width - len(CUT):
        return text[: width - len(CUT)].rstrip(" ,;:") + CUT
    latest = len(text) - width + len(CUT)  # from there on the rest fits
    begin = text.find(" ", max(min(at - width // 3, latest), 0), at) + 1 or at
    return CUT.strip() + " " + cut(text[begin:], width - len(CUT))
