"""The text of how the rulings of a game came out."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.query.answers import CaseResult, Tested
from vclogic.report.text.page import amount, bracketed, indented, paragraphs, plain


def test(answer: Tested) -> Group:
    """Each ruling that failed, with what was expected and what was found, and a summary."""
    failed = [_failure(c) for c in answer.cases if c.status == "failed"]
    return paragraphs(*failed, _summary(answer))


def _summary(answer: Tested) -> Text:
    if not answer.cases:
        return Text(f"{answer.game} has no rulings.")
    if not answer.failed:
        return Text(f"{answer.game}: {amount(answer.passed, 'ruling')} passed.", "bold green")
    return Text(f"{answer.game}: {amount(answer.failed, 'ruling')} failed, {answer.passed} passed.", "bold red")


def _failure(case: CaseResult) -> Group:
    head = Text()
    head.append("failed: ", "bold red")
    head.append(plain(case.name), "bold")
    head.append(bracketed(case.cites), "dim")
    lines: list[RenderableType] = [head]
    lines += [_line("as expected: ", x, "") for x in case.expected if x in case.got]
    lines += [_line("expected: ", x, "green") for x in case.expected if x not in case.got]
    lines += [_line("got: ", x, "red") for x in case.got if x not in case.expected]
    return Group(*lines)


def _line(label: str, text: str, style: str) -> RenderableType:
    return indented(Text.assemble((label, style), plain(text)))
