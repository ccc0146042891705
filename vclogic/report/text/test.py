"""Text report of `test`: which rulings of a game passed."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.query.answers import CaseResult, Tested
from vclogic.report.text.errors import errors
from vclogic.report.text.page import bracketed, indented, paragraphs, plain
from vclogic.words import amount


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
    if case.problems:
        return Group(head, indented(errors(case.problems)))
    places = case.places or ((None, None),) * len(case.expected)
    lines: list[RenderableType] = [head]
    for expected, got, place in zip(case.expected, case.got, places, strict=True):
        if expected == got:
            lines.append(_line("as expected: ", expected, "dim"))
            continue
        if case.file is not None:
            shown = ":".join(str(x) for x in (case.file, *place) if x is not None)
            lines.append(indented(Text.assemble(("--> ", "blue"), plain(shown))))
        lines += [_line("expected: ", expected, "green"), _line("got:      ", got, "red")]
    return Group(*lines)


def _line(label: str, text: str, style: str) -> RenderableType:
    return indented(Text.assemble((label, style), plain(text)))
