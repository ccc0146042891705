"""Text report of `status --event`: whether an event is allowed, and why."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.query.explain import ExplainedEvent
from vclogic.report.text.page import bracketed, bullets, paragraphs, titled
from vclogic.report.text.reasons import because, trees

NOT_JUDGED = "Not checked, since the rule text does not say: {}."


def event(answer: ExplainedEvent, *, whole: bool = False) -> Group:
    """The report as text.

    Args:
        answer: The answer.
        whole: Whether to show all requirements, with the deciding ones marked, or only those that are not met.
    """
    verdict = Text("allowed", "bold green") if answer.allowed else Text("not allowed", "bold red")
    lacking = [r for r in answer.requirements if not r.value]
    shown: RenderableType | None = None
    if whole:
        shown = Group(*trees(answer.requirements))
    elif lacking:
        shown = bullets(r.text + bracketed(r.cites) + because(r.facts) for r in lacking)
    return paragraphs(
        Group(Text(f"May {answer.event} happen here?", "bold"), Text(answer.game, "dim")),
        verdict,
        Text(NOT_JUDGED.format(answer.not_judged)) if answer.allowed and answer.not_judged else None,
        shown,
        titled("Assumptions", bullets(answer.assumptions)) if answer.assumptions else None,
    )
