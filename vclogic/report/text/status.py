"""Text report of `status`: who has won and who has what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.model.fluents import Value
from vclogic.query.answers import Status, TableStatus
from vclogic.query.outcome_status import OutcomeStatus
from vclogic.query.status import shown
from vclogic.report.text.page import bracketed, bullets, indented, paragraphs, table, titled
from vclogic.report.text.position import listed, said_by
from vclogic.report.text.reasons import outcome
from vclogic.report.text.trace import trace

NOT_JUDGED = "Not checked in the record, since the rule text does not say"
_COLOURS = {"met": "bold green", "unmet": "", "undefined": "yellow", "undeclared": "yellow"}


def status(answer: Status, *, whole: bool = False) -> Group:
    """The winner, and each side's progress towards each outcome.

    Args:
        whole: Whether explanations are to be shown with all their parts, not the deciding ones alone.
    """
    seen = f", as {answer.view} can know it" if answer.view else ""
    winner = f"Winner: {answer.winner}" if answer.winner else "Nobody has won yet."
    return paragraphs(
        Group(Text(winner, "bold green" if answer.winner else "bold"), Text(answer.game + seen, "dim")),
        _outcomes(answer.outcomes) if answer.outcomes else None,
        bullets(answer.remarks) if answer.remarks else None,
        titled("What each outcome asks for", _explained(answer, whole=whole)) if answer.explanations else None,
        _observables(answer),
        *map(listed, answer.position),
        *(titled(t.title + bracketed(t.cites, most=3), _table(t)) for t in answer.tables if _has_entries(t)),
        None if answer.trace is None else titled("What each step of the record changes", trace(answer.trace)),
        titled(NOT_JUDGED, bullets(answer.not_judged)) if answer.not_judged else None,
        titled("Assumptions", bullets(answer.assumptions)) if answer.assumptions else None,
    )


def _outcomes(outcomes: Iterable[OutcomeStatus]) -> RenderableType:
    heads = ("Outcome", "Side", "Status", "Has", "Needs", "Short", "Clauses")
    return table(heads, _rows(outcomes), right=("Has", "Needs", "Short"))


def _rows(outcomes: Iterable[OutcomeStatus]) -> Iterator[tuple[str | Text, ...]]:
    """A row for each outcome and side; what a row repeats from the one above it is left out."""
    above = ("", "")
    for o in outcomes:
        level = f" ({o.level})" if o.level else ""
        here = (o.rule + level, ", ".join(o.cites))
        rule, clauses = ("" if a == b and here[0] == above[0] else a for a, b in zip(here, above, strict=True))
        above = here
        yield (
            rule,
            o.side,
            Text(o.status, _COLOURS[o.status]),
            _number(o.have),
            _number(o.need),
            _number(o.short),
            clauses,
        )


def _number(n: int | None) -> str:
    return "" if n is None else str(n)


def _explained(answer: Status, *, whole: bool) -> Group:
    """The conditions of each outcome, and why it is met or not."""
    parts: list[RenderableType] = []
    above: set[object] = set()
    for o, why in zip(answer.outcomes, answer.explanations, strict=True):
        line = Text(f"{o.rule}, {o.side}: ")
        line.append(o.status, _COLOURS[o.status])
        has = ""
        if o.have is not None and o.need is not None:
            has = f"has {o.have}, needs {o.need}"
            has += f", {o.missing} short; " if o.missing else "; "
        judged = f"judged {o.when}" if o.when else "judged at once"
        clauses = Text(bracketed(o.cites, most=20), "dim")
        parts += [
            line,
            indented(Text.assemble(o.text, clauses)),
            indented(has + judged),
            indented(outcome(why, whole, above)),
        ]
    return Group(*parts)


def _observables(answer: Status) -> RenderableType | None:
    """The observables, but for those that the position says."""
    said = said_by(answer.position)
    rows = [(name, shown(v)) for name, v in answer.observables.items() if name.partition("(")[0] not in said]
    return table(("Observable", "Value"), rows) if rows else None


def _has_entries(answer: TableStatus) -> bool:
    return any(entries for cells in answer.rows.values() for entries in cells.values())


def _table(answer: TableStatus) -> RenderableType:
    rows = ((row, *(_cell(entries) for entries in cells.values())) for row, cells in answer.rows.items())
    return table((answer.head, *answer.columns), rows)


def _cell(entries: Mapping[str, Value]) -> str:
    """The entries of one value in a line each, the largest value first."""
    labels: dict[Value, list[str]] = {}
    for label, value in entries.items():
        labels.setdefault(value, []).append(label)
    ordered = sorted(labels.items(), key=lambda item: item[0] if isinstance(item[0], int) else 0, reverse=True)
    return "\n".join(f"{shown(value)}: {', '.join(names)}" for value, names in ordered)
