"""Text report of `games`: what is installed."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.query.rule_book import Installed
from vclogic.report.text.page import paragraphs, plain, table


def games(entries: Iterable[Installed]) -> RenderableType:
    """Each encoding with its scenarios."""
    found = [_game(e) for e in entries]
    return paragraphs(*found) if found else Text("No game is installed.")


def _game(entry: Installed) -> Group:
    head = Text.assemble((entry.name, "bold"), f"  {entry.title or 'broken'}")
    if entry.broken:
        return Group(head, *(Text(f"  {plain(d.message)}", "red") for d in entry.broken))
    rows = []
    for s in entry.scenarios:
        mark = f" (meant by {entry.name} alone)" if s.name == entry.default and len(entry.scenarios) > 1 else ""
        rows.append((f"{entry.name}/{s.name}", f"{s.content.title}{mark}", s.content.text))
    return Group(head, table(("Scenario", "Title", "What it is"), rows))
