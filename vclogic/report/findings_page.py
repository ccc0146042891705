"""The page of the finding codes, `docs/findings.md`, from the catalogue."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files

from vclogic.check.catalogue import Code


def page(codes: Iterable[Code]) -> str:
    """The page as Markdown."""
    parts = [(files("vclogic.report") / "findings_page.md").read_text(encoding="utf-8")]
    for c in codes:
        parts.append(
            f"## {c.code} {c.name}\n\n{c.severity.capitalize()}. {c.says}\n\n{c.why}\n\n**Help:** {c.help}.\n"
        )
    return "\n".join(parts)
