"""Text report of `explain`: what finding codes mean."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.check.catalogue import Code
from vclogic.report.text.page import paragraphs, table


def explain(codes: Sequence[Code]) -> RenderableType:
    """One code in full, or all of them in a table."""
    if len(codes) == 1:
        (code,) = codes
        head = Text.assemble((f"{code.code} {code.name}", "bold"), f" ({code.severity})")
        return paragraphs(
            Group(head, Text(code.says)), Text(code.why), Text.assemble(("help: ", "bold cyan"), code.help)
        )
    rows = [(c.code, c.name, c.severity, c.says) for c in codes]
    return table(("Code", "Name", "Severity", "What it says"), rows)
