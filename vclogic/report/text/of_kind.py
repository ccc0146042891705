"""The text of an answer by the kind of question."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType

_PAGE_WIDTH = 84


def report_of(kind: str, answer: Any, **choices: object) -> RenderableType:
    """The report of an answer: the function and the module of this package that are called like the question.

    Args:
        kind: The question.
        answer: Its answer.
        choices: Further arguments of that function.
    """
    module = import_module(f"vclogic.report.text.{kind}")
    found: RenderableType = getattr(module, kind)(answer, **choices)
    return found


def in_words(kind: str, answer: Any) -> str:
    """An answer in words, as its command says them."""
    from vclogic.report.text.page import render

    return render(report_of(kind, answer), width=_PAGE_WIDTH)
