"""The text of an answer by the kind of question."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType

COLUMNS = 84
"""So many columns a report has where nothing else is asked for."""
_MOST_COLUMNS = 400
_DESIGNING = ("cards", "check", "compare", "format", "new", "render", "rulebook", "rules", "study", "test")
_MODULES = {name: f"designing.{name}" for name in _DESIGNING}
_MODULES |= {  # kinds that share a module
    "explain": "designing.check",
    "games": "designing.rules",
    "new_case": "designing.new",
}


def report_of(kind: str, answer: Any, **choices: object) -> RenderableType:
    """The report of an answer: by the function of this package that is called like the question.

    Args:
        kind: The question.
        choices: Further arguments of that function.
    """
    found: RenderableType = getattr(_module(kind), kind)(answer, **choices)
    return found


def in_words(kind: str, answer: Any, columns: int = COLUMNS) -> str:
    """An answer in words, as its command says them, in lines of so many letters at the most."""
    from vclogic.report.text.page import render

    return render(report_of(kind, answer), width=min(columns, _MOST_COLUMNS))


def verdict(kind: str, answer: Any) -> str | None:
    """The line of a report that says what was found; None where a table says it."""
    from vclogic.report.text.page import plain

    headline = getattr(_module(kind), "headline", None)
    return headline and " ".join(plain(headline(answer).plain).split())


def _module(kind: str) -> ModuleType:
    return import_module(f"vclogic.report.text.{_MODULES.get(kind, kind)}")
